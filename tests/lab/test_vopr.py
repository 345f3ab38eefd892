"""The command that plays card rooms in virtual time: its figures, the ends of chains, and a failed seed."""

import hashlib
import json

import pytest
import typer
from typer.testing import CliRunner

from lab.card_room.books import RoomBooks
from lab.card_room.runner import run_room
from lab.card_room.table import TableMessage
from lab.vopr import simulate_card_room

#: Seed -> the beginning of the end of its chain, with two tables and five minutes.
RECORDED = {1: "4327c1b1922e1d7b", 3: "d141360e40ab4155", 5: "66e8c165359b34e5"}
APPLICATION = typer.Typer()
APPLICATION.command()(simulate_card_room)
RUN = CliRunner()


def test_a_seed_ends_at_the_same_hash_everywhere() -> None:
    """Recorded once; every version of Python and every machine must come to the same."""
    assert {seed: run_room(seed, tables=2, minutes=5).tail[:16] for seed in RECORDED} == RECORDED


def test_the_command_prints_its_figures_as_data() -> None:
    result = RUN.invoke(APPLICATION, ["--seeds", "3..4", "--tables", "2", "--minutes", "2", "--json"])
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert list(report) == [
        "seeds",
        "site_hours",
        "awards",
        "messages",
        "crashes",
        "differences",
        "stuck",
        "digest",
        "site_hours_per_cpu_second",
    ]
    assert (report["seeds"], report["site_hours"], report["differences"], report["stuck"]) == (2, 0.07, 0, 0)
    tails = [run_room(seed, tables=2, minutes=2).tail for seed in (3, 4)]
    assert report["digest"] == hashlib.sha256("\n".join(tails).encode()).hexdigest()


def test_the_command_prints_the_ends_of_the_chains() -> None:
    result = RUN.invoke(APPLICATION, ["--seeds", "1", "--tables", "2", "--minutes", "5"])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == f"seed 1 ends at {RECORDED[1]}"


def test_a_failed_seed_is_named_so_that_it_can_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    carry_out = RoomBooks._carry_out

    def without_corrections(room: RoomBooks, message: TableMessage, at: int) -> None:
        if message.kind != "seat":
            carry_out(room, message, at)

    monkeypatch.setattr(RoomBooks, "_carry_out", without_corrections)
    result = RUN.invoke(APPLICATION, ["--seeds", "1..2", "--json"])
    assert result.exit_code == 1
    assert "repeat it: python -m lab.vopr --seeds 1 --tables 3 --minutes 15" in result.stderr
    assert json.loads(result.stdout)["differences"] > 0


@pytest.mark.parametrize("text", ["x", "5..1", "1..b"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    result = RUN.invoke(APPLICATION, ["--seeds", text])
    assert "is no range of seeds" in result.stderr
