"""The verdict on every figure printed in the letters."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from fastapi import Request
from fastapi.responses import Response

from feltwork.odds import verify
from feltwork.site.web.rendering.letter_figures import (
    figure_name,
    letter_places,
    paytable_name,
    verdict_reason,
)
from feltwork.site.web.rendering.templating import Model, page
from feltwork.site.web.security.auth import Visitor
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()
_MIDDLE, _HALF = 645, 165


@router.get("/verdicts")
def verdicts(request: Request, visitor: Visitor) -> Response:
    """Every printed figure next to ours."""
    return page(request, "verdicts.html", model(), by=visitor)


@cache
def _everything() -> tuple[verify.Verdict, ...]:
    """Every verdict, cached because the letters don't change."""
    return tuple(verify.verdicts())


def model() -> Model:
    """The page model, in the reader's language."""
    where = verify.places(_everything())
    distinct = verify.distinct(_everything())
    return {
        "counts": dict(Counter(verdict.word for verdict in distinct).most_common()),
        "off": _bars(verify.points_off(distinct)),
        "verdicts": [
            {
                "id": verdict.printed.id,
                "of": paytable_name(verdict.printed.id),
                "figure": figure_name(verdict.printed.id),
                "where": letter_places(where[verdict.printed.id, verdict.printed.text]),
                "printed": verdict.printed.text,
                "ours": _ours(verdict),
                "verdict": verdict.word,
                "why": verdict_reason(verdict.why),
            }
            for verdict in distinct
        ],
    }


def _ours(verdict: verify.Verdict) -> str:
    """Our value in the printed unit, with separators as in the letter."""
    value = verdict.ours.value if verdict.ours else None
    if not isinstance(value, Fraction):
        return ""
    units, point, rest = verdict.printed.written(value).partition(".")
    return f"{'$' if verdict.printed.text.startswith('$') else ''}{int(units):,}{point}{rest}"


@dataclass(frozen=True, slots=True)
class Bar:
    """The error of a printed figure, with its drawing position."""

    name: str
    x: float
    width: float
    points: str


def _bars(off: list[tuple[verify.Printed, Fraction]]) -> list[Bar]:
    most = max((abs(points) for _, points in off), default=Fraction(1))
    bars = []
    for printed, points in off:
        width = max(float(abs(points) / most) * _HALF, 1.5)
        x = round(_MIDDLE if points >= 0 else _MIDDLE - width, 1)
        name = f"{paytable_name(printed.id)}: {figure_name(printed.id.partition('?')[0])}"
        bars.append(Bar(name, x, round(width, 1), f"{float(points):+.2f}"))
    return bars
