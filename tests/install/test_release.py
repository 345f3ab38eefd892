"""A release can be built again by anybody, and comes out the same to the last bit."""

import hashlib
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from feltwork import __version__
from tests.docs.console import ROOT

PARTS = ("src", "tools", "pyproject.toml", "README.md", "LICENSE", "NOTICE")


def built(copy: Path) -> tuple[str, str]:
    """The wheel that a copy of the sources gives."""
    copy.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, copy / part)  # without its time: that must not matter
    return wheel_of(copy)


def wheel_of(copy: Path) -> tuple[str, str]:
    """The name and the hash of the wheel that is built in a folder."""
    command = ["uv", "build", "--quiet", "--wheel", "--out-dir", str(copy / "dist"), str(copy)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = (copy / "dist").glob("*.whl")
    return wheel.name, hashlib.sha256(wheel.read_bytes()).hexdigest()


def readme_of(copy: Path) -> str:
    """What a package index shows of the wheel in a folder."""
    (wheel,) = (copy / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        return files.read(f"feltwork-{__version__}.dist-info/METADATA").decode()


@pytest.mark.whole
@pytest.mark.requirement("GEN-21")
def test_two_builds_of_the_same_sources_are_the_same(tmp_path: Path) -> None:
    first = built(tmp_path / "here")
    assert built(tmp_path / "elsewhere") == first
    money = tmp_path / "here" / "src" / "feltwork" / "money.py"
    money.write_text(money.read_text(encoding="utf-8") + "# one more line", encoding="utf-8")
    assert wheel_of(tmp_path / "here")[1] != first[1]
    readme = readme_of(tmp_path / "elsewhere")
    links = re.findall(r"\]\(([^)]+)\)", readme)
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https:")] == []
    assert f"/v{__version__}/docs/screenshots/sign.webp" in readme
