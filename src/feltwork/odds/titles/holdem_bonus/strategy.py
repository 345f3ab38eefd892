"""The optimal decision of Hold'em Bonus on each street, with the exact value of every choice in Antes.

The value is the expected net result of the whole round when all later decisions are optimal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import comb

from feltwork.odds.exposed.cards import EXPOSED, HOLE, exposed_places, held_by_dealer
from feltwork.odds.hand_values import FLUSH_VALUE, STRAIGHT_VALUE, THREE_TENS_VALUE
from feltwork.odds.lazy_numpy import np
from feltwork.odds.title_odds import Advice, Asks, Cards, Paytables, TableOptions
from feltwork.odds.titles.holdem_bonus.bets import cached_bets
from feltwork.odds.titles.holdem_bonus.counts import HoldemBonusCounts, Outcomes, cached_counts, index_of
from feltwork.odds.titles.holdem_bonus.showdowns import Showdowns
from feltwork.odds.titles.holdem_bonus.solve import Criterion, criterion_of, net_total, play_value, solution
from feltwork.titles.cards.card import Card
from feltwork.titles.title import Decide, Decision

FULL_DECK = (1 << 52) - 1


@dataclass(frozen=True, slots=True)
class Known:
    """The player's knowledge beyond the rules: cards not exposed elsewhere, and cards of the dealer."""

    deck: int = FULL_DECK
    dealer: tuple[int, ...] = ()

    @property
    def deals(self) -> int:
        """The number of rivers and dealer pairs left with four board cards seen."""
        left = self.deck.bit_count() - 6 - len(self.dealer)
        return left * comb(left - 1, 2 - len(self.dealer))


NOTHING = Known()


def advise(decision: Decision, _paytables: Paytables) -> Advice:
    """Answer a table's Flop, Turn or River decision."""
    hole, board = ([card.index for card in cards] for cards in (decision.cards, decision.sees["board"]))
    criterion = criterion_of(decision.options["ante_wins_with"])
    if decision.name == "flop":
        return before_flop(hole, criterion, cached_counts())
    known = Known(_bits(decision.sees.get(EXPOSED, ())), tuple(held_by_dealer(decision)))
    if decision.name == "turn":
        return after_flop(hole, board, criterion, known)
    # A Turn bet already made shifts both choices alike, so leaving it out changes no comparison.
    return after_turn(hole, board, criterion, turn_bet=0, known=known)


def _bits(exposed: Cards) -> int:
    return FULL_DECK - sum(1 << card.index for card in exposed)


def question(cards: Cards, sees: Mapping[str, Cards], options: TableOptions) -> Decision:
    """Return the bet decision of the street that the board shows."""
    name = {0: "flop", 3: "turn", 4: "river"}[len(sees["board"])]
    if name == "flop" and (sees.get(EXPOSED) or sees.get(HOLE)):
        raise ValueError("exposed cards are not counted before the flop; give the flop, or leave them out")
    choices = ("fold", "bet") if name == "flop" else ("check", "bet")
    return Decision(seat=1, name=name, choices=choices, cards=cards, sees=sees, options=options)


ASKS = Asks(
    (2,),
    {"board": (0, 3, 4), **exposed_places(most=16, hole=2)},
    question,
    exposed=("turn", "river"),
)


def player(_paytables: Paytables, options: TableOptions) -> Decide:
    """Look up the Flop bet by the starting hand, and the other two bets in the cached bits."""
    bets = cached_bets()
    folds = set(solution(str(options["ante_wins_with"])).folds)

    def decide(decision: Decision) -> str:
        if decision.name == "flop":
            return "fold" if _starting_hand(decision.cards) in folds else "bet"
        hole, board = ([card.index for card in cards] for cards in (decision.cards, decision.sees["board"]))
        return "bet" if bets.is_bet(hole, board) else "check"

    return decide


def _starting_hand(hole: Sequence[Card]) -> str:
    low, high = sorted(hole)
    ranks = str(high)[0] + str(low)[0]
    return ranks if high.rank == low.rank else ranks + ("s" if high.suit == low.suit else "o")


