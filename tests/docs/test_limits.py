"""The page of limits keeps up with the readings, the threat model and the requirements."""

import re
from collections import Counter
from pathlib import Path

from feltwork.site.compliance.jurisdiction import ids, jurisdiction
from feltwork.site.compliance.requirements import REQUIREMENTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())


def test_it_is_short_and_found_from_where_it_matters() -> None:
    assert len(PAGE.split()) <= 500
    assert "(docs/limits.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(jurisdiction(name).basis.endswith("See docs/limits.md.") for name in ids())


def test_it_lists_every_open_reading() -> None:
    rows = re.findall(
        r"^\| ([^|]+?) \|", (ROOT / "docs/readings.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    listed = re.search(r"may not: (.+?)\. ## Equipment", FLAT)
    assert listed
    assert listed[1].split("; ") == [row for row in rows if row not in ("where", "---")]


def test_it_counts_the_risks_that_remain_and_the_texts_that_were_not_read() -> None:
    model = (
        (ROOT / "docs/security/threat_model.md").read_text(encoding="utf-8").partition("## What remains")[2]
    )
    assert f"lists {len(re.findall('^- ', model, re.MULTILINE))} risks" in FLAT
    marks = Counter(row.mark for row in REQUIREMENTS.values())
    assert f"Of {marks.total()} requirements, {marks['S'] + marks['GK']} rest on a report" in FLAT
    assert f"and {marks['P']} on part of a text" in FLAT
    assert [name for name in ids() if jurisdiction(name).read >= 10] == ["wa_cardroom"]
