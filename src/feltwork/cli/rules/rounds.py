"""Commands that deal and settle rounds."""

import json
import random
import sys
from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.notation import read_round
from feltwork.titles.sample_round import contributions_of, open_round, with_contributions
from feltwork.titles.settle import settle
from feltwork.titles.settlement import as_json
from feltwork.titles.transcript import transcript


def settle_file(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A round in TOML or JSON; - reads standard input.")
    ],
    as_data: AsData = False,
) -> None:
    """Settle one round: bets, jackpot pays and meters.

    See docs/notation.md for the notation; every file in a title's rounds folder is an example.
    """
    round_ = read_round(sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8"))
    settlement = settle(round_)
    if as_data:
        typer.echo(json.dumps(as_json(settlement), ensure_ascii=False))
        return
    from feltwork.cli.rules.round_renderer import print_round

    print_round(round_, settlement)


def deal(
    title: Annotated[str, typer.Argument(metavar="GAME", help="A game.", show_default=False)],
    seed: Annotated[int | None, typer.Option(help="The same seed deals the same round.")] = None,
    seats: Annotated[int, typer.Option(help="The number of players.", min=1, max=9)] = 3,
    as_data: Annotated[
        bool, typer.Option("--json", help="Print the round in the notation that `settle` reads.")
    ] = False,
) -> None:
    """Deal a round by the rules and settle it; its jackpot wagers raise the meters first."""
    game = registry.game(title)
    if seats > game.max_seats:
        problem = Problem("--seats", f"{title} seats at most {game.max_seats}", "choose fewer seats")
        raise ProblemsError([problem])
    seed = random.randrange(10**6) if seed is None else seed
    opened = with_contributions(open_round(game, seats))
    shoe = list(decks_of(int(opened.options.get("decks", 1))))
    random.Random(seed).shuffle(shoe)
    dealt = game.play(opened, Shoe(shoe), game.rule_of_thumb)
    if as_data:
        typer.echo(json.dumps(transcript(dealt)))
        return
    from feltwork.cli.rules.round_renderer import print_round

    print_round(dealt, settle(dealt), contributions_of(dealt))
    typer.echo(f"Deal it again: feltwork dev deal {title} --seed {seed} --seats {seats}")
