"""The FastAPI application: endpoints, background tasks, and health checks on one connection pool."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import ClassVar, Literal

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from pydantic import ConfigDict

from feltwork.background_tasks import BackgroundTasks
from feltwork.site.books.authorize import release_waits
from feltwork.site.books.connection import Pool
from feltwork.site.books.fields import example
from feltwork.site.books.links.versions import chain_ends
from feltwork.site.books.schema import newest
from feltwork.site.books.watch.alarms import AlarmWriter
from feltwork.site.web import api, problem_responses, screens
from feltwork.site.web.addresses import API
from feltwork.site.web.health import cannot_book
from feltwork.site.web.notifications.notifier import Notifier
from feltwork.site.web.rendering.assets import Assets
from feltwork.site.web.screens.demo import page as demo
from feltwork.site.web.screens.demo.page import DemoControls
from feltwork.site.web.security import office_sign_in, sign_in
from feltwork.site.web.security.limits import BodyLimit, BooksLimit, ComputationLimit, StreamLimit
from feltwork.site.web.security.middleware import SecurityMiddleware
from feltwork.site.web.settings import Settings
from feltwork.site.web.streaming.live_updates import LiveUpdates
from feltwork.site.web.streaming.sensor_cache import SensorCache
from feltwork.site.web.streaming.sensor_feed import SensorFeed
from feltwork.telemetry.request_log import RequestLog, RequestMetrics

_ABOUT = """
Casino table games and their progressive jackpots: rounds, awards, links, two-person proposals, and reports.

Amounts are whole millionths of the currency unit; times are microseconds since 1970 in UTC. Every request
that moves money needs an `Idempotency-Key`. Every refusal is a problem with its rule and remedy.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alive:
    """Liveness."""

    __pydantic_config__: ClassVar[ConfigDict] = example(status="alive")

    status: Literal["alive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Readiness."""

    __pydantic_config__: ClassVar[ConfigDict] = example(
        status="ready",
        schema="0006",
        expected="0006",
        failed_tasks=[],
        failed_channels=["signs of link crazy4"],
        cannot_book="",
    )

    status: Literal["ready", "not ready"]
    schema: str | None
    expected: str
    failed_tasks: list[str]
    failed_channels: list[str]
    #: Reason why nothing from the tables can be booked; empty if all is well.
    cannot_book: str


def application(settings: Settings, stage: DemoControls | None = None, release: str = "") -> FastAPI:
    """Build the service; it is ready once the books are migrated.

    State is created at startup, so an application may run again with other settings. Only a demo passes its
    controls; without them there is no jackpot button and no demo endpoint. ``release`` is the hash of a
    release that is not on the approved list.
    """
    app = FastAPI(
        title="Feltwork",
        # Version of the API. Only signed-in people see the release.
        version="1",
        description=_ABOUT,
        lifespan=_lifespan,
        generate_unique_id_function=_operation_id,
        # These pages load scripts from a CDN, which a closed casino network cannot reach.
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.stage = stage
    app.state.release = release
    app.add_middleware(BodyLimit)
    app.add_middleware(SecurityMiddleware)
    app.add_middleware(RequestLog)
    problem_responses.install(app)
    for router in (sign_in.router, office_sign_in.router, *api.routers()):
        app.include_router(router, prefix=API)
    for router in screens.routers():
        app.include_router(router, include_in_schema=False)
    if stage:
        app.include_router(demo.router, include_in_schema=False)
    app.mount("/static", Assets(), name="static")
    _add_health(app)
    return app


def _operation_id(route: APIRoute) -> str:
    """The module and function of an endpoint, such as ``tables_start``."""
    return f"{route.endpoint.__module__.rpartition('.')[2]}_{route.endpoint.__name__}"


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    recipients = settings.read_recipients()
    pool = Pool(settings.dsn, settings.connections)
    app.state.observed = RequestMetrics()
    app.state.sensors = SensorCache()
    app.state.feed = None
    app.state.pool = pool
    app.state.places = BooksLimit(settings.connections)
    app.state.streams = StreamLimit(settings.streams_per_address)
    app.state.computations = ComputationLimit()
    threads = anyio.to_thread.current_default_thread_limiter()
    threads.total_tokens = max(threads.total_tokens, settings.connections + 20)
    pool.open()
    alarms = AlarmWriter(pool, by="service")
    app.state.live = live = LiveUpdates(pool, app.state.observed, alarms, every_seconds=settings.live_seconds)
    try:
        async with BackgroundTasks(partial(alarms.report, "service task")) as tasks:
            app.state.tasks = tasks
            tasks.start("alarm writer", alarms.run)
            tasks.start("live reader", live.run)
            key = settings.policy.pin_key
            tasks.start("notifier", Notifier(pool, recipients, origin=settings.origin, key=key).run)
            if settings.nats:
                feed = SensorFeed(settings, app.state.sensors, live.follow)
                app.state.feed = feed
                app.state.observed.nats_connected.set_function(lambda: feed.is_connected)
                app.state.observed.bookkeeper_silent.set_function(lambda: feed.silent_seconds)
                tasks.start("sensor feed", feed.run)
            yield
    finally:
        await asyncio.to_thread(pool.close)


def _links(pool: Pool) -> Sequence[str]:
    with pool.connection() as connection:
        return list(chain_ends(connection))


def _add_health(app: FastAPI) -> None:
    @app.get("/healthz", tags=["health"], summary="Liveness")
    def healthz() -> Alive:
        """The process responds."""
        return Alive(status="alive")

    @app.get(
        "/readyz",
        tags=["health"],
        summary="Readiness",
        response_model=Readiness,
        responses={
            503: {
                "description": "The books are unavailable or have another schema, a task is down, or nothing "
                "from the tables can be booked."
            }
        },
    )
    def readyz(request: Request) -> JSONResponse:
        """Whether the books have this release's schema, all background tasks run, and rounds are booked.

        A live channel that can't be read is listed but doesn't make the service unready.
        """
        state = request.app.state
        schema = state.pool.schema()
        why = ""
        if schema == newest():
            why = release_waits(state.settings.dsn, state.release)
            why = why or cannot_book(state.feed, lambda: _links(state.pool))
        ready = schema == newest() and not state.tasks.failed and not why
        view = Readiness(
            status="ready" if ready else "not ready",
            schema=schema,
            expected=newest(),
            failed_tasks=sorted(state.tasks.failed),
            failed_channels=state.live.failed,
            cannot_book=why,
        )
        return JSONResponse(asdict(view), 200 if ready else 503)

    @app.get(
        "/metrics",
        tags=["health"],
        summary="Prometheus metrics",
        response_class=Response,
        responses={
            200: {
                "content": {
                    "text/plain": {
                        "schema": {"type": "string"},
                        "example": 'feltwork_refusals_total{rule="roles"} 1.0\n',
                    }
                }
            }
        },
    )
    def metrics(request: Request) -> Response:
        """Requests, latencies, refusals by rule, and live listeners."""
        return Response(request.app.state.observed.text(), media_type="text/plain; version=0.0.4")
