"""Record the spans of one claim on a real site.

It starts PostgreSQL, NATS, a bookkeeper and the service, opens a sign, and plays a round with a claim at a
table controller. Each of them sends its spans to a collector in this process.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypedDict

import httpx
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from feltwork.simulation.floors import room_text
from feltwork.simulation.stage import PIN, badge_of, open_site
from feltwork.site.servers.child_program import ChildProgram
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.temporary import TemporaryServers

FLOOR, TABLE, LINK, HAND = "storm", "C1", "five-card", "royal_flush"
_COMMAND = (sys.executable, "-c", "from feltwork.cli.main import main; main()")
_PATIENCE_SECONDS = 60.0


class RecordedSpan(TypedDict):
    """One span as the collector got it; times in microseconds since the first one."""

    trace: str
    id: str
    parent: str
    program: str
    name: str
    begins: int
    ends: int
    attributes: dict[str, str]


class Collector:
    """An OTLP/HTTP receiver on a free port."""

    def __init__(self) -> None:
        self.spans: list[RecordedSpan] = []
        collector = self

        class Receive(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                collector._add(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Write nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Receive)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to send its spans here at once."""
        url = f"http://127.0.0.1:{self._server.server_port}"
        return {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_BSP_SCHEDULE_DELAY": "100"}

    def close(self) -> None:
        """Stop receiving."""
        self._server.shutdown()
        self._server.server_close()

    def _add(self, data: bytes) -> None:
        for resource in ExportTraceServiceRequest.FromString(data).resource_spans:
            about = {
                attribute.key: attribute.value.string_value for attribute in resource.resource.attributes
            }
            self.spans += [
                RecordedSpan(
                    trace=span.trace_id.hex(),
                    id=span.span_id.hex(),
                    parent=span.parent_span_id.hex(),
                    program=about["service.name"],
                    name=span.name,
                    begins=span.start_time_unix_nano // 1_000,
                    ends=span.end_time_unix_nano // 1_000,
                    attributes={
                        pair.key: pair.value.string_value or str(pair.value.int_value)
                        for pair in span.attributes
                    },
                )
                for scope in resource.scope_spans
                for span in scope.spans
            ]


def record_claim() -> list[RecordedSpan]:
    """Play a round with a claim, and return the spans of its trace in order of time."""
    collector, servers = Collector(), TemporaryServers()
    try:
        servers.start()
        house = open_site(servers.dsn, room_text(FLOOR))
        with _programs(servers, collector) as url, _sign(url):
            dealer = badge_of(house.people["dealer"][0])
            _play(servers, collector, dealer)
            return _wait_for_trace(collector)
    finally:
        servers.stop()
        collector.close()


@contextmanager
def _programs(servers: TemporaryServers, collector: Collector) -> Iterator[str]:
    """Run a bookkeeper and the service; yield the URL of the service."""
    port = free_port()
    wire = ("--dsn", servers.writer_dsn, "--nats", servers.nats_url)
    serve = ["serve", *wire, "--port", str(port), "--plain-http"]
    environment = {**collector.environment, "FELTWORK_PIN_KEY": "none"}
    programs = [
        ChildProgram("bookkeeper", ["bookkeeper", *wire], servers.folder, environment),
        ChildProgram("service", serve, servers.folder, environment),
    ]
    try:
        for program in programs:
            program.start()
        yield f"http://127.0.0.1:{port}"
    finally:
        for program in programs:
            program.stop(10)


@contextmanager
def _sign(url: str) -> Iterator[None]:
    """Read the events of a sign, as its browser does."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            httpx.get(f"{url}/healthz", timeout=2)
            break
        except httpx.HTTPError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
    with httpx.stream("GET", f"{url}/signs/{LINK}/live", timeout=None) as events:
        events.raise_for_status()
        threading.Thread(target=_read, args=(events,), daemon=True).start()
        yield


def _read(events: httpx.Response) -> None:
    try:
        for _ in events.iter_lines():
            pass
    except httpx.HTTPError:
        pass  # the service has stopped


def _play(servers: TemporaryServers, collector: Collector, dealer: str) -> None:
    """Press the buttons of a round with a claim at a table controller."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as floor:
        floor.write(room_text(FLOOR))
        floor.flush()
        command = [*_COMMAND, "table", TABLE, "--floor", floor.name, "--nats", servers.nats_url]
        lines = [f"sign-on {dealer} {PIN}", "wait", "seats 1 2 3", "sensor 1 on", "sensor 2 on", "start"]
        with subprocess.Popen(
            command,
            env={**os.environ, **collector.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as controller:
            assert controller.stdin is not None
            controller.stdin.write("\n".join(lines) + "\n")
            controller.stdin.flush()
            # A sign that is late shows the round and the claim in one.
            _wait_for(lambda: any(span["name"] == "sign" for span in collector.spans))
            output, _ = controller.communicate(f"hand 1 {HAND}\nstatus\n", timeout=_PATIENCE_SECONDS)
    assert controller.returncode == 0
    refused = [line for line in output.splitlines() if line.startswith("no ")]
    assert not refused, refused


def _wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < until and not holds():
        time.sleep(0.1)


def _wait_for_trace(collector: Collector) -> list[RecordedSpan]:
    """Wait until the sign has shown the claim, and every program has sent its spans."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < until:
        claims = [span for span in collector.spans if span["name"] == "hand button"]
        trace = [span for span in collector.spans if claims and span["trace"] == claims[0]["trace"]]
        known = {span["id"] for span in trace}
        sign_parents = {span["parent"] for span in trace if span["name"] == "sign"}
        is_whole = sum(span["parent"] not in known for span in trace) == 1
        if is_whole and len(sign_parents) > 1:
            first = min(span["begins"] for span in trace)
            for trace_span in trace:
                trace_span["begins"], trace_span["ends"] = (
                    trace_span["begins"] - first,
                    trace_span["ends"] - first,
                )
            return sorted(trace, key=lambda span: span["begins"])
        time.sleep(0.1)
    raise AssertionError([(span["program"], span["name"]) for span in collector.spans])
