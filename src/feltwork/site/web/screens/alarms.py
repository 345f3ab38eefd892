"""Alarms in the words of the people who act on them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from feltwork.site.books.context import Operation
from feltwork.site.books.watch.alarms import Alarm
from feltwork.site.books.watch.open_alarms import is_cleared_by_people, open_alarms
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.sentences import kept
from feltwork.site.web.rendering.templating import sentence

_CALL_IT = N_("Call IT. Keep dealing: the system catches up by itself.")
_UNKNOWN = N_("Call IT, and write down what you see.")
#: By kind: title, what happened, and what to do; an empty text comes from the alarm itself.
ALARM_TEXTS: Mapping[str, tuple[str, str, str]] = {
    "gap": (
        N_("Round missing"),
        N_("These rounds have not arrived: %(missing)s."),
        N_("Check the controller of the table and its cable. The alarm ends when they arrive."),
    ),
    "refused rounds": (
        N_("Round refused"),
        N_("These rounds are not in the books: %(rounds)s."),
        N_(
            "Under Parked messages, post the rounds again, "
            "or return their jackpot chips and dismiss the rounds."
        ),
    ),
    "parked message": (N_("Message not posted"), "", ""),
    "waiting message": (N_("Message waits for its round"), "", N_("Check the controller of the table.")),
    "repeated number": (N_("Number used twice"), "", ""),
    "many rounds": (N_("More rounds than a dealer can deal"), "", ""),
    "device software": (N_("Unknown software on a table controller"), "", ""),
    "foreign certificate": (
        N_("Certificate of one device used with another device's key"),
        "",
        N_("Call IT to replace the keys of both devices. Until then, the connection is cut each time."),
    ),
    "full log": (
        N_("Message log half full"),
        "",
        N_(
            "Call IT to check the bookkeeper. If it books, look at the table: its controller may be broken, "
            "or its key stolen."
        ),
    ),
    "suspicious sign-ons": (
        N_("Suspicious sign-ons at a table"),
        "",
        N_(
            "Look at the table's keypad. If nobody tries badges there, call IT: "
            "its controller may be broken, or its key stolen."
        ),
    ),
    "badge locked": (
        N_("Wrong PINs"),
        "",
        N_("Find out who entered the wrong PINs. The badge still works everywhere else."),
    ),
    "disputed claim": (N_("Claim refused"), "", ""),
    "tray difference": (N_("Tray difference"), "", ""),
    "self-check": (N_("Link closed by its self-check"), "", ""),
    "bookkeeper task": (N_("Bookkeeper fault"), "", _CALL_IT),
    "service task": (N_("Service fault"), "", _CALL_IT),
    "live reader": (N_("Meters not updating"), "", N_("Call IT. Read the meters on the office page.")),
}
#: Templates of the texts from the bookkeeper's tasks.
_TASK_TEXTS = (
    N_("the certificate of %(owner)s came with the key of %(holder)s, from %(address)s"),
    N_("table %(table)s asked for the answer to a sign-on in the name of others"),
    N_("table %(table)s asked for more than %(count)s sign-ons within a minute"),
    N_(
        "the log is %(share)s full; most messages are from table %(table)s: "
        "%(count)s of kind %(kind)s on link %(link)s"
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAlarm:
    """An alarm with what happened and what to do."""

    kind: str
    #: Place as the books name it; `where` is its plain name.
    place: str
    where: str
    title: str
    what: str
    remedy: str
    requirement: str
    raised_at: datetime
    cleared_at: datetime | None
    cleared_by: str | None
    may_clear: bool


def shown_alarms(by: Operation) -> list[ShownAlarm]:
    """Open alarms, newest first."""
    return [shown_alarm(by, alarm) for alarm in open_alarms(by)]


def shown_alarm(by: Operation, alarm: Alarm) -> ShownAlarm:
    """An alarm in plain words."""
    _title, what, remedy = ALARM_TEXTS.get(alarm.kind, (alarm.kind, "", ""))
    details = alarm.details
    return ShownAlarm(
        kind=alarm.kind,
        place=alarm.place,
        where=place_name(alarm.place, details.get("round")),
        title=alarm_title(alarm.kind),
        what=_(what) % details if what else sentence(kept(str(details.get("what", "")), _TASK_TEXTS)),
        remedy=_(remedy) if remedy else sentence(str(details.get("remedy", "") or _(_UNKNOWN))),
        requirement=str(details.get("requirement", "")),
        raised_at=alarm.raised_at,
        cleared_at=alarm.cleared_at,
        cleared_by=alarm.cleared_by,
        may_clear=is_cleared_by_people(alarm.kind) and by.actor.may("clear_alarm"),
    )


def alarm_title(kind: str) -> str:
    """The title of an alarm kind."""
    return _(ALARM_TEXTS[kind][0] if kind in ALARM_TEXTS else kind)


def place_name(place: str, number: object = None) -> str:
    """The plain name of a place; a message has its subject: ``felt.<link>.<table>.<kind>``."""
    parts = place.split(".")
    if parts[0] != "felt" or len(parts) < 4:
        return place
    text = _("table %(table)s, link %(link)s") % {"link": parts[1], "table": parts[2]}
    return f"{text}, {_('round %(round)s') % {'round': number}}" if number else text
