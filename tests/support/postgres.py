"""Clusters for tests that break theirs: made and migrated once for each process, then copied."""

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from feltwork.site.books.migrate import migrate
from feltwork.site.servers.postgres import EmbeddedPostgres


def migrated_cluster(folder: Path, settings: Mapping[str, str] | None = None) -> EmbeddedPostgres:
    """A server, not started yet, whose own database has empty books."""
    folder.mkdir(parents=True, exist_ok=True)
    # With owners and modes, which PostgreSQL checks.
    subprocess.run(["cp", "-a", _template().data, folder / "data"], check=True)
    server = EmbeddedPostgres(folder, settings)
    if server._user:
        shutil.chown(folder, server._user)
    return server


@cache
def _template() -> EmbeddedPostgres:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-template-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)
    server = EmbeddedPostgres(folder).start()
    migrate(server.dsn())
    server.stop()
    return server
