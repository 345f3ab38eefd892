"""TCP ports of this machine."""

import secrets
import socket
from contextlib import suppress

from feltwork.problem import Problem, ProblemsError

#: Range below the ports that Linux gives to outgoing connections, which could take a port before its server
#: listens, or while it restarts.
_FIRST_PORT, _PORTS = 10_000, 22_000
_TRIES = 100


def free_port() -> int:
    """Find an unused port at random, because others look for one at the same time."""
    for _ in range(_TRIES):
        port = _FIRST_PORT + secrets.randbelow(_PORTS)
        with suppress(OSError), socket.socket() as listener:
            listener.bind(("127.0.0.1", port))
            return port
    what = "no port is free"
    raise ProblemsError([Problem("127.0.0.1", what, "end programs that listen on this machine")])


def listen(host: str, port: int) -> socket.socket:
    """Listen on a port; 0 chooses a free one."""
    try:
        listener = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError as error:
        what, remedy = f"cannot listen: {error.strerror}", "choose another --port or --host"
        raise ProblemsError([Problem(f"{host}:{port}", what, remedy)]) from error
    # Accepted sockets inherit TCP_NODELAY. Without it, Nagle plus delayed ACK adds 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
