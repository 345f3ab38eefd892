"""A router is tried for the addresses of its subject and for no other."""

import re

import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match

from feltwork.site.web import api, screens
from feltwork.site.web.addresses import API
from feltwork.site.web.subject_router import SubjectRouter


def included(router: APIRouter, prefix: str = "") -> BaseRoute:
    app = FastAPI()
    app.include_router(router, prefix=prefix)
    return app.router.routes[-1]


def matched(route: BaseRoute, path: str, method: str = "GET") -> Match:
    return route.matches({"type": "http", "method": method, "path": path, "root_path": ""})[0]


def test_every_route_is_found() -> None:
    for routers, prefix in ((api.routers(), API), (screens.routers(), "")):
        for router in routers:
            within = included(router, prefix)
            for route in [route for route in router.routes if isinstance(route, APIRoute)]:
                path = prefix + re.sub(r"\{[^}]+\}", "1", route.path)
                assert matched(within, path, min(route.methods or ())) == Match.FULL, route.path


def test_another_subject_is_passed_over_before_the_routes_are_tried() -> None:
    router = SubjectRouter(prefix="/cage")
    router.get("/{award}")(lambda award: award)
    cage = included(router)
    assert matched(cage, "/cage/1") == Match.FULL
    assert matched(cage, "/cage/1", "POST") == Match.PARTIAL
    assert matched(cage, "/cages/1") == matched(cage, "/") == matched(cage, "*") == Match.NONE
    tried: list[str] = []

    class Spy(APIRoute):
        def matches(self, scope):  # type: ignore[no-untyped-def]
            tried.append(scope["path"])
            return super().matches(scope)

    spied = SubjectRouter(prefix="/cage", route_class=Spy)
    spied.get("")(lambda: None)
    for path in ("/pit", f"{API}/pit", "/cage"):
        matched(included(spied), path)
    assert tried == ["/cage"]


def test_a_route_is_prepared_once_its_subject_is_asked_for() -> None:
    routers = [SubjectRouter(prefix=f"/{name}") for name in ("cage", "pit")]
    for router in routers:
        router.get("/{award}")(lambda award: award)
    app = FastAPI()
    for router in routers:
        app.include_router(router)
    cage, pit = (router.routes[0] for router in routers)
    assert not {"endpoint", "body_field"} & (vars(cage).keys() | vars(pit).keys())
    assert matched(app.router.routes[-1], "/pit/1") == Match.FULL
    assert "body_field" in vars(pit)
    assert "body_field" not in vars(cage)
    with pytest.raises(AttributeError):
        _ = cage.no_such_thing  # type: ignore[attr-defined]


def test_a_path_that_begins_with_a_variable_is_always_tried() -> None:
    router = SubjectRouter()
    router.get("/{anything}")(lambda anything: anything)
    assert matched(included(router), "/pit") == Match.FULL
