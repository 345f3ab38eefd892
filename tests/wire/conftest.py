"""Real servers on free ports, each in a folder of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feltwork.wire.server import Plan, Server

Begin = Callable[[Plan], Server]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    servers: list[Server] = []

    def start(plan: Plan) -> Server:
        server = Server(tmp_path / f"{plan.name}-{len(servers)}", plan)
        servers.append(server)
        return server.start()

    yield start
    for server in servers:
        server.remove()
