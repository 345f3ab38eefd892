"""The rows of the Dragon jackpot.

Its meter is not linked to another jackpot or game [DB.{aquarius,nexus}.no-link].
"""

from collections.abc import Callable
from typing import TypeAlias

from feltwork.titles.cards.card import FOUR, THREE, TWO, Card, Suit
from feltwork.titles.hands.points import baccarat_total, is_natural
from feltwork.titles.round import Seat
from feltwork.titles.title import Sight

Cards: TypeAlias = tuple[Card, ...]


def winning_side(sight: Sight) -> str:
    """Return ``player`` or ``banker``, or nothing on a tie."""
    player, banker = map(baccarat_total, sight)
    if player == banker:
        return ""
    return "player" if player > banker else "banker"


def backs(sight: Sight, seat: Seat) -> bool:
    """Whether the seat's base wager has won, which the jackpot requires.

    [DB.{aquarius,nexus}.{tied-wager,example-player,example-banker,1}]
    """
    return seat.wager(winning_side(sight)) > 0


def names(sight: Sight) -> frozenset[str]:
    """Return the rows the winning hand matches; a tie has none.

    The paytable decides which of them win [DB.{aquarius,nexus}.introduction].
    """
    side = winning_side(sight)
    if not side:
        return frozenset()
    player, banker = sight
    winner, loser = (player, banker) if side == "player" else (banker, player)
    return frozenset(name for name, answers in HANDS.items() if answers(winner, loser))


def win_by_9(winner: Cards, loser: Cards) -> bool:
    """Nine over zero, natural or not [DB.{aquarius,nexus}.paytable-3.3]."""
    return baccarat_total(winner) == 9 and baccarat_total(loser) == 0


def nine_over_zero(winner: Cards, loser: Cards) -> bool:
    """Nine over zero without a natural [DB.{aquarius,nexus}.paytable-{1,2}.2]."""
    return win_by_9(winner, loser) and not is_natural(winner)


def eight_over_zero(winner: Cards, loser: Cards) -> bool:
    """Eight over zero without a natural [DB.{aquarius,nexus}.paytable-2.2]."""
    return baccarat_total(winner) == 8 and baccarat_total(loser) == 0 and not is_natural(winner)


def natural_win(winner: Cards, _loser: Cards) -> bool:
    """Won with a natural, whatever the margin [DB.{aquarius,nexus}.paytable-2.3]."""
    return is_natural(winner)


def two_three_four(winner: Cards, loser: Cards) -> bool:
    """A two, a three and a four over zero, in any order [DB.{aquarius,nexus}.paytable-{1,2}.1]."""
    return sorted(card.rank for card in winner) == [TWO, THREE, FOUR] and win_by_9(winner, loser)


def two_three_four_suited(winner: Cards, loser: Cards) -> bool:
    """The same with all three of one suit."""
    return two_three_four(winner, loser) and _is_one_suit(winner)


def two_three_four_diamonds(winner: Cards, loser: Cards) -> bool:
    """The same in diamonds."""
    return two_three_four_suited(winner, loser) and winner[0].suit is Suit.DIAMONDS


def suited_six_card_win_by_9(winner: Cards, loser: Cards) -> bool:
    """Both sides drew, and all six cards are of one suit [DB.{aquarius,nexus}.paytable-3.1]."""
    return win_by_9(winner, loser) and len(winner + loser) == 6 and _is_one_suit(winner + loser)


def suited_four_card_win_by_9(winner: Cards, loser: Cards) -> bool:
    """Neither side drew, and all four cards are of one suit [DB.{aquarius,nexus}.paytable-3.2]."""
    return win_by_9(winner, loser) and len(winner + loser) == 4 and _is_one_suit(winner + loser)


def _is_one_suit(cards: Cards) -> bool:
    return len({card.suit for card in cards}) == 1


#: Every hand that the paytables name.
HANDS: dict[str, Callable[[Cards, Cards], bool]] = {
    hand.__name__: hand
    for hand in (
        two_three_four_diamonds,
        two_three_four_suited,
        two_three_four,
        nine_over_zero,
        eight_over_zero,
        natural_win,
        suited_six_card_win_by_9,
        suited_four_card_win_by_9,
        win_by_9,
    )
}
