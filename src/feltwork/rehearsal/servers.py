"""The servers of a rehearsal: PostgreSQL and NATS from wheels, on files that are removed with them."""

from feltwork.floor.box import Box
from feltwork.wire.server import Plan

#: Nothing outlives the rehearsal, so nothing needs to reach the disk.
_SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "jit": "off"}


def rehearsal_servers() -> Box:
    """Both servers, not yet started."""
    return Box(_SETTINGS, Plan(sync_always=False))
