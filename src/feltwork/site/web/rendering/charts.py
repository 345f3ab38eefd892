"""Charts: Altair specifications rendered to SVG on the server, so browsers need no script."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from feltwork.odds.meters.curve import CHANCES, curve
from feltwork.odds.meters.distribution import MeterLaw
from feltwork.odds.pricing import RowReturn
from feltwork.odds.what_if.answer import WhatIfAnswer
from feltwork.problem import Problem, ProblemsError
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.catalog import language
from feltwork.site.web.rendering.report_format import plain_name

if TYPE_CHECKING:
    import altair

INK, MUTED, LINE = "#1a231f", "#55615a", "#d8d0bf"
BEFORE, AFTER = "#b9a36b", "#0f4a37"
FONT = "DejaVu Sans, Liberation Sans, Arial, sans-serif"
_WIDTH = 560


def returns_chart(before: WhatIfAnswer, after: WhatIfAnswer) -> str:
    """The return of each row, before and after."""
    return _returns(_of_rows(before.rows), _of_rows(after.rows), language())


def _of_rows(rows: Sequence[RowReturn]) -> tuple[tuple[str, float], ...]:
    return tuple((plain_name(row.hand), float(row.returns or 0) * 100) for row in rows)


@lru_cache(maxsize=256)
def _returns(
    before: tuple[tuple[str, float], ...], after: tuple[tuple[str, float], ...], _language: str
) -> str:
    alt = altair_module()
    names = [name for name, _ in after]
    when = [_("after")] if before == after else [_("before"), _("after")]
    values = [
        {"row": name, "when": column, "returns": returns}
        for column, rows in ((_("before"), before), (_("after"), after))
        if column in when
        for name, returns in rows
        if name in names
    ]
    colors = alt.Scale(domain=when, range=[BEFORE, AFTER][-len(when) :])
    y = alt.Y("row:N", sort=names, title=None, axis=alt.Axis(labelLimit=200, ticks=False, domain=False))
    bars = (
        alt.Chart(alt.Data(values=values))
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            x=alt.X(
                "returns:Q",
                title=_("Return (percent of the wager)"),
                axis=alt.Axis(format=".2~f", tickCount=6),
            ),
            y=y,
            yOffset=alt.YOffset("when:N", sort=when),
            color=alt.Color("when:N", scale=colors, legend=_legend(alt) if len(when) > 1 else None),
        )
    )
    return svg(bars, height=max(90, len(names) * (30 if len(when) > 1 else 24)))


def comparison_chart(answers: Sequence[WhatIfAnswer]) -> str:
    """The return of several paytables, divided by row."""
    rows = tuple((answer.question.paytable.id, _of_rows(answer.rows)) for answer in answers)
    return _comparison(rows, language())


@lru_cache(maxsize=256)
def _comparison(paytables: tuple[tuple[str, tuple[tuple[str, float], ...]], ...], _language: str) -> str:
    alt = altair_module()
    longest = sorted(paytables, key=lambda paytable: -len(paytable[1]))
    names = list(dict.fromkeys(name for _, rows in longest for name, _ in rows))
    values = [
        {"paytable": identifier, "row": name, "order": names.index(name), "returns": returns}
        for identifier, rows in paytables
        for name, returns in rows
    ]
    axis = alt.Axis(labelLimit=200, ticks=False, domain=False)
    bars = (
        alt.Chart(alt.Data(values=values))
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X(
                "returns:Q",
                title=_("Return (percent of the wager)"),
                axis=alt.Axis(format=".2~f", tickCount=6),
            ),
            y=alt.Y("paytable:N", sort=[identifier for identifier, _ in paytables], title=None, axis=axis),
            color=alt.Color(
                "row:N",
                sort=names,
                scale=alt.Scale(scheme="tableau20"),
                legend=alt.Legend(title=None, orient="right", labelLimit=220),
            ),
            order=alt.Order("order:Q"),
        )
    )
    return svg(bars, height=max(90, len(paytables) * 34))


def meter_chart(before: MeterLaw, after: MeterLaw, *, trials_per_day: float) -> str:
    """The meter over time with its quantiles; the median before the change is dashed."""
    return _meter(before, after, trials_per_day, language())


@lru_cache(maxsize=256)
def _meter(before: MeterLaw, after: MeterLaw, trials_per_day: float, _language: str) -> str:
    alt = altair_module()
    low, lower, half, upper, high = (str(int(chance * 100)) for chance in CHANCES)
    values: list[Mapping[str, Any]] = [
        {
            "day": point.trials / trials_per_day,
            **dict(zip((low, lower, half, upper, high), point.meters, strict=True)),
        }
        for point in curve(after).moments
    ]
    base = alt.Chart(alt.Data(values=values)).encode(x=alt.X("day:Q", title=_("Days since opening")))
    dollars = dollar_axis(alt, [amount for point in curve(after).moments for amount in point.meters])

    def band(first: str, last: str, opacity: float) -> Any:
        y = alt.Y(f"{first}:Q", title=_("Meter"), axis=dollars, scale=alt.Scale(zero=False))
        return base.mark_area(opacity=opacity, color=AFTER).encode(y=y, y2=f"{last}:Q")

    layers = [band(low, high, 0.16), band(lower, upper, 0.28)]
    layers.append(base.mark_line(color=AFTER, strokeWidth=2.5).encode(y=f"{half}:Q"))
    if before != after and before.whole == after.whole:
        medians = [
            {"day": point.trials / trials_per_day, half: point.meters[2]} for point in curve(before).moments
        ]
        line = alt.Chart(alt.Data(values=medians)).mark_line(
            color="#8a6a12", strokeDash=[6, 4], strokeWidth=2
        )
        layers.append(line.encode(x="day:Q", y=f"{half}:Q"))
    return svg(alt.layer(*layers), height=250)


def dollar_axis(alt: Any, amounts: Sequence[float], ticks: int = 6) -> Any:
    """A dollar axis with distinct labels: it shows cents if the amounts are close together."""
    with_cents = bool(amounts) and max(amounts) - min(amounts) < ticks
    return alt.Axis(
        format="$,.2f" if with_cents else "$,.0f", tickCount=ticks, tickMinStep=0.01 if with_cents else 1
    )


def _legend(alt: Any) -> Any:
    return alt.Legend(title=None, orient="top")


def svg(chart: "altair.Chart | altair.LayerChart", *, height: int, width: int = _WIDTH - 190) -> str:
    """A chart as SVG in the colors of the screens."""
    try:
        import vl_convert
    except ImportError as error:
        raise _missing() from error
    styled = (
        chart.properties(width=width, height=height, background="transparent")
        # The page labels the chart; the library would label it in English.
        .configure(font=FONT, aria=False)
        .configure_view(stroke=None)
        .configure_axis(labelColor=INK, titleColor=MUTED, gridColor=LINE, domainColor=LINE, labelFontSize=12)
        .configure_legend(labelFontSize=12, labelColor=INK)
    )
    image: str = vl_convert.vegalite_to_svg(styled.to_json())
    return image


def altair_module() -> Any:
    """The chart library, or a problem that says how to install it."""
    try:
        import altair
    except ImportError as error:
        raise _missing() from error
    return altair


def _missing() -> ProblemsError:
    remedy = _("Install feltwork[workbench]. The figures work without it.")
    return ProblemsError([Problem("chart", _("The chart libraries aren't installed."), remedy)])
