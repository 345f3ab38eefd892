"""One structured log line and a few metrics for every request."""

import time
from typing import TextIO
from uuid import uuid4

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = structlog.get_logger("feltwork.site.web")


class RequestMetrics:
    """The metrics of one run of an application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self._requests = Counter(
            "feltwork_requests", "Requests answered.", ["route", "status"], registry=registry
        )
        self._seconds = Histogram("feltwork_request_seconds", "Time to answer.", ["route"], registry=registry)
        self._refusals = Counter("feltwork_refusals", "Refusals, by rule.", ["rule"], registry=registry)
        self.listeners = Gauge("feltwork_live_listeners", "Signs and screens that listen.", registry=registry)
        self.nats_connected = Gauge(
            "feltwork_nats_connected", "Whether NATS answers: 1 or 0.", registry=registry
        )
        self.bookkeeper_silent = Gauge(
            "feltwork_bookkeeper_silent_seconds",
            "Time since a bookkeeper published a meter.",
            registry=registry,
        )

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def refusal(self, rule: str) -> None:
        """Count a refusal."""
        self._refusals.labels(rule).inc()

    def text(self) -> bytes:
        """The metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


class RequestLog:
    """Middleware that logs and counts requests; bodies and secrets never reach it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count and log its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500
        name = uuid4().hex

        async def send_response(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", name.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_response)
        finally:
            seconds = time.perf_counter() - began
            route = getattr(scope.get("route"), "path", "none")
            scope["app"].state.observed.request(route, status, seconds)
            # Every open screen polls the service each second, which would fill the log.
            if (route, status) != ("/healthz", 200):
                _log.info(
                    "request",
                    id=name,
                    method=scope["method"],
                    route=route,
                    status=status,
                    milliseconds=round(seconds * 1_000, 1),
                )


def log_as_json(to: TextIO | None = None) -> None:
    """Write logs as one JSON object a line, to standard output or to a file."""
    structlog.configure(
        logger_factory=structlog.WriteLoggerFactory(to),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
    )
