"""The servers of a rehearsal."""

import shutil
from pathlib import Path

from feltwork.site.servers.nats import NatsPlan
from feltwork.site.servers.temporary import TemporaryServers

#: Nothing outlives the rehearsal, so nothing needs to reach the disk.
_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "256MB",
    "jit": "off",
    # Tables are small, and connections many and short: plan each statement once, and skip vacuuming.
    "plan_cache_mode": "force_generic_plan",
    "autovacuum": "off",
    # With thirteen monthly partitions, each statement would plan all of them.
    "feltwork.months_ahead": "2",
}
#: A database is a thousand small files; in memory it is created in 30 ms, on disk in 500 ms.
_MEMORY = Path("/dev/shm")
_ENOUGH_BYTES = 2 << 30


def rehearsal_servers() -> TemporaryServers:
    """Create both servers without starting them; in memory if there is room."""
    in_memory = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _ENOUGH_BYTES
    return TemporaryServers(_SETTINGS, NatsPlan(sync_always=False), _MEMORY if in_memory else None)
