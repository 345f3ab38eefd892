"""Recipients of notifications, from a TOML file: their addresses, events, quiet hours and escalation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from pathlib import Path
from typing import get_args

from feltwork import money
from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.watch.notifications import EventKind
from feltwork.site.books.watch.webhooks import RECIPIENT_PREFIX
from feltwork.toml_locations import Document, Section

EVENTS: tuple[str, ...] = get_args(EventKind)
#: Apprise timeout per message.
SEND_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHours:
    """Hours of the day at the site when a recipient is notified only of some events."""

    begin: time
    end: time
    #: Events sent even during these hours.
    but: tuple[str, ...]

    def hold(self, event: str, now: datetime) -> bool:
        """Whether a message waits until quiet hours end."""
        at = now.time()
        if self.begin <= self.end:
            is_quiet = self.begin <= at < self.end
        else:  # over midnight
            is_quiet = at >= self.begin or at < self.end
        return is_quiet and event not in self.but


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """A recipient of notifications, and the next one on escalation."""

    name: str
    #: An Apprise URL, which may hold a password.
    url: str = field(repr=False)
    #: Empty for a recipient who is notified only by escalation.
    events: tuple[str, ...]
    #: Smallest hit to be notified of.
    threshold: int = 0
    quiet: QuietHours | None = None
    escalate_minutes: float = 0
    #: Empty without escalation.
    escalate_to: str = ""

    def hears(self, event: str, amount: int) -> bool:
        """Whether they are notified of an event without escalation."""
        return event in self.events and (event != "hit" or amount >= self.threshold)

    def is_quiet(self, event: str, now: datetime) -> bool:
        """Whether their quiet hours hold a message back."""
        return self.quiet is not None and self.quiet.hold(event, now)

    def send(self, title: str, text: str) -> str:
        """Send a message; return why it failed, or an empty string."""
        from apprise import Apprise, AppriseAsset

        complaints: list[str] = []
        service = Apprise(asset=AppriseAsset(service_timeout=SEND_SECONDS))
        if not service.add(self.url):
            return "Apprise does not recognize this URL."
        sent = service.notify(
            text, title, log_callback=lambda entry, _: complaints.append(str(entry.message))
        )
        return "" if sent else (complaints or ["The service did not accept the message."])[-1][:500]


def read_recipients(path: Path) -> tuple[Recipient, ...]:
    """Read the file; raise with every problem in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        what = error.strerror or str(error)
        raise ProblemsError([Problem(str(path), what, "name a file that can be read")]) from error
    document = Document(text, where=path.name)
    document.root.refuse_unknown(["recipient"])
    sections = document.root.sections("recipient")
    recipients = tuple(_recipient(section) for section in sections)
    names = [recipient.name for recipient in recipients]
    for section, recipient in zip(sections, recipients, strict=True):
        if recipient.name.startswith(RECIPIENT_PREFIX):
            section.problem("name", f"{recipient.name!r} is the name of a webhook", "choose another name")
        if names.count(recipient.name) > 1:
            section.problem(
                "name", f"{recipient.name!r} is used twice", "give each recipient a name of its own"
            )
        if recipient.escalate_to and recipient.escalate_to not in names:
            what = f"{recipient.escalate_to!r} is not a recipient"
            section.problem("escalation", what, f"choose from: {', '.join(names)}")
    if not recipients:
        document.problem(("recipient",), "the file has no recipients", "add a [[recipient]]")
    document.finish()
    return recipients


def _recipient(section: Section) -> Recipient:
    section.refuse_unknown(["name", "url", "events", "threshold", "quiet_hours", "escalation"])
    url = section.text("url")
    _verify_url(section, url)
    if not section.has("events"):
        section.problem("events", "events is missing", 'write events = ["claim"], or [] for escalation alone')
    escalation = section.section("escalation")
    escalation.refuse_unknown(["after_minutes", "to"])
    minutes = escalation.read("after_minutes", _minutes, 0.0, remedy="write after_minutes = 10")
    if section.has("escalation") and not escalation.has("after_minutes"):
        section.problem("escalation", "after_minutes is missing", "write after_minutes = 10")
    return Recipient(
        name=section.text("name"),
        url=url,
        events=_events(section, "events"),
        threshold=section.read("threshold", money.parse, 0, remedy='write threshold = "5000.00"'),
        quiet=_quiet_hours(section),
        escalate_minutes=minutes,
        escalate_to=escalation.text("to") if section.has("escalation") else "",
    )


def _events(section: Section, key: str) -> tuple[str, ...]:
    events = section.texts(key)
    for event in events:
        if event not in EVENTS:
            section.problem(key, f"{event!r} is not an event", f"choose from: {', '.join(EVENTS)}")
    return events


def _quiet_hours(section: Section) -> QuietHours | None:
    if not section.has("quiet_hours"):
        return None
    hours = section.section("quiet_hours")
    hours.refuse_unknown(["from", "to", "except"])
    remedy = 'write quiet_hours = { from = "02:00", to = "10:00" }'
    for key in ("from", "to"):
        if not hours.has(key):
            hours.problem(key, f"{key} is missing", remedy)
    begin, end = (hours.read(key, time.fromisoformat, time(), remedy=remedy) for key in ("from", "to"))
    return QuietHours(begin=begin, end=end, but=_events(hours, "except"))


def _minutes(text: str) -> float:
    minutes = float(text)
    if not 0 < minutes <= 24 * 60:
        raise ValueError(f"{text} minutes is out of range: more than 0, at most 1,440")
    return minutes


def _verify_url(section: Section, url: str) -> None:
    try:
        from apprise import Apprise
    except ImportError:
        section.problem("url", "Apprise is not installed", "pip install 'feltwork[notifications]'")
        return
    if url and not Apprise().add(url):
        what = "Apprise does not recognize this URL"
        section.problem("url", what, "write it as Apprise documents its services")


def by_name(recipients: Sequence[Recipient]) -> dict[str, Recipient]:
    """The recipients by their names."""
    return {recipient.name: recipient for recipient in recipients}
