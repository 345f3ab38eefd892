"""Rounds of three seats with a jackpot that `feltwork.settle_many` settles in a second of processor time.

uv run python bench/settle_many.py [--rounds 1000]
"""

import argparse
import random
import sys
import time

import feltwork
from feltwork.titles import registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.sample_round import open_round
from feltwork.titles.title import Game
from feltwork.titles.transcript import transcript

SEATS = 3
TURNS = 5
#: More than three seats and a dealer draw in any game.
MOST_CARDS = 100


def rounds_of(game: Game, count: int) -> list[dict[str, object]]:
    """Deal rounds in the notation, by the rule of thumb."""
    dice = random.Random(1)
    opened = open_round(game, SEATS)
    shoe = list(decks_of(int(opened.options.get("decks", 1))))
    drawn = min(MOST_CARDS, len(shoe))
    return [
        transcript(game.play(opened, Shoe(dice.sample(shoe, drawn)), game.rule_of_thumb))
        for _ in range(count)
    ]


def main() -> int:
    """Settle the rounds of every game several times, and print the best rate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000)
    count = parser.parse_args().rounds
    for game in map(registry.game, (name for name in registry.own_names() if is_game(name))):
        rounds, best = rounds_of(game, count), float("inf")
        for _ in range(TURNS):
            start = time.process_time()
            feltwork.settle_many(rounds)
            best = min(best, time.process_time() - start)
        sys.stdout.write(f"{game.name}: {count / best:,.0f} rounds a second\n")
    return 0


def is_game(name: str) -> bool:
    """Whether a title is a game and not a jackpot."""
    return isinstance(registry.title(name), Game)


if __name__ == "__main__":
    sys.exit(main())
