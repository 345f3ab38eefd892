"""A stacked shoe: the cards of a winning hand are placed where the deal will reach them.

The hand is really dealt, and the rules find it like any other; only the shuffle is not random. The winning
cards come from the title's worked rounds.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from feltwork.problem import Problem, ProblemsError
from feltwork.titles.cards.card import Card
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.meter_pays import hands_of, sight_of
from feltwork.titles.notation import round_from
from feltwork.titles.paytables.paytable import Share
from feltwork.titles.round import Round, TableJackpot
from feltwork.titles.title import Sight
from feltwork.titles.worked_rounds import worked_rounds

TRIES = 400


def stacked_round(
    opened: Round,
    jackpot: TableJackpot,
    level: str,
    *,
    play: Callable[[Round, Shoe], Round],
    dice: random.Random,
) -> Round:
    """Stack the shoe so that a jackpot bettor gets a hand that this meter pays."""
    sights = _winning_sights(jackpot, level)
    bettors = [seat.number for seat in opened.seats if jackpot.jackpot.name in seat.jackpots]
    for _ in range(TRIES if sights and bettors else 0):
        target, seat = dice.choice(sights), dice.choice(bettors)
        # Distinct objects, so equal cards of six decks differ.
        order = [replace(card) for card in decks_of(int(opened.options.get("decks", 1)))]
        dice.shuffle(order)
        places = _places(play(opened, Shoe(order)), jackpot, seat, order=order)
        if places is None or list(map(len, places)) != list(map(len, target)):
            continue
        dealt = play(opened, Shoe(_put(order, places, target)))
        hands = hands_of(dealt, jackpot)
        row = hands.rows[seat]
        if row is not None and _pays(row.pays, level) and seat in hands.backing:
            return dealt
    where = f"{jackpot.jackpot.name}, {level}"
    raise ProblemsError(
        [Problem(where, "no hand at this table wins this level", "choose another level or table")]
    )


def _winning_sights(jackpot: TableJackpot, level: str) -> list[Sight]:
    """The hands of worked rounds that win this meter, preferably all of it."""
    wins = []
    for sight in _shown(jackpot.jackpot.name):
        row = jackpot.paytable.row_for(jackpot.jackpot.names(sight))
        if row is not None and _pays(row.pays, level):
            assert isinstance(row.pays, Share)
            wins.append((row.pays.is_whole, sight))
    whole = [sight for is_whole, sight in wins if is_whole]
    return whole or [sight for _, sight in wins]


@cache
def _shown(name: str) -> tuple[Sight, ...]:
    """Every sight in the jackpot's worked rounds."""
    return tuple(dict.fromkeys(_sights(name)))


def _sights(name: str) -> Iterator[Sight]:
    for worked in worked_rounds(name):
        round_ = round_from(worked.data)
        for jackpot in round_.jackpots:
            for seat in round_.seats:
                sight = sight_of(round_, jackpot, seat)
                if jackpot.jackpot.name == name and sight is not None and all(sight):
                    yield sight


def _pays(pays: object, level: str) -> bool:
    return isinstance(pays, Share) and pays.level == level


def _places(
    dealt: Round, jackpot: TableJackpot, number: int, *, order: Sequence[Card]
) -> list[list[int]] | None:
    """Find the positions in the shoe of the cards that the jackpot looks at."""
    seat = next(seat for seat in dealt.seats if seat.number == number)
    sight = sight_of(dealt, jackpot, seat)
    if sight is None:
        return None
    where = {id(card): place for place, card in enumerate(order)}
    return [[where[id(card)] for card in group] for group in sight]


def _put(order: Sequence[Card], places: Sequence[Sequence[int]], target: Sight) -> list[Card]:
    """Swap the wanted cards into place."""
    cards = list(order)
    fixed: set[int] = set()
    for group, want in zip(places, target, strict=True):
        for place, card in zip(group, want, strict=True):
            now = next(at for at, there in enumerate(cards) if there == card and at not in fixed)
            cards[place], cards[now] = cards[now], cards[place]
            fixed.add(place)
    return cards
