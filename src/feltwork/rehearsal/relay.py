"""A connection that a rehearsal can cut: a TCP relay in front of a server."""

import asyncio

from feltwork.servers.ports import free_port

_HOST = "127.0.0.1"
_BYTES = 65_536


class Relay:
    """Passes bytes between clients and a server on this machine while it is up."""

    def __init__(self, port: int) -> None:
        self.port = free_port()
        self._to = port
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()

    async def mend(self) -> None:
        """Accept connections."""
        self._server = await asyncio.start_server(self._take, _HOST, self.port)

    async def cut(self) -> None:
        """Close every connection, and accept no more."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back, forth = await asyncio.open_connection(_HOST, self._to)
        except OSError:
            writer.transport.abort()  # the server is gone
            return
        both = {asyncio.create_task(_pass(reader, forth)), asyncio.create_task(_pass(back, writer))}
        self._passing |= both
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
        self._passing -= both
        for end in (forth, writer):
            end.transport.abort()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_BYTES):
        writer.write(data)
        await writer.drain()
