"""Link state: read under the link's lock, and saved after a command."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from time import monotonic_ns
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from feltwork.money import Micros
from feltwork.site.books.connection import Connection
from feltwork.site.books.links.versions import link_from
from feltwork.site.books.queries import statement
from feltwork.site.progressive.accounts import PLAYER_FUNDS, kind_of
from feltwork.site.progressive.chain import Tail
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.state import Award, Counters, LinkState

_PLAIN = ("life", "locks", "funds_at_count", "counted_entry", "remove_at", "target", "removed_at")
#: Time in which the two clocks do not drift apart: a minute, in microseconds.
_CLOCKS_AGREE = 60_000_000
_COUNTERS = tuple(counter.name for counter in fields(Counters))


def _clock() -> Instant:
    return monotonic_ns() // 1_000


@dataclass(frozen=True, slots=True)
class LinkSnapshot:
    """A snapshot of a link: state, chain tail and database time."""

    state: LinkState
    tail: Tail
    now: Instant
    #: Our own monotonic clock at that moment.
    read_at: Instant = field(default_factory=_clock)

    def at(self, moment: Instant | None) -> Instant:
        """The time of a fact: the given one, or the current database time."""
        return self.now + _clock() - self.read_at if moment is None else moment

    @property
    def recent(self) -> bool:
        """Whether it is too recent for the two clocks to have drifted apart."""
        return _clock() - self.read_at < _CLOCKS_AGREE


def lock_link(connection: Connection, link: str) -> LinkSnapshot:
    """Lock a link until the transaction ends, and read the state that every command needs, without awards."""
    return _taken(connection.execute(statement("lock_link"), (link,)).fetchone(), link)


def read_link(connection: Connection, link: str) -> LinkSnapshot:
    """Read a link with all its awards from one snapshot, without a lock."""
    with connection.transaction(), connection.cursor(row_factory=dict_row) as cursor:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        snapshot = _taken(connection.execute(statement("read_link"), (link,)).fetchone(), link)
        rows = cursor.execute(statement("all_awards"), (link,)).fetchall()
    awards = {row["id"]: award_from(row) for row in rows}
    return replace(snapshot, state=replace(snapshot.state, awards=awards))


def read_meters(connection: Connection, link: str) -> LinkSnapshot:
    """Read a link without its awards in one statement, without a lock."""
    return _taken(connection.execute(statement("read_link"), (link,)).fetchone(), link)


def _taken(row: tuple[Any, ...] | None, link: str) -> LinkSnapshot:
    if row is None:
        raise refuse(
            f"link {link}", "it is not in the books", "apply a floor file that contains it first", "GEN-03"
        )
    number, tail_hash, saved_state, fingerprint, version, balances, now = row
    state = LinkState(
        link=link_from(version, fingerprint),
        balances=balances,
        stops=saved_state["stops"],
        caps=saved_state["caps"],
        amounts=saved_state["amounts"],
        counters={level: Counters(**counted) for level, counted in saved_state["counters"].items()},
        hits=tuple(saved_state["hits"]),
        inflow=saved_state["inflow"],
        unmoved=saved_state["unmoved"],
        overflow=saved_state["overflow"],
        aside=saved_state["aside"],
        **{name: saved_state[name] for name in _PLAIN},
    )
    return LinkSnapshot(state, Tail(number, tail_hash), now)


def player_funds_after(connection: Connection, link: str, entry: int) -> dict[str, Micros]:
    """The amounts held for players after an entry, by kind of account [WA-18]."""
    return _kinds_after(connection, link, entry, PLAYER_FUNDS)


def _kinds_after(connection: Connection, link: str, entry: int, kinds: Iterable[str]) -> dict[str, Micros]:
    """The amounts in accounts of these kinds after an entry."""
    about = {"link": link, "entry": entry, "kinds": sorted(kinds)}
    return dict(connection.execute(statement("player_funds_after"), about).fetchall())


def drop_between(connection: Connection, link: str, since: datetime, entry: int) -> Micros:
    """The amount that patrons wagered from a moment up to an entry, less returned wagers.

    It follows from the balances at two entries, without reading every round: patrons give wagers, and receive
    the pays of trays and awards.
    """
    after = entry_at(connection, link, since)
    about = {"link": link, "since": since, "after": after, "entry": entry}
    paid = connection.execute(statement("paid_to_patrons"), about).fetchone()
    assert paid is not None
    awards: Micros = paid[0]
    return _held(connection, link, after) - _held(connection, link, entry) + awards


def _held(connection: Connection, link: str, entry: int) -> Micros:
    """The net balance of patrons and trays after an entry."""
    return sum(_kinds_after(connection, link, entry, ("patrons", "tray")).values())


def entry_at(connection: Connection, link: str, moment: datetime) -> int:
    """The last entry that was booked by a moment; 0 before the first."""
    row = connection.execute(statement("last_entry_by"), (link, moment)).fetchone()
    return row[0] if row else 0


def without_trays(snapshot: LinkSnapshot) -> LinkSnapshot:
    """The snapshot without tray accounts, as the database returns it."""
    held = {account: held for account, held in snapshot.state.balances.items() if kind_of(account) != "tray"}
    return replace(snapshot, state=replace(snapshot.state, balances=held))


def with_awards(
    connection: Connection,
    snapshot: LinkSnapshot,
    *,
    award: str = "",
    place: tuple[str, int] = ("", 0),
    adjustment: str = "",
) -> LinkSnapshot:
    """The snapshot with the awards a command needs, and whether its misdeal or adjustment is booked."""
    link, (table, number) = snapshot.state.link.id, place
    with connection.cursor(row_factory=dict_row) as cursor:
        about = {"link": link, "award": award, "table": table, "round": number}
        rows = cursor.execute(statement("awards_for_command"), about).fetchall()
    names = {"link": link, "misdeal": f"{table}/{number}", "adjustment": adjustment}
    happened = {what for what, _ in connection.execute(statement("unique_events"), names).fetchall()}
    state = replace(
        snapshot.state,
        awards={row["id"]: award_from(row) for row in rows},
        misdealt=frozenset({place} if "misdeal" in happened else ()),
        adjustments=frozenset({adjustment} if "adjustment" in happened else ()),
    )
    return replace(snapshot, state=state)


def award_from(row: dict[str, Any]) -> Award:
    """Build an award from its row."""
    return Award(table=row["table_id"], **{name: value for name, value in row.items() if name != "table_id"})


def kept_part(state: LinkState) -> dict[str, object]:
    """The part of a state that is saved as JSON."""
    return {
        "stops": dict(state.stops),
        "caps": dict(state.caps),
        "amounts": dict(state.amounts),
        "counters": {
            level: {name: getattr(counted, name) for name in _COUNTERS}
            for level, counted in state.counters.items()
        },
        "hits": list(state.hits),
        "inflow": dict(state.inflow),
        "unmoved": {level: dict(awards) for level, awards in state.unmoved.items()},
        "overflow": dict(state.overflow),
        "aside": dict(state.aside),
        **{name: getattr(state, name) for name in _PLAIN},
    }


def kept_text(state: LinkState) -> str:
    """The saved part as JSON text."""
    return json.dumps(kept_part(state))


def keep(connection: Connection, before: LinkState, after: LinkState, tail: Tail) -> None:
    """Save the link state and the awards that a command changed."""
    changed = [
        {"table_id": award.table, **asdict(award)}
        for name, award in after.awards.items()
        if (known := before.awards.get(name)) is not award and known != award
    ]
    saved = {
        "link": after.link.id,
        "number": tail.number,
        "version": after.link.fingerprint,
        "state": kept_text(after),
        "awards": Jsonb(changed),
    }
    connection.execute(statement("save_link_state"), saved)
