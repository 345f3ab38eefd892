"""A TCP relay that can be cut or lose the server's replies, for fault tests and conformance."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

_CHUNK = 1 << 16


class TcpRelay:
    """Relays bytes; while cut, it refuses connections."""

    def __init__(self, *ports: int, to: str = "127.0.0.1", host: str = "127.0.0.1", port: int = 0) -> None:
        #: The target ports; the first that answers is used.
        self._ports = ports
        self._to = to
        self._host = host
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.port = port
        #: Whether the server's replies are lost, while data sent to it arrives.
        self.loses_answers = False

    async def start(self) -> "TcpRelay":
        """Listen on a fixed port."""
        self._server = await asyncio.start_server(self._pass, self._host, self.port)
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
            await asyncio.gather(
                _copy(reader, far_writer, lambda: False),
                _copy(far_reader, writer, lambda: self.loses_answers),
            )
        finally:
            self._open -= ends
            for end in ends:
                end.transport.abort()

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for port in self._ports:
            with suppress(OSError):
                return await asyncio.open_connection(self._to, port)
        return None


async def _copy(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_lost: Callable[[], bool]
) -> None:
    """Relay until either side closes, dropping what is lost."""
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            if not is_lost():
                writer.write(data)
                await writer.drain()
    writer.transport.abort()
