"""Views shared by several games."""

from feltwork.titles.round import Round, Seat
from feltwork.titles.title import Sight


def own_cards(_round: Round, seat: Seat) -> Sight:
    """Show all cards dealt to the player."""
    return (seat.cards,)
