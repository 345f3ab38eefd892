"""Real servers on free ports, each in a folder of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feltwork.site.servers.nats import EmbeddedNats, NatsPlan

Begin = Callable[[NatsPlan], EmbeddedNats]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    servers: list[EmbeddedNats] = []

    def start(plan: NatsPlan) -> EmbeddedNats:
        server = EmbeddedNats(tmp_path / f"{plan.name}-{len(servers)}", plan)
        servers.append(server)
        return server.start()

    yield start
    for server in servers:
        server.remove()
