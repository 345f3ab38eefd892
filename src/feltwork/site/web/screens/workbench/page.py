"""The workbench: edit a paytable and its meter terms, and see the exact effect immediately."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from feltwork import spreadsheet
from feltwork.odds.certificate import Body, Issue, certificate
from feltwork.odds.returns import house_options
from feltwork.odds.sheet import bets, counted_bet, offered
from feltwork.odds.verify import verdicts_on
from feltwork.odds.what_if.answer import ComputedFigure, WhatIfAnswer, compare, removed_rows
from feltwork.odds.what_if.card_removal import card_removal
from feltwork.odds.what_if.comparison import change_table
from feltwork.odds.what_if.draft import other_rows
from feltwork.odds.what_if.fields import before_and_after, games, question_from
from feltwork.odds.what_if.figure_labels import label, removal_model
from feltwork.odds.what_if.question import Question, divides, settings_of
from feltwork.odds.what_if.sensitivity import hold_bands, sensitivity, session_of
from feltwork.odds.what_if.what_if import meter_laws, what_if
from feltwork.problem import Problem, ProblemsError
from feltwork.site.web.rendering import certificate_pdf, charts
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.figure_format import in_unit, percent, returns_text, written
from feltwork.site.web.rendering.letter_figures import figure_name, verdict_reason
from feltwork.site.web.rendering.odds_texts import odds_text
from feltwork.site.web.rendering.templating import Model, html, page, wants_html
from feltwork.site.web.screens.workbench.advise import advise
from feltwork.site.web.screens.workbench.compare import compared, compared_svg
from feltwork.site.web.screens.workbench.goal import goal
from feltwork.site.web.screens.workbench.request_fields import edits_of, fields_of, other_of, paytable_of
from feltwork.site.web.security.auth import Visitor
from feltwork.site.web.security.limits import computing
from feltwork.site.web.subject_router import SubjectRouter
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable, Share
from feltwork.titles.paytables.write import as_toml

router = SubjectRouter(prefix="/workbench", dependencies=[Depends(computing)])
router.add_api_route("/goal", goal)
router.add_api_route("/advise", advise)
router.add_api_route("/compare", compared)
router.add_api_route("/compare.svg", compared_svg)
_HEADLINES = ("house_edge", "hold", "edge_at_meter", "hit_frequency", "standard_deviation", "element_of_risk")
_METER_HEADLINES = ("mean_jackpot", "break_even_meter", "hours_to_hit")
#: Figures available for goal seek.
_GOALS = ("house_edge", "hold", "element_of_risk", "edge_at_seed", "fixed_return")
_SVG = "image/svg+xml"


@router.get("")
def workbench(request: Request, visitor: Visitor) -> Response:
    """The workbench page; the address holds every edit."""
    fields = fields_of(request)
    paytable = paytable_of(fields)
    question = question_from(paytable, edits_of(fields))
    model = {
        "paytable": paytable.name,
        "title": registry.title(paytable.title).title,
        "groups": _groups(),
        "others": [
            identifier
            for identifier in registry.library(paytable.title).ids_of(paytable.bet)
            if identifier != paytable.id
        ],
        "compare": fields.get("compare", ""),
        "rows": [
            {
                "hand": row.hand,
                "pays": fields.get(f"pays.{row.hand}") or str(row.pays),
                "varies": not isinstance(row.pays, Share),
            }
            for row in paytable.rows
        ],
        "lacking": [{"hand": hand, "pays": fields.get(f"pays.{hand}", "")} for hand in other_rows(paytable)],
        "options": [
            {"name": name, "values": values, "chosen": question.options[name]}
            for name, values in offered(paytable.title, paytable.bet).items()
        ],
        "terms": _terms(question),
        "floor": {**_floor(question), "exposed": fields.get("exposed", "")},
        "counts_exposed": counted_bet(paytable.title, paytable.bet).drawn is not None,
        "house": _house(question) if question.terms else [],
        **_figures(fields),
        "swap": False,
    }
    return page(request, "workbench.html", model, by=visitor)


@router.get("/figures")
def figures(request: Request) -> Response:
    """Closed-form figures before and after, fetched on every keystroke."""
    fields = fields_of(request)
    if not wants_html(request) and "hx-request" not in request.headers:
        before, after = _pair(fields)
        return JSONResponse({"before": before.as_json(), "after": after.as_json()})
    try:
        return HTMLResponse(html("workbench_figures.html", {**_figures(fields), "swap": True}))
    except ProblemsError as error:
        return HTMLResponse(html("workbench_problems.html", {"problems": error.problems}))


@router.get("/figures.csv")
def figures_csv(request: Request) -> Response:
    """Rows and figures before and after, for a spreadsheet; percentages are fractions of one."""
    before, after = _pair(fields_of(request))
    text = spreadsheet.as_csv(*change_table(before, after))
    return _file(text.encode(), "text/csv", f"{_name(after.question.paytable)}.csv")


@router.get("/figures.xlsx")
def figures_xlsx(request: Request) -> Response:
    """Rows and figures before and after, as a workbook."""
    before, after = _pair(fields_of(request))
    content = spreadsheet.as_xlsx(*change_table(before, after))
    return _file(content, spreadsheet.XLSX, f"{_name(after.question.paytable)}.xlsx")


def _name(paytable: Paytable) -> str:
    return f"{paytable.bet}-{paytable.id}"


@router.get("/depth")
def depth(request: Request) -> Response:
    """Sampled figures and chart addresses, fetched separately because they take longer."""
    fields = {**fields_of(request), "sampled": "yes"}
    try:
        _, after = _pair(fields)
    except ProblemsError:
        return HTMLResponse("")
    sampled = [
        {"level": level, "label": label(name), "value": written(figure)}
        for level, figures in (("", after.bet), *after.meters.items())
        for name, figure in figures.items()
        if figure.how == "sampled"
    ]
    bands = [
        {"rounds": f"{band.rounds:,}", "low": returns_text(band.low), "high": returns_text(band.high)}
        for band in hold_bands(after)
    ]
    costs = [{"hand": hand, "cost": returns_text(cost)} for hand, cost in sensitivity(after.question).items()]
    model = {
        "sampled": sampled,
        "levels": list(after.meters),
        "query": str(request.url.query),
        "bands": bands,
        "costs": costs,
        "session": _session(after.question),
        "removal": removal_model(card_removal(after.question)),
    }
    return HTMLResponse(html("workbench_depth.html", model))


def _session(question: Question) -> str:
    """The risk to a player's bank, or the reason it cannot be computed."""
    try:
        session = session_of(question)
    except ProblemsError as error:
        return str(error)
    if not session:
        return ""
    return _(
        "A bank of %(bank)s wagers is lost within %(rounds)s rounds with a chance of %(ruin)s. "
        "For a risk of %(risk)s, a bank of %(required)s wagers is needed."
    ) % {
        "bank": f"{session.bank:,}",
        "rounds": f"{session.rounds:,}",
        "ruin": percent(session.ruin),
        "risk": percent(session.risk, 2),
        "required": f"{session.required_bank:,}",
    }


