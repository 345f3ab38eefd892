"""The demo's button: deal a hit, and leave its claim to the visitor."""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request

from feltwork.site.web.screens import claims
from feltwork.site.web.screens.claims import ShownClaim
from feltwork.site.web.security.auth import Books
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/demo")


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoControls:
    """The controls a demo adds to the home page."""

    #: Deals a hit and returns its table, link, and level.
    make_jackpot: Callable[[], dict[str, str]]
    #: The visitor's own table and one of its links; the simulation deals every other table.
    table: str
    link: str

    @property
    def own_table(self) -> str:
        """The address of the visitor's own table."""
        return f"/dealer/{self.link}/{self.table}"


@router.post("/jackpot")
def make_jackpot(request: Request) -> dict[str, str]:
    """Deal a jackpot; no sign-in, because people still have to confirm it."""
    stage: DemoControls = request.app.state.stage
    return stage.make_jackpot()


@router.get("/awards")
def open_awards(connection: Books) -> list[ShownClaim]:
    """Awards waiting for confirmation or payment, for the progress on the home page."""
    return claims.waiting(connection)
