"""The life cycle of a link: registered, opened, stopped, counted, adjusted, capped, changed, removed."""

import json
from collections.abc import Mapping
from dataclasses import replace

from psycopg.types.json import Jsonb

from feltwork.money import Micros
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import kept_part, player_funds_after
from feltwork.site.books.journal.transaction import CommandScope, Committed, book_facts, decide, lock_link_for
from feltwork.site.books.links.versions import link_from, text_of
from feltwork.site.books.queries import statement
from feltwork.site.books.tables.rounds import open_rounds
from feltwork.site.progressive import adjustment as adjustment_rules
from feltwork.site.progressive import house_jackpot
from feltwork.site.progressive import life_cycle as rules
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.progressive.fact_serializer import from_plain
from feltwork.site.progressive.facts import Instant, Removed
from feltwork.site.progressive.life_cycle import CapRule, Cause
from feltwork.site.progressive.link import Link, verify_link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest
from feltwork.site.progressive.state import new_state


def register_link(connection: Connection, link: Link, *, by: str) -> None:
    """Register a version of a link; the first one begins its chain."""
    verify_link(link)
    with connection.transaction():
        count = connection.execute(statement("register_link"), (link.id, link.kind)).rowcount
        register_version(connection, link, by=by)
        if count:
            state = Jsonb(kept_part(new_state(link)))
            about = {"link": link.id, "version": link.fingerprint, "state": state}
            connection.execute(statement("begin_chain"), about)


def register_version(connection: Connection, link: Link, *, by: str) -> None:
    """Register a version for later use."""
    connection.execute(statement("register_version"), (link.id, link.fingerprint, text_of(link), by))


def open_link(
    connection: Connection, link: str, request: TwoPersonRequest, *, at: Instant | None = None
) -> Committed:
    """Book the opening amounts: the link is live [WA-08, GEN-03]."""
    return decide(
        connection,
        link,
        lambda state, now: (
            rules.open_link(state, request, at=now),
            *house_jackpot.opening_amounts(state, request, at=now),
        ),
        at=at,
    )


def set_amount(
    connection: Connection, link: str, request: TwoPersonRequest, *, level: str, amount: Micros
) -> Committed:
    """Book a new posted amount of a house jackpot [WA-01]."""
    return decide(
        connection,
        link,
        lambda state, now: (house_jackpot.set_amount(state, request, level=level, amount=amount, at=now),),
    )


def stop(
    connection: Connection, link: str, *, cause: Cause, reason: str, by: str, at: Instant | None = None
) -> Committed:
    """Book that wagering stopped [WA-20]."""
    return decide(
        connection,
        link,
        lambda state, now: (rules.stop(state, cause=cause, reason=reason, at=now, by=by),),
        at=at,
    )


def resume(connection: Connection, link: str, request: TwoPersonRequest) -> Committed:
    """Book that a suspension is over."""
    return decide(connection, link, lambda state, now: (rules.resume(state, request, at=now),))


def restore_seized(
    connection: Connection, link: str, request: TwoPersonRequest, *, replaced: Micros
) -> Committed:
    """Book that seized money is back in the bank [WA-20]."""
    return decide(
        connection,
        link,
        lambda state, now: (rules.restore_seized(state, request, replaced=replaced, at=now),),
    )


def count_funds(
    connection: Connection,
    link: str,
    *,
    bank_balance: Micros,
    by: str,
    entry: int | None = None,
    tolerance: Micros = 0,
) -> Committed:
    """Book a comparison with the bank as of an entry, or as of now; a shortfall stops the link [WA-18]."""
    with connection.transaction():
        snapshot = lock_link_for(connection, link, CommandScope())
        last = snapshot.tail.number
        cutoff = last if entry is None else entry
        if cutoff > last:
            what = f"the last entry is {last}, not {cutoff}"
            raise refuse(f"link {link}", what, "choose a cutoff that has passed", "WA-18")
        required = sum(player_funds_after(connection, link, cutoff).values())
        count = rules.BankCount(
            bank_balance=bank_balance, entry=cutoff, required=required, tolerance=tolerance
        )
        facts = rules.count_funds(snapshot.state, count, at=snapshot.at(None), by=by)
        return book_facts(connection, snapshot, facts)


def set_cap(
    connection: Connection, link: str, request: TwoPersonRequest, *, level: str, cap: Micros, rule: CapRule
) -> Committed:
    """Book a new cap [WA-09, GEN-15]."""
    return decide(
        connection,
        link,
        lambda state, now: (rules.set_cap(state, request, level=level, cap=cap, rule=rule, at=now),),
    )


def reconfigure(
    connection: Connection, new: Link, request: TwoPersonRequest, *, at: Instant | None = None
) -> Committed:
    """Apply a new version to a suspended link with every table idle [GEN-06, LT-10]."""
    with connection.transaction():
        snapshot = lock_link_for(connection, new.id, CommandScope())
        register_version(connection, new, by=request.by)
        tables = open_rounds(connection, snapshot.state.link)
        now = snapshot.at(at)
        state, fact = rules.reconfigure(snapshot.state, new, request, rounds=tables, at=now)
        posted = house_jackpot.changed_amounts(snapshot.state, new, request, at=now)
        return book_facts(connection, replace(snapshot, state=state), (fact, *posted))


def plan_removal(
    connection: Connection,
    link: str,
    request: TwoPersonRequest,
    *,
    remove_at: Instant,
    notice_days: int,
    target: str,
) -> Committed:
    """Book the announcement of a removal [WA-22]."""
    return decide(
        connection,
        link,
        lambda state, now: (
            rules.plan_removal(
                state, request, remove_at=remove_at, notice_days=notice_days, target=target, at=now
            ),
        ),
    )


def remove(
    connection: Connection, link: str, request: TwoPersonRequest, *, at: Instant | None = None
) -> Committed:
    """Book the removal: all player funds go to the target [WA-22]."""
    return decide(connection, link, lambda state, now: (rules.remove(state, request, at=now),), at=at)


def receive(
    connection: Connection, link: str, request: TwoPersonRequest, *, source: str, levels: Mapping[str, str]
) -> Committed:
    """Book the arrival of a removed link's money, once [GEN-16]."""
    row = connection.execute(statement("fact_of_unique_event"), (source, "removal", "")).fetchone()
    if row is None:
        raise refuse(f"link {link}", f"{source} is not removed", "remove it first", "GEN-16")
    removed = from_plain(json.loads(row[0]))
    assert isinstance(removed, Removed)
    version_row = connection.execute(statement("version_in_force"), (source,)).fetchone()
    assert version_row is not None
    origin = link_from(*version_row)
    return decide(
        connection,
        link,
        lambda state, now: (rules.receive(state, removed, origin, request, levels=levels, at=now),),
    )


def adjust(connection: Connection, link: str, adjustment: Adjustment) -> Committed:
    """Book a change of a pool [WA-08, WA-15]."""
    return decide(
        connection,
        link,
        lambda state, now: (adjustment_rules.adjust(state, adjustment, at=now),),
        about=CommandScope(adjustment=adjustment.id),
    )


def buy_merchandise(
    connection: Connection, link: str, adjustment: Adjustment, *, hand: str, notice: str
) -> Committed:
    """Book goods bought from the reserve instead of a fixed prize [WA-21]."""
    return decide(
        connection,
        link,
        lambda state, now: (
            adjustment_rules.buy_merchandise(state, adjustment, hand=hand, notice=notice, at=now),
        ),
        about=CommandScope(adjustment=adjustment.id),
    )