def _advice(cheaper: str, dearer: str, worth: dict[str, Fraction]) -> Advice:
    return Advice(dearer if worth[dearer] > worth[cheaper] else cheaper, worth)


def _checked(hole: Sequence[int], board: Sequence[int], *, size: int) -> None:
    cards = [*hole, *board]
    if len(hole) != 2 or len(board) != size or len(set(cards)) != len(cards):
        raise ValueError(f"give two hole cards and {size} board cards, all different")
    if not all(0 <= card < 52 for card in cards):
        raise ValueError("a card is 4 * (rank - 2) + suit, from 0 to 51")


def before_flop(hole: Sequence[int], criterion: Criterion, counts: HoldemBonusCounts) -> Advice:
    """Value folding the Ante and betting twice the Ante on the Flop."""
    _checked(hole, (), size=0)
    hand = index_of(hole)
    return _advice("fold", "bet", {"fold": Fraction(-1), "bet": play_value(counts, hand, criterion)})


def after_turn(
    hole: Sequence[int],
    board: Sequence[int],
    criterion: Criterion,
    *,
    turn_bet: int,
    known: Known = NOTHING,
) -> Advice:
    """Value checking and betting the Ante on the River, with four board cards seen; `turn_bet` is 0 or 1."""
    _checked(hole, board, size=4)
    outcomes = _outcomes(hole, known)(board)
    worth = {
        name: Fraction(net_total(outcomes, criterion, bets=2 + turn_bet + river_bet), known.deals)
        for name, river_bet in (("check", 0), ("bet", 1))
    }
    return _advice("check", "bet", worth)


def after_flop(
    hole: Sequence[int], flop: Sequence[int], criterion: Criterion, known: Known = NOTHING
) -> Advice:
    """Value checking and betting the Ante on the Turn, with the flop seen."""
    _checked(hole, flop, size=3)
    seen_cards = {*hole, *flop, *known.dealer}
    after_turn_card = _outcomes(hole, known)
    turns = [
        after_turn_card((*flop, turn))
        for turn in range(52)
        if turn not in seen_cards and known.deck >> turn & 1
    ]
    worth: dict[str, Fraction] = {}
    for name, turn_bet in (("check", 0), ("bet", 1)):
        net = sum(
            net_total(outcomes, criterion, bets=2 + turn_bet + (outcomes.won > outcomes.lost))
            for outcomes in turns
        )
        worth[name] = Fraction(net, len(turns) * known.deals)
    return _advice("check", "bet", worth)


def _outcomes(hole: Sequence[int], known: Known) -> Callable[[Sequence[int]], Outcomes]:
    """Return a counter of deals won and lost over all rivers and dealer pairs, given four board cards."""
    if known.dealer:
        return lambda board: _against_seen(hole, board, known)
    return Showdowns(hole, known.deck).after


def _against_seen(hole: Sequence[int], board: Sequence[int], known: Known) -> Outcomes:
    """Settle every river and every dealer pair that contains the seen cards, one by one."""
    from feltwork.odds.kernels.dealing import best_fives

    seen_cards = {*hole, *board, *known.dealer}
    hidden = [card for card in range(52) if card not in seen_cards and known.deck >> card & 1]
    drawn = np.array(list(permutations(hidden, 3 - len(known.dealer))), dtype=np.int64)
    values = []
    for own in (
        np.array([hole] * len(drawn)),
        np.column_stack([np.array([known.dealer] * len(drawn)), drawn[:, 1:]]),
    ):
        hands = np.column_stack([own, np.array([board] * len(drawn)), drawn[:, :1]])
        values.append(np.empty(len(drawn), dtype=np.int64))
        best_fives(np.ascontiguousarray(hands, dtype=np.int64), values[-1])
    player, dealer = values
    won = player[player > dealer]
    least = (THREE_TENS_VALUE, STRAIGHT_VALUE, FLUSH_VALUE)
    counts = (len(won), int((player < dealer).sum()), *(int((won >= value).sum()) for value in least))
    return Outcomes(1, *counts)
