"""The button of the demo: a jackpot is dealt at some table, and its claim waits for the visitor."""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter, Request

from feltwork.web.screens import claims
from feltwork.web.screens.claims import ShownClaim
from feltwork.web.security.auth import Books

router = APIRouter(prefix="/demo")


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoControls:
    """What a demo gives to its home page."""

    #: Has a hit dealt; says at which table, of which link and level.
    make_jackpot: Callable[[], dict[str, str]]
    #: The address of the table at which the visitor deals.
    own_table: str


@router.post("/jackpot")
def make_jackpot(request: Request) -> dict[str, str]:
    """Have a jackpot dealt. Nobody is signed in: it is the floor that deals, and people who confirm."""
    stage: DemoControls = request.app.state.stage
    return stage.make_jackpot()


@router.get("/awards")
def open_awards(connection: Books) -> list[ShownClaim]:
    """What waits for a badge or for its money, so that the home page can tell how far the story is."""
    return claims.waiting(connection)
