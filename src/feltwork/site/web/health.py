"""Service health: the reason it cannot book, for its probes and the manager's page."""

from collections.abc import Callable, Sequence

from feltwork.site.web.streaming.sensor_feed import SensorFeed


def cannot_book(feed: SensorFeed | None, links: Callable[[], Sequence[str]]) -> str:
    """Return why nothing can be booked, or an empty string; ``links`` returns the links with a chain."""
    if feed is None:
        return ""
    if not feed.is_connected:
        return "NATS is not responding"
    return "no bookkeeper is running" if feed.is_silent and links() else ""
