"""Prints the changelog section of a release; fails if tag, version and changelog disagree."""

import re
import sys
from datetime import date
from pathlib import Path

from feltwork import __version__

CHANGELOG = Path(__file__).parent.parent / "CHANGELOG.md"
_HEADING = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", re.MULTILINE)


def sections(changelog: str) -> dict[str, str]:
    """The text of each version, newest first, as the changelog lists them."""
    _, *parts = _HEADING.split(changelog)
    return {version: text.strip() for version, _, text in zip(*[iter(parts)] * 3, strict=True)}


def release_notes(tag: str, version: str, changelog: str) -> str:
    """The notes of the tagged version, which must be the package's and the newest of the changelog."""
    if tag != f"v{version}":
        raise SystemExit(f"The tag is {tag}, but the package is version {version}. Tag v{version}.")
    notes_by_version = sections(changelog)
    newest = next(iter(notes_by_version), "none")
    if newest != version:
        raise SystemExit(
            f"The newest section of CHANGELOG.md is {newest}, but the package is version {version}. "
            f"Head its notes, which are under Unreleased, with: ## {version} ({date.today()})"
        )
    return notes_by_version[version]


if __name__ == "__main__":
    notes = release_notes(sys.argv[1], __version__, CHANGELOG.read_text(encoding="utf-8"))
    sys.stdout.write(f"{notes}\n")
