"""Routers that pass over the address of another subject at once.

FastAPI tries every route of every router in turn, and prepares all routes of a router when it is first tried:
half a second of processor time before the first answer, and up to a millisecond for every later one.
"""

from fastapi import APIRouter
from starlette.routing import Match
from starlette.types import Scope

from feltwork.web.addresses import API


class SubjectRouter(APIRouter):
    """The routes of one router, tried only for addresses that begin like one of them."""

    def __init__(self, router: APIRouter) -> None:
        super().__init__()
        self.include_router(router)
        #: The first part of each path; nothing if one of them is no fixed word.
        firsts = {_first(str(getattr(route, "path", "/{any}"))) for route in router.routes}
        self._firsts = frozenset() if any("{" in first for first in firsts) else frozenset(firsts)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Try the routes, unless none can match."""
        if self._firsts and not scope.get("root_path"):
            first = _first(scope["path"].removeprefix(API))
            if first not in self._firsts:
                return Match.NONE, {}
        return super().matches(scope)


def _first(path: str) -> str:
    return path.split("/", 2)[1] if path.startswith("/") else path
