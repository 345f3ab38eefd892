"""Caribbean Stud: the optimal decision for one hand, and optimal play in words."""

from collections.abc import Mapping
from fractions import Fraction

from feltwork.odds.exposed.cards import EXPOSED, HOLE, exposed_places
from feltwork.odds.four_card.classes import FULL_DECK
from feltwork.odds.hand_values import value_of
from feltwork.odds.pricing import net_pay
from feltwork.odds.title_odds import Advice, Asks, Cards, Paytables, TableOptions
from feltwork.odds.titles.caribbean_stud.dealer_hands import dealer_hands
from feltwork.odds.titles.caribbean_stud.raise_counts import (
    EQUAL,
    HIGHER,
    LOWER,
    QUALIFYING,
    UNQUALIFIED,
    cached_counts,
)
from feltwork.odds.titles.caribbean_stud.solve import CaribbeanStudSolution, net, pays_of, solved_for
from feltwork.titles.cards.card import Card
from feltwork.titles.games.caribbean_stud.rules import RAISE_ROWS
from feltwork.titles.hands.category import names_of
from feltwork.titles.hands.five_card import ACE_KING, FiveCardCategory, best_five
from feltwork.titles.title import Decide, Decision


def question(cards: Cards, sees: Mapping[str, Cards], options: TableOptions) -> Decision:
    """Return the Raise decision."""
    return Decision(seat=1, name="raise", choices=("fold", "raise"), cards=cards, sees=sees, options=options)


ASKS = Asks((5,), {"dealer": (1,), **exposed_places(most=35, hole=4)}, question, exposed=("raise",))


def advise(decision: Decision, paytables: Paytables) -> Advice:
    """Compute the exact value of each choice against all dealer hands with the up card."""
    (up,) = decision.sees["dealer"]
    row = paytables["raise"].row_for(names_of(best_five(decision.cards), RAISE_ROWS))
    pay = Fraction(-1) if row is None else net_pay(row)
    gone, hole = decision.sees.get(EXPOSED, ()), decision.sees.get(HOLE, ())
    outcomes = dealer_outcomes(decision.cards, up, exposed=gone, hole=hole)
    total = sum((deals * net(outcome, pay) for outcome, deals in enumerate(outcomes)), Fraction(0))
    worth = {"fold": Fraction(-1), "raise": total / sum(outcomes)}
    return Advice("raise" if worth["raise"] > worth["fold"] else "fold", worth)


def dealer_outcomes(cards: Cards, up: Card, *, exposed: Cards = (), hole: Cards = ()) -> list[int]:
    """Count the dealer's hands that contain the seen cards, by outcome against the player's hand."""
    own, known, gone = ([card.index for card in some] for some in (cards, (up, *hole), exposed))
    seen_cards, hand = {*own, *known, *gone}, value_of(own)
    outcomes = [0] * 4
    for value, ways in dealer_hands(known, [card for card in FULL_DECK if card not in seen_cards]):
        if value < QUALIFYING:
            outcomes[UNQUALIFIED] += ways
        else:
            outcomes[LOWER if value < hand else EQUAL if value == hand else HIGHER] += ways
    return outcomes


def player(paytables: Paytables, _options: TableOptions) -> Decide:
    """Look up ace-king by up card; always raise two pair or better, and pairs if every such case raises."""
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
