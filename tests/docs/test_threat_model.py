"""Each threat and each section of the ASVS names a test that exists, or is open or not applicable."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECURITY = ROOT / "docs" / "security"


@pytest.mark.parametrize(
    ("page", "head", "least"), [("threat_model.md", "| threat |", 30), ("asvs.md", "| section |", 50)]
)
def test_each_threat_names_a_test_that_exists_or_is_open(page: str, head: str, least: int) -> None:
    text = (SECURITY / page).read_text(encoding="utf-8")
    tables = re.findall(rf"{re.escape(head)}.*?(?=\n\n)", text, re.DOTALL)
    proofs = [row.split("|")[-2].strip() for table in tables for row in table.splitlines()[2:]]
    assert len(proofs) >= least
    for proof in proofs:
        if proof in ("open", "not applicable"):
            continue
        match = re.fullmatch(r"`(tests/\S+\.py)::(test_\w+)`", proof)
        assert match, proof
        assert f"def {match[2]}(" in (ROOT / match[1]).read_text(encoding="utf-8"), proof
