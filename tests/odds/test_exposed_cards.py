"""Cards seen beyond the rules: every value is that of the rounds that are left, settled by the rules."""

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import sqrt
from statistics import fmean, pvariance

import pytest

from feltwork.library.odds import advise
from feltwork.odds import strategy
from feltwork.odds.exposed.team import team_gain
from feltwork.odds.simulate import opened_for
from feltwork.odds.title_odds import Cards
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, Card, parse_cards
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision
from tests.sizes import size
from tests.support.commands import run


def net(game: str, cards: Cards, choices: Mapping[str, str]) -> Fraction:
    """Play the base game with these cards, in the order of the deal, and settle it by the rules."""
    declared = registry.game(game)
    opened = opened_for(declared)
    side_bets = {wager.name for wager in declared.wagers if wager.is_side_bet}
    base = {name: stake for name, stake in opened.seats[0].wagers.items() if name not in side_bets}
    opened = replace(opened, seats=(replace(opened.seats[0], wagers=base),))
    round_ = declared.play(opened, Shoe(cards), lambda decision: choices[decision.name])
    return Fraction(settle(round_).seats[0].net, base["ante"])


def dealt(dice: random.Random, own: int, seen_count: int, hole: int, exposed: int) -> tuple[Cards, ...]:
    """Draw the hand, what the rules show, what they do not, cards of other hands, and the rest."""
    deck, parts = dice.sample(DECK, 52), []
    for count in (own, seen_count, hole, exposed, 52):
        parts.append(tuple(deck[:count]))
        del deck[:count]
    return tuple(parts)


def text(cards: Cards) -> str:
    return " ".join(map(str, cards))


def verify(game: str, cards: Cards, sees: Mapping[str, Cards], deals: list[Cards]) -> None:
    advice = advise(
        game,
        text(cards),
        sees={place: text(place_cards) for place, place_cards in sees.items() if place_cards},
    )
    name = {"crazy_4": "play", "six_five_four": "play", "caribbean_stud": "raise"}.get(game, "river")
    for choice, worth in advice.worth.items():
        played = {"flop": "bet", "turn": "check", name: choice}
        nets = [net(game, deal, played) for deal in deals]
        assert worth == sum(nets, Fraction(0)) / len(nets), (choice, worth)


@pytest.mark.parametrize("hole", [0, 2])
def test_crazy_4_with_exposed_cards(hole: int) -> None:
    own, _, known, gone, rest = dealt(random.Random(hole), 5, 0, hole, 35)
    deals = [(*own, *known, *left) for left in combinations(rest, 5 - hole)]
    verify("crazy_4", own, {"hole": known, "exposed": gone}, deals)


@pytest.mark.parametrize("hole", [0, 2])
def test_caribbean_stud_with_exposed_cards(hole: int) -> None:
    own, up, known, gone, rest = dealt(random.Random(hole), 5, 1, hole, 35)
    deals = [(*own, *up, *known, *left) for left in combinations(rest, 4 - hole)]
    verify("caribbean_stud", own, {"dealer": up, "hole": known, "exposed": gone}, deals)


@pytest.mark.parametrize(("exposed", "hole"), [("6h", 2), ("Kd 4c", 1), ("Kd Ts", 2)])
def test_six_five_four_with_exposed_cards(exposed: str, hole: int) -> None:
    dealer = parse_cards(exposed)
    deck = random.Random(hole).sample([card for card in DECK if card not in dealer], 52 - len(dealer))
    own, known, gone, rest = deck[:5], deck[5 : 5 + hole], deck[5 + hole : 35 + hole], deck[35 + hole :]
    down = 6 - len(dealer) - hole
    deals = [(*own, *dealer[1:], *known, *left, dealer[0]) for left in combinations(rest, down)]
    sees = {"dealer": dealer, "hole": tuple(known), "exposed": tuple(gone)}
    verify("six_five_four", tuple(own), sees, deals)


def test_the_river_bet_with_exposed_cards() -> None:
    own, board, known, gone, rest = dealt(random.Random(1), 2, 4, 1, 16)
    deals = [(*own, *known, other, *board, river) for other, river in permutations(rest, 2)]
    verify("holdem_bonus", own, {"board": board, "hole": known, "exposed": gone}, deals)


