"""The verdict on every figure printed in the letters."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import Response

from feltwork.odds import verify
from feltwork.web.rendering.templating import Model, page
from feltwork.web.security.auth import Visitor

router = APIRouter()
_MIDDLE, _HALF = 515, 165


@router.get("/verdicts")
def verdicts(request: Request, visitor: Visitor) -> Response:
    """Every printed figure next to ours."""
    return page(request, "verdicts.html", model(), by=visitor)


@cache
def model() -> Model:
    """The page model, cached because the letters don't change."""
    everything = verify.verdicts()
    where = verify.places(everything)
    distinct = verify.distinct(everything)
    return {
        "counts": dict(Counter(one.word for one in distinct).most_common()),
        "off": _bars(verify.points_off(distinct)),
        "verdicts": [
            {
                "id": one.printed.id,
                "where": where[one.printed.id, one.printed.text],
                "printed": one.printed.text,
                "ours": _ours(one),
                "verdict": one.word,
                "why": one.why,
            }
            for one in distinct
        ],
    }


def _ours(verdict: verify.Verdict) -> str:
    value = verdict.ours.value if verdict.ours else None
    return verdict.printed.written(value) if isinstance(value, Fraction) else ""


@dataclass(frozen=True, slots=True)
class Bar:
    """The error of a printed figure, with its drawing position."""

    id: str
    x: float
    width: float
    points: str


def _bars(off: list[tuple[verify.Printed, Fraction]]) -> list[Bar]:
    most = max((abs(points) for _, points in off), default=Fraction(1))
    bars = []
    for printed, points in off:
        width = max(float(abs(points) / most) * _HALF, 1.5)
        x = round(_MIDDLE if points >= 0 else _MIDDLE - width, 1)
        bars.append(Bar(printed.id.partition("?")[0], x, round(width, 1), f"{float(points):+.2f}"))
    return bars
