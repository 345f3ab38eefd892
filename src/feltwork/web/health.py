"""The health of the service: what keeps it from booking, for its probes and for the manager's page."""

from collections.abc import Callable, Sequence

from feltwork.web.streaming.sensor_feed import SensorFeed


def cannot_book(feed: SensorFeed | None, links: Callable[[], Sequence[str]]) -> str:
    """Why nothing from the tables can be booked; empty while all is well. ``links`` have a chain."""
    if feed is None:
        return ""
    if not feed.is_connected:
        return "NATS does not answer"
    return "no bookkeeper runs" if feed.is_silent and links() else ""
