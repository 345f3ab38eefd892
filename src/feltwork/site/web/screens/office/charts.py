"""The charts of the office: jackpot drop and hold, and the meters of a link over time."""

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response

from feltwork.site.books.reports import charts
from feltwork.site.books.reports.charts import Group
from feltwork.site.web.fields import LinkPath, Name
from feltwork.site.web.rendering.office_charts import drop_chart, history_chart
from feltwork.site.web.rendering.templating import page, time_zone
from feltwork.site.web.security.auth import Reader

Days = Annotated[int, Query(ge=1, le=3_660, description="The last days.")]
_HEADERS = {"Cache-Control": "no-store"}
_SVG = "image/svg+xml"


def drop_page(request: Request, by: Reader, days: Days = 31, group: Group = "day") -> Response:
    """Jackpot drop and hold by day, table or game, as figures beside their chart."""
    return page(request, "office_charts.html", charts.drop_and_hold(by, days=days, by=group), by=by)


def drop_svg(by: Reader, days: Days = 31, group: Group = "day") -> Response:
    """The chart of jackpot drop and hold."""
    view = charts.drop_and_hold(by, days=days, by=group)
    return Response(drop_chart(view), media_type=_SVG, headers=_HEADERS)


def history_svg(by: Reader, link: LinkPath, level: Name, days: Days = 31) -> Response:
    """The chart of a meter over time, with its hits."""
    history = charts.meter_history(by, link, level, days=days)
    return Response(history_chart(history, time_zone(by)), media_type=_SVG, headers=_HEADERS)
