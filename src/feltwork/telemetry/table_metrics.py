"""Metrics of a table controller."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.core import GaugeMetricFamily, Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCounts:
    """The metrics of a table on one link."""

    round: int
    booked: int
    unsent: int
    is_cut_off: bool


_GAUGES = (
    ("round", "feltwork_table_round", "The number of the last round."),
    ("booked", "feltwork_table_booked_round", "The last round that is booked."),
    ("unsent", "feltwork_table_unsent_messages", "Messages that no store has yet."),
    ("is_cut_off", "feltwork_table_cut_off", "Whether it is cut off from the books: 1 or 0."),
)


class TableMetrics:
    """The metrics of one table, read when Prometheus scrapes them."""

    def __init__(self, table: str) -> None:
        self.registry = CollectorRegistry()
        self._table = table
        self._links: dict[str, Callable[[], TableCounts]] = {}
        self._nats_connected = Gauge(
            "feltwork_nats_connected", "Whether NATS answers: 1 or 0.", registry=self.registry
        )
        self.registry.register(self)

    def follow_nats(self, is_connected: Callable[[], bool]) -> None:
        """Report whether NATS answers."""
        self._nats_connected.set_function(is_connected)

    def follow_link(self, link: str, counts: Callable[[], TableCounts]) -> None:
        """Report the metrics of a link."""
        self._links[link] = counts

    def collect(self) -> Iterator[Metric]:
        """Read every metric; called by Prometheus."""
        counts = {link: read() for link, read in self._links.items()}
        for name, metric, text in _GAUGES:
            gauge = GaugeMetricFamily(metric, text, labels=["table", "link"])
            for link, numbers in counts.items():
                gauge.add_metric([self._table, link], float(getattr(numbers, name)))
            yield gauge
