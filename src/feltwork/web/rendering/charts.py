"""Charts of the workbench: drawn by Altair, made SVG here, so that a browser gets a picture and no script."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from feltwork.odds.meters.curve import CHANCES, curve
from feltwork.odds.meters.distribution import MeterLaw
from feltwork.odds.what_if.answer import RowReturn, WhatIfAnswer
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    import altair

INK, MUTED, LINE = "#1a231f", "#55615a", "#d8d0bf"
BEFORE, AFTER = "#b9a36b", "#0f4a37"
FONT = "DejaVu Sans, Liberation Sans, Arial, sans-serif"
_WIDTH = 560


def returns_chart(before: WhatIfAnswer, after: WhatIfAnswer) -> str:
    """What each row gives back of a wager, before and after."""
    return _returns(_of_rows(before.rows), _of_rows(after.rows))


def _of_rows(rows: Sequence[RowReturn]) -> tuple[tuple[str, float], ...]:
    return tuple((row.hand.replace("_", " "), float(row.returns or 0) * 100) for row in rows)


@lru_cache(maxsize=256)
def _returns(before: tuple[tuple[str, float], ...], after: tuple[tuple[str, float], ...]) -> str:
    alt = _altair()
    names = [name for name, _ in after]
    when = ["after"] if before == after else ["before", "after"]
    values = [
        {"row": name, "when": told, "returns": returns}
        for told, rows in (("before", before), ("after", after))
        if told in when
        for name, returns in rows
        if name in names
    ]
    colours = alt.Scale(domain=when, range=[BEFORE, AFTER][-len(when) :])
    y = alt.Y("row:N", sort=names, title=None, axis=alt.Axis(labelLimit=200, ticks=False, domain=False))
    bars = (
        alt.Chart(alt.Data(values=values))
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            x=alt.X("returns:Q", title="returns, % of the wager", axis=alt.Axis(format="~g", tickCount=6)),
            y=y,
            yOffset=alt.YOffset("when:N", sort=when),
            color=alt.Color("when:N", scale=colours, legend=_legend(alt) if len(when) > 1 else None),
        )
    )
    return _svg(bars, height=max(90, len(names) * (30 if len(when) > 1 else 24)))


def meter_chart(before: MeterLaw, after: MeterLaw, *, trials_per_day: float) -> str:
    """The meter over time with its quantiles; the median of before is dashed."""
    return _meter(before, after, trials_per_day)


@lru_cache(maxsize=256)
def _meter(before: MeterLaw, after: MeterLaw, trials_per_day: float) -> str:
    alt = _altair()
    low, lower, half, upper, high = (str(int(chance * 100)) for chance in CHANCES)
    drawn = curve(after)
    values: list[Mapping[str, Any]] = [
        {
            "day": one.trials / trials_per_day,
            **dict(zip((low, lower, half, upper, high), one.meters, strict=True)),
        }
        for one in drawn.moments
    ]
    base = alt.Chart(alt.Data(values=values)).encode(x=alt.X("day:Q", title="days since the opening"))
    dollars = alt.Axis(format="$,.0f", tickCount=6)

    def band(first: str, last: str, opacity: float) -> Any:
        y = alt.Y(f"{first}:Q", title="meter", axis=dollars, scale=alt.Scale(zero=False))
        return base.mark_area(opacity=opacity, color=AFTER).encode(y=y, y2=f"{last}:Q")

    layers = [band(low, high, 0.16), band(lower, upper, 0.28)]
    layers.append(base.mark_line(color=AFTER, strokeWidth=2.5).encode(y=f"{half}:Q"))
    if before != after and before.whole == after.whole:
        medians = [{"day": one.trials / trials_per_day, half: one.meters[2]} for one in curve(before).moments]
        line = alt.Chart(alt.Data(values=medians)).mark_line(
            color="#8a6a12", strokeDash=[6, 4], strokeWidth=2
        )
        layers.append(line.encode(x="day:Q", y=f"{half}:Q"))
    return _svg(alt.layer(*layers), height=250)


def _legend(alt: Any) -> Any:
    return alt.Legend(title=None, orient="top")


def _svg(chart: "altair.Chart | altair.LayerChart", *, height: int) -> str:
    try:
        import vl_convert
    except ImportError as error:
        raise _missing() from error
    styled = (
        chart.properties(width=_WIDTH - 190, height=height, background="transparent")
        .configure(font=FONT)
        .configure_view(stroke=None)
        .configure_axis(labelColor=INK, titleColor=MUTED, gridColor=LINE, domainColor=LINE, labelFontSize=12)
        .configure_legend(labelFontSize=12, labelColor=INK)
    )
    made: str = vl_convert.vegalite_to_svg(styled.to_json())
    return made


def _altair() -> Any:
    try:
        import altair
    except ImportError as error:
        raise _missing() from error
    return altair


def _missing() -> ProblemsError:
    remedy = "install feltwork[workbench]; the figures need nothing more"
    return ProblemsError([Problem("chart", "the libraries for charts are not installed", remedy)])
