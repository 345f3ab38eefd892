"""Caribbean Stud: the optimal decision for one hand, and optimal play in words."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from feltwork.cards.card import Card
from feltwork.hands.category import names_of
from feltwork.hands.five_card import ACE_KING, FiveCardCategory, best_five
from feltwork.odds.exposed.cards import EXPOSED, HOLE, completed, exposed_places
from feltwork.odds.four_card.classes import FULL_DECK, Int64Array
from feltwork.odds.pricing import net_pay
from feltwork.odds.title_odds import Advice, Asks, Cards, Paytables, TableOptions
from feltwork.odds.titles.caribbean_stud.raise_counts import QUALIFYING, cached_counts
from feltwork.odds.titles.caribbean_stud.solve import CaribbeanStudSolution, net, pays_of, solved_for
from feltwork.titles.games.caribbean_stud.rules import RAISE_ROWS
from feltwork.titles.title import Decide, Decision


def question(cards: Cards, sees: Mapping[str, Cards], options: TableOptions) -> Decision:
    """Ask for the Raise."""
    return Decision(seat=1, name="raise", choices=("fold", "raise"), cards=cards, sees=sees, options=options)


ASKS = Asks((5,), {"dealer": (1,), **exposed_places(most=35, hole=4)}, question, exposed=("raise",))


def advise(decision: Decision, paytables: Paytables) -> Advice:
    """Compute the exact value of each choice against all dealer hands with the up card."""
    (up,) = decision.sees["dealer"]
    row = paytables["raise"].row_for(names_of(best_five(decision.cards), RAISE_ROWS))
    pay = Fraction(-1) if row is None else net_pay(row)
    gone, hole = decision.sees.get(EXPOSED, ()), decision.sees.get(HOLE, ())
    outcomes = dealer_outcomes(decision.cards, up, exposed=gone, hole=hole).tolist()
    total = sum((deals * net(outcome, pay) for outcome, deals in enumerate(outcomes)), Fraction(0))
    worth = {"fold": Fraction(-1), "raise": total / sum(outcomes)}
    return Advice("raise" if worth["raise"] > worth["fold"] else "fold", worth)


def dealer_outcomes(cards: Cards, up: Card, *, exposed: Cards = (), hole: Cards = ()) -> Int64Array:
    """Count the dealer's hands with the cards seen by what they are to the player's."""
    # numba takes a second to load, and repricing does not need it.
    from feltwork.odds.kernels.dealing import best_fives
    from feltwork.odds.kernels.five_card import hand_value
    from feltwork.odds.kernels.stud import against_up_card

    seen = {card.index for card in (*cards, up, *exposed, *hole)}
    hidden = [card for card in FULL_DECK if card not in seen]
    value = hand_value(np.array([card.index for card in cards]))
    if hole:
        dealer = completed([card.index for card in (up, *hole)], hidden, 5, best_fives)
        places = (dealer >= QUALIFYING) * (1 + (dealer >= value) + (dealer > value))
        return np.bincount(places, minlength=4)
    result = np.zeros(4, dtype=np.int64)
    against_up_card(np.array(hidden, dtype=np.int64), up.index, value, QUALIFYING, result)
    return result


def player(paytables: Paytables, _options: TableOptions) -> Decide:
    """Look up ace-king by up card; two pair or better always raises, a pair where every such case does."""
    counts = cached_counts()
    raises = solved_for(pays_of(paytables["raise"])).raises
    pairs_raise = bool(raises[counts.cases[:, 0] > 0].all())

    def decide(decision: Decision) -> str:
        hand = best_five(decision.cards)
        if hand < ACE_KING:
            return "fold"
        if hand.category == FiveCardCategory.HIGH_CARD:
            (up,) = decision.sees["dealer"]
            case = counts.case([card.index for card in decision.cards], up.index)
            return "raise" if raises[case] else "fold"
        if hand.category > FiveCardCategory.PAIR or pairs_raise:
            return "raise"
        return advise(decision, paytables).best

    return decide


def in_words(play: CaribbeanStudSolution) -> tuple[str, ...]:
    """Describe optimal play."""
    classes, weights = cached_counts().cases[:, 0], cached_counts().cases[:, 5]
    ace_king = classes == 0
    part = Fraction(int(weights[ace_king & play.raises].sum()), int(weights[ace_king].sum()))
    pairs_raise = play.raises[~ace_king].all()
    return (
        "Raise a pair or better." if pairs_raise else "With a low pair, let the dealer's card decide.",
        "Fold below ace-king.",
        f"With ace-king the other cards and the dealer's card decide: raise {float(part):.1%} of the time.",
        "`feltwork advise caribbean_stud` values each choice.",
    )
