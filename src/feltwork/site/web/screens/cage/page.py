"""The cage: awards to pay, the payout record of each, its checklist, the payment, and the slip."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from babel.dates import format_timedelta
from fastapi import Query, Request
from fastapi.responses import Response

from feltwork.site.books.awards import cage, drawer
from feltwork.site.books.floors.site import site_name
from feltwork.site.web.api.awards import Payer
from feltwork.site.web.fields import AwardPath, LinkPath
from feltwork.site.web.rendering.catalog import N_, locale
from feltwork.site.web.rendering.templating import fields_of, page
from feltwork.site.web.subject_router import SubjectRouter
from feltwork.titles.cards.card import DECK

router = SubjectRouter()
#: Usual note of a checklist step, so nobody has to type on a touch screen.
NOTES = {
    "countdown": N_("Cards on camera, deck counted down"),
    "seal": N_("Hand and deck sealed with the record"),
}
PAPERS = (("letter", "Letter"), ("a5", "A5"), ("a4", "A4"))


@router.get("/cage")
def show(request: Request, by: Payer, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Awards to pay, longest wait first, then those paid today."""
    view = cage.awards_at_cage(by, q)
    now = datetime.now(tz=UTC)
    counts_drawer = by.actor.may("count_drawer")
    model = {
        "site": site_name(by.connection),
        "q": q,
        "people": view.people,
        "to_pay": [{**fields_of(award), "waits": _time(now - award.confirmed_at)} for award in view.to_pay],
        "paid": view.paid,
        "imports": by.actor.may("import_exclusions"),
        "excluded_at": view.excluded_at,
        "counts_drawer": counts_drawer,
        "drawer": drawer.own_drawer(by) if counts_drawer else None,
    }
    return page(request, "cage.html", model, by=by)


@router.get("/cage/{link}/{award}")
def show_award(request: Request, by: Payer, link: LinkPath, award: AwardPath) -> Response:
    """The payout record of an award, its checklist and its payment [WA-24]."""
    view = cage.payout_at_cage(by, link, award)
    cards = (view.payout.cards or view.award.cards).replace("/", " ").split()
    model = {
        **fields_of(view),
        "site": site_name(by.connection),
        "cards": cards,
        "drawn": bool(cards) and set(cards) <= set(map(str, DECK)),
        "identified": any(flag.name == "tax_form" for flag in view.flags),
        "notes": NOTES,
        "papers": PAPERS,
        "slip_printer": bool(request.app.state.settings.slip_printer),
    }
    return page(request, "cage_award.html", model, by=by)


def _time(waits: timedelta) -> str:
    return format_timedelta(waits, granularity="minute", locale=locale())
