"""The win page: one award from the hand button to the money, for accounting and for the patron's slip."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from feltwork.books.connection import Connection
from feltwork.books.standing import look
from feltwork.books.statements import statement
from feltwork.books.workings import rule_of, version_of
from feltwork.operations.errors import unknown
from feltwork.operations.reports import ReportRequest, rows_of
from feltwork.sources import Paragraph
from feltwork.web import claims, room, told
from feltwork.web.callers import Watcher
from feltwork.web.pages import page, plain_name
from feltwork.web.screens import faces
from feltwork.web.shown import pays_text
from feltwork.web.words import AwardPath

router = APIRouter()


@router.get("/awards/{award}/win-page")
def show(request: Request, by: Watcher, award: AwardPath) -> Response:
    """Who won what, where, and how the amount came about, down to the letter that gives it [LT-15]."""
    return page(request, "win_page.html", win_page(by.connection, award), me=by.actor.me)


def win_page(connection: Connection, award: str) -> dict[str, Any]:
    """The win page of an award, for a screen or for paper."""
    row = connection.execute(statement("award_links"), (award,)).fetchone()
    if row is None or told.links(connection).get(row[0]) != "progressive":
        raise unknown(f"award {award}")
    state = look(connection, row[0]).state
    found = state.awards[award]
    booked = version_of(connection, row[0], award)
    # A claim may come before its round is booked; then nothing but the version in force can be meant.
    link = booked[0] if booked else state.link
    rule = rule_of(link, found.hand)
    level, amount = claims.amount_due(state, list(state.awards.values()), found)
    flags = claims.tax_flags(room.floor_in_force(connection), amount=amount, wager=link.wager)
    return {
        "site": room.site_name(connection),
        "award": {**told.award(found), "level": level, "amount": amount, "says": plain_name(found.hand)},
        "link": link.id,
        "title": link.title.title,
        "wager": link.wager,
        "cards": faces.example(link.jackpot, found.hand),
        "pays": pays_text(link, rule.row),
        "envy": rule.row.envy_for(link.wager),
        "paytable": {"name": link.paytable.name, "fingerprint": link.paytable.fingerprint},
        "letters": _letters(rule.paragraphs),
        "flags": [{"name": one.name, "requirement": one.requirement, "why": one.why} for one in flags],
        "steps": [
            {
                "step": step["step"],
                "entry": step["entry"],
                "at": step["booked_at"].strftime("%Y-%m-%d %H:%M:%S UTC"),
                "person": step["person"],
                "form": step["form"],
                "meter_before": step["meter_before"] or 0,
                "meter_after": step["meter_after"] or 0,
            }
            for step in rows_of(connection, ReportRequest(name="win_page", link=link.id, award=award))
        ],
    }


def _letters(cited: Sequence[Paragraph]) -> list[dict[str, str]]:
    """The paragraphs that are cited, each once where several letters say the same."""
    by_text: dict[str, list[str]] = {}
    for one in cited:
        by_text.setdefault(one.says, []).append(one.id)
    return [{"id": ", ".join(ids), "says": says} for says, ids in by_text.items()]
