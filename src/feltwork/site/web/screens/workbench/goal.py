"""Goal seek on the workbench: pays that bring a figure nearest to a goal."""

from collections.abc import Mapping
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from feltwork.odds.what_if.figure_labels import label
from feltwork.odds.what_if.goal_seek import GoalSearch, goal_seek
from feltwork.problem import ProblemsError
from feltwork.site.web.rendering.figure_format import in_unit, written
from feltwork.site.web.rendering.templating import Model, html, wants_html
from feltwork.site.web.screens.workbench.request_fields import edits_of, fields_of, paytable_of

#: Fewer than on the command line, because the service has other work.
_MOST = 1_000
_SHOWN = 12


def goal(request: Request) -> Response:
    """The pays that bring a figure nearest to a goal, nearest first."""
    fields = fields_of(request)
    if not wants_html(request) and "hx-request" not in request.headers:
        return JSONResponse(_search(fields).as_json())
    try:
        return HTMLResponse(html("workbench_goal.html", _model(_search(fields), fields)))
    except ProblemsError as error:
        return HTMLResponse(html("workbench_problems.html", {"problems": error.problems}))


def _search(fields: Mapping[str, str]) -> GoalSearch:
    vary = {
        name.removeprefix("vary."): text
        for name, text in fields.items()
        if name.startswith("vary.") and text.strip()
    }
    edits = {name: text for name, text in edits_of(fields).items() if not _is_goal(name)}
    goal = f"{fields.get('goal', '')}={fields.get('target', '')}"
    return goal_seek(paytable_of(fields), edits, goal, vary, most=_MOST)


def _is_goal(name: str) -> bool:
    return name in ("goal", "target") or name.startswith("vary.")


def _model(search: GoalSearch, fields: Mapping[str, str]) -> Model:
    base_fields = {name: text for name, text in fields.items() if not _is_goal(name) and text}
    return {
        "label": label(search.figure),
        "rows": list(search.solutions[0].pays),
        "combinations": search.combinations,
        "solutions": [
            {
                "pays": list(solution.written.values()),
                "figure": written(solution.figure),
                "distance": in_unit(solution.distance, search.unit),
                "address": "/workbench?"
                + urlencode(
                    {**base_fields, **{f"pays.{hand}": pay for hand, pay in solution.written.items()}}
                ),
            }
            for solution in search.solutions[:_SHOWN]
        ],
    }
