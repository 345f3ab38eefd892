"""The hub of a network link: each step is one transaction, and its answers are read from the books."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

import structlog

from feltwork.books.connection import Connection
from feltwork.books.network.hub_store import (
    StoredHistory,
    hub_links,
    lock_hub,
    write_step,
)
from feltwork.books.records.alarms import raise_alarm
from feltwork.operations.network.commit_watch import SureCommits
from feltwork.operations.network.site_contact import SiteContact
from feltwork.progressive.facts import Fact, Instant, Stopped
from feltwork.progressive.network import hub
from feltwork.progressive.network.facts import SiteStopped
from feltwork.progressive.network.hub import HubMemory, HubStep, HubTiming
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.hub_replies import answer, replies
from feltwork.progressive.network.messages import ClaimUp, Down, GrantDown, ReadyUp, SiteSum, Up

__all__ = ["ROLLED_BACK", "HubLink", "hub_links", "raise_alarms", "whole"]

#: Alarm about a site or a hub whose books were rolled back.
ROLLED_BACK = "books rolled back"
_Decision: TypeAlias = Callable[[HubBooks, HubMemory, Instant], HubStep]
_HASH = re.compile(r"[0-9a-f]{64}")
_LARGEST = 2**63
_log = structlog.get_logger("feltwork.hub")


class HubLink:
    """One network link at its hub; one thread at a time.

    Every method raises one of ``UNAVAILABLE`` while the books are down. Then nothing may be sent: the sites
    retry, and the answers come from what was booked.
    """

    def __init__(self, link: str, timing: HubTiming = HubTiming()) -> None:  # noqa: B008 - a frozen value
        self.link = link
        self._timing = timing
        self._books: HubBooks | None = None
        self._memory = HubMemory()
        self._history = StoredHistory(link)
        self._contact = SiteContact(link)
        #: Newest sum of each site that no step has processed yet.
        self._heard: dict[str, SiteSum] = {}
        self._commits = SureCommits()

    def hear(self, new: SiteSum) -> None:
        """Queue a sum for the next tick; it replaces an older sum of the same site."""
        before = self._heard.get(new.site)
        if before is None or before.entry <= new.entry:
            self._heard[new.site] = new

    def receive(self, connection: Connection, *messages: Up) -> tuple[Down, ...]:
        """Book the effects of messages in order, in one transaction, and answer them.

        A repeated message gets the same answer.
        """

        def decide(message: Up, books: HubBooks, memory: HubMemory, at: Instant) -> HubStep:
            if isinstance(message, ClaimUp | ReadyUp) and not whole(books, [message.sum]):
                return HubStep(memory=memory)
            return hub.receive(books, memory, message, self._history, at)

        return self._step(connection, [partial(decide, message) for message in messages], messages)

    def tick(self, connection: Connection) -> tuple[Down, ...]:
        """Book the sums of a window as one entry; return the snapshot and the reports that are due."""
        sums, self._heard = self._heard, {}

        def look(books: HubBooks, memory: HubMemory, at: Instant) -> HubStep:
            self._contact.hear(sums, at)
            return hub.receive_sums(books, memory, whole(books, sums.values()), self._history, at)

        def tick(books: HubBooks, memory: HubMemory, at: Instant) -> HubStep:
            return hub.tick(books, memory, self._timing, at)

        try:
            # Only a site that has left gets an answer to its sum.
            return self._step(connection, (look, tick), tuple(sums.values()))
        except BaseException:
            for new in sums.values():
                self.hear(new)
            raise

    def _step(
        self, connection: Connection, decisions: Sequence[_Decision], messages: Sequence[Up] = ()
    ) -> tuple[Down, ...]:
        try:
            return self._commit(connection, decisions, messages)
        except BaseException:
            self._books = None
            self._history.forget()
            self._contact.forget()
            raise

    def _commit(
        self, connection: Connection, decisions: Sequence[_Decision], messages: Sequence[Up]
    ) -> tuple[Down, ...]:
        with self._commits.transaction(connection):
            before, at = lock_hub(connection, self.link, self._books)
            self._history.connection = connection
            books, memory, shows, reports = before, self._memory, False, False
            for decide in decisions:
                step = decide(books, memory, at)
                books, memory = write_step(connection, books, step.facts, step.rows), step.memory
                shows, reports = shows or step.show, reports or step.report
                raise_alarms(connection, step.facts)
            if reports:
                self._contact.look(connection, {member.site for member in books.active}, at)
        self._books, self._memory = books, memory
        self._history.note(books.tail)
        message_awards = {getattr(message, "award", "") for message in messages}
        due = replies(before, books, at, show=shows, report=reports)
        return (
            *(reply for message in messages for reply in answer(books, message)),
            *(
                reply
                for reply in due
                if not isinstance(reply, GrantDown) or reply.award not in message_awards
            ),
        )


def whole(books: HubBooks, some: Iterable[SiteSum]) -> list[SiteSum]:
    """Return the valid sums: with every level, a known version, and amounts within bounds."""
    levels, versions, sums = set(books.state.link.level_names), books.state.versions, []
    for new in some:
        accrued, reserved, returned = new.accrued, new.reserved, new.returned
        numbers = [new.entry, new.wagers, *accrued.values(), *reserved.values(), *returned.values()]
        if (
            accrued.keys() == levels
            and reserved.keys() == levels
            and returned.keys() == levels
            and min(numbers) >= 0
            and max(numbers) < _LARGEST
            and new.version in versions
            and _HASH.fullmatch(new.hash)
        ):
            sums.append(new)
        else:
            _log.warning("an invalid sum was ignored", link=new.link, site=new.site, entry=new.entry)
    return sums


def raise_alarms(connection: Connection, facts: Iterable[Fact]) -> None:
    """Raise alarms for rolled-back books, which stop a site or the hub itself until people resolve it."""
    for fact in facts:
        if isinstance(fact, SiteStopped | Stopped) and fact.cause == "rolled_back":
            place = f"{fact.link}/{fact.site}" if isinstance(fact, SiteStopped) else fact.link
            raise_alarm(connection, ROLLED_BACK, place, {"what": fact.reason}, by=fact.link)