@router.get("/returns.svg")
def returns_svg(request: Request) -> Response:
    """The chart of returns by row."""
    before, after = _pair({**fields_of(request), "sampled": "yes"})
    return _picture(charts.returns_chart(before, after))


@router.get("/meter.svg")
def meter_svg(request: Request, level: str) -> Response:
    """The chart of a meter over time."""
    fields = fields_of(request)
    before, after = before_and_after(paytable_of(fields), edits_of(fields), other=other_of(fields))
    laws = [meter_laws(question) for question in (before, after)]
    if level not in laws[1]:
        raise ProblemsError(
            [
                Problem(
                    "level",
                    _("There is no meter %(level)s.") % {"level": level},
                    _("Choose a meter of the paytable."),
                )
            ]
        )
    rounds = after.floor.rounds * (1 if divides(after.paytable) else after.floor.bettors)
    first = laws[0].get(level, laws[1][level])
    return _picture(charts.meter_chart(first, laws[1][level], trials_per_day=float(rounds * 24)))


@router.get("/draft.toml")
def draft(request: Request) -> Response:
    """The edited paytable as a TOML file."""
    fields = fields_of(request)
    edited = question_from(paytable_of(fields), edits_of(fields)).paytable
    text = as_toml(edited, cites="a workbench draft")
    return _file(text.encode(), "application/toml", f"{_name(edited)}.toml")


@router.get("/certificate")
def certificate_data(request: Request) -> Response:
    """The certificate of the edited paytable, as JSON."""
    return JSONResponse(_certificate(fields_of(request)))


@router.get("/certificate.pdf")
def certificate_document(request: Request) -> Response:
    """The certificate of the edited paytable, as a PDF with its data attached."""
    body = _certificate(fields_of(request))
    name = f"{body['title']}-{body['bet']}-{body['paytable']}.pdf"
    return _file(certificate_pdf.as_pdf(body), "application/pdf", name)


def _certificate(fields: Mapping[str, str]) -> Body:
    question = question_from(paytable_of(fields), edits_of(fields))
    issue = Issue(date=datetime.now(UTC).date().isoformat())
    return certificate(question.paytable, question.options, settings_of(question), issue)


def _pair(fields: Mapping[str, str]) -> tuple[WhatIfAnswer, WhatIfAnswer]:
    before, after = before_and_after(paytable_of(fields), edits_of(fields), other=other_of(fields))
    return what_if(before), what_if(after)


