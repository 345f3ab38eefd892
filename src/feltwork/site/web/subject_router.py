"""Routers that skip other subjects' addresses quickly and prepare each route on first use.

FastAPI tries every route of every router in turn, and prepares each route when it is declared and again when
its router is first tried: a second of CPU time at every start, half a second before the first response,
and up to a millisecond for every later response.
"""

from collections.abc import Callable
from functools import cached_property
from threading import RLock
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import Match, get_name
from starlette.types import Scope

from feltwork.site.web.addresses import API

_preparing = RLock()


class DeferredRoute(APIRoute):
    """A route that is prepared on first access to anything but its path and name."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        self.path = path
        self.name = options.get("name") or get_name(endpoint)
        self._declared: tuple[Callable[..., Any], dict[str, Any]] | None = (endpoint, options)

    def __getattr__(self, name: str) -> Any:
        with _preparing:
            if self.__dict__.get("_declared"):
                (endpoint, options), self._declared = self.__dict__["_declared"], None
                super().__init__(self.path, endpoint, **options)
        if name not in self.__dict__:
            raise AttributeError(name)
        return self.__dict__[name]


class SubjectRouter(APIRouter):
    """The routes of one subject, tried only for addresses whose first part matches one of them.

    A nested router has no subject: it is an ``APIRouter`` of deferred routes.
    """

    def __init__(self, *, route_class: type[APIRoute] = DeferredRoute, **options: Any) -> None:
        super().__init__(route_class=route_class, **options)

    @cached_property
    def _firsts(self) -> frozenset[str]:
        """The first part of each path; empty if one of them is not a fixed word."""
        firsts = {_first(str(getattr(route, "path", "/{any}"))) for route in self.routes}
        return frozenset() if any("{" in first for first in firsts) else frozenset(firsts)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Try the routes, unless none can match."""
        if self._firsts and not scope.get("root_path"):
            first = _first(scope["path"].removeprefix(API))
            if first not in self._firsts:
                return Match.NONE, {}
        return super().matches(scope)


def _first(path: str) -> str:
    return path.split("/", 2)[1] if path.startswith("/") else path
