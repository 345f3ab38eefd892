"""The hold'em jackpot: what worked rounds cannot show."""

from feltwork.titles import registry
from feltwork.titles.cards.card import parse_cards

HOLDEM = registry.jackpot("holdem")


def test_royals_are_told_apart_by_when_they_are_complete() -> None:
    hole = parse_cards("Ah Kh")
    for board, royal in (
        ("Qh Jh Th 2c 3d", "royal_after_5"),
        ("2c Qh Jh Th 3d", "royal_after_6"),
        ("2c 3d Qh Jh Th", "royal_after_7"),
    ):
        assert HOLDEM.names((hole, parse_cards(board))) == {"royal_flush", "straight_flush", royal}
    on_board = HOLDEM.names((parse_cards("2c 3d"), parse_cards("Ah Kh Qh Jh Th")))
    assert on_board == {"community_royal", "straight_flush"}


def test_sits_only_on_the_game_that_shows_a_board() -> None:
    assert registry.fits(HOLDEM, "", registry.game("holdem_bonus"))
    assert not registry.fits(HOLDEM, "", registry.game("crazy_4"))
