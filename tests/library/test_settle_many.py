"""Many rounds settled at once: the same lines as each of them, whatever they hold."""

import random
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import feltwork
from feltwork.titles import registry
from feltwork.titles.bulk import lines_of, settled_alike
from feltwork.titles.cards.card import DECK
from feltwork.titles.hands.columns import hand_of, kinds, values
from feltwork.titles.hands.five_card import best_five
from feltwork.titles.hands.four_card import best_four
from feltwork.titles.notation import REMARKS
from feltwork.titles.worked_rounds import worked_rounds

GAMES = [game.name for game in registry.games()]
_CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
_ROUNDS = 400


def varied(form: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Exchange suits, replace some cards, and multiply the wagers."""
    times = dice.choice((1, 2, 5))
    suits = dict(zip("cdhs", dice.sample("cdhs", 4), strict=True))
    others = dice.sample([str(card) for card in DECK], 52)

    def exchanged(card: re.Match[str]) -> str:
        return others.pop() if dice.random() < 0.1 else card[0][0] + suits[card[0][1]]

    def cards(value: Any) -> Any:
        if isinstance(value, str):
            return _CARD.sub(exchanged, value)
        return value

    seats = [
        {
            **{key: cards(value) for key, value in seat.items()},
            "wagers": {name: f"{float(amount) * times:.2f}" for name, amount in seat["wagers"].items()},
        }
        for seat in form["seats"]
    ]
    return {**{key: cards(value) for key, value in form.items() if key not in REMARKS}, "seats": seats}


@pytest.mark.parametrize("game", GAMES)
def test_rounds_settled_at_once_are_settled_like_each_of_them(game: str) -> None:
    dice = random.Random(game)
    worked = [dict(known.data) for known in worked_rounds(game)]
    forms: list[dict[str, Any]] = []
    expected: list[object] = []
    while len(forms) < _ROUNDS:
        form = varied(dice.choice(worked), dice)
        try:
            settled = feltwork.settle(form)
        except feltwork.ProblemsError:
            continue
        expected += [
            (len(forms), seat.seat, *line)
            for seat in settled.seats
            for line in lines_of(seat, void=settled.void)
        ]
        forms.append(form)
    many = feltwork.settle_many(forms)
    assert list(zip(*many.columns().values(), strict=True)) == expected
    if registry.game(game).columns is not None:
        assert len(settled_alike(forms)) > _ROUNDS // 4


def test_the_first_round_with_a_problem_is_named() -> None:
    (good, *_) = [dict(known.data) for known in worked_rounds("mini_baccarat")]
    forms = [good] * 20
    assert len(settled_alike(forms)) == 20
    for bad in ({**good, "player": "Ah Ah"}, {**good, "banker": 7}, {**good, "seats": [{"seat": True}]}):
        with pytest.raises(feltwork.ProblemsError, match=r"rounds\[11\]"):
            feltwork.settle_many([*forms[:11], bad, *forms])


def test_a_slice_of_settlements_is_settlements() -> None:
    forms = [dict(known.data) for known in worked_rounds("crazy_4")]
    many = feltwork.settle_many(forms)
    part = many[2:5]
    assert isinstance(part, feltwork.Settlements)
    assert list(part) == [feltwork.settle(form) for form in forms[2:5]]
    assert part.columns()["round"][0] == 0
    assert repr(part) == "<Settlements of 3 rounds>"
    assert feltwork.settle_many([]).columns()["seat"] == []


@pytest.mark.parametrize(("size", "cards"), [(4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (5, 7)])
def test_values_are_those_of_the_hands(size: int, cards: int) -> None:
    dice = np.random.default_rng(size * cards)
    dealt = np.argsort(dice.random((2_000, 52)), axis=1)[:, :cards].astype(np.int64)
    best = best_four if size == 4 else best_five
    hands = [best(DECK[card] for card in row) for row in dealt.tolist()]
    found = values(dealt, size)
    assert [hand_of(value, size) for value in found.tolist()] == hands
    order = np.argsort(found, kind="stable").tolist()
    assert all(hands[first] <= hands[second] for first, second in pairwise(order))
    assert len(set(kinds(found, size).tolist())) < 40
