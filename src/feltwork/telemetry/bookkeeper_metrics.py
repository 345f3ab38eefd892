"""Prometheus metrics of a bookkeeper."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class BookkeeperMetrics:
    """The metrics of one bookkeeper."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self.rounds = Counter("feltwork_booked_rounds", "Rounds booked.", ["link"], registry=registry)
        self.wagers = Counter("feltwork_booked_wagers", "Wagers booked.", ["link"], registry=registry)
        self.duplicates = Counter(
            "feltwork_duplicate_rounds", "Rounds that were booked before.", ["link"], registry=registry
        )
        self.refused = Counter(
            "feltwork_refused_rounds", "Rounds refused and kept.", ["link"], registry=registry
        )
        self.parked = Counter("feltwork_parked_messages", "Messages parked.", ["link"], registry=registry)
        self.waits = Counter(
            "feltwork_waiting_messages", "Times that a message was put off.", ["link"], registry=registry
        )
        self.seconds = Histogram(
            "feltwork_batch_seconds",
            "Time to book a batch.",
            ["link"],
            buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
            registry=registry,
        )
        self.lag = Gauge(
            "feltwork_lag_messages",
            "Messages that wait in the log for the books.",
            ["link"],
            registry=registry,
        )
        self.nats_connected = Gauge(
            "feltwork_nats_connected", "Whether NATS answers: 1 or 0.", registry=registry
        )
        self.away = Counter("feltwork_books_away", "Times that the books did not answer.", registry=registry)
        self.gaps = Gauge(
            "feltwork_missing_rounds_tables", "Tables that have left out a number.", registry=registry
        )
        self.alarms = Gauge("feltwork_open_alarms", "Alarms that are open.", ["kind"], registry=registry)
        self.closed = Gauge("feltwork_closed_links", "Links that failed their self-check.", registry=registry)
        self.certificate_days = Gauge(
            "feltwork_certificate_days", "Days until a certificate expires.", ["name"], registry=registry
        )

    def text(self) -> bytes:
        """The metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
