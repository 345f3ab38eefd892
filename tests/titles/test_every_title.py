"""Every title is complete: one generic test refuses a folder that lacks any part."""

import re
import tomllib
from functools import cache

import pytest

from feltwork import sources
from feltwork.odds.title_odds import odds_of
from feltwork.titles import registry
from feltwork.titles.notation import round_from
from feltwork.titles.settle import settle
from feltwork.titles.title import Game
from feltwork.titles.worked_rounds import WorkedRound, differences, worked_rounds

TITLES = registry.names()
MARKS = ("[our reading]", "[public rules]")


@cache
def rounds_of(name: str) -> tuple[WorkedRound, ...]:
    return tuple(worked_rounds(name))


@pytest.mark.parametrize("name", TITLES)
def test_is_declared_under_its_folder_name(name: str) -> None:
    assert registry.title(name).name == name
    # A title of another package may have no letter; its rules are public then.
    own = name in registry.own_names()
    assert registry.title(name).letter in (sources.letters() if own else {"", *sources.letters()})


@pytest.mark.parametrize("name", TITLES)
def test_has_every_part(name: str) -> None:
    parts = {entry.name for entry in registry.folder(name).iterdir()}
    assert {"__init__.py", "rules.py", "rules.md", "paytables", "printed.toml", "rounds"} <= parts


@pytest.mark.parametrize("name", TITLES)
def test_paytables_parse_and_use_known_hands(name: str) -> None:
    title = registry.title(name)
    library = registry.library(name)
    assert library
    for bet, identifier in library:
        paytable = library[bet, identifier]
        known = title.rows[bet] if isinstance(title, Game) else title.rows
        assert (paytable.title, paytable.bet, paytable.id) == (name, bet, identifier)
        assert {row.hand for row in paytable.rows} <= known
        assert len({row.hand for row in paytable.rows}) == len(paytable.rows)
        assert unknown_citations(" ".join(row.cites for row in paytable.rows)) == []


@pytest.mark.parametrize("name", [game.name for game in registry.games()])
def test_the_size_of_every_wager_cites_its_rule(name: str) -> None:
    game = registry.game(name)
    for wager in (*game.wagers, *game.added_wagers):
        assert wager.cites == "public rules" or sources.citations(wager.cites), wager.name
        assert unknown_citations(wager.cites) == []


@pytest.mark.parametrize("name", TITLES)
def test_every_bet_has_a_paytable(name: str) -> None:
    title = registry.title(name)
    bets = set(title.paytable_bets) if isinstance(title, Game) else {"jackpot"}
    assert {bet for bet, _ in registry.library(name)} == bets


@pytest.mark.parametrize("name", TITLES)
def test_its_odds_are_about_its_own_bets(name: str) -> None:
    odds = odds_of(name)
    assert set(odds.bets) <= {bet for bet, _ in registry.library(name)}
    assert all(bet.method for bet in odds.bets.values())
    assert all(family.path.startswith(f"{name}/") for family in odds.figures)
    assert all(figure.startswith(f"{name}/") for figure, _ in odds.letter_errors)
    assert odds.bets or name not in registry.own_names(), "every built-in title has a bet with odds"


@pytest.mark.parametrize("name", TITLES)
def test_rules_are_told_and_every_paragraph_cites(name: str) -> None:
    text = registry.folder(name).joinpath("rules.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {registry.title(name).title}\n")
    assert unknown_citations(text) == []
    for paragraph in re.split(r"\n\s*\n|\n(?=[-*\d])", text):
        lines = paragraph.strip()
        if lines and not lines.startswith(("#", "|")):
            assert sources.citations(lines) or any(mark in lines for mark in MARKS), lines


@pytest.mark.parametrize("name", TITLES)
def test_printed_figures_are_located(name: str) -> None:
    data = tomllib.loads(registry.folder(name).joinpath("printed.toml").read_text(encoding="utf-8"))
    for figure in data["figure"]:
        assert set(figure) <= {"id", "printed", "cites", "note", "wager"}
        assert figure["id"].startswith(f"{name}/")
        assert unknown_citations(figure["cites"]) == []
        assert sources.citations(figure["cites"])


@pytest.mark.parametrize("name", TITLES)
def test_has_enough_worked_rounds(name: str) -> None:
    least = 10 if isinstance(registry.title(name), Game) else 6
    assert len(rounds_of(name)) >= least
    for worked in rounds_of(name):
        assert worked.proves, worked.file
        assert unknown_citations(" ".join(worked.proves)) == [], worked.file
        uses = {str(worked.data["game"]), *(table["jackpot"] for table in worked.data.get("jackpots", []))}  # type: ignore[attr-defined]
        assert name in uses, worked.file


@pytest.mark.parametrize(
    "worked",
    [pytest.param(worked, id=f"{name}-{worked.file}") for name in TITLES for worked in rounds_of(name)],
)
def test_worked_round_replays(worked: WorkedRound) -> None:
    assert worked.expect
    assert differences(worked) == []


@pytest.mark.parametrize("name", TITLES)
def test_every_row_of_every_bet_is_worked(name: str) -> None:
    library = registry.library(name)
    rows = {(bet, row.hand) for bet, identifier in library for row in library[bet, identifier].rows}
    assert rows - rows_paid(name) == set()


def rows_paid(name: str) -> set[tuple[str, str]]:
    """The rows that the worked rounds of a title pay, by bet."""
    title = registry.title(name)
    paid = set()
    for worked in rounds_of(name):
        settlement = settle(round_from(worked.data))
        for seat in settlement.seats:
            if isinstance(title, Game):
                bets = {wager.name: wager.paytable for wager in title.wagers} | {
                    bet: bet for bet in title.riding
                }
                paid |= {(bets[bet], result.why.split(" pays ")[0]) for bet, result in seat.bets.items()}
            elif name in seat.jackpots:
                paid.add(("jackpot", seat.jackpots[name].hand or ""))
    return paid


def unknown_citations(text: str) -> list[str]:
    return [cited for cited in sources.citations(text) if cited not in sources.paragraphs()]
