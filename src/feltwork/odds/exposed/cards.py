"""Cards that a player should not know: those of other hands, and the dealer's own, face down."""

from feltwork.titles.title import Decision

#: Places of `Decision.sees`: cards of other hands, and cards of the dealer that lie face down.
EXPOSED, HOLE = "exposed", "hole"


def exposed_places(*, most: int, hole: int) -> dict[str, tuple[int, ...]]:
    """Return how many such cards a player may tell: any number up to these."""
    return {EXPOSED: tuple(range(most + 1)), HOLE: tuple(range(hole + 1))}


def knows_more(decision: Decision) -> bool:
    """Whether the player has seen cards beyond those that the rules show."""
    return any(decision.sees.get(place) for place in (EXPOSED, HOLE))


def held_by_dealer(decision: Decision) -> list[int]:
    """Return the dealer's cards that were seen face down."""
    return [card.index for card in decision.sees.get(HOLE, ())]


def unseen(decision: Decision) -> list[int]:
    """Return the cards of one deck that the player has not seen, in order."""
    seen_cards = {card.index for cards in (decision.cards, *decision.sees.values()) for card in cards}
    return [card for card in range(52) if card not in seen_cards]
