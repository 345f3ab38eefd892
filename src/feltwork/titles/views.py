"""Views that several games offer alike."""

from feltwork.titles.round import Round, Seat
from feltwork.titles.title import Sight


def own_cards(_round: Round, seat: Seat) -> Sight:
    """All cards that the player was dealt; a four-card bet finds its best four among them."""
    return (seat.cards,)
