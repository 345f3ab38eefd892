"""Claims as people judge them: amount, hand, the envy it brings, and the rules that ask for more."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from psycopg.rows import dict_row

from feltwork.books.connection import Connection
from feltwork.books.standing import award_from, look_at_meters
from feltwork.books.statements import statement
from feltwork.compliance import tax
from feltwork.compliance.floor import Floor
from feltwork.compliance.jurisdiction import jurisdiction
from feltwork.progressive.award import hit_of, needs_executive
from feltwork.progressive.link import Link
from feltwork.progressive.locks import due_pays
from feltwork.progressive.state import Award, LinkState
from feltwork.web import room, told
from feltwork.web.pages import amount_text, plain_name
from feltwork.web.screens import faces

#: The strictest choices that the instructions leave to a house: nothing is taken off, each win by itself.
_PAYER = tax.Payer(less_wager=False, together=False, reports_cash=False)


def waiting(connection: Connection, *, link: str = "", table: str = "") -> list[dict[str, Any]]:
    """Awards that wait for a badge or for the money, the oldest first."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("awards_open")).fetchall()
    floor = room.floor_in_force(connection)
    known = told.links(connection)
    by_link: dict[str, list[Award]] = {}
    for row in rows:
        name = row.pop("link")
        by_link.setdefault(name, []).append(award_from(row))
    shown = []
    for name, awards in by_link.items():
        if known.get(name) != "progressive" or (link and name != link):
            continue
        state = look_at_meters(connection, name).state
        shown += [_told(state, awards, one, floor) for one in awards if not table or one.table == table]
    return sorted(shown, key=lambda one: int(one["claimed_at"]))


def amount_due(state: LinkState, awards: Sequence[Award], award: Award) -> tuple[str, int]:
    """The level and the amount of an award; a claim that is not locked yet is computed on the meter now."""
    if award.locked or award.status != "claimed":
        return award.level, award.amount
    open_now = LinkState(
        link=state.link, balances=state.balances, caps=state.caps, awards={one.id: one for one in awards}
    )
    pay = due_pays(open_now, (award.table, award.round))[award.id]
    return pay.level, pay.amount


def _told(state: LinkState, awards: Sequence[Award], award: Award, floor: Floor | None) -> dict[str, Any]:
    link = state.link
    level, amount = amount_due(state, awards, award)
    row = link.row(award.hand)
    whole = sum(amount_due(state, awards, one)[1] for one in _together(link, awards, award))
    executive = needs_executive(link, level=level, amount=whole)
    flags = tax_flags(floor, amount=amount, wager=link.wager)
    return {
        **told.award(award),
        "link": link.id,
        "level": level,
        "amount": amount,
        # What is confirmed with it, all of the hit.
        "hit_amount": whole,
        "title": link.title.title,
        "says": plain_name(award.hand),
        "cards": faces.example(link.jackpot, award.hand),
        "envy": row.envy_for(link.wager) if row else 0,
        "controls": link.controls,
        "badges": ["supervisor", "executive"] if executive else ["supervisor"],
        "rule": _rule(link.executive_above, level) if executive else "",
        "flags": [{"name": one.name, "requirement": one.requirement, "why": one.why} for one in flags],
        # What the tray can settle at once: no second badge, no form, and the meter has moved.
        "pay_now": not executive and not flags and link.lock_at != "run",
    }


def _together(link: Link, awards: Sequence[Award], award: Award) -> list[Award]:
    """The claims that are confirmed with one: all of its round that share a prize, or that J-POT logs."""
    if award.status != "claimed":
        return [award]
    mine = (award.table, award.round, "claimed", hit_of(link, award))
    return [one for one in awards if (one.table, one.round, one.status, hit_of(link, one)) == mine]


def _rule(above: int, level: str) -> str:
    return f"An award above {amount_text(above)}, or of the {level} level, takes an executive's badge too."


def tax_flags(floor: Floor | None, *, amount: int, wager: int) -> tuple[tax.Flag, ...]:
    """What the law asks for before this amount is paid; nothing is known without a floor [TX-04]."""
    if floor is None:
        return ()
    rulings = jurisdiction(floor.jurisdiction).on(datetime.now(tz=UTC).date())
    return tax.flags([tax.Win(amount=amount, wager=wager)], rulings=rulings, payer=_PAYER, identity=None)
