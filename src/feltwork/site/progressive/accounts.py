"""The chart of accounts: paths such as ``meter/LINK/LEVEL``, each with the owner of its money.

A balance is inflow less outflow (credits are positive); all balances sum to zero. See ``docs/accounts.md``.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

Account: TypeAlias = str
Owner: TypeAlias = Literal["players", "house", "outside"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of the chart: path prefix, path parameters and owner of the money."""

    name: str
    of: tuple[str, ...]
    owner: Owner
    says: str


CHART = {
    kind.name: kind
    for kind in (
        Kind("meter", ("link", "level"), "players", "the displayed amount of a level"),
        Kind("reserve", ("link", "level"), "players", "the hidden pool that tops up the next seed"),
        Kind("pending", ("link", "level"), "players", "taken off a meter for a claim, not yet owed"),
        Kind("payable", ("link", "award"), "players", "owed to the patron of a confirmed award"),
        Kind("seed_advanced", ("link", "level"), "house", "minus the seed that the house has put in"),
        Kind("retention", ("link",), "house", "the operator's share of the wagers"),
        Kind("tray", ("table",), "house", "minus the fixed pays, stakes returned and envy"),
        Kind("house_pays", ("link",), "house", "minus what the house pays of awards"),
        Kind("gross_receipts", ("link",), "house", "reserve booked as revenue, with its reason"),
        Kind("merchandise", ("link",), "outside", "reserve spent on goods in place of fixed prizes"),
        Kind(
            "problem_gambling",
            ("link",),
            "outside",
            "confiscated from self-excluded patrons, owed to the state",
        ),
        Kind("patrons", ("link",), "outside", "minus what patrons have wagered, plus what they were paid"),
        Kind("correction", ("link",), "outside", "the other side of a malfunction, until it is explained"),
        Kind("clearing", ("link", "target"), "outside", "on its way from a link to another place"),
    )
}
#: Account kinds for money that the house holds for players and has no claim on [WA-06].
PLAYER_FUNDS = frozenset(name for name, kind in CHART.items() if kind.owner == "players")
HOUSE_FUNDS = frozenset(name for name, kind in CHART.items() if kind.owner == "house")

_SEGMENT = re.compile(r"[A-Za-z0-9_.:+@-]+")


def kind_of(account: Account) -> str:
    """The account kind of a path."""
    return account.partition("/")[0]


@lru_cache(maxsize=65_536)
def verify_account(account: Account) -> None:
    """Raise if a path is not on the chart."""
    name, *segments = account.split("/")
    kind = CHART.get(name)
    if kind is None:
        raise ValueError(f"{account!r} is no account; choose from: {', '.join(CHART)}")
    if len(segments) != len(kind.of) or not all(map(_SEGMENT.fullmatch, segments)):
        raise ValueError(f"{account!r} is no account; write {name}/{'/'.join(kind.of).upper()}")


def verify_name(name: str) -> None:
    """Raise if the name of a link, level, table or award cannot be part of a path."""
    if not _SEGMENT.fullmatch(name):
        raise ValueError(f"{name!r} cannot name an account; use letters, digits and any of _ . : + @ -")


def meter(link: str, level: str) -> Account:
    """The displayed amount of a level."""
    return f"meter/{link}/{level}"


def reserve(link: str, level: str) -> Account:
    """The hidden pool of a level."""
    return f"reserve/{link}/{level}"


def pending(link: str, level: str) -> Account:
    """Amounts locked for claims on a level."""
    return f"pending/{link}/{level}"


def payable(link: str, award: str) -> Account:
    """The amount payable for one award."""
    return f"payable/{link}/{award}"


def seed_advanced(link: str, level: str) -> Account:
    """The house's claim on a level: minus its unrecovered seed."""
    return f"seed_advanced/{link}/{level}"


def retention(link: str) -> Account:
    """The operator's share of the wagers of a link."""
    return f"retention/{link}"


def tray(table: str) -> Account:
    """The dealer's chips."""
    return f"tray/{table}"


def house_pays(link: str) -> Account:
    """Amounts the operator adds to awards of a link, or pays for a house jackpot."""
    return f"house_pays/{link}"


def gross_receipts(link: str) -> Account:
    """Revenue booked out of a reserve."""
    return f"gross_receipts/{link}"


def merchandise(link: str) -> Account:
    """Goods bought out of a reserve."""
    return f"merchandise/{link}"


def problem_gambling(link: str) -> Account:
    """Awards confiscated from self-excluded patrons."""
    return f"problem_gambling/{link}"


def patrons(link: str) -> Account:
    """The people who play on a link."""
    return f"patrons/{link}"


def correction(link: str) -> Account:
    """Differences caused by a malfunction."""
    return f"correction/{link}"


def clearing(link: str, target: str) -> Account:
    """Money on its way from a link to a target."""
    return f"clearing/{link}/{target}"
