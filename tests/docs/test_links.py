"""Every relative link of a tracked page leads to a tracked file or folder, and to a heading that it has."""

import re
from functools import cache
from pathlib import Path

from tests.docs.console import ROOT, tracked_files

_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.M | re.S)
_LINK = re.compile(r"\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)")


@cache
def tracked() -> frozenset[Path]:
    """The files that are tracked, and their folders."""
    return frozenset(path for file in tracked_files() for path in (file, *file.parents))


@cache
def headings(page: Path) -> frozenset[str]:
    """The anchors of a page's headings, as the documentation and code hosts make them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.M)
    return frozenset(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles)


def test_every_relative_link_leads_to_what_is_tracked() -> None:
    pages = sorted(path for path in tracked() if path.suffix == ".md" and path.is_file())
    assert len(pages) > 50
    dead = []
    for page in pages:
        for target, anchor in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
            path = (page.parent / target).resolve() if target else page
            if path not in tracked() or (anchor and anchor not in headings(path)):
                dead.append(f"{page.relative_to(ROOT)}: {target}{anchor and '#'}{anchor}")
    assert dead == [], "name a page that is only built with {doc}, or drop the link"
