"""One changed byte in any installed file is noticed, and the list is a software bill of materials."""

import random
import re
import shutil
from importlib.metadata import distributions
from pathlib import Path

import pytest

from feltwork import __version__
from feltwork.problem import ProblemsError
from feltwork.site.servers import components
from tests.sizes import NIGHTLY

CHANGES = 200 if NIGHTLY else 20
#: In the nightly run every package is copied, otherwise the small ones.
LARGEST_BYTES = 10**9 if NIGHTLY else 40_000


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of libraries that may be changed, and its approved list."""
    folder = tmp_path / "lib" / "site-packages"
    for package in distributions(path=[components._LIBRARIES]):
        files = [file for file in package.files or () if ".." not in file.parts]
        if sum(file.size or 0 for file in files) <= LARGEST_BYTES and package.name != "feltwork":
            for file in files:
                if (source := Path(str(file.locate()))).is_file():
                    copy = folder / file
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(source, copy)
    for name in ("_LIBRARIES", "_ROOT", "_STANDARD"):
        monkeypatch.setattr(components, name, str(folder))
    monkeypatch.setattr(components, "_POSTGRESQL", str(tmp_path / "none"))
    components.compile_modules()
    write_list(tmp_path / "approved.toml")
    return folder


def write_list(approved: Path) -> None:
    components.components.cache_clear()
    lines = (f'"{name}" = "{digest}"' for name, digest in components.components().items())
    approved.write_text("\n".join(("[components]", *lines)), encoding="utf-8")


def problems(approved: Path) -> list[str]:
    components.components.cache_clear()
    try:
        components.verify_components(approved)
    except ProblemsError as error:
        return [f"{problem.where}: {problem.what}" for problem in error.problems]
    return []


@pytest.mark.requirement("WA-31")
def test_every_changed_byte_is_noticed(libraries: Path) -> None:
    approved = libraries.parent.parent / "approved.toml"
    dice = random.Random(17)
    files = sorted(path for path in libraries.rglob("*") if path.is_file() and path.stat().st_size)
    assert any(path.suffix == ".pyc" for path in files)
    assert not problems(approved)
    files_in_record = 0
    for path in dice.sample(files, CHANGES):
        content = path.read_bytes()
        place = dice.randrange(len(content))
        path.write_bytes(
            content[:place] + bytes([content[place] ^ dice.randrange(1, 256)]) + content[place + 1 :]
        )
        texts = problems(approved)
        assert texts, f"{path}, byte {place}"
        files_in_record += f"{path}: its content changed since it was installed" in texts
        path.write_bytes(content)
    assert files_in_record > CHANGES // 4, "the record of a package names the file"
    (libraries / "sitecustomize.py").write_text("", encoding="utf-8")
    assert any(text.startswith("files of no package: ") for text in problems(approved))


def test_the_list_is_a_bill_of_materials(libraries: Path) -> None:
    components.components.cache_clear()
    bill = components.cyclonedx()
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", __version__)
    by_name = {component["name"]: component for component in bill["components"]}
    package = next(iter(distributions(path=[str(libraries)])))
    entry = by_name[package.name]
    assert entry["version"] == package.version
    assert re.fullmatch(rf"pkg:pypi/[a-z0-9-]+@{re.escape(package.version)}", entry["purl"])
    (digest,) = entry["hashes"]
    assert digest == {
        "alg": "SHA-256",
        "content": components.components()[f"{package.name} {package.version}"],
    }
    assert {"python", "nats-server"} <= {*by_name}
