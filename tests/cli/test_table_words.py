"""Words typed at `feltwork table`: only those that need a person ask for a sign-on."""

import asyncio
from pathlib import Path

import pytest
from nats.aio.client import Client

from feltwork.cli.run import table
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.table.button_lines import Dealer
from feltwork.site.table.controller_factory import open_table

EXAMPLES = Path(__file__).parents[2] / "examples"
FLOOR = EXAMPLES / "card_room.toml"


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
    say(line, FLOOR, "C1")
    assert answer in capsys.readouterr().out


@pytest.mark.parametrize(
    ("floor", "at", "start", "end"),
    [
        ("crazy_4_nexus", "C1", "START GAME", "END GAME"),
        ("crazy_4_aquarius", "C1", "COIN IN", "GAME OVER"),
        ("baccarat_aquarius", "M1", "START GAME", "GAME OVER"),
    ],
)
def test_help_has_the_labels_of_the_table(
    floor: str, at: str, start: str, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    say("help", EXAMPLES / "rehearsals" / "floors" / f"{floor}.toml", at)
    lines = capsys.readouterr().out.splitlines()
    assert f"start              {start}" in lines
    assert f"end                {end}" in lines


def say(line: str, path: Path, at: str) -> None:
    async def press() -> None:
        floor = read_floor(path.read_text(encoding="utf-8"), where=str(path))
        controller = open_table(Client(), floor, at)
        await table._answer(controller, line.split(), Dealer("", ""))

    asyncio.run(press())
