"""The five-card link: what worked rounds cannot show."""

import pytest

from feltwork.titles import registry
from feltwork.titles.cards.card import parse_cards

LINK = registry.jackpot("five_card")


@pytest.mark.parametrize("game", ["crazy_4", "holdem_bonus"])
def test_links_different_games(game: str) -> None:
    assert registry.fits(LINK, "", registry.game(game))


@pytest.mark.parametrize("identifier", ["01", "ML01", "ML03"])
def test_a_royal_is_paid_before_a_straight_flush(identifier: str) -> None:
    paytable = registry.paytable("five_card", "jackpot", identifier)
    royal = paytable.row_for(LINK.names((parse_cards("Th Jh Qh Kh Ah"),)))
    steel_wheel = paytable.row_for(LINK.names((parse_cards("Ah 2h 3h 4h 5h"),)))
    assert royal is not None
    assert royal.hand == "royal_flush"
    assert steel_wheel is not None
    assert steel_wheel.hand == "straight_flush"
