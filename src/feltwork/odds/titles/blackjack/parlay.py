"""House Money with the optimal parlay: leave the proceeds on the hand, or take them.

Proceeds left on the spot join the blackjack wager after the peek, so they win or lose what the hand does, and
splits and doubles match them [HM.house_money.6]. The result is linear in the amount left: leave everything
when the hand has a positive value, and nothing otherwise.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib import resources
from itertools import combinations_with_replacement
from math import comb, fsum
from typing import Any

from feltwork.odds.atoms import Atoms, Names, count_sights
from feltwork.odds.pricing import price, returned
from feltwork.odds.title_odds import BetDecision
from feltwork.odds.titles.blackjack import round_values
from feltwork.odds.titles.blackjack.exact import ExactBlackjack
from feltwork.odds.titles.blackjack.rules import Rules, rules_of
from feltwork.titles.cards.card import DECK
from feltwork.titles.games.blackjack.rules import house_money_names
from feltwork.titles.hands.points import blackjack_value
from feltwork.titles.paytables.paytable import Odds, Paytable
from feltwork.titles.title import Sight

STRATEGY = (
    "A decision, priced at its best: leave all winnings on the hand when it has a positive value, else take.",
    "The hand itself is played optimally for the cards in the shoe.",
)
CERTIFICATE = "parlay.json"
METHOD = (
    "exact fractions; composition-dependent optimal play of the whole shoe; hands from a split are played as "
    "the same cards unsplit, pairs are split again to four hands, other split hands are not looked at"
)


def house_money(decks: int) -> Atoms:
    """Count the player's first two cards by House Money row."""
    return count_sights(decks, (2,), _first_two)


def _first_two(sight: Sight) -> Names:
    return house_money_names(sight[0])


def proceeds_ways(rules: Rules, paytable: Paytable) -> dict[tuple[int, int], Fraction]:
    """Sum the proceeds of all winning hands by the two blackjack values of the hand."""
    total: dict[tuple[int, int], Fraction] = {}
    for (names, values), ways in _ways(rules.decks).items():
        row = paytable.row_for(names)
        if row is not None and isinstance(row.pays, Odds):
            total[values] = total.get(values, Fraction(0)) + ways * returned(row)
    return total


@cache
def _ways(decks: int) -> Counter[tuple[Names, tuple[int, int]]]:
    """Count two-card hands by their row names and their two blackjack values."""
    ways: Counter[tuple[Names, tuple[int, int]]] = Counter()
    for first, second in combinations_with_replacement(DECK, 2):
        low, high = sorted((blackjack_value(first), blackjack_value(second)))
        names = house_money_names((first, second))
        ways[names, (low, high)] += comb(decks, 2) if first == second else decks**2
    return ways


def bet_edge(paytable: Paytable, decks: int) -> Fraction:
    """Return the house edge of the bet without the parlay."""
    return price(paytable, house_money(decks)).house_edge


def decide(paytable: Paytable, options: Mapping[str, str]) -> BetDecision:
    """Price the decision to leave the proceeds on the hand; exact if a certificate is shipped."""
    rules = rules_of(options)
    shipped = certificate(rules, paytable)
    if shipped is not None:
        exact = sum(map(Fraction, shipped["gain_by_up_card"].values()), Fraction(0))
        return BetDecision(exact, Fraction(0), STRATEGY)
    shoe, known, proceeds = rules.shoe(), round_values.values(rules), proceeds_ways(rules, paytable)
    gains = (
        float(paid) * (shoe[up - 1] - hand.count(up)) * max(known[hand, up], 0.0)
        for hand, paid in proceeds.items()
        for up in round_values.UPS
    )
    cards = sum(shoe)
    gain = Fraction(fsum(gains)) / (comb(cards, 2) * (cards - 2))
    return BetDecision(gain, round_values.ERROR, STRATEGY)


def hand_values(rules: Rules, paytable: Paytable, up: int) -> dict[tuple[int, int], Fraction]:
    """Return the exact value of every hand that can win House Money against an up card."""
    blackjack = ExactBlackjack(rules.shoe(), up, rules)
    return {hand: blackjack.deal(*hand)[1] for hand in sorted(proceeds_ways(rules, paytable))}


def up_gain(
    rules: Rules, paytable: Paytable, up: int, values: Mapping[tuple[int, int], Fraction]
) -> Fraction:
    """Return the parlay's gain per unit of the bet over the rounds with this up card."""
    shoe, proceeds = rules.shoe(), proceeds_ways(rules, paytable)
    gain = Fraction(0)
    for hand, value in values.items():
        if value > 0:
            gain += proceeds[hand] * (shoe[up - 1] - hand.count(up)) * value
    cards = sum(shoe)
    return gain / (comb(cards, 2) * (cards - 2))


def fingerprint(rules: Rules, paytable: Paytable) -> str:
    """Compute the SHA-256 of everything the figure depends on."""
    inputs = {
        "rules": [rules.decks, rules.soft_17, rules.double_after_split, rules.max_hands, rules.surrender],
        "paytable": paytable.fingerprint,
        "proceeds": {
            f"{a},{b}": str(proceeds) for (a, b), proceeds in sorted(proceeds_ways(rules, paytable).items())
        },
        "method": METHOD,
    }
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def certify(rules: Rules, paytable: Paytable) -> dict[str, Any]:
    """Derive the certificate of one rule set; takes a minute or two for six decks."""
    gains = {up: up_gain(rules, paytable, up, hand_values(rules, paytable, up)) for up in range(1, 11)}
    edge = bet_edge(paytable, rules.decks) - sum(gains.values(), Fraction(0))
    return {
        "decks": rules.decks,
        "soft_17": rules.soft_17,
        "paytable": paytable.id,
        "fingerprint": fingerprint(rules, paytable),
        "method": METHOD,
        "gain_by_up_card": {str(up): str(gain) for up, gain in gains.items()},
        "house_edge": str(edge),
    }


def certificate(rules: Rules, paytable: Paytable) -> dict[str, Any] | None:
    """Return the shipped certificate for exactly these inputs, if any."""
    usual = Rules(rules.decks, rules.soft_17, rules.double_after_split, rules.max_hands, rules.surrender)
    if rules != usual:
        return None
    shipped = [entry for entry in _shipped() if entry["paytable"] == paytable.id]
    if not shipped:
        return None
    expected = fingerprint(rules, paytable)
    return next((entry for entry in shipped if entry["fingerprint"] == expected), None)


@cache
def _shipped() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(resources.files(__package__).joinpath(CERTIFICATE).read_text())
    return entries
