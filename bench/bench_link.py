"""The link that benchmarks book on, and the floor that lets tables play it."""

from collections import Counter
from collections.abc import Iterable

from feltwork.money import DOLLAR
from feltwork.site.progressive.link import Level, Link, options_of
from feltwork.titles import registry

#: What the mega level takes of a wager, in basis points.
RATE = 1_200


def the_link(name: str) -> Link:
    """Three levels on a five-card link, as a room would run it."""
    names = {"mega": (25_000, RATE), "major": (2_000, 800), "minor": (250, 400)}
    return Link(
        id=name,
        jackpot="five_card",
        paytable=registry.paytable("five_card", "jackpot", "ML03"),
        wager=DOLLAR,
        levels=tuple(
            Level(name=level, seed=seed * DOLLAR, contribution=rate, reserve=100, unreasonable=100 * DOLLAR)
            for level, (seed, rate) in names.items()
        ),
        controls="nexus",
        lock_at="confirm",
        executive_above=1_000 * DOLLAR,
        options=options_of(registry.jackpot("five_card")),
    )


def sign_on_of(table: str) -> str:
    """What the messages of a table carry."""
    return f"dana-signed-on-at-{table}"


def the_floor(tables: Iterable[tuple[str, str]]) -> str:
    """A floor file with these tables of seven seats, each on one link or several: (link, table)."""
    placed = sorted(set(tables))
    head = """
site = "Benchmark"
location = "bench"
jurisdiction = "generic"
disputes = "Ask the supervisor."
gambling_day = { time_zone = "America/Los_Angeles", starts_at_hour = 6 }
"""
    return (
        head
        + "".join(
            _table(table, links) for table, links in sorted(Counter(table for _, table in placed).items())
        )
        + "".join(
            _link(the_link(link), [table for link_name, table in placed if link_name == link])
            for link in sorted({link for link, _ in placed})
        )
    )


def _table(name: str, links: int) -> str:
    return f"""
[[table]]
id = "{name}"
rounds_per_hour = 1_000_000_000
game = "crazy_4"
seats = 7
entry = "sensors"
sensors = {links}
manufacturer = "Bench"
highest_wager = "300.00"
paytables.super_bonus = "C4P-09"
"""


def _link(link: Link, tables: list[str]) -> str:
    meters = "".join(
        f"""
[[link.meter]]
level = "{level.name}"
seed = "{level.seed // DOLLAR}.00"
contribution = "{level.contribution / 100}%"
reserve = "{level.reserve / 100}%"
unreasonable = "{level.unreasonable // DOLLAR}.00"
"""
        for level in link.levels
    )
    return f"""
[[link]]
id = "{link.id}"
kind = "progressive"
jackpot = "five_card"
paytable = "ML03"
wager = "1.00"
tables = {tables}
manufacturer = "Bench"
controls = "nexus"
lock_at = "confirm"
executive_above = "1000.00"
cut_off = "stop"
{meters}"""
