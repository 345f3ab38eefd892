"""Words typed at `feltwork table`: only those that need a person ask for a sign-on."""

import asyncio
from pathlib import Path

import pytest
from nats.aio.client import Client

from feltwork.cli.run import table
from feltwork.compliance.floor_file import read_floor
from feltwork.table.controller_factory import open_table

FLOOR = Path(__file__).parents[2] / "examples" / "card_room.toml"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("dance", "no dance: unknown; type help for a list"),
        ("hand x four_aces", "no hand x four_aces: unknown; type help for a list"),
        ("key sideways", "no key sideways: unknown; type help for a list"),
        ("hand 3 royal_flush", "Nobody is signed on."),
        ("start", "Nobody is signed on."),
    ],
)
def test_an_unknown_word_asks_nobody_to_sign_on(
    line: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def press() -> None:
        floor = read_floor(FLOOR.read_text(encoding="utf-8"), where=str(FLOOR))
        controller = open_table(Client(), floor, "C1")
        await table._answer(controller, line.split(), table._Dealer("", ""))

    asyncio.run(press())
    assert answer in capsys.readouterr().out
