"""Decision records: numbered without gaps, few, and each with all its parts."""

import re

from tests.docs.console import ROOT

RECORDS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
PARTS = ["Context", "Decision", "What would change it"]


def test_records_are_numbered_without_gaps_and_read_in_twenty_minutes() -> None:
    numbers = [int(record.name[:4]) for record in RECORDS]
    assert numbers == list(range(1, len(RECORDS) + 1))
    assert sum(len(record.read_text(encoding="utf-8").split()) for record in RECORDS) < 4_500


def test_every_record_has_its_number_and_parts() -> None:
    bad = []
    for record in RECORDS:
        text = record.read_text(encoding="utf-8")
        parts = re.findall(r"^\*\*([\w ]+)\.\*\*", text, flags=re.M)
        if not text.startswith(f"# {int(record.name[:4])}. ") or parts != PARTS:
            bad.append((record.name, parts))
    assert bad == []
