"""Ports: taken before anything else is started, or refused with a remedy."""

import socket

from feltwork.problem import Problem, ProblemsError


def listen(host: str, port: int) -> socket.socket:
    """Take a port; 0 takes a free one."""
    try:
        taken = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        what, remedy = f"cannot listen: {error.strerror}", "choose another --port or --host"
        raise ProblemsError([Problem(f"{host}:{port}", what, remedy)]) from error
    # Lines that are accepted here inherit it; without it the end of an answer waits 40 ms for the network.
    taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return taken
