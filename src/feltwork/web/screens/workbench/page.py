"""The workbench: edit a paytable and its meter terms, and see the exact effect at once."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from feltwork import spreadsheet
from feltwork.odds.certificate import Body, Issue, certificate, settings_of
from feltwork.odds.returns import house_options
from feltwork.odds.sheet import bets, offered
from feltwork.odds.verify import verdicts_on
from feltwork.odds.what_if.answer import ComputedFigure, WhatIfAnswer, compare
from feltwork.odds.what_if.fields import before_and_after, games, question_from
from feltwork.odds.what_if.figure_labels import in_unit, label, returns_text, written
from feltwork.odds.what_if.question import Question
from feltwork.odds.what_if.what_if import divides, meter_laws, what_if
from feltwork.paytables.paytable import Paytable
from feltwork.paytables.write import as_toml
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.web.rendering import certificate_pdf, charts
from feltwork.web.rendering.catalog import gettext as _
from feltwork.web.rendering.templating import Model, html, page, wants_html
from feltwork.web.security.auth import Visitor

router = APIRouter(prefix="/workbench")
FIRST = "four_card/jackpot/3"
_LONGEST = 200
_HEADLINES = ("house_edge", "hold", "hit_frequency", "standard_deviation", "element_of_risk")
_METER_HEADLINES = ("mean_jackpot", "break_even_meter", "hours_to_hit")
_SVG = "image/svg+xml"


@router.get("")
def workbench(request: Request, visitor: Visitor) -> Response:
    """The workbench page; the address holds every edit."""
    fields = _fields(request)
    paytable = _paytable(fields)
    question = question_from(paytable, fields)
    shown = {
        "paytable": paytable.name,
        "title": registry.title(paytable.title).title,
        "groups": _groups(),
        "others": [
            one for one in registry.library(paytable.title).ids_of(paytable.bet) if one != paytable.id
        ],
        "compare": fields.get("compare", ""),
        "rows": [
            {"hand": row.hand, "pays": fields.get(f"pays.{row.hand}") or str(row.pays)}
            for row in paytable.rows
        ],
        "options": [
            {"name": name, "values": values, "chosen": question.options[name]}
            for name, values in offered(paytable.title, paytable.bet).items()
        ],
        "terms": _terms(question),
        "floor": _floor(question),
        "house": _house(question) if question.terms else [],
        **_figures(fields),
        "swap": False,
    }
    return page(request, "workbench.html", shown, by=visitor)


@router.get("/figures")
def figures(request: Request) -> Response:
    """Closed-form figures before and after, fetched on every keystroke."""
    fields = _fields(request)
    if not wants_html(request) and "hx-request" not in request.headers:
        before, after = _pair(fields)
        return JSONResponse({"before": before.as_json(), "after": after.as_json()})
    try:
        return HTMLResponse(html("workbench_figures.html", {**_figures(fields), "swap": True}))
    except ProblemsError as error:
        return HTMLResponse(html("workbench_problems.html", {"problems": error.problems}))


@router.get("/depth")
def depth(request: Request) -> Response:
    """Sampled figures and chart addresses, which take longer."""
    fields = {**_fields(request), "sampled": "yes"}
    try:
        _, after = _pair(fields)
    except ProblemsError:
        return HTMLResponse("")
    sampled = [
        {"level": level, "label": label(name), "value": written(found)}
        for level, figures in after.meters.items()
        for name, found in figures.items()
        if found.how == "sampled"
    ]
    model = {"sampled": sampled, "levels": list(after.meters), "query": str(request.url.query)}
    return HTMLResponse(html("workbench_depth.html", model))


@router.get("/returns.svg")
def returns_svg(request: Request) -> Response:
    """The chart of returns by row."""
    before, after = _pair({**_fields(request), "sampled": "yes"})
    return _picture(charts.returns_chart(before, after))


@router.get("/meter.svg")
def meter_svg(request: Request, level: str) -> Response:
    """The chart of a meter over time."""
    fields = _fields(request)
    before, after = before_and_after(_paytable(fields), fields, other=_other(fields))
    laws = [meter_laws(one) for one in (before, after)]
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
    fields = _fields(request)
    edited = question_from(_paytable(fields), fields).paytable
    text = as_toml(edited, cites="a workbench draft")
    return _file(text.encode(), "application/toml", f"{edited.bet}-{edited.id}.toml")


@router.get("/certificate")
def certificate_data(request: Request) -> Response:
    """The certificate of the edited paytable, as JSON."""
    return JSONResponse(_certificate(_fields(request)))


@router.get("/certificate.pdf")
def certificate_document(request: Request) -> Response:
    """The certificate of the edited paytable, as a PDF with its data attached."""
    body = _certificate(_fields(request))
    name = f"{body['title']}-{body['bet']}-{body['paytable']}.pdf"
    return _file(certificate_pdf.as_pdf(body), "application/pdf", name)


def _certificate(fields: Mapping[str, str]) -> Body:
    question = question_from(_paytable(fields), fields)
    return certificate(question.paytable, question.options)


def _fields(request: Request) -> dict[str, str]:
    return {name: value[:_LONGEST] for name, value in request.query_params.items()}


def _paytable(fields: Mapping[str, str]) -> Paytable:
    name = fields.get("paytable") or FIRST
    title, bet, identifier = (*name.split("/", 2), "", "")[:3]
    if (title, bet) not in bets():
        what = _("There is no paytable %(name)s.") % {"name": name}
        remedy = _("Enter it like %(example)s.") % {"example": FIRST}
        raise ProblemsError([Problem("paytable", what, remedy)])
    return registry.paytable(title, bet, identifier)


def _other(fields: Mapping[str, str]) -> Paytable | None:
    paytable, other = _paytable(fields), fields.get("compare")
    return registry.paytable(paytable.title, paytable.bet, other) if other else None


def _pair(fields: Mapping[str, str]) -> tuple[WhatIfAnswer, WhatIfAnswer]:
    before, after = before_and_after(_paytable(fields), fields, other=_other(fields))
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
    return {
        "headlines": [one for one in changes if _is_headline(str(one["name"]))],
        "changes": changes,
        "by_row": rows,
        "printed": _printed(_paytable(fields), after),
        "method": after.method,
        "strategy": after.strategy,
        "notes": [note for note in after.notes if "closed form" not in note],
        "compared": fields.get("compare") or "",
    }


def _is_headline(name: str) -> bool:
    level, kind = name.rpartition(".")[::2]
    return kind in _METER_HEADLINES if level else kind in _HEADLINES


def _written(found: ComputedFigure | None) -> str:
    return written(found) if found else "–"


def _difference(difference: Any, found: ComputedFigure | None) -> str:
    if not difference or found is None:
        return ""
    text = in_unit(difference, found.unit)
    return text if difference < 0 or text.startswith("one in") else f"+{text}"


def _printed(paytable: Paytable, after: WhatIfAnswer) -> list[dict[str, str]]:
    """The figures that the letters print for this paytable, next to the edited ones."""
    figures = []
    for verdict in verdicts_on(paytable):
        kind = verdict.printed.id.rpartition("/")[2].partition("?")[0]
        exact = verdict.ours.value if verdict.ours else None
        now = after.bet.get(kind)
        figures.append(
            {
                "id": verdict.printed.id,
                "printed": verdict.printed.text,
                "ours": verdict.printed.written(exact) if exact is not None else "",
                "now": written(now) if now else "",
                "verdict": verdict.word,
                "why": verdict.why,
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
        "others": str(question.others),
        "players": str(question.crowd.players),
        "within": str(question.within),
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
    return [{"title": title, "paytables": found} for title, found in groups.items()]


def _picture(svg: str) -> Response:
    return Response(svg, media_type=_SVG, headers={"Cache-Control": "max-age=3600"})


def _file(content: bytes, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
