"""The chart of a hub: the amount each site owes, beside its limit."""

from collections.abc import Sequence

from feltwork.money import DOLLAR
from feltwork.operations.network.hub_views import SiteView
from feltwork.web.rendering.catalog import gettext as _
from feltwork.web.rendering.charts import AFTER, BEFORE, altair_module, dollar_axis, svg

_MOST_ROWS = 40


def owed_chart(sites: Sequence[SiteView]) -> str:
    """The amount each site owes and its limit, the largest debt first."""
    alt = altair_module()
    kinds = [_("Owes"), _("Limit")]
    debtors = sorted((site for site in sites if not site.has_left), key=lambda site: -site.owes)[:_MOST_ROWS]
    values = [
        {"site": site.site, "what": what, "amount": amount / DOLLAR}
        for site in debtors
        for what, amount in zip(kinds, (site.owes, site.limit), strict=True)
    ]
    colors = alt.Scale(domain=kinds, range=[AFTER, BEFORE])
    bars = (
        alt.Chart(alt.Data(values=values))
        .mark_bar()
        .encode(
            x=alt.X(
                "amount:Q",
                title=None,
                axis=dollar_axis(alt, [0, *(site.limit / DOLLAR for site in debtors)], 5),
            ),
            y=alt.Y(
                "site:N",
                sort=[site.site for site in debtors],
                title=None,
                axis=alt.Axis(ticks=False, domain=False),
            ),
            yOffset=alt.YOffset("what:N", sort=kinds),
            color=alt.Color("what:N", scale=colors, legend=alt.Legend(title=None, orient="top")),
        )
    )
    return svg(bars, height=max(60, len(debtors) * 34), width=460)
