"""A TCP relay that can be cut, for fault tests."""

import asyncio
from contextlib import suppress

_CHUNK = 1 << 16


class TcpRelay:
    """Relays bytes; while cut, it refuses connections."""

    def __init__(self, *ports: int) -> None:
        #: The target ports; the first that answers is used.
        self._to = ports
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def start(self) -> "TcpRelay":
        """Listen on a fixed port."""
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def cut(self) -> None:
        """Drop all connections."""
        if self._server is not None:
            self._server.close()
            for writer in list(self._open):
                writer.transport.abort()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._server.wait_closed(), 5)
            self._server = None

    async def heal(self) -> None:
        """Accept connections again."""
        if self._server is None:
            await self.start()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far = await self._reach()
        if far is None:
            writer.transport.abort()
            return
        far_reader, far_writer = far
        ends = {writer, far_writer}
        self._open |= ends
        try:
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        finally:
            self._open -= ends
            for end in ends:
                end.transport.abort()

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for port in self._to:
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", port)
        return None


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Relay until either side closes."""
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()
