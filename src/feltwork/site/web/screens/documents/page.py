"""Printed documents: win pages, posting sheets, meter sheets, dispute packets, and forms."""

import hashlib
from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import Path, Query, Request
from fastapi.responses import Response

from feltwork.site.books.audit import day_close
from feltwork.site.books.awards import documents
from feltwork.site.books.context import Operation
from feltwork.site.books.links import meters
from feltwork.site.books.people import training
from feltwork.site.books.reports.report import Pool
from feltwork.site.compliance.jurisdiction import Rulings
from feltwork.site.web.api.days import DayPath
from feltwork.site.web.fields import AwardPath, LinkPath, Name, TablePath
from feltwork.site.web.rendering import hand_faces, pdf, report_format
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.pdf import Paper
from feltwork.site.web.rendering.templating import Model, fields_of
from feltwork.site.web.screens.office.page import Day
from feltwork.site.web.screens.school.exercise_model import course_title
from feltwork.site.web.security.auth import Reader, SignedIn, Watcher
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()
#: Columns of the bank count.
CHIPS = ("1,000", "500", "100", "25", "5", "1", "coins")


@router.get("/awards/{award}/win-page.pdf")
def print_win_page(
    request: Request,
    by: Watcher,
    award: AwardPath,
    link: Name = "",
    paper: Literal["a5", "letter", "a4"] = "a5",
) -> Response:
    """The win page of a hand on a link, with a QR code of the award [LT-15]."""
    query = f"?link={link}" if link else ""
    address = f"{request.app.state.settings.origin}/awards/{award}/win-page{query}"
    model = {**_of_award(by, award, link), "address": address, "code": pdf.code(address), "paper": paper}
    return pdf.printed("papers/win_page.html", model, name=f"win-page-{award}", by=by)


@router.get("/awards/{award}/shares.pdf")
def print_shares(
    by: Watcher,
    award: AwardPath,
    people: Annotated[int, Query(ge=2, le=12)] = 4,
    link: Name = "",
    paper: Paper = "letter",
) -> Response:
    """The statement of people who share a win, each with a separate tax form [TX-05]."""
    model = {**_of_award(by, award, link), "winners": people, "paper": paper}
    return pdf.printed("papers/shares.html", model, name=f"shares-{award}", by=by)


@router.get("/office/links/{link}/posting.pdf")
def print_posting(
    by: Reader, link: LinkPath, table: Name = "", *, odds: bool = False, paper: Paper = "letter"
) -> Response:
    """The posting sheets of a link's tables, or of one table [WA-28]."""
    model = {**fields_of(documents.posting_sheets(by, link, table, odds=odds)), "paper": paper}
    return pdf.printed("papers/posting.html", model, name=f"posting-{link}", by=by)


@router.get("/office/links/{link}/sheet.pdf")
def print_meter_sheet(
    by: Reader,
    link: LinkPath,
    level: Name | None = None,
    pool: Pool = "meter",
    day: Day = "TODAY",
    paper: Paper = "letter",
) -> Response:
    """The opening amount of a level and its changes in a gambling day [WA-08]."""
    view = meters.meter_sheet(by, link, level=level or "", pool=pool, day=day)
    name = f"meter-sheet-{link}-{view.level}-{view.day}"
    return pdf.printed("papers/meter_sheet.html", {**fields_of(view), "paper": paper}, name=name, by=by)


@router.get("/office/days/{day}/sheet.pdf")
def print_day_sheet(by: Reader, day: DayPath, paper: Paper = "letter") -> Response:
    """The last signed sheet of a gambling day [WA-25]."""
    sheet, content = day_close.day_sheet(by, day)
    digest = hashlib.sha256(sheet.body.encode()).hexdigest()
    model = {**asdict(sheet), "site": content["site"], "says": content, "hash": digest, "paper": paper}
    return pdf.printed("papers/day_sheet.html", model, name=f"day-sheet-{sheet.day}", by=by)


@router.get("/audit/rounds/{table}/{number}.pdf")
def print_dispute(by: Reader, table: TablePath, number: int, paper: Paper = "letter") -> Response:
    """Everything on record for a round with the rules in effect, for a patron dispute."""
    model = {**fields_of(documents.dispute_packet(by, table, number)), "paper": paper}
    return pdf.printed("papers/dispute.html", model, name=f"dispute-{table}-{number}", by=by)


@router.get("/school/completions/{number}/certificate.pdf")
def print_training_certificate(
    by: SignedIn, number: Annotated[int, Path(ge=1, le=2**62)], paper: Paper = "letter"
) -> Response:
    """The certificate of a completed course, for its trainee and for those who review training."""
    view = training.certificate(by, number)
    model = {**fields_of(view), "course": course_title(view.completion.course), "paper": paper}
    return pdf.printed("papers/training_certificate.html", model, name=f"training-{number}", by=by)


@router.get("/pit/count-form.pdf")
def print_count_form(by: Watcher, shift: Name = "1", paper: Paper = "letter") -> Response:
    """Two independent bank count sheets for the end of a shift, and a comparison sheet [TR-02]."""
    view = documents.count_form(by)
    model = {**asdict(view), "shift": shift, "chips": CHIPS, "paper": paper}
    return pdf.printed("papers/count_form.html", model, name=f"count-form-{view.day}", by=by)


def _of_award(by: Operation, award: str, link: str) -> Model:
    """The win page with its payout record and the names of the people involved."""
    view = documents.win_document(by, award, link)
    return {
        **fields_of(view.page),
        **fields_of(view),
        "cards": hand_faces.of_cards(view.page.award.cards),
        "tests": _tests(view.share_rules),
    }


def _tests(rulings: Rulings | None) -> list[str]:
    """The tax tests of each share under today's rules."""
    if rulings is None:
        return [_("Each share counts as a separate win.")]
    form, times, above = (
        rulings[name] for name in ("tax_form_from", "tax_form_times_wager", "withholding_above")
    )
    lines = [_("Each share counts as a separate win, tested against its own part of the wager.")]
    if form.amount is not None:
        text = _("Share of %(amount)s or more, at least %(times)s times its wager: file a Form W-2G for it.")
        lines.append(text % {"amount": report_format.amount(form.amount), "times": times.number})
    if above.amount is not None:
        text = _("Proceeds over %(amount)s: withhold tax from that share.")
        lines.append(text % {"amount": report_format.amount(above.amount)})
    return lines
