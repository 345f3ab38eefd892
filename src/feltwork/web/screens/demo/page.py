"""The demo's buttons: deal a hit and leave its claim to the visitor; cut a room off from its hub."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fastapi import Request

from feltwork.operations.errors import unknown
from feltwork.web.screens import claims
from feltwork.web.screens.claims import ShownClaim
from feltwork.web.security.auth import Books
from feltwork.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/demo")


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoRoom:
    """A room of a demo network, or its hub."""

    #: Name of the site in the network; empty for the hub.
    site: str
    name: str
    url: str
    is_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkControls:
    """The controls of a demo of a hub and its rooms."""

    rooms: Callable[[], list[DemoRoom]]
    #: Cuts a room off from the hub, or restores its connection.
    connect: Callable[[str, bool], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoControls:
    """The controls a demo adds to the home page; a hub has neither tables nor a jackpot button."""

    #: Deals a hit and returns its table, link, and level.
    make_jackpot: Callable[[], dict[str, str]] | None = None
    #: The visitor's own table and one of its links; the simulation deals every other table.
    table: str = ""
    link: str = ""
    network: NetworkControls | None = None

    @property
    def own_table(self) -> str:
        """The address of the visitor's own table."""
        return f"/dealer/{self.link}/{self.table}" if self.table else ""

    @property
    def rooms(self) -> list[DemoRoom]:
        """The hub and its rooms, if the demo has them."""
        return self.network.rooms() if self.network else []


@router.post("/jackpot")
def make_jackpot(request: Request) -> dict[str, str]:
    """Deal a jackpot; no sign-in, because people still have to confirm it."""
    stage: DemoControls = request.app.state.stage
    if stage.make_jackpot is None:
        raise unknown("jackpot of a hub")
    return stage.make_jackpot()


@router.post("/rooms/{site}/{to}")
def connect_room(request: Request, site: str, to: Literal["cut", "restore"]) -> list[DemoRoom]:
    """Cut a room off from its hub, or restore its connection; no sign-in, as when pulling a cable."""
    stage: DemoControls = request.app.state.stage
    if stage.network is None or site not in [room.site for room in stage.rooms if room.site]:
        raise unknown(f"room {site}")
    stage.network.connect(site, to == "restore")
    return stage.rooms


@router.get("/awards")
def open_awards(connection: Books) -> list[ShownClaim]:
    """Awards waiting for confirmation or payment, for the progress on the home page."""
    return claims.waiting(connection)
