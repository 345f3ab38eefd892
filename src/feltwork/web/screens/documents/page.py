"""Papers: win pages, posting sheets, meter sheets, dispute packets and forms, to print and to file."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from feltwork.cards.card import DECK
from feltwork.compliance.jurisdiction import Rulings
from feltwork.operations.awards import documents
from feltwork.operations.context import Operation
from feltwork.operations.links import meters
from feltwork.operations.reports.reports import Pool
from feltwork.web.fields import AwardPath, LinkPath, Name, TablePath
from feltwork.web.rendering import hand_faces, pdf, report_format
from feltwork.web.rendering.templating import Model, facts_of, fields_of
from feltwork.web.screens.office.page import Day
from feltwork.web.security.auth import Reader, Watcher

router = APIRouter()
#: What a bank is counted by.
CHIPS = ("1,000", "500", "100", "25", "5", "1", "coins")
_FACES = frozenset(map(str, DECK))


@router.get("/awards/{award}/win-page.pdf")
def print_win_page(request: Request, by: Watcher, award: AwardPath) -> Response:
    """The win page on A5, with a QR code that leads to the award [LT-15]."""
    address = f"{request.app.state.settings.origin}/awards/{award}/win-page"
    model = {**_of_award(by, award), "address": address, "code": pdf.code(address)}
    return pdf.printed("papers/win_page.html", model, name=f"win-page-{award}", by=by.actor.me)


@router.get("/awards/{award}/shares.pdf")
def print_shares(by: Watcher, award: AwardPath, people: Annotated[int, Query(ge=2, le=12)] = 4) -> Response:
    """What several people write who are entitled to one win, each with a tax form of their own [TX-05]."""
    model = {**_of_award(by, award), "winners": people}
    return pdf.printed("papers/shares.html", model, name=f"shares-{award}", by=by.actor.me)


@router.get("/office/links/{link}/posting.pdf")
def print_posting(by: Reader, link: LinkPath, table: Name | None = None) -> Response:
    """What must hang at the tables of a link, or at one of them [WA-28]."""
    model = fields_of(documents.posting_sheets(by, link, table or ""))
    return pdf.printed("papers/posting.html", model, name=f"posting-{link}", by=by.actor.me)


@router.get("/office/links/{link}/sheet.pdf")
def print_meter_sheet(
    by: Reader, link: LinkPath, level: Name | None = None, pool: Pool = "meter", day: Day = "TODAY"
) -> Response:
    """The opening amount of a level and every change of it on a gambling day [WA-08]."""
    view = meters.meter_sheet(by, link, level=level or "", pool=pool, day=day)
    name = f"meter-sheet-{link}-{view.level}-{view.day}"
    return pdf.printed("papers/meter_sheet.html", fields_of(view), name=name, by=by.actor.me)


@router.get("/audit/rounds/{table}/{number}.pdf")
def print_dispute(by: Reader, table: TablePath, number: int) -> Response:
    """Everything the books know about one round, with the rules in force, for a patron who disagrees."""
    view = documents.dispute_packet(by, table, number)
    steps = [
        {"what": row["what"], "at": _utc(row["booked_at"]), "facts": facts_of(row["about"])}
        for row in view.steps
    ]
    model = {**fields_of(view), "steps": steps}
    return pdf.printed("papers/dispute.html", model, name=f"dispute-{table}-{number}", by=by.actor.me)


@router.get("/pit/count-form.pdf")
def print_count_form(by: Watcher, shift: Name = "1") -> Response:
    """Two sheets to count banks independently at the end of a shift, and one to compare them [TR-02]."""
    view = documents.count_form(by)
    model = {**asdict(view), "shift": shift, "chips": CHIPS}
    return pdf.printed("papers/count_form.html", model, name=f"count-form-{view.day}", by=by.actor.me)


def _of_award(by: Operation, award: str) -> Model:
    """The win page with its payout record, and the names of those who took part."""
    view = documents.win_document(by, award)
    # The cards of the record are drawn where they are written as cards; else such a hand is shown.
    cards = view.record.cards.split() if view.record else []
    written = bool(cards) and all(card in _FACES for card in cards)
    return {
        **fields_of(view.page),
        **fields_of(view),
        "cards": cards if written else hand_faces.example(view.page.jackpot, view.page.award.hand),
        "shown_cards": written,
        "tests": _tests(view.share_rules),
    }


def _tests(rulings: Rulings | None) -> list[str]:
    """What is asked of each share, by the rules of today."""
    if rulings is None:
        return ["Each share is a win of its own."]
    form, times, above = (
        rulings[name] for name in ("tax_form_from", "tax_form_times_wager", "withholding_above")
    )
    lines = ["Each share is a win of its own, tested against its own part of the wager."]
    if form.amount is not None:
        asks = f"A share of {report_format.amount(form.amount)} or more, and {times.number} times its wager"
        lines.append(f"{asks}: a Form W-2G for that person.")
    if above.amount is not None:
        lines.append(
            f"Proceeds above {report_format.amount(above.amount)}: tax is held back from that share."
        )
    return lines


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
