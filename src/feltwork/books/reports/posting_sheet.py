"""The posting sheet of a link: what must hang at its tables, from the version in force and the meters."""

from typing import Any

from feltwork import money
from feltwork.books.connection import Connection
from feltwork.books.standing import look
from feltwork.paytables.paytable import Odds
from feltwork.progressive.life_cycle import cap_notice


def posting_sheet(connection: Connection, link: str) -> dict[str, Any]:
    """Amounts, restrictions, fixed and odds-based prizes scaled to the wager, and notices [WA-28, LT-13]."""
    state = look(connection, link).state
    notices = [cap_notice(state, level) for level in state.link.level_names]
    if state.stops:
        notices.append(f"no jackpot wagers are taken: {', '.join(state.stops)}")
    return {
        "link": link,
        "jackpot": state.link.title.name,
        "paytable": state.link.paytable.name,
        "version": state.link.fingerprint,
        "wager": state.link.wager,
        "meters": {level: state.meter(level) for level in state.link.level_names},
        "prizes": [
            {
                "hand": row.hand,
                "pays": str(row.pays),
                "amount": row.pays.pay(state.link.wager) if isinstance(row.pays, Odds) else None,
                "envy": row.envy_for(state.link.wager),
            }
            for row in state.link.paytable.rows
        ],
        "options": dict(state.link.options),
        "executive_above": money.text(state.link.executive_above),
        "notices": [notice for notice in notices if notice],
        "order_of_rules": ["regulation", "manufacturer's rules", "house rules"],
        "disputes": "ask the floor supervisor; every round can be shown from the books",
    }
