"""An aggregator of a network link: a hub to the sites below, and a site to the hub above.

Each step is one transaction, and outgoing messages are read from the books after it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from feltwork.books.connection import Connection
from feltwork.books.network.aggregator_store import lock_aggregator, write_aggregator
from feltwork.books.network.hub_store import aggregator_links
from feltwork.books.network.site_store import hash_of, save_snapshot
from feltwork.books.records.alarms import clear_alarm, raise_alarm
from feltwork.operations.network import hub, site_link
from feltwork.operations.network.commit_watch import SureCommits
from feltwork.operations.network.site_contact import SiteContact
from feltwork.progressive.facts import Instant
from feltwork.progressive.network import aggregator
from feltwork.progressive.network.aggregator import AggregatorBooks, AggregatorMemory, AggregatorStep
from feltwork.progressive.network.hub import HubTiming
from feltwork.progressive.network.messages import (
    BookedDown,
    ClaimUp,
    Down,
    HubSnapshot,
    ReadyUp,
    SiteSum,
    Up,
)
from feltwork.progressive.network.site import SiteTiming

__all__ = ["AggregatorLink", "aggregator_links"]

_Decision: TypeAlias = Callable[[AggregatorBooks, AggregatorMemory, Instant], AggregatorStep]


class AggregatorLink:
    """One network link at an aggregator; one thread at a time.

    Every method raises one of ``UNAVAILABLE`` while the books are down. Then nothing may be sent: sites
    retry, the aggregator's own sum is sent again, and the answers come from what was booked.
    """

    def __init__(self, link: str, timing: HubTiming = HubTiming(), above: SiteTiming = SiteTiming()) -> None:  # noqa: B008 - frozen values
        self.link = link
        self._timing = timing
        self._above = above
        self._books: AggregatorBooks | None = None
        self._memory = AggregatorMemory()
        self._contact = SiteContact(link)
        self._commits = SureCommits()
        #: Newest sum of each site that no step has processed yet.
        self._heard: dict[str, SiteSum] = {}
        #: Last contact with the hub above, initially the start of this process, and its reasons to stop us.
        self._heard_above: Instant = 0
        self._stops: tuple[str, ...] = ()

    def hear(self, new: SiteSum) -> None:
        """Queue a sum for the next tick; it replaces an older sum of the same site."""
        before = self._heard.get(new.site)
        if before is None or before.entry <= new.entry:
            self._heard[new.site] = new

    def receive(self, connection: Connection, *messages: Up | Down) -> tuple[Up | Down, ...]:
        """Book the effects of messages from below and above in one transaction; return outgoing messages."""
        if any(isinstance(message, HubSnapshot) for message in messages):
            self._read_unknown_versions()

        def decide(
            message: Up | Down, books: AggregatorBooks, memory: AggregatorMemory, at: Instant
        ) -> AggregatorStep:
            if isinstance(message, Up):
                return _from_below(books, memory, message, at)
            return self._from_above(connection, books, memory, message, at)

        books, memory = self._step(connection, [partial(decide, message) for message in messages])
        sent: list[Up | Down] = []
        for message in messages:
            if isinstance(message, Up):
                sent += aggregator.relay_up(books, memory, message)
                sent += aggregator.answer(books, memory, message)
            else:
                sent += aggregator.relay_down(books, memory, message)
        return tuple(sent)

    def tick(self, connection: Connection) -> tuple[Up | Down, ...]:
        """Book the sums of a window as one entry; return the own sum and settlement when they are due."""
        sums, self._heard = self._heard, {}
        sent: tuple[Up, ...] = ()

        def look(books: AggregatorBooks, memory: AggregatorMemory, at: Instant) -> AggregatorStep:
            self._contact.hear(sums, at)
            step = AggregatorStep(memory=memory)
            for new in hub.whole(books.below, sums.values()):
                next_step = aggregator.receive_up(books, step.memory, new, at)
                step = replace(next_step, facts=(*step.facts, *next_step.facts))
            return step

        def tick(books: AggregatorBooks, memory: AggregatorMemory, at: Instant) -> AggregatorStep:
            nonlocal sent
            step = aggregator.tick(books, memory, self._timing, at)
            if step.memory.reported_at != memory.reported_at:
                self._contact.look(connection, {member.site for member in books.below.active}, at)
                self._look_above(connection, books.name, at)
            return step

        def say(books: AggregatorBooks, memory: AggregatorMemory, at: Instant) -> AggregatorStep:
            nonlocal sent
            memory, sent = aggregator.outgoing(books, memory, self._above, at)
            return AggregatorStep(memory=memory)

        try:
            self._step(connection, (look, tick, say))
        except BaseException:
            for new in sums.values():
                self.hear(new)
            raise
        return sent

    def _step(
        self, connection: Connection, decisions: Sequence[_Decision]
    ) -> tuple[AggregatorBooks, AggregatorMemory]:
        try:
            with self._commits.transaction(connection):
                books, at = lock_aggregator(connection, self.link, self._books)
                memory = _with_heard(self._memory, books)
                self._heard_above = self._heard_above or at
                for decide in decisions:
                    step = decide(books, memory, at)
                    books = write_aggregator(connection, books, step.facts, step.rows)
                    memory = step.memory
                    hub.raise_alarms(connection, step.facts)
                    site_link.raise_alarms(connection, books.name, step.facts)
        except BaseException:
            self._books = None
            self._contact.forget()
            raise
        self._books, self._memory = books, memory
        return books, memory

    def _from_above(
        self,
        connection: Connection,
        books: AggregatorBooks,
        memory: AggregatorMemory,
        message: Down,
        at: Instant,
    ) -> AggregatorStep:
        hashes = partial(hash_of, connection, self.link)
        step = aggregator.receive_down(books, memory, message, at, hash_of=hashes)
        if isinstance(message, HubSnapshot) and step.memory.snapshot is message:
            save_snapshot(connection, message, heard_at=at)
            self._heard_above = at
        if isinstance(message, BookedDown):
            self._stops = (*message.stops, *(["left"] if message.left else []))
        return step

    def _look_above(self, connection: Connection, name: str, at: Instant) -> None:
        """Raise the alarms about the hub above, and clear them when their cause is gone."""
        silent = at - self._heard_above > self._above.silence
        for kind, what, over in (
            (
                site_link.NO_CONTACT,
                site_link.NOT_HEARD if silent else "",
                "contact with the hub was restored",
            ),
            (site_link.STOPPED, site_link.stop_text(self._stops), "the hub lifted the stop"),
        ):
            if what:
                raise_alarm(connection, kind, self.link, {"what": what}, by=name)
            else:
                clear_alarm(connection, kind, self.link, by=name, why=over)

    def _read_unknown_versions(self) -> None:
        """Reload the books if the hub names a version that they lacked: it may be registered now."""
        snapshot = self._memory.snapshot
        if self._books is not None and snapshot is not None:
            unknown = {snapshot.version, snapshot.change or snapshot.version} - set(
                self._books.state.versions
            )
            self._books = None if unknown else self._books


def _from_below(books: AggregatorBooks, memory: AggregatorMemory, message: Up, at: Instant) -> AggregatorStep:
    if isinstance(message, ClaimUp | ReadyUp) and not hub.whole(books.below, [message.sum]):
        return AggregatorStep(memory=memory)
    return aggregator.receive_up(books, memory, message, at)


def _with_heard(memory: AggregatorMemory, books: AggregatorBooks) -> AggregatorMemory:
    """Return the memory with a newer hub snapshot stored by another process, or before a restart."""
    snapshot, known = books.state.hub, memory.snapshot
    if snapshot is None or not snapshot.entry or (known is not None and known.entry >= snapshot.entry):
        return memory
    return replace(memory, snapshot=snapshot)
