"""Traces, if the extra is installed and a collector is configured; otherwise nothing happens."""

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.telemetry.otlp import OtlpTracer

#: The header of a message with its trace (W3C Trace Context).
HEADER = "traceparent"
_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_NOTHING: AbstractContextManager[None] = nullcontext()
_tracer: "OtlpTracer | None" = None


def start_tracing(program: str) -> None:
    """Export spans of this process, if the environment names a collector."""
    global _tracer  # noqa: PLW0603 - one for each process
    if not os.environ.get(_ENDPOINT):
        return
    try:
        from feltwork.telemetry.otlp import OtlpTracer
    except ImportError as error:
        problem = Problem(_ENDPOINT, "OpenTelemetry is not installed", "pip install 'feltwork[otel]'")
        raise ProblemsError([problem]) from error
    _tracer = OtlpTracer(program)


def is_tracing() -> bool:
    """Whether spans are exported."""
    return _tracer is not None


def span(
    name: str, within: Iterable[str] | None = None, *, began: int | None = None, **attributes: str | int
) -> AbstractContextManager[None]:
    """Open a span in each open trace, or in those of the headers ``within``; an empty one starts a trace.

    The bookkeeper books messages of several traces in one transaction. ``began`` is when the span began, in
    nanoseconds since 1970, if not now.
    """
    return _NOTHING if _tracer is None else _tracer.span(name, within, began, attributes)


def trace_headers() -> dict[str, str]:
    """The header that carries the first open trace; empty if there is none."""
    return {} if _tracer is None else _tracer.headers()
