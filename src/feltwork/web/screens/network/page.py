"""The screens of a hub: an overview of its network links, and a page for each site with its statements."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fastapi import Request
from fastapi.responses import Response

from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.operations.floors.site import site_name
from feltwork.operations.network import hub_views, statements
from feltwork.operations.network.hub import ROLLED_BACK
from feltwork.operations.network.hub_views import NetworkLinkView, SiteView
from feltwork.operations.network.site_contact import NO_CONTACT
from feltwork.web.api.network import SitePath, Week
from feltwork.web.fields import LinkPath
from feltwork.web.rendering import pdf
from feltwork.web.rendering.catalog import gettext as _
from feltwork.web.rendering.network_charts import owed_chart
from feltwork.web.rendering.pdf import Paper
from feltwork.web.rendering.templating import fields_of, page
from feltwork.web.screens.alarms import shown_alarms
from feltwork.web.security.auth import Reader
from feltwork.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/network", tags=["network"])
_MAY = (
    "open_network_link",
    "admit_site",
    "let_site_leave",
    "change_site_limit",
    "settle_site",
    "propose_version",
    "drop_version",
    "proceed_without",
    "readmit_site",
    "reopen_hub",
    "countersign",
)
#: Map size, and the distances of the sites from its center.
_WIDTH, _HEIGHT = 720, 380
_RADII = (285, 140)


State: TypeAlias = Literal["go", "warn", "stop", "still"]


@dataclass(frozen=True, slots=True)
class MapSite:
    """A site on the map of a network."""

    site: str
    x: int
    y: int
    state: State
    says: str


@router.get("")
def show(request: Request, by: Reader) -> Response:
    """Every network link with its map, its sites, its versions and the awards to countersign."""
    view = hub_views.network(by)
    model = {
        **fields_of(view),
        "maps": {link.link: _map(link) for link in view.links},
        "alarms": [alarm for alarm in shown_alarms(by) if alarm.kind in (ROLLED_BACK, NO_CONTACT)],
        "may": _may(by),
        "may_count": by.actor.may("count_funds"),
        "width": _WIDTH,
        "height": _HEIGHT,
    }
    return page(request, "network.html", model, by=by)


@router.get("/{link}/owed.svg")
def show_owed(by: Reader, link: LinkPath) -> Response:
    """The chart of the amount each site owes, beside its limit."""
    view = hub_views.network_link(by, link)
    headers = {"Cache-Control": "no-store"}
    return Response(owed_chart(view.sites), media_type="image/svg+xml", headers=headers)


@router.get("/{link}/sites/{site}")
def show_site(request: Request, by: Reader, link: LinkPath, site: SitePath, week: Week = None) -> Response:
    """A site: its debt, its statement of a gambling week, and the forms for two-person commands."""
    view = hub_views.network_link(by, link)
    member = _site(view.sites, site, link)
    state, label = _state(member)
    model = {
        "site": site_name(by.connection),
        "hub": view,
        "one": member,
        "state": state,
        "says": label,
        "statement": statements.site_statement(by, link, site, week),
        "weeks": statements.statement_weeks(by, link, site),
        "may": _may(by),
    }
    return page(request, "network_site.html", model, by=by)


@router.get("/{link}/sites/{site}/statement.pdf")
def print_statement(
    by: Reader, link: LinkPath, site: SitePath, week: Week = None, paper: Paper = "letter"
) -> Response:
    """The statement of a site for a gambling week, for signature."""
    view = statements.site_statement(by, link, site, week)
    model = {**fields_of(view), "owner": view.hub, "paper": paper}
    name = f"statement-{link}-{site}-{view.first_day}"
    return pdf.printed(
        "papers/network_statement.html", {**model, "site": view.hub, "member": site}, name=name, by=by
    )


def _may(by: Operation) -> dict[str, bool]:
    return {name: by.actor.may(name) for name in _MAY}


def _site(sites: Sequence[SiteView], name: str, link: str) -> SiteView:
    site = next((site for site in sites if site.site == name), None)
    if site is None:
        raise unknown(f"site {name} of {link}")
    return site


def _state(site: SiteView) -> tuple[State, str]:
    if site.has_left:
        return "still", _("left")
    if site.stops:
        return "stop", _("stopped")
    if not site.is_in_contact:
        return "warn", _("no contact")
    return ("warn", _("not ready")) if site.is_ready is False else ("go", _("in play"))


def _map(link: NetworkLinkView) -> list[MapSite]:
    """The sites around their hub, clockwise from the top."""
    sites = []
    for place, site in enumerate(link.sites):
        turn = 2 * math.pi * place / len(link.sites) - math.pi / 2
        x, y = _WIDTH / 2 + _RADII[0] * math.cos(turn), _HEIGHT / 2 + _RADII[1] * math.sin(turn)
        sites.append(MapSite(site.site, round(x), round(y), *_state(site)))
    return sites
