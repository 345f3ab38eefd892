"""Card removal: the effect on a bet of removing one card, and the possible gain of a card counter."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from feltwork.odds.pricing import Price, price
from feltwork.odds.sheet import counted_bet
from feltwork.odds.what_if.question import Question
from feltwork.titles.cards.card import DECK, Card

#: Fractions of the shoe dealt at which a count is valued.
DEPTHS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class CountAtDepth:
    """The value of a perfect count of linear effects at one depth of the shoe, per round seen there."""

    dealt: Fraction
    #: The standard deviation of the player's advantage, in wagers.
    deviation: float
    #: How often the bet favors the player.
    favorable: float
    #: The mean win from betting one unit only then.
    gain: float


@dataclass(frozen=True, slots=True)
class CardRemoval:
    """The player's advantage in a full shoe, and how it changes when one card of each kind is gone."""

    cards: int
    advantage: Fraction
    effects: Mapping[Card, Fraction]

    @property
    def depths(self) -> tuple[CountAtDepth, ...]:
        """The value of a count as the shoe is dealt.

        An estimate: the effects of cards add up, and their sum is assumed to be normally distributed.
        """
        mean_square = float(sum(effect**2 for effect in self.effects.values()) / len(self.effects))
        return tuple(self._at(depth, sqrt(mean_square)) for depth in DEPTHS)

    def _at(self, dealt: Fraction, effect: float) -> CountAtDepth:
        gone, mean = int(dealt * self.cards), float(self.advantage)
        # Effects are measured in a full shoe; with fewer cards left, each weighs more.
        deviation = effect * sqrt(gone * (self.cards - 1) / (self.cards - gone))
        favorable = _NORMAL.cdf(mean / deviation)
        return CountAtDepth(
            dealt, deviation, favorable, mean * favorable + deviation * _NORMAL.pdf(mean / deviation)
        )

    def as_json(self) -> dict[str, object]:
        """Return the effects and the depths for programs."""
        return {
            "cards": self.cards,
            "advantage": str(self.advantage),
            "effects": {str(card): str(effect) for card, effect in self.effects.items()},
            "depths": [
                {
                    "dealt": str(depth.dealt),
                    "deviation": depth.deviation,
                    "favorable": depth.favorable,
                    "gain": depth.gain,
                }
                for depth in self.depths
            ],
        }

    def by_effect(self) -> list[tuple[Fraction, list[Card]]]:
        """Group cards with the same effect, the best for the player first."""
        groups: dict[Fraction, list[Card]] = {}
        for card, effect in self.effects.items():
            groups.setdefault(effect, []).append(card)
        return sorted(groups.items(), reverse=True)


def card_removal(question: Question) -> CardRemoval | None:
    """Return the effect of each card; None if rounds are not dealt from a shoe, or a bet is decided later.

    Meters pay their given amount, or their mean award if no amount is given.
    """
    paytable, options = question.paytable, dict(question.options)
    bet = counted_bet(paytable.title, paytable.bet)
    if bet.removals is None or "decks" not in options:
        return None
    awards = {
        level: question.meters.get(level) or question.returns.mean_award[level] for level in paytable.levels
    }

    def advantage(priced: Price) -> Fraction:
        shares = (priced.mean_share(level) * award / question.wager for level, award in awards.items())
        return priced.fixed_return + sum(shares, Fraction(0)) - 1

    counting = {name: options[name] for name in bet.options}
    full = advantage(price(paytable, bet.atoms(**counting)))
    without = bet.removals(**counting)
    effects = {card: advantage(price(paytable, without[card])) - full for card in DECK}
    return CardRemoval(52 * int(options["decks"]), full, effects)
