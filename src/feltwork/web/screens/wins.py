"""The win page: one award from the hand button to the money, for accounting and for the patron's slip."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from feltwork.books.connection import Connection
from feltwork.books.reports import report
from feltwork.books.standing import look
from feltwork.books.statements import statement
from feltwork.sources import paragraphs
from feltwork.web import claims, room, told
from feltwork.web.callers import Watcher
from feltwork.web.pages import page, plain_name
from feltwork.web.refusals import unknown
from feltwork.web.screens import faces
from feltwork.web.shown import pays_text
from feltwork.web.words import AwardPath

router = APIRouter()


@router.get("/awards/{award}/win-page")
def show(request: Request, by: Watcher, award: AwardPath) -> Response:
    """Who won what, where, and how the amount came about, down to the letter that gives it [LT-15]."""
    return page(request, "win_page.html", win_page(by.connection, award), me=by.me)


def win_page(connection: Connection, award: str) -> dict[str, Any]:
    """The win page of an award, for a screen or for paper."""
    row = connection.execute(statement("award_links"), (award,)).fetchone()
    if row is None or told.links(connection).get(row[0]) != "progressive":
        raise unknown(f"award {award}")
    state = look(connection, row[0]).state
    found = state.awards[award]
    link = state.link
    level, amount = claims.amount_due(state, list(state.awards.values()), found)
    line = link.row(found.hand)
    flags = claims.tax_flags(room.floor_in_force(connection), amount=amount, wager=link.wager)
    return {
        "site": room.site_name(connection),
        "award": {**told.award(found), "level": level, "amount": amount, "says": plain_name(found.hand)},
        "link": link.id,
        "title": link.title.title,
        "wager": link.wager,
        "cards": faces.example(link.jackpot, found.hand),
        "pays": pays_text(link, line) if line else "",
        "envy": line.envy_for(link.wager) if line else 0,
        "paytable": {"name": link.paytable.name, "fingerprint": link.paytable.fingerprint},
        "letters": _letters(line.cites if line else ""),
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
            for step in report(connection, "win_page", link=link.id, award=award)
        ],
    }


def _letters(cites: str) -> list[dict[str, str]]:
    """The paragraphs that are cited, each once where several letters say the same."""
    known = paragraphs()
    by_text: dict[str, list[str]] = {}
    for one in filter(known.__contains__, map(str.strip, cites.split(","))):
        by_text.setdefault(known[one].says, []).append(one)
    return [{"id": ", ".join(ids), "says": says} for says, ids in by_text.items()]
