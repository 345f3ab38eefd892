"""Ports that commands take."""

import socket

import pytest

from feltwork.problem import ProblemsError
from feltwork.servers.ports import listen


def test_answers_on_a_port_do_not_wait_for_the_network() -> None:
    with listen("127.0.0.1", 0) as taken, socket.create_connection(taken.getsockname()) as asking:
        accepted, _ = taken.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
            assert accepted.getpeername() == asking.getsockname()


def test_a_port_that_is_taken_is_refused_with_a_remedy() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(ProblemsError, match="choose another --port"):
        listen("127.0.0.1", taken.getsockname()[1])
