"""Awards in the books: each step one short transaction under the lock of the link."""

from collections.abc import Collection
from itertools import chain, count

from feltwork.money import Micros
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.transaction import CommandScope, Committed, decide, lock_link_for
from feltwork.site.books.tables.rounds import layout_of, played_round, say
from feltwork.site.progressive import award as rules
from feltwork.site.progressive.facts import Instant, Reversed
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.round_facts import HandCleared
from feltwork.site.progressive.sign_offs import Badge, TwoPersonRequest
from feltwork.site.progressive.state import LinkState


def award_ids(state: LinkState, round_: TableRound, seats: Collection[int]) -> dict[int, str]:
    """The ids of new awards: table, round and seat, plus a number after the seat's first claim."""
    ids = {}
    for seat in seats:
        first = f"{round_.table}:{round_.number}:{seat}"
        later = (f"{first}:{attempt}" for attempt in count(2))
        ids[seat] = next(name for name in chain([first], later) if name not in state.awards)
    return ids


def enter_cards(connection: Connection, link: str, *, award: str, cards: str, by: str) -> Committed:
    """Book the winning cards of an award, checked against the other hands of its round."""
    table, number = _place(connection, link, award)
    return decide(
        connection,
        link,
        lambda state, now: rules.enter_cards(
            state,
            award=award,
            cards=cards,
            at=now,
            by=by,
            layout=layout_of(connection, state.link, table, number),
        ),
        about=CommandScope(award=award, table=table, round=number),
    )


def void(
    connection: Connection,
    round_: TableRound,
    *,
    awards: Collection[str],
    reason: str,
    by: str,
    at: Instant | None = None,
) -> Committed:
    """Book that claims of a round were cleared or refused [LT-02]."""
    return decide(
        connection,
        round_.link.id,
        lambda state, now: rules.void(state, awards=awards, reason=reason, at=now, by=by),
        about=_about(round_),
        at=at,
    )


def confirm(
    connection: Connection,
    round_: TableRound,
    *,
    awards: Collection[str],
    badges: Collection[Badge],
    amount: Micros,
    at: Instant | None = None,
) -> Committed:
    """Book that claims are confirmed by the badges shown [LT-03]."""
    return decide(
        connection,
        round_.link.id,
        lambda state, now: rules.confirm(state, round_, awards=awards, badges=badges, amount=amount, at=now),
        about=_about(round_),
        at=at,
    )


def move_meter(connection: Connection, round_: TableRound, *, at: Instant | None = None) -> Committed:
    """Book that signs show the meters without what J-POT logged: the key is back at RUN."""
    return decide(
        connection,
        round_.link.id,
        lambda state, now: rules.move_meter(state, round_, at=now),
        about=_about(round_),
        at=at,
    )


def pay(
    connection: Connection,
    link: str,
    *,
    award: str,
    form: str,
    by: str,
    witness: str = "",
    at: Instant | None = None,
) -> Committed:
    """Book that the patron was paid."""
    return decide(
        connection,
        link,
        lambda state, now: (rules.pay(state, award=award, form=form, at=now, by=by, witness=witness),),
        about=CommandScope(award=award),
        at=at,
    )


def set_aside(
    connection: Connection, link: str, request: TwoPersonRequest, *, award: str, at: Instant | None = None
) -> Committed:
    """Book that two people set a disputed claim aside [GEN-10]."""
    table, number = _place(connection, link, award)
    return decide(
        connection,
        link,
        lambda state, now: rules.set_aside(state, request, award=award, at=now),
        about=CommandScope(award=award, table=table, round=number),
        at=at,
    )


def confiscate(connection: Connection, link: str, request: TwoPersonRequest, *, award: str) -> Committed:
    """Book that two people confiscated the award of a self-excluded patron [WA-35]."""
    table, number = _place(connection, link, award)
    return decide(
        connection,
        link,
        lambda state, now: (rules.confiscate(state, request, award=award, at=now),),
        about=CommandScope(award=award, table=table, round=number),
    )


def reverse(
    connection: Connection,
    link: str,
    request: TwoPersonRequest,
    *,
    award: str,
    adjustment: str,
    evidence: str,
    at: Instant | None = None,
) -> Committed:
    """Book the reversal of a confirmed award and its hit by two people [LT-04].

    A round that is still open loses the hands, with what the tray would pay for them.
    """
    table, number = _place(connection, link, award)
    with connection.transaction():
        result = decide(
            connection,
            link,
            lambda state, now: rules.reverse(
                state, request, award=award, adjustment=adjustment, evidence=evidence, at=now
            ),
            about=CommandScope(award=award, table=table, round=number, adjustment=adjustment),
            at=at,
        )
        round_ = played_round(connection, result.state.link, table, number).round
        reversed_ = [result.state.awards[fact.award] for fact in result.facts if isinstance(fact, Reversed)]
        cleared = [
            HandCleared(
                link=link,
                at=result.facts[0].at,
                table=table,
                round=number,
                seat=other.seat,
                hand=other.hand,
                by=request.by,
            )
            for other in reversed_
            if round_.phase != "idle" and round_.hands.get(other.seat) == other.hand
        ]
        say(connection, cleared)
    return result


def lock_round_of(connection: Connection, link: str, award: str) -> LinkState:
    """Lock a link until the transaction ends, and read the awards of the round of one."""
    table, number = _place(connection, link, award)
    about = CommandScope(award=award, table=table, round=number)
    return lock_link_for(connection, link, about).state


def _about(round_: TableRound) -> CommandScope:
    return CommandScope(table=round_.table, round=round_.number)


def _place(connection: Connection, link: str, award: str) -> tuple[str, int]:
    """The table and round of an award, which never change."""
    row = connection.execute(
        "SELECT table_id, round FROM books.award WHERE link = %s AND id = %s", (link, award)
    ).fetchone()
    return (row[0], row[1]) if row else ("", 0)
