"""Network links over HTTP, at their hub: sites, statements, and large awards."""

from datetime import date
from typing import Annotated, Literal

from fastapi import Path, Query
from fastapi.responses import Response
from pydantic import Field

from feltwork.operations.links.links import BookedView
from feltwork.operations.network import countersign as large_awards
from feltwork.operations.network import hub_views, statements
from feltwork.operations.network.countersign import Countersign
from feltwork.operations.network.hub_views import NetworkView
from feltwork.operations.network.statements import SiteStatementView
from feltwork.web.fields import Amount, AwardPath, Body, LinkPath
from feltwork.web.pages import Paged
from feltwork.web.problem_responses import REFUSALS, Responses
from feltwork.web.security.auth import Reader, SignedIn
from feltwork.web.security.idempotency import Key
from feltwork.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/network", tags=["network"], responses={**REFUSALS})
SitePath = Annotated[str, Path(max_length=16, description="A site.", examples=["north"])]
#: Any day of a gambling week; by default, the current week.
Week = Annotated[date | None, Query(description="Any day of the gambling week; today without it.")]
_CSV: Responses = {
    200: {"content": {"text/csv": {"schema": {"type": "string"}, "example": "item,value\r\n"}}}
}


class SeenAmount(Body):
    """The amount that the executive reviewed."""

    amount: Amount = Field(description="Millionths.", examples=[250_000_000_000])


@router.get("", summary="Network links of this hub")
def show(by: Reader, page: Paged) -> NetworkView:
    """Every network link opened at this hub, with its sites; empty in a card room."""
    view = hub_views.network(by)
    return page.of(view, "links", view.links, lambda link: link.link)


@router.get(
    "/{link}/sites/{site}/statement",
    summary="The statement of a site",
    responses={**_CSV},
    response_model=SiteStatementView,
)
def show_statement(
    by: Reader,
    link: LinkPath,
    site: SitePath,
    week: Week = None,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> SiteStatementView | Response:
    """The balances, sums passed on, awards paid and settlements of a site; or a CSV file in dollars."""
    view = statements.site_statement(by, link, site, week)
    if form == "json":
        return view
    headers = {"Content-Disposition": f'attachment; filename="statement-{link}-{site}-{view.first_day}.csv"'}
    return Response(statements.statement_file(view), media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/{link}/awards/{award}/countersign", summary="Agree to a large award of a site")
def countersign(by: SignedIn, key: Key, link: LinkPath, award: AwardPath, body: SeenAmount) -> BookedView:
    """Agree to the amount locked for an award above the agreed limit [LT-03]."""
    return key.run(by, large_awards.countersign, Countersign(link=link, award=award, amount=body.amount))
