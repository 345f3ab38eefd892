"""The drawer of a cashier over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import Field

from feltwork.operations.awards import drawer
from feltwork.operations.awards.drawer import CountDrawer, DrawerView
from feltwork.operations.context import Operation
from feltwork.web.fields import Amount, Body
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import Permitted
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/drawer", tags=["payouts"], responses={**REFUSALS})
Cashier = Annotated[Operation, Depends(Permitted("count_drawer"))]


class CountedDrawer(Body):
    """The amount in the drawer."""

    counted: Amount = Field(examples=[20_000_000_000])


@router.post("/counts", summary="Count the drawer")
def count(by: Cashier, key: Key, counted: CountedDrawer) -> DrawerView:
    """Open your drawer with an amount, or close it; the difference is to the cash you have paid since."""
    return key.run(by, drawer.count_drawer, CountDrawer(counted=counted.counted))
