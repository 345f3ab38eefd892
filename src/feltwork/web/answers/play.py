"""Answers about house jackpots."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from feltwork.operations.fields import example

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


class AwardTold(BaseModel):
    """An award as it stands, millionths."""

    model_config = example(**_AWARD)

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


_HOUSE: dict[str, Any] = {"jackpot": "four-aces", "hand": "four_aces", "amount": 10_000_000_000}


class HouseTold(BaseModel):
    """A house jackpot: its posted amount, and its awards."""

    model_config = example(**_HOUSE, executive_above=1_000_000_000, awards=[{**_AWARD, "level": "posted"}])

    jackpot: str
    hand: str
    amount: int
    executive_above: int
    awards: list[AwardTold]


class HouseAward(BaseModel):
    """An award of a house jackpot after a step, and the amount that is posted."""

    model_config = example(jackpot="four-aces", posted=10_000_000_000, award={**_AWARD, "level": "posted"})

    jackpot: str
    posted: int
    award: AwardTold
