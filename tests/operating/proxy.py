"""A proxy in front of the services: each connection goes to the first host that accepts it.

Run as ``python proxy.py PORT ADDRESS...``.
"""

import asyncio
import sys
from contextlib import suppress


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    for address in sys.argv[2:]:
        with suppress(OSError, TimeoutError):
            there = await asyncio.wait_for(asyncio.open_connection(address, 8017), 1)
            await asyncio.gather(copy(reader, there[1]), copy(there[0], writer))
            return
    writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
