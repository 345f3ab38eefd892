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
    #: Whether the state's system shows the payee as self-excluded.
    found: bool = False
    level: str = ""
    pool: str = ""
    to: Micros = 0
    #: The explanation of an adjustment, whose reason is one of the lawful ones.
    text: str = ""
    #: The number of an open incident.
    incident: int = 0
    #: The document number of an adjustment or a reversal.
    reference: str = ""
    bank: Micros = 0
    #: Whether a controller is up or down, or the key at JPH or RUN.
    state: str = ""
    #: The floor file that is proposed, relative to the rehearsal.
    file: str = ""
    #: The step of two people that is proposed, approved or withdrawn, and the name of its proposal.
    step: "Step | None" = None
    name: str = ""
    comment: str = ""
    expect: Mapping[str, object] | None = None


#: Keys whose values are not plain text.
_READERS: Mapping[str, Callable[[object], Any]] = {
    "by": fields.people,
    "seat": fields.whole,
    "incident": fields.whole,
    "round": fields.whole,
    "wagers": fields.wagers,
    "players": fields.seats,
    "winners": fields.seats,
    "wagered": fields.switch,
    "found": fields.switch,
    "folded": fields.switch,
    "amount": fields.amount,
    "to": fields.amount,
    "bank": fields.amount,
}
#: Keys whose attribute of `Step` has another name.
_ATTRIBUTES = {"number": "reference", "is": "state", "as": "name"}
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


#: The steps that one person proposes and a second approves.
TWO_PEOPLE = ("reverse", "confiscate", "adjust", "set_amount", "resume", "floor")
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
    "confirm": StepKind("Confirm a hit with badges.", _CLAIM, ("link", "round", "amount", "cards")),
    "void": StepKind("Refuse a claim.", _CLAIM, ("link", "round", "reason")),
    "set_aside": StepKind(
        "Set a disputed claim aside; later claims no longer wait for it.", _CLAIM, ("link", "round", "reason")
    ),
    "pay": StepKind("Write the payout record and pay.", _CLAIM, ("link", "round", "how", "payee", "cards")),
    "check": StepKind(
        "Look the payee up in the state's self-exclusion system, or answer a match that another found.",
        _CLAIM,
        ("link", "round", "payee", "cards", "found", "reason"),
    ),
    "confiscate": StepKind(
        "Confiscate the award of a self-excluded patron.", _CLAIM, ("link", "round", "reason")
    ),
    "end": StepKind("END GAME.", ("table", "by")),
    "misdeal": StepKind("Void the round and return the wagers.", ("table", "by"), ("reason",)),
    "reverse": StepKind("Reverse a confirmed hit.", _CLAIM, ("link", "round", "reason", "number")),
    "adjust": StepKind(
        "Adjust a meter or a reserve.",
        ("link", "level", "to", "by"),
        ("number", "reason", "text", "pool", "incident"),
    ),
    "incident": StepKind("Report a malfunction.", ("by",), ("link", "table", "reason")),
    "set_amount": StepKind(
        "Post another amount of a house jackpot.", ("link", "hand", "to", "by"), ("reason",)
    ),
    "count": StepKind("Compare the bank with the books.", ("link", "bank", "by")),
    "stop": StepKind("Stop wagering on a link.", ("link", "by"), ("reason", "cause")),
    "resume": StepKind("Take wagers again.", ("link", "by"), ("reason",)),
    "controller": StepKind("Bring a table controller up or down.", ("table", "is"), ("by",)),
    "floor": StepKind("Put another floor file into effect.", ("file", "by"), ("reason",)),
    "propose": StepKind("Propose a step of two people.", ("step", "as")),
    "approve": StepKind("Approve a proposed step.", ("as", "by")),
    "withdraw": StepKind("Withdraw or decline a proposed step.", ("as", "by"), ("reason",)),
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
    values = {key: value for key, value in data.items() if key in kind.keys}
    about: dict[str, Any] = {}
    if "step" in values:
        proposed = read_step(number, fields.table(values.pop("step")))
        if proposed.do not in TWO_PEOPLE:
            raise FieldError(f"Nobody proposes the step {proposed.do!r}.", f"Use {', '.join(TWO_PEOPLE)}.")
        about = {"step": proposed, "by": proposed.by[:1]}
    return Step(
        number=number,
        do=str(do),
        comment=str(data.get("comment", "")),
        expect=fields.table(data["expect"]) if "expect" in data else None,
        **{_ATTRIBUTES.get(key, key): _value(key, value) for key, value in values.items()},
        **about,
    )


def _value(key: str, value: object) -> Any:
    try:
        return _READERS.get(key, fields.text)(value)
    except FieldError as error:
        raise FieldError(f"{key}: {error}", error.remedy) from None
