"""Spans for an OpenTelemetry collector."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

#: The open spans, one in each trace.
_open: ContextVar[tuple[Context, ...]] = ContextVar("open spans", default=())
_propagator = TraceContextTextMapPropagator()


class OtlpTracer:
    """Exports the spans of a program in the background, configured by OpenTelemetry's variables."""

    def __init__(self, program: str) -> None:
        provider = TracerProvider(resource=Resource.create({"service.name": program}))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = provider.get_tracer("feltwork")

    @contextmanager
    def span(
        self, name: str, within: Iterable[str] | None, began: int | None, attributes: Mapping[str, str | int]
    ) -> Iterator[None]:
        """Open a span in each open trace, or in those of some headers."""
        contexts = _open.get() if within is None else [_context(header) for header in within]
        spans = [
            self._tracer.start_span(name, context, attributes=attributes, start_time=began)
            for context in contexts
        ]
        before = _open.set(tuple(set_span_in_context(new_span, Context()) for new_span in spans))
        try:
            yield
        finally:
            _open.reset(before)
            for span in spans:
                span.end()

    def headers(self) -> dict[str, str]:
        """The header of the first open trace; empty without one."""
        carrier: dict[str, str] = {}
        if _open.get():
            _propagator.inject(carrier, _open.get()[0])
        return carrier


def _context(header: str) -> Context:
    return _propagator.extract({"traceparent": header}, Context())
