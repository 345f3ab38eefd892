"""Open alarms: raised for a batch of messages, shown to the people who act on them, and cleared."""

from dataclasses import asdict, dataclass

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Statement, with_example
from feltwork.site.books.watch import alarms
from feltwork.site.compliance.two_person import Command

#: Kinds of alarm that a process clears itself once their cause is gone.
_CLEARED_BY_PROCESS = frozenset(
    {
        "full log",
        "gap",
        "refused rounds",
        "self-check",
        "bookkeeper task",
        "service task",
        "live reader",
    }
)


@validated(config=COMMAND, frozen=True, kw_only=True)
class ClearAlarm:
    """An alarm that a person has dealt with, and what they did."""

    kind: Statement = Field(examples=["tray difference"])
    place: Statement = Field(examples=["table C1"])
    reason: Statement = Field(examples=["Counted the tray with Sam"])


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ClearedAlarmView:
    """A cleared alarm."""

    kind: str
    place: str
    cleared_by: str


def open_alarms(op: Operation) -> list[alarms.Alarm]:
    """List open alarms, newest first."""
    authorize(op, Command(name="watch", about="alarms"))
    return alarms.open_alarms(op.connection)


def is_cleared_by_people(kind: str) -> bool:
    """Whether an alarm stays open until a person clears it."""
    return kind not in _CLEARED_BY_PROCESS


def clear_alarm(op: Operation, command: ClearAlarm) -> ClearedAlarmView:
    """Clear an alarm with a note of what was done; alarms that a process clears are refused."""
    authorize(op, Command(name="clear_alarm", about=command.place))

    def act() -> ClearedAlarmView:
        cleared = is_cleared_by_people(command.kind) and alarms.clear_alarm(
            op.connection, command.kind, command.place, by=op.actor.id, why=command.reason
        )
        if not cleared:
            raise unknown(f"{command.kind}, {command.place}")
        return ClearedAlarmView(kind=command.kind, place=command.place, cleared_by=op.actor.id)

    return op.perform(asdict(command), ClearedAlarmView, act, why=command.reason)
