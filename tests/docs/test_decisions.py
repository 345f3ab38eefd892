"""Decision records: numbered without gaps, few, and each with all its parts."""

import re

from tests.docs.console import ROOT

RECORDS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
PARTS = (
    ["Context", "Decision", "Alternatives", "Consequences"],
    ["Context", "Decision", "What would change it"],
)


def test_records_are_numbered_without_gaps_and_are_few() -> None:
    numbers = [int(record.name[:4]) for record in RECORDS]
    assert numbers == list(range(1, len(RECORDS) + 1))
    assert 7 <= len(RECORDS) <= 26


def test_every_record_has_its_number_date_status_and_parts() -> None:
    bad = []
    for record in RECORDS:
        text = record.read_text(encoding="utf-8")
        head = (
            rf"# {int(record.name[:4])}\. .+\n\nDate: \d{{4}}-\d\d-\d\d\. Status: (accepted|superseded)\.\n"
        )
        parts = re.findall(r"^\*\*([\w ]+)\.\*\*", text, flags=re.M)
        if not re.match(head, text) or parts not in PARTS:
            bad.append((record.name, parts))
    assert bad == []
