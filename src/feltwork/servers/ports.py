"""TCP ports of this machine."""

import socket

from feltwork.problem import Problem, ProblemsError


def free_port() -> int:
    """Find a port that is not in use."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


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
