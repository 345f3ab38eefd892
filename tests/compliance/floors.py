"""Floors for tests: the examples, and a small one to change a line of."""

import re
from datetime import date
from pathlib import Path

from feltwork.site.compliance.check import check
from feltwork.site.compliance.finding import Finding
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.floor_file import read_floor

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
DAY = date(2025, 1, 1)
SMALL = """\
site = "Example"
location = "example"
jurisdiction = "wa_cardroom"

[gambling_day]
time_zone = "America/Los_Angeles"
starts_at_hour = 6

[[table]]
id = "C1"
game = "crazy_4"
seats = 7
entry = "sensors"
sensors = 1
manufacturer = "Light & Wonder"
highest_wager = "300.00"
side_bets = { queens_up = "25.00" }
paytables = { super_bonus = "C4P-09", queens_up = "C4P-09" }

[[link]]
id = "four-aces"
kind = "progressive"
jackpot = "four_card"
paytable = "3"
wager = "5.00"
tables = ["C1"]
manufacturer = "Light & Wonder"
controls = "nexus"
lock_at = "confirm"
executive_above = "5000.00"
cut_off = "stop"

[[link.meter]]
level = "jackpot"
seed = "10000.00"
contribution = "20%"
reserve = "5%"
"""
ON_FILE = """
[approvals]
internal_controls = "IC-12"
manufacturer_license = "ML-4"

[table.equipment]
shuffler = "i-Deal Plus"

[[person]]
id = "sam"
roles = ["supervisor"]

[[person]]
id = "eve"
roles = ["executive"]

[[person]]
id = "ann"
roles = ["accounting"]

[[person]]
id = "bob"
roles = ["accounting"]
"""


def floor_of(text: str) -> Floor:
    return read_floor(text, where="floor.toml")


def small(*changes: tuple[str, str]) -> Floor:
    """The small floor with some of its text replaced."""
    return floor_of(changed(*changes))


def changed(*changes: tuple[str, str]) -> str:
    text = SMALL + ON_FILE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def findings(floor: Floor, *, on: date = DAY) -> list[Finding]:
    """What a check says, but for notes."""
    return [finding for finding in check(floor, on=on) if finding.severity != "note"]


def found(floor: Floor, *, on: date = DAY) -> list[str]:
    return [f"{finding.severity} {finding.requirement}" for finding in findings(floor, on=on)]


def text_of(name: str) -> str:
    return (EXAMPLES / f"{name}.toml").read_text(encoding="utf-8")


def compliant(text: str) -> str:
    """A floor of the gallery, each marked line replaced by the compliant one after its mark."""
    return re.sub(r"(?m)^.*# compliant: ?", "", text)


def example(name: str) -> Floor:
    return read_floor(text_of(name), where=f"{name}.toml")
