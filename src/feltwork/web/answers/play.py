"""Answers about play: rounds, awards and house jackpots."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from feltwork.web.answers import Told, shown

_METERS = {
    "jackpot": {"meter": 10_000_720_000, "reserve": 150_000, "pending": 0, "cap": 50_000_000_000},
}
_CLAIMED = {"kind": "Claimed", "link": "crazy4", "at": 1_800_000_000_000_000, "award": "A-7f3c"}
_AWARD: dict[str, Any] = {
    "id": "A-7f3c",
    "table": "C1",
    "round": 101,
    "seat": 2,
    "hand": "four_aces",
    "claimed_by": "dana",
    "claimed_at": 1_800_000_000_000_000,
    "status": "confirmed",
    "level": "jackpot",
    "from_meter": 10_000_720_000,
    "from_house": 0,
    "seed": 10_000_000_000,
    "reserve": 0,
    "locked": True,
    "lock_number": 1,
    "restarts": True,
    "supervisor": "sam",
    "executive": "eve",
    "amount": 10_000_720_000,
}
_ROUND: dict[str, Any] = {
    "link": "crazy4",
    "table": "C1",
    "round": 101,
    "phase": "playing",
    "seats": [1, 2, 5],
    "players": [1, 2, 5, 6],
    "hands": {"2": "four_aces"},
    "claims": [2],
    "confirmed": [],
    "buttons": ["seat + hand button", "MISDEAL"],
}


class FactTold(Told):
    """One fact of the journal: its kind, its time, and what else its kind has."""

    model_config = ConfigDict(extra="allow")

    kind: str
    at: int


class Pools(Told):
    """The pools of a level, millionths; a level without a cap has null."""

    meter: int
    reserve: int
    pending: int
    cap: int | None


class Done(Told):
    """What a command has booked, and how the meters stand after it."""

    model_config = shown(facts=[_CLAIMED], meters=_METERS, entry=412)

    facts: list[FactTold]
    meters: dict[str, Pools] | None
    entry: int | None


class AwardTold(Told):
    """An award as it stands, millionths."""

    model_config = shown(**_AWARD)

    id: str
    table: str
    round: int
    seat: int
    hand: str
    claimed_by: str
    claimed_at: int
    status: Literal["claimed", "confirmed", "paid", "voided", "reversed"]
    level: str
    from_meter: int
    from_house: int
    seed: int
    reserve: int
    locked: bool
    lock_number: int
    restarts: bool
    supervisor: str
    executive: str
    amount: int
    #: The amount of its whole hit, the badges that it takes, the winning cards, and who paid it.
    hit_amount: int | None = None
    badges: list[str] = Field(default_factory=list)
    cards: str = ""
    paid_by: str = ""


class Awards(Told):
    """Awards, the oldest first."""

    model_config = shown(awards=[_AWARD])

    awards: list[AwardTold]


class RoundTold(Told):
    """The round at a table, and the buttons that answer."""

    model_config = shown(**_ROUND)

    link: str
    table: str
    round: int
    phase: str
    seats: list[int]
    players: list[int]
    hands: dict[str, str]
    claims: list[int]
    confirmed: list[int]
    buttons: list[str]
    driver: str = "screen"


class Lit(Told):
    """The seats that are lit on the dealer's screen."""

    model_config = shown(covered=[1, 2, 5])

    covered: list[int]


class Started(Told):
    """A round that is booked."""

    model_config = shown(
        started={
            "kind": "RoundStarted",
            "link": "crazy4",
            "at": 1_800_000_000_000_000,
            "table": "C1",
            "round": 101,
            "wager": 1_000_000,
            "seats": [1, 2, 5],
        },
        meters=_METERS,
        entry=411,
    )

    started: FactTold
    meters: dict[str, Pools]
    entry: int


class Pressed(Done):
    """What a hand button did; an award where a meter pays the hand."""

    model_config = shown(facts=[_CLAIMED], meters=_METERS, entry=412, award="A-7f3c", round=_ROUND)

    award: str | None
    awards: dict[str, str] = Field(default_factory=dict)
    round: RoundTold


class KeyTurned(Told):
    """What the key did: the round when it stands at JPH, what was booked when it is back at RUN."""

    model_config = shown(round={**_ROUND, "phase": "jackpot"})

    round: RoundTold | None = None
    facts: list[FactTold] = Field(default_factory=list)
    meters: dict[str, Pools] | None = None
    entry: int | None = None


class Ended(Told):
    """A round that has ended."""

    model_config = shown(
        ended={
            "kind": "RoundEnded",
            "link": "crazy4",
            "at": 1_800_000_060_000_000,
            "table": "C1",
            "round": 101,
            "fixed": 7_000_000,
            "envy": 0,
        }
    )

    ended: FactTold


class RoundRefused(Told):
    """A round that was parked, and why."""

    table: str
    round: int
    what: str
    remedy: str
    requirement: str


class BatchBooked(Told):
    """What became of a batch."""

    model_config = shown(booked=2, duplicates=[["C1", 100]], refused=[], meters=_METERS, entry=413)

    booked: int
    duplicates: list[tuple[str, int]]
    refused: list[RoundRefused]
    meters: dict[str, Pools]
    entry: int


_HOUSE: dict[str, Any] = {"jackpot": "four-aces", "hand": "four_aces", "amount": 10_000_000_000}


class HouseTold(Told):
    """A house jackpot: its posted amount, and its awards."""

    model_config = shown(**_HOUSE, executive_above=1_000_000_000, awards=[{**_AWARD, "level": "posted"}])

    jackpot: str
    hand: str
    amount: int
    executive_above: int
    awards: list[AwardTold]


class HouseAward(Told):
    """An award of a house jackpot after a step, and the amount that is posted."""

    model_config = shown(jackpot="four-aces", posted=10_000_000_000, award={**_AWARD, "level": "posted"})

    jackpot: str
    posted: int
    award: AwardTold
