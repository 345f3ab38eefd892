"""The release notes and the version agree."""

import re
from datetime import date

import pytest

from feltwork import __version__
from tests.docs.console import ROOT
from tools.release_notes import release_notes, sections

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_newest_section_is_the_version_of_the_package() -> None:
    versions = list(sections(CHANGELOG))
    assert versions[0] == __version__
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert numbers == sorted(set(numbers), reverse=True)
    assert release_notes(f"v{__version__}", __version__, CHANGELOG) == sections(CHANGELOG)[__version__]


def test_every_heading_of_a_version_has_a_date_that_exists() -> None:
    headings = re.findall(r"^## (?!Unreleased$)(.*)$", CHANGELOG, flags=re.M)
    dates = [date.fromisoformat(heading.split(" ")[1].strip("()")) for heading in headings]
    assert dates == sorted(dates, reverse=True)
    assert len(dates) == len(sections(CHANGELOG))


@pytest.mark.parametrize(
    ("tag", "version", "message"),
    [
        ("v0.1.1", "0.1.0", "Tag v0.1.0"),
        ("0.1.0", "0.1.0", "Tag v0.1.0"),
        ("v9.0.0", "9.0.0", "## 9.0.0 ("),
    ],
)
def test_a_release_that_does_not_agree_is_refused(tag: str, version: str, message: str) -> None:
    with pytest.raises(SystemExit, match=re.escape(message)):
        release_notes(tag, version, CHANGELOG)
