"""The link that benchmarks book on."""

from feltwork.money import DOLLAR
from feltwork.progressive.link import Level, Link, options_of
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
