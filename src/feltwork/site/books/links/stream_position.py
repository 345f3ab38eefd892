"""Stream position up to which the messages of a link are booked, for the bookkeeper."""

from feltwork.site.books.links.stream_position_rows import (
    DatabaseRun,
    StreamKey,
    read_position,
    save_position,
)

__all__ = ["DatabaseRun", "StreamKey", "read_position", "save_position"]
