"""The links of the random histories: their paytables as the letters print them, and the floor file of all."""

from collections.abc import Mapping
from dataclasses import dataclass, field

CENT = 10_000
DOLLAR = 1_000_000
PIT = {"sam": "supervisor", "sue": "supervisor", "eve": "executive", "emil": "executive"}
ROLES = {
    "dana": "dealer",
    "dino": "dealer",
    **PIT,
    "cara": "cage",
    "ann": "accounting",
    "vic": "surveillance",
}
_PIT = ("supervisor", "executive")
MAY = {
    **dict.fromkeys(("start", "hand", "end"), ("dealer",)),
    **dict.fromkeys(("confirm", "void", "misdeal", "stop", "resume"), _PIT),
    "pay": (*_PIT, "cage"),
}


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of a paytable: a share of a level, or a fixed pay; pay and envy for one unit wagered."""

    level: str = "jackpot"
    percent: int = 0
    pays: int = 0
    envy: int = 0


@dataclass(frozen=True)
class Level:
    """What a level starts with, and what it and its reserve get of each wager, in percent."""

    seed: int
    contribution: int
    reserve: int


@dataclass(frozen=True, kw_only=True)
class LinkRules:
    """A link as the floor file defines it."""

    id: str
    tables: tuple[str, ...]
    seats: int
    jackpot: str
    paytable: str
    wager: int
    rows: Mapping[str, Row]
    levels: Mapping[str, Level]
    lock_at: str
    executive_above: int
    executive_levels: tuple[str, ...] = ()
    #: Whether several winners divide one prize, and whether one press names every jackpot wager at the table.
    divides: bool = False
    all_share: bool = False

    def covers(self, hand: str) -> bool:
        return self.all_share and self.shares(hand)

    def shares(self, hand: str) -> bool:
        """Whether a hand takes a share of a meter."""
        return hand in self.rows and self.rows[hand].percent > 0

    def corrects(self, before: str, hand: str) -> bool:
        """Whether a press takes a shared prize from every seat."""
        return self.divides and self.shares(before) and not self.shares(hand)

    def fixed_pay(self, hand: str) -> int:
        """What a hand gets from the tray for one unit."""
        return self.rows[hand].pays if hand in self.rows else 0

    def contribution(self, level: str, wagers: int) -> tuple[int, int]:
        """What some wagers bring to a level and to its reserve."""
        of = self.levels[level]
        return wagers * self.wager * of.contribution // 100, wagers * self.wager * of.reserve // 100


#: The round of a claim: its table and number.
Place = tuple[str, int]
#: A meter and its reserve.
Pools = tuple[int, int]


@dataclass
class Claim:
    """A claim and what became of it."""

    id: str
    place: Place
    seat: int
    hand: str
    level: str
    by: str
    status: str = "claimed"
    amount: int = 0
    #: The number of its press, and what had come into the pools by then.
    turn: int = 0
    came: Pools = (0, 0)
    signed: tuple[str, ...] = ()


@dataclass
class Round:
    """The round at a table, or the last one."""

    number: int = 0
    is_open: bool = False
    seats: tuple[int, ...] = ()
    players: tuple[int, ...] = ()
    hands: dict[int, str] = field(default_factory=dict)


_FIXED = {
    "full_house": Row(pays=50),
    "flush": Row(pays=40),
    "straight": Row(pays=30),
    "three_of_a_kind": Row(pays=9),
}
ONE_LEVEL = {
    "royal_flush": Row(percent=100, envy=1000),
    "straight_flush": Row(percent=10, envy=300),
    "four_of_a_kind": Row(pays=300),
    **_FIXED,
}
THREE_LEVELS = {
    "royal_flush": Row(level="mega", percent=100, envy=1000),
    "straight_flush": Row(level="major", percent=100, envy=300),
    "four_of_a_kind": Row(level="minor", percent=100),
    **_FIXED,
}
DRAGON = {
    "two_three_four_diamonds": Row(percent=100),
    "two_three_four_suited": Row(percent=10),
    "two_three_four": Row(pays=1000),
    "nine_over_zero": Row(pays=10),
}
_SUITS = "cdhs"
#: Cards that make the hands of a share.
CARDS = {
    "royal_flush": [" ".join(f"{rank}{suit}" for rank in "AKQJT") for suit in _SUITS],
    "straight_flush": [" ".join(f"{rank}{suit}" for rank in "98765") for suit in _SUITS],
    "four_of_a_kind": ["2c 2d 2h 2s 3c", "4c 4d 4h 4s 3d"],
    "two_three_four_diamonds": ["2d 3d 4d"],
    "two_three_four_suited": ["2h 3h 4h"],
}
LINKS = (
    LinkRules(
        id="at-claim",
        tables=("A1", "A2"),
        seats=7,
        jackpot="five_card",
        paytable="01",
        wager=DOLLAR,
        rows=ONE_LEVEL,
        levels={"jackpot": Level(10_000 * DOLLAR, 22, 3)},
        lock_at="claim",
        executive_above=5_000 * DOLLAR,
    ),
    LinkRules(
        id="at-confirm",
        tables=("B1", "B2"),
        seats=7,
        jackpot="five_card",
        paytable="01",
        wager=5 * DOLLAR,
        rows=ONE_LEVEL,
        levels={"jackpot": Level(10_000 * DOLLAR, 22, 3)},
        lock_at="confirm",
        executive_above=5_000 * DOLLAR,
    ),
    LinkRules(
        id="three-levels",
        tables=("C1", "C2"),
        seats=7,
        jackpot="five_card",
        paytable="ML03",
        wager=DOLLAR,
        rows=THREE_LEVELS,
        levels={
            "mega": Level(4_000 * DOLLAR, 8, 1),
            "major": Level(1_500 * DOLLAR, 6, 1),
            "minor": Level(400 * DOLLAR, 6, 1),
        },
        lock_at="claim",
        executive_above=5_000 * DOLLAR,
        executive_levels=("mega",),
    ),
    LinkRules(
        id="dragon",
        tables=("D1",),
        seats=9,
        jackpot="dragon",
        paytable="1",
        wager=DOLLAR,
        rows=DRAGON,
        levels={"jackpot": Level(8_000 * DOLLAR, 25, 1)},
        lock_at="confirm",
        executive_above=5_000 * DOLLAR,
        divides=True,
        all_share=True,
    ),
    LinkRules(
        id="dragon-side",
        tables=("E1",),
        seats=9,
        jackpot="dragon",
        paytable="1",
        wager=DOLLAR,
        rows=DRAGON,
        levels={"jackpot": Level(8_000 * DOLLAR, 25, 1)},
        lock_at="claim",
        executive_above=5_000 * DOLLAR,
        divides=True,
    ),
)

_HEAD = """
site = "Histories"
location = "histories"
jurisdiction = "generic"
disputes = "Ask the supervisor."

