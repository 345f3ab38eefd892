"""A bundle is signed: one changed byte anywhere is refused, and so is a bundle that another key signed."""

import base64
import hashlib
import json
import shutil
import stat
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltwork.site.books.audit.export import export
from feltwork.site.books.audit.site_key import PRIVATE, SiteKey, make_site_key, register_public_key
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.test_tampering import VERIFIER, an_evening, verifier
from tests.sizes import size
from tests.support.books import new_books


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SiteKey:
    return make_site_key(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def signed(server: EmbeddedPostgres, key: SiteKey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed bundle, as a folder and as an archive beside it."""
    name = new_books(server, "books_signed")
    folder = tmp_path_factory.mktemp("export")
    with connect(server.dsn(name, role="writer")) as connection:
        an_evening(connection)
        export(connection, folder / "bundle", Period(), key)
        export(connection, folder / "bundle.tar", Period(), key)
    return folder / "bundle"


@pytest.fixture(scope="module")
def program() -> ModuleType:
    """The verifier in this process, for many runs of it."""
    spec = spec_from_file_location("verify_books", VERIFIER)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.requirement("GL-08")
@pytest.mark.parametrize("name", ["bundle", "bundle.tar"])
def test_a_signed_bundle_verifies(signed: Path, key: SiteKey, name: str) -> None:
    code, output = verifier(signed.with_name(name), "--key", key.public)
    assert (code, output.endswith("entries followed: all is well\n")) == (0, True), output


def test_without_openssl_the_verifier_says_what_to_install(
    signed: Path, program: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert program.main([str(signed)]) == 2
    assert "the openssl command is not here: install it" in capsys.readouterr().err


def test_without_a_known_key_the_verifier_says_which_one_signed(signed: Path, key: SiteKey) -> None:
    code, output = verifier(signed)
    assert (code, f"\nsigned by {key.public}: compare it" in output) == (0, True), output


def places(size: int, most: int) -> list[int]:
    """Every byte of a small file, or some of a large one, the first and the last among them."""
    return list(range(size)) if size <= most else sorted({*range(0, size, size // most), size - 1})


@pytest.mark.requirement("GL-08")
def test_one_changed_byte_in_any_file_is_refused(
    signed: Path, key: SiteKey, program: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(signed, tmp_path / "bundle")
    tried = 0
    for path in sorted((tmp_path / "bundle").iterdir()):
        content = path.read_bytes()
        most = size(80, 500) if path.suffix == ".minisig" else size(6, 15)
        for place in places(len(content), most):
            path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            try:
                code = program.main([str(tmp_path / "bundle"), "--key", key.public])
            finally:
                path.write_bytes(content)
            assert code != 0, f"{path.name}, byte {place}"
            tried += 1
        path.write_bytes(content + b"\n")
        assert program.main([str(tmp_path / "bundle"), "--key", key.public]) != 0, path.name
        path.write_bytes(content)
    assert tried > size(80, 300)
    assert program.main([str(tmp_path / "bundle"), "--key", key.public]) == 0
    capsys.readouterr()


@pytest.mark.requirement("GL-08")
def test_one_changed_byte_in_an_archive_is_refused(
    signed: Path, key: SiteKey, program: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = signed.with_name("bundle.tar").read_bytes()
    changed = tmp_path / "changed.tar"
    for place in [*range(0, 512, 9), *places(len(content), 60)]:
        changed.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert program.main([str(changed), "--key", key.public]) != 0, f"byte {place}"
    capsys.readouterr()


def without_a_link(bundle: Path) -> None:
    """Remove a whole link from a bundle, and forge everything but the signature."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    del manifest["links"]["L2"]
    for name in manifest["files"]:
        path = bundle / name
        lines = [line for line in path.read_text().splitlines() if json.loads(line).get("link") != "L2"]
        path.write_text("".join(f"{line}\n" for line in lines))
        manifest["files"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
    (bundle / "manifest.json").write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")


def left_out(bundle: Path) -> None:
    (bundle / "manifest.json.minisig").unlink()


def signed_by_another(bundle: Path) -> None:
    """Sign a bundle anew, with a key of one's own in the manifest."""
    forger = SiteKey(Ed25519PrivateKey.generate())
    manifest = json.loads((bundle / "manifest.json").read_text()) | {"site_key": forger.public}
    text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
    (bundle / "manifest.json").write_text(text)
    (bundle / "manifest.json.minisig").write_text(forger.sign(text.encode(), "bundle of ALL"))


def another_comment(bundle: Path) -> None:
    path = bundle / "manifest.json.minisig"
    path.write_text(path.read_text().replace("bundle of ALL", "bundle of 2026-01-31"))


def an_added_file(bundle: Path) -> None:
    (bundle / "notes.txt").write_text("all is well\n")


#: What is done to a signed bundle, and what the verifier says with the key of the site.
TAMPERED_SIGNATURES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a whole link removed from a bundle": (without_a_link, "manifest.json: the signature is wrong"),
    "a bundle without its signature": (left_out, "manifest.json: it is not signed"),
    "a bundle signed with another key": (signed_by_another, "manifest.json: another key signed it"),
    "another comment in the signature": (another_comment, "manifest.json: the signature is wrong"),
    "a file added to a bundle": (an_added_file, "notes.txt: the manifest does not name this file"),
}


@pytest.mark.requirement("GL-08")
@pytest.mark.parametrize("how", TAMPERED_SIGNATURES)
def test_the_verifier_refuses_the_signature(signed: Path, key: SiteKey, tmp_path: Path, how: str) -> None:
    tamper, message = TAMPERED_SIGNATURES[how]
    shutil.copytree(signed, tmp_path / "bundle")
    tamper(tmp_path / "bundle")
    code, output = verifier(tmp_path / "bundle", "--key", key.public)
    assert (code, output.startswith(message)) == (1, True), output


@pytest.mark.requirement("GL-08")
def test_published_tails_show_a_removed_link_and_a_chain_written_anew(signed: Path, tmp_path: Path) -> None:
    manifest = json.loads((signed / "manifest.json").read_text())
    ends = {name: about["closing"] for name, about in manifest["links"].items()}
    ends["evidence"] = manifest["evidence"]["closing"]
    lines = {name: f"--tail {name}={end['number']}:{end['hash']}" for name, end in ends.items()}
    tails = tmp_path / "tails.txt"
    tails.write_text("\n".join(lines.values()), encoding="utf-8")
    assert verifier(signed, "--tails", str(tails))[0] == 0
    shutil.copytree(signed, tmp_path / "bundle")
    without_a_link(tmp_path / "bundle")
    code, output = verifier(tmp_path / "bundle", "--tails", str(tails), "--no-signature")
    number = ends["L2"]["number"]
    assert (code, f"L2: you know entry {number}, and the bundle has no such link" in output) == (1, True), (
        output
    )
    for name, end in ends.items():
        tails.write_text(f"{name}={end['number']}:{'0' * 64}\n", encoding="utf-8")
        code, output = verifier(signed, "--tails", str(tails))
        assert (code, f"{name}, entry {end['number']}: it is not the one you know" in output) == (1, True), (
            output
        )


def test_the_verifier_knows_right_signatures_from_wrong_ones(program: ModuleType) -> None:
    for seed in range(1, 5):
        private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(bytes([seed])).digest())
        public, message = private.public_key().public_bytes_raw(), bytes(range(seed * 20))
        signature = private.sign(message)
        assert program.is_signed(public, message, signature)
        assert not program.is_signed(public, message + b"x", signature)
        for place in (0, 31, 32, 63):
            wrong = bytearray(signature)
            wrong[place] ^= 1
            assert not program.is_signed(public, message, bytes(wrong))


def test_the_key_of_a_site_is_made_once_for_its_owner_alone(server: EmbeddedPostgres, tmp_path: Path) -> None:
    first, again = make_site_key(tmp_path / "keys"), make_site_key(tmp_path / "keys")
    assert first.public == again.public
    assert stat.S_IMODE((tmp_path / "keys" / PRIVATE).stat().st_mode) == 0o600
    assert base64.b64decode(first.public)[:2] == b"Ed"
    with connect(server.dsn(new_books(server, "books_fresh"))) as owner:
        for _ in range(2):
            register_public_key(owner, first.public)
        assert owner.execute("SELECT public_key FROM books.site_key").fetchall() == [(first.public,)]
