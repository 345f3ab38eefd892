"""Transactions: lock the link, apply the pure rules to its state, book the resulting facts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.journal import append, prepare
from feltwork.site.books.journal.link_state import LinkSnapshot, lock_link, with_awards
from feltwork.site.progressive.chain import Tail
from feltwork.site.progressive.facts import Fact, Instant
from feltwork.site.progressive.state import LinkState

#: Rules that turn a state and a time into facts.
Decision: TypeAlias = Callable[[LinkState, Instant], Iterable[Fact]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """The facts booked by a command, and the locked link after them."""

    facts: tuple[Fact, ...]
    after: LinkSnapshot

    @property
    def state(self) -> LinkState:
        """The link state after them."""
        return self.after.state

    @property
    def tail(self) -> Tail:
        """The end of the chain after them."""
        return self.after.tail


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandScope:
    """The award, round or adjustment of a command, which must be read before the rules decide."""

    award: str = ""
    table: str = ""
    round: int = 0
    adjustment: str = ""


def decide(
    connection: Connection,
    link: str,
    decision: Decision,
    *,
    about: CommandScope = CommandScope(),  # noqa: B008 - a frozen value
    at: Instant | None = None,
) -> Committed:
    """Lock a link, apply the rules, and book the resulting facts."""
    with connection.transaction():
        snapshot = lock_link_for(connection, link, about)
        return book_facts(connection, snapshot, decision(snapshot.state, snapshot.at(at)))


def lock_link_for(connection: Connection, link: str, about: CommandScope) -> LinkSnapshot:
    """Lock a link and read the awards that a command needs."""
    return with_awards(
        connection,
        lock_link(connection, link),
        award=about.award,
        place=(about.table, about.round),
        adjustment=about.adjustment,
    )


def book_facts(connection: Connection, snapshot: LinkSnapshot, facts: Iterable[Fact]) -> Committed:
    """Book facts of a locked link."""
    new_facts = tuple(facts)
    return Committed(facts=new_facts, after=append(connection, snapshot, prepare(snapshot, new_facts)))