def test_the_dealers_cards_average_to_what_is_known_without_them() -> None:
    """One of them, both, and none, on the River; the Turn bet is the mean of what the turns bring."""
    own, flop, _, gone, rest = dealt(random.Random(2), 2, 3, 0, 16)

    def worth(board: Cards, *hole: Card) -> dict[str, Fraction]:
        sees = {"board": text(board), "exposed": text(gone), **({"hole": text(hole)} if hole else {})}
        return dict(advise("holdem_bonus", text(own), sees=sees).worth)

    board = (*flop, rest[0])
    for choice in ("check", "bet"):
        river_worths = [worth(board, card)[choice] for card in rest[1:]]
        both = [worth(board, rest[1], card)[choice] for card in rest[2:]]
        assert worth(board)[choice] == sum(river_worths, Fraction(0)) / len(river_worths)
        assert river_worths[0] == sum(both, Fraction(0)) / len(both)
    for hole in ((), (rest[0],)):
        rivers = [worth((*flop, turn), *hole) for turn in rest if turn not in hole]
        turn = worth(flop, *hole)
        assert turn["check"] == sum((max(values.values()) for values in rivers), Fraction(0)) / len(rivers)
        won = [values["bet"] - values["check"] for values in rivers]
        assert turn["bet"] - turn["check"] == sum(won, Fraction(0)) / len(won)


def test_a_player_who_sees_everything_wins_what_hindsight_wins() -> None:
    """With all five cards of the dealer the gain is that of a player who knows how each round ends."""
    estimate = team_gain(registry.game("caribbean_stud"), exposed=0, hole=4, rounds=400, seed=1)
    blind, seeing = [], []
    plain = strategy.player("caribbean_stud", opened_for(registry.game("caribbean_stud")).paytables, {})
    dice = random.Random(2)
    for _ in range(1_500):
        cards = tuple(dice.sample(DECK, 10))
        nets = {choice: net("caribbean_stud", cards, {"raise": choice}) for choice in ("fold", "raise")}
        decision = Decision(
            seat=1,
            name="raise",
            choices=tuple(nets),
            cards=cards[:5],
            sees={"dealer": cards[5:6]},
            options={},
        )
        blind.append(nets[plain(decision)])
        seeing.append(max(nets.values()))
    gains = [float(more - less) for more, less in zip(seeing, blind, strict=True)]
    within = 4.5 * sqrt(pvariance(gains) / len(gains) + estimate.standard_error**2)
    assert abs(fmean(gains) - estimate.gain) <= within
    assert estimate.changed > 0.1


def test_a_whole_table_that_shares_its_cards_beats_caribbean_stud() -> None:
    """Seven players have an advantage of 2.3% (Griffin and Gwynn, An Analysis of Caribbean Stud Poker)."""
    estimate = team_gain(
        registry.game("caribbean_stud"), exposed=30, hole=0, rounds=size(800, 20_000), seed=1
    )
    advantage = estimate.gain - 142031221 / 2718662100
    assert abs(advantage - 0.023) <= 4 * estimate.standard_error + 0.0005


def test_the_command_tells_an_estimate_with_its_interval() -> None:
    report = json.loads(
        run("simulate", "caribbean_stud", "--exposed", "30", "--rounds", "50", "--json").stdout
    )
    assert report["how"] == "sampled"
    assert report["house_edge_with_cards"] == report["house_edge"] - report["gain"]
    assert report["standard_error"] > 0


@pytest.mark.parametrize(
    ("game", "exposed", "hole"), [("blackjack", 1, 0), ("crazy_4", 36, 0), ("caribbean_stud", 0, 5)]
)
def test_what_is_not_counted_is_refused(game: str, exposed: int, hole: int) -> None:
    with pytest.raises(ProblemsError):
        team_gain(registry.game(game), exposed=exposed, hole=hole, rounds=1, seed=1)


def test_before_the_flop_exposed_cards_are_refused() -> None:
    with pytest.raises(ProblemsError, match="before the flop"):
        advise("holdem_bonus", "As Kd", sees={"exposed": "Ac"})
