"""Steps of a rehearsal: the actions and the keys that each takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from feltwork.money import Micros
from feltwork.rehearsal import step_fields as fields
from feltwork.rehearsal.step_fields import FieldError


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One user action; a key that the file leaves out has its empty value."""

    number: int
    do: str
    by: tuple[str, ...] = ()
    table: str = ""
    link: str = ""
    seat: int = 0
    round: int = 0
    hand: str = ""
    cards: str = ""
    #: The winning side that divides a prize.
    winners: tuple[int, ...] = ()
    folded: bool = True
    wagers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    #: Seats with a base game wager; by default, the seats with a jackpot wager.
    players: tuple[int, ...] | None = None
    wagered: bool = False
    amount: Micros | None = None
    reason: str = ""
    cause: str = ""
    how: str = ""
    payee: str = ""
    level: str = ""
    pool: str = ""
    to: Micros = 0
    #: The document number of an adjustment or a reversal.
    reference: str = ""
    bank: Micros = 0
    #: Whether a controller is up or down, or the key at JPH or RUN.
    state: str = ""
    #: The floor file that is proposed, relative to the rehearsal.
    file: str = ""
    comment: str = ""
    expect: Mapping[str, object] | None = None


#: Keys whose values are not plain text.
_READERS: Mapping[str, Callable[[object], Any]] = {
    "by": fields.people,
    "seat": fields.whole,
    "round": fields.whole,
    "wagers": fields.wagers,
    "players": fields.seats,
    "winners": fields.seats,
    "wagered": fields.switch,
    "folded": fields.switch,
    "amount": fields.amount,
    "to": fields.amount,
    "bank": fields.amount,
}
#: Keys whose attribute of `Step` has another name.
_ATTRIBUTES = {"number": "reference", "is": "state"}
_EVERYWHERE = ("do", "comment", "expect")
#: The values that the key `is` accepts.
_STATES = {"controller": ("up", "down"), "key": ("JPH", "RUN")}


@dataclass(frozen=True, slots=True)
class StepKind:
    """An action: the keys it requires and the keys it accepts."""

    does: str
    requires: tuple[str, ...]
    accepts: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key of the action."""
        return (*self.requires, *self.accepts)


_CLAIM = ("table", "seat", "by")
KINDS: Mapping[str, StepKind] = {
    "sensors": StepKind("Put chips on the sensors, or take them off.", ("table", "wagers", "by")),
    "start": StepKind("START GAME: lock the wagers.", ("table", "by"), ("wagers", "players")),
    "hand": StepKind(
        "Press a hand button; a repeat clears it.",
        ("table", "seat", "hand", "by"),
        ("link", "cards", "winners", "round"),
    ),
    "fold": StepKind(
        "Mark a seat as folded, where folded hands do not qualify.",
        ("table", "seat", "by"),
        ("link", "folded"),
    ),
    "correct": StepKind(
        "Correct one locked seat before the first card.", ("table", "seat", "wagered", "by"), ("link",)
    ),
    "key": StepKind("Turn the key of an Aquarius table.", ("table", "is", "by"), ("link",)),
    "confirm": StepKind("Confirm a hit with badges.", _CLAIM, ("link", "round", "amount")),
    "void": StepKind("Refuse a claim.", _CLAIM, ("link", "round", "reason")),
    "pay": StepKind("Write the payout record and pay.", _CLAIM, ("link", "round", "how", "payee", "cards")),
    "end": StepKind("END GAME.", ("table", "by")),
    "misdeal": StepKind("Void the round and return the wagers.", ("table", "by"), ("reason",)),
    "reverse": StepKind("Reverse a confirmed hit.", _CLAIM, ("link", "round", "reason", "number")),
    "adjust": StepKind(
        "Adjust a meter or a reserve.", ("link", "level", "to", "by"), ("number", "reason", "pool")
    ),
    "set_amount": StepKind(
        "Post another amount of a house jackpot.", ("link", "hand", "to", "by"), ("reason",)
    ),
    "count": StepKind("Compare the bank with the books.", ("link", "bank", "by")),
    "stop": StepKind("Stop wagering on a link.", ("link", "by"), ("reason", "cause")),
    "resume": StepKind("Take wagers again.", ("link", "by"), ("reason",)),
    "controller": StepKind("Bring a table controller up or down.", ("table", "is"), ("by",)),
    "floor": StepKind("Put another floor file into effect.", ("file", "by"), ("reason",)),
    "day": StepKind("Close the gambling day.", (), ("by",)),
    "audit": StepKind("Audit the books.", (), ("by",)),
}


def read_step(number: int, data: Mapping[str, object]) -> Step:
    """Read one step; raise the first problem found in it."""
    do = data.get("do")
    kind = KINDS.get(do) if isinstance(do, str) else None
    if kind is None:
        what = f"There is no step {do!r}." if "do" in data else "The key 'do' is missing."
        raise FieldError(what, f"Use {', '.join(KINDS)}.")
    for key in data:
        if key not in (*kind.keys, *_EVERYWHERE):
            raise FieldError(f"The step {do!r} has no key {key!r}.", f"Use {', '.join(kind.keys)}.")
    for key in kind.requires:
        if key not in data:
            raise FieldError(f"The step {do!r} needs the key {key!r}.", f"Add {key!r} to the step.")
    if "is" in data and data["is"] not in _STATES[str(do)]:
        raise FieldError(f"A {do} cannot be {data['is']!r}.", f"Write {' or '.join(_STATES[str(do)])}.")
    return Step(
        number=number,
        do=str(do),
        comment=str(data.get("comment", "")),
        expect=fields.table(data["expect"]) if "expect" in data else None,
        **{_ATTRIBUTES.get(key, key): _value(key, value) for key, value in data.items() if key in kind.keys},
    )


def _value(key: str, value: object) -> Any:
    try:
        return _READERS.get(key, fields.text)(value)
    except FieldError as error:
        raise FieldError(f"{key}: {error}", error.remedy) from None