def _figures(fields: Mapping[str, str]) -> Model:
    """The formatted figures before and after."""
    before, after = _pair(fields)
    changes = [
        {
            "level": change.name.rpartition(".")[0],
            "name": change.name,
            "label": label(change.name),
            "before": _written(change.before),
            "after": _written(change.after),
            "exactly": str(change.after.value) if change.after and change.after.how == "exact" else "",
            "difference": _difference(change.difference, change.after),
            "way": (change.difference > 0) - (change.difference < 0) if change.difference else 0,
        }
        for change in compare(before, after)
    ]
    first = {row.hand: row for row in before.rows}
    rows = [
        {
            "hand": row.hand,
            "pays": row.pays,
            "one_in": f"{float(1 / row.probability):,.1f}" if row.probability else _("never"),
            "before": returns_text(first[row.hand].returns) if row.hand in first else "",
            "after": returns_text(row.returns),
            "changed": row.hand not in first or first[row.hand].returns != row.returns,
        }
        for row in after.rows
    ]
    rows += [
        {
            "hand": row.hand,
            "pays": _("removed"),
            "one_in": "",
            "before": returns_text(row.returns),
            "after": "",
            "changed": True,
        }
        for row in removed_rows(before, after)
    ]
    return {
        "headlines": [change for change in changes if _is_headline(str(change["name"]))],
        "changes": changes,
        "goals": [
            {"name": name, "label": label(name), "target": written(after.bet[name]).replace(" ", "")}
            for name in _GOALS
            if name in after.bet
        ],
        "by_row": rows,
        "printed": _printed(paytable_of(fields), after),
        "method": odds_text(after.method),
        "strategy": [odds_text(line) for line in after.strategy if not line.startswith("`")],
        "notes": [odds_text(note) for note in after.notes if "closed form" not in note],
        "compared": fields.get("compare") or "",
    }


def _is_headline(name: str) -> bool:
    level, kind = name.rpartition(".")[::2]
    return kind in _METER_HEADLINES if level else kind in _HEADLINES


def _written(figure: ComputedFigure | None) -> str:
    return written(figure) if figure else "–"


def _difference(difference: Any, figure: ComputedFigure | None) -> str:
    if not difference or figure is None:
        return ""
    text = in_unit(difference, figure.unit)
    return text if difference < 0 or figure.unit == "one in" else f"+{text}"


def _printed(paytable: Paytable, after: WhatIfAnswer) -> list[dict[str, str]]:
    """The figures that the letters print for this paytable, next to the edited ones."""
    figures = []
    for verdict in verdicts_on(paytable):
        kind = verdict.printed.id.rpartition("/")[2].partition("?")[0]
        exact = verdict.ours.value if verdict.ours else None
        side = after.question.options.get("side", "")
        now = (
            after.bet.get(kind)
            if f"side={side}" in verdict.printed.id or "side=" not in verdict.printed.id
            else None
        )
        figures.append(
            {
                "id": verdict.printed.id,
                "name": figure_name(verdict.printed.id),
                "printed": verdict.printed.text,
                "ours": verdict.printed.written(exact) if exact is not None else "",
                "now": written(now) if now else "",
                "verdict": verdict.word,
                "why": verdict_reason(verdict.why),
            }
        )
    return figures


def _terms(question: Question) -> list[dict[str, str]]:
    return [
        {
            "level": level,
            "seed": f"{float(terms.seed):.2f}",
            "contribution": f"{float(terms.contribution * 100):g}%",
            "reserve": f"{float(terms.reserve * 100):g}%",
            "cap": "none" if terms.cap is None else f"{float(terms.cap):.2f}",
            "meter": f"{float(question.meters[level]):.2f}" if level in question.meters else "",
        }
        for level, terms in question.terms.items()
    ]


def _floor(question: Question) -> dict[str, str]:
    floor = question.floor
    return {
        "wager": f"{float(question.wager):.2f}",
        "tables": str(floor.tables),
        "seats": str(floor.seats),
        "rounds_per_hour": str(int(floor.rounds_per_hour)),
        "betting": f"{float(floor.betting * 100):g}%",
        "others": "" if question.others is None else str(question.others),
        "players": str(question.crowd.players),
        "within": str(question.within),
        "bank": str(question.bank),
        "session": str(question.session),
        "risk": f"{float(question.risk * 100):g}%",
    }


def _house(question: Question) -> list[Model]:
    """The house options of a jackpot, and the game under it."""
    options: list[Model] = [
        {
            "name": option.name,
            "values": [str(value).lower() for value in option.values],
            "chosen": str(question.offer.options[option.name]).lower(),
        }
        for option in house_options(question.offer.jackpot)
    ]
    fitting = games(question.paytable)
    return [*options, {"name": "game", "values": fitting, "chosen": question.game or fitting[0]}]


def _groups() -> list[Model]:
    """Every paytable with odds, by title."""
    groups: dict[str, list[dict[str, str]]] = {}
    for title, bet in bets():
        for identifier in registry.library(title).ids_of(bet):
            entry = {"name": f"{title}/{bet}/{identifier}", "says": f"{bet.replace('_', ' ')}, {identifier}"}
            groups.setdefault(registry.title(title).title, []).append(entry)
    return [{"title": title, "paytables": paytables} for title, paytables in groups.items()]


def _picture(svg: str) -> Response:
    return Response(svg, media_type=_SVG, headers={"Cache-Control": "max-age=3600"})


def _file(content: bytes, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
