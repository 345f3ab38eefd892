"""Ports that commands take."""

import socket

import pytest

from feltwork.problem import ProblemsError
from feltwork.site.servers.ports import free_port, listen


def test_answers_on_a_port_do_not_wait_for_the_network() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()) as asking:
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
            assert accepted.getpeername() == asking.getsockname()


def test_a_port_that_is_taken_is_refused_with_a_remedy() -> None:
    with listen("127.0.0.1", 0) as listener, pytest.raises(ProblemsError, match="choose another --port"):
        listen("127.0.0.1", listener.getsockname()[1])


def test_no_outgoing_connection_takes_the_port_of_a_server() -> None:
    """PostgreSQL did not start when another program had connected from the port that was found for it."""
    ports = {free_port() for _ in range(200)}
    assert len(ports) > 150, "two that look at the same time hardly ever find the same"
    assert max(ports) < 32_768, "from there on, Linux gives ports to outgoing connections"


def test_a_port_in_use_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen("127.0.0.1", 0) as listener:
        monkeypatch.setattr("feltwork.site.servers.ports._FIRST_PORT", listener.getsockname()[1])
        monkeypatch.setattr("feltwork.site.servers.ports._PORTS", 1)
        with pytest.raises(ProblemsError, match="no port is free"):
            free_port()
