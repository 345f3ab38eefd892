"""Several paytables of one bet side by side, the draft on the bench first."""

from collections.abc import Mapping

from fastapi import Request
from fastapi.responses import Response

from feltwork.odds.what_if.answer import WhatIfAnswer
from feltwork.odds.what_if.comparison import compare_with, pays_side_by_side, side_by_side
from feltwork.odds.what_if.figure_labels import label
from feltwork.problem import Problem, ProblemsError
from feltwork.site.web.rendering import charts
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.figure_format import written
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.screens.workbench.request_fields import edits_of, fields_of, paytable_of
from feltwork.site.web.security.auth import Visitor
from feltwork.titles import registry

_WITH = "with."
#: Maximum columns in a comparison.
_MOST = 12


def compared(request: Request, visitor: Visitor) -> Response:
    """Pays and figures of several paytables; the address names them and every edit."""
    fields = fields_of(request)
    paytable, chosen = paytable_of(fields), _chosen(fields)
    answers = _answers(fields)
    model = {
        "title": registry.title(paytable.title).title,
        "bet": paytable.bet,
        "fields": [{"name": name, "value": value} for name, value in fields.items() if not _is_choice(name)],
        "ids": [{"id": identifier, "chosen": identifier in chosen} for identifier in _others(fields)],
        "names": [answer.question.paytable.id for answer in answers],
        "pays": [{"hand": hand, "pays": pays} for hand, pays in pays_side_by_side(answers).items()],
        "figures": [
            {
                "level": name.rpartition(".")[0],
                "label": label(name),
                "values": [written(figure) if figure else "–" for figure in figures],
            }
            for name, figures in side_by_side(answers).items()
        ],
        "query": str(request.url.query),
    }
    return page(request, "workbench_compare.html", model, by=visitor)


def compared_svg(request: Request) -> Response:
    """The chart of returns by paytable, each row in its color."""
    svg = charts.comparison_chart(_answers(fields_of(request)))
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


def _answers(fields: Mapping[str, str]) -> list[WhatIfAnswer]:
    paytable = paytable_of(fields)
    others = [registry.paytable(paytable.title, paytable.bet, identifier) for identifier in _chosen(fields)]
    edits = {name: value for name, value in edits_of(fields).items() if not _is_choice(name)}
    return compare_with(paytable, edits, others)


def _others(fields: Mapping[str, str]) -> list[str]:
    paytable = paytable_of(fields)
    return [
        identifier
        for identifier in registry.library(paytable.title).ids_of(paytable.bet)
        if identifier != paytable.id
    ]


def _chosen(fields: Mapping[str, str]) -> list[str]:
    """The paytables to compare with the one on the bench; all of them if none is chosen."""
    known = _others(fields)
    identifiers = [name.removeprefix(_WITH) for name in fields if _is_choice(name)]
    unknown = [identifier for identifier in identifiers if identifier not in known]
    if unknown:
        what = _("There is no paytable %(name)s.") % {"name": unknown[0]}
        remedy = _("Choose from: %(names)s.") % {"names": ", ".join(known)}
        raise ProblemsError([Problem(f"{_WITH}{unknown[0]}", what, remedy)])
    return (identifiers or known)[: _MOST - 1]


def _is_choice(name: str) -> bool:
    return name.startswith(_WITH)