[gambling_day]
time_zone = "America/Los_Angeles"
starts_at_hour = 6
"""
_POKER = """
game = "crazy_4"
side_bets = { queens_up = "25.00", bad_beat = "5.00" }
paytables = { super_bonus = "C4P-09", queens_up = "C4P-09", bad_beat = "BBB-01" }
"""
_BACCARAT = """
game = "mini_baccarat"
options = { decks = 8 }
side_bets = { dragon_bonus = "50.00" }
paytables = { dragon_bonus = "1" }
"""


def floor_text() -> str:
    """The floor file with all links, their tables and people."""
    people = "".join(f'\n[[person]]\nid = "{name}"\nroles = ["{role}"]\n' for name, role in ROLES.items())
    return (
        _HEAD
        + "".join(_table(link, name) for link in LINKS for name in link.tables)
        + "".join(map(_link, LINKS))
        + people
    )


def _table(link: LinkRules, name: str) -> str:
    game = _BACCARAT if link.divides else _POKER
    return f"""
[[table]]
id = "{name}"
seats = {link.seats}
entry = "sensors"
sensors = 1
manufacturer = "Light & Wonder"
highest_wager = "300.00"
{game}"""


def _link(link: LinkRules) -> str:
    share = "all_bettors" if link.all_share else "winning_side"
    meters = "".join(
        f'\n[[link.meter]]\nlevel = "{name}"\nseed = "{level.seed // DOLLAR}.00"\n'
        f'contribution = "{level.contribution}%"\nreserve = "{level.reserve}%"\n'
        for name, level in link.levels.items()
    )
    return f"""
[[link]]
id = "{link.id}"
kind = "progressive"
jackpot = "{link.jackpot}"
paytable = "{link.paytable}"
wager = "{link.wager // DOLLAR}.00"
tables = {list(link.tables)}
manufacturer = "Light & Wonder"
controls = "nexus"
lock_at = "{link.lock_at}"
executive_above = "{link.executive_above // DOLLAR}.00"
executive_levels = {list(link.executive_levels)}
cut_off = "stop"
{f'options = {{ share_with = "{share}" }}' if link.divides else ""}
{meters}"""
