"""Cards that a player should not know: other hands' cards, and the dealer's face-down cards."""

from feltwork.titles.title import Decision

#: Places of `Decision.sees`: other hands' cards, and the dealer's face-down cards.
EXPOSED, HOLE = "exposed", "hole"


def exposed_places(*, most: int, hole: int) -> dict[str, tuple[int, ...]]:
    """Return the numbers of such cards that a player may give: any up to these limits."""
    return {EXPOSED: tuple(range(most + 1)), HOLE: tuple(range(hole + 1))}


def knows_more(decision: Decision) -> bool:
    """Whether the player has seen cards beyond those that the rules show."""
    return any(decision.sees.get(place) for place in (EXPOSED, HOLE))


def held_by_dealer(decision: Decision) -> list[int]:
    """Return the dealer's face-down cards that the player has seen."""
    return [card.index for card in decision.sees.get(HOLE, ())]


def unseen(decision: Decision) -> list[int]:
    """Return the cards of one deck that the player has not seen, in order."""
    seen_cards = {card.index for cards in (decision.cards, *decision.sees.values()) for card in cards}
    return [card for card in range(52) if card not in seen_cards]
