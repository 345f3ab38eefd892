"""Floor files for tests, written from links: what a floor in effect must say so that tables may play them."""

from collections.abc import Iterable, Mapping

from feltwork import money
from feltwork.site.progressive.link import NO_CAP, Level, Link

HEAD = """
site = "Test Room"
location = "test"
jurisdiction = "generic"
disputes = "Ask the supervisor."
gambling_day = { time_zone = "America/Los_Angeles", starts_at_hour = 6 }
"""
TABLES = tuple(f"T{number}" for number in range(1, 41))
#: Tables with the quota of people; the others play as fast as a test can.
BY_HAND = ("T39", "T40")


def floor_text(*links: Link, tables: Mapping[str, Iterable[str]] | None = None) -> str:
    """A floor with these links, each on tables of its own, or all on T1 to T40, with seven seats."""
    of_link = {link.id: list((tables or {}).get(link.id, TABLES)) for link in links}
    names = sorted({name for some in of_link.values() for name in some})
    return HEAD + "".join(map(_table, names)) + "".join(_link(link, of_link[link.id]) for link in links)


def _table(name: str) -> str:
    quota = "" if name in BY_HAND else "rounds_per_hour = 10_000_000"
    return f"""
[[table]]
id = "{name}"
{quota}
game = "crazy_4"
seats = 7
entry = "sensors"
sensors = 1
manufacturer = "Light & Wonder"
highest_wager = "300.00"
paytables.super_bonus = "C4P-09"
"""


def _link(link: Link, tables: list[str]) -> str:
    options = ", ".join(f"{name} = {_toml(value)}" for name, value in link.options.items())
    return f"""
[[link]]
id = "{link.id}"
kind = "progressive"
jackpot = "{link.jackpot}"
variant = "{link.variant}"
paytable = "{link.paytable.id}"
wager = "{money.text(link.wager)}"
tables = {tables}
manufacturer = "Light & Wonder"
controls = "{link.controls}"
lock_at = "{link.lock_at}"
executive_above = "{money.text(link.executive_above)}"
cut_off = "stop"
options = {{ {options} }}
""" + "".join(map(_meter, link.levels))


def _meter(level: Level) -> str:
    cap = "" if level.cap == NO_CAP else f'cap = "{money.text(level.cap)}"\n'
    return f"""
[[link.meter]]
level = "{level.name}"
seed = "{money.text(level.seed)}"
contribution = "{level.contribution / 100}%"
reserve = "{level.reserve / 100}%"
unreasonable = "{money.text(level.unreasonable)}"
{cap}"""


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'
