"""Detached signatures: OpenSSL makes the keys and checks what we sign."""

import subprocess
from pathlib import Path

import pytest

from feltwork.odds.signature import is_signed, sign
from feltwork.problem import ProblemsError

CONTENT = b"a certificate"


def openssl(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["openssl", *map(str, words)], capture_output=True, check=False)


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    private, public = tmp_path / "key.pem", tmp_path / "public.pem"
    assert openssl("genpkey", "-algorithm", "ed25519", "-out", private).returncode == 0
    assert openssl("pkey", "-in", private, "-pubout", "-out", public).returncode == 0
    return private, public


def test_openssl_checks_our_signature(keys: tuple[Path, Path], tmp_path: Path) -> None:
    private, public = keys
    file, signature = tmp_path / "file", tmp_path / "file.sig"
    file.write_bytes(CONTENT)
    signature.write_bytes(sign(CONTENT, private.read_bytes(), where="key"))
    words = ("-verify", "-pubin", "-inkey", public, "-rawin", "-in", file, "-sigfile", signature)
    assert openssl("pkeyutl", *words).returncode == 0
    file.write_bytes(CONTENT + b".")
    assert openssl("pkeyutl", *words).returncode != 0


def test_only_the_signed_bytes_and_the_signers_key_pass(keys: tuple[Path, Path], tmp_path: Path) -> None:
    private, public = (file.read_bytes() for file in keys)
    signature = sign(CONTENT, private, where="key")
    assert is_signed(CONTENT, signature, public, where="key")
    assert not is_signed(CONTENT + b".", signature, public, where="key")
    assert not is_signed(CONTENT, b"", public, where="key")
    other = tmp_path / "other.pem"
    openssl("genpkey", "-algorithm", "ed25519", "-out", other)
    assert not is_signed(CONTENT, sign(CONTENT, other.read_bytes(), where="key"), public, where="key")


def test_another_kind_of_key_is_refused(keys: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    openssl("genpkey", "-algorithm", "x25519", "-out", other)
    with pytest.raises(ProblemsError, match="not an Ed25519 key"):
        sign(CONTENT, other.read_bytes(), where="key")
    with pytest.raises(ProblemsError, match="not a private key"):
        sign(CONTENT, keys[1].read_bytes(), where="key")
    with pytest.raises(ProblemsError, match="not a public key"):
        is_signed(CONTENT, b"", b"x", where="key")
