"""Charts of the office: a meter over time with its hits, and jackpot drop and hold."""

from datetime import timedelta, tzinfo
from typing import Any

from feltwork.money import DOLLAR
from feltwork.site.books.reports.charts import DropView, MeterHistory
from feltwork.site.web.rendering.catalog import SOURCE_LANGUAGE, language
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.charts import AFTER, BEFORE, altair_module, dollar_axis, svg

_HIT = "#a3262a"
#: Maximum days drawn as bars; more are drawn as lines.
_BARS = 31
_MOST_ROWS = 40
#: With fewer points than this, each point is marked.
_FEW = 10
#: Tick formats for days, minutes and seconds; charts know month names in English only.
_AMERICAN = ("%b %-d, %Y", "%b %-d, %-I:%M %p", "%-I:%M:%S %p")
_NUMBERS = ("%Y-%m-%d", "%m-%d %H:%M", "%H:%M:%S")


def history_chart(history: MeterHistory, zone: tzinfo) -> str:
    """The meter over time, with a mark for each hit."""
    alt = altair_module()
    points = [{"at": _local(at, zone), "amount": amount / DOLLAR} for at, amount in history.points]
    hits = [{"at": _local(hit["booked_at"], zone), "amount": hit["hit"] / DOLLAR} for hit in history.hits]
    moments = [at for at, _amount in history.points]
    times, step = _tick_format(moments[-1] - moments[0] if moments else timedelta())
    amounts = dollar_axis(alt, [point["amount"] for point in (*points, *hits)])
    y = alt.Y("amount:Q", title=_("Meter"), axis=amounts, scale=alt.Scale(zero=False))
    # Ticks closer together than the format can distinguish would repeat a label.
    least = step.total_seconds() * 1_000
    x = alt.X(
        "at:T",
        title=None,
        axis=alt.Axis(tickCount=6, tickMinStep=least, labelOverlap=True, format=times),
    )
    # A line of one point is invisible.
    is_short = len(points) < _FEW
    line = alt.Chart(alt.Data(values=points)).mark_line(color=AFTER, strokeWidth=2, point=is_short)
    marks = alt.Chart(alt.Data(values=hits)).mark_point(color=_HIT, filled=True, shape="diamond", size=70)
    return svg(alt.layer(line.encode(x=x, y=y), marks.encode(x="at:T", y="amount:Q")), height=260, width=640)


def _tick_format(span: timedelta) -> tuple[str, timedelta]:
    """The tick format for a time span, and the minimum time between ticks."""
    day, minute, second = _AMERICAN if language() == SOURCE_LANGUAGE else _NUMBERS
    if span > timedelta(days=3):
        return day, timedelta(days=1)
    if span > timedelta(minutes=20):
        return minute, timedelta(minutes=1)
    return second, timedelta(seconds=1)


def drop_chart(view: DropView) -> str:
    """Drop and hold as bars, or as lines for many days."""
    alt = altair_module()
    kinds = [_("Drop"), _("Hold")]
    figures = view.figures if view.by == "day" else view.figures[:_MOST_ROWS]
    values = [
        {"name": figure.name, "what": what, "amount": amount / DOLLAR}
        for figure in figures
        for what, amount in zip(kinds, (figure.drop, figure.hold), strict=True)
    ]
    colors = alt.Scale(domain=kinds, range=[BEFORE, AFTER])
    color = alt.Color("what:N", scale=colors, legend=alt.Legend(title=None, orient="top"))
    chart = alt.Chart(alt.Data(values=values))
    amount = {
        "title": None,
        "axis": dollar_axis(alt, [0, *(float(figure.drop / DOLLAR) for figure in figures)]),
    }
    if view.by != "day":
        axis = alt.Axis(labelLimit=200, ticks=False, domain=False)
        y = alt.Y("name:N", sort=[figure.name for figure in figures], title=None, axis=axis)
        offset = alt.YOffset("what:N", sort=kinds)
        bars = chart.mark_bar().encode(x=alt.X("amount:Q", **amount), y=y, yOffset=offset, color=color)
        return svg(bars, height=max(90, len(figures) * 30), width=520)
    y = alt.Y("amount:Q", **amount)
    if len(figures) > _BARS:
        days, _step = _tick_format(timedelta(days=len(figures)))
        x = alt.X("name:T", title=None, axis=alt.Axis(format=days, tickCount=6))
        lines = chart.mark_line(strokeWidth=1.5).encode(x=x, y=y, color=color)
        return svg(lines, height=280, width=640)
    x = alt.X("name:N", title=None, axis=alt.Axis(labelOverlap=True, labelAngle=0))
    return svg(chart.mark_bar().encode(x=x, xOffset="what:N", y=y, color=color), height=280, width=640)


def _local(at: Any, zone: tzinfo) -> str:
    """The local time at the site; a chart has no time zone."""
    return str(at.astimezone(zone).replace(tzinfo=None).isoformat())
