"""Hands that one deal gives together, compared with an enumeration that shares no code with the search."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from feltwork.titles import registry
from feltwork.titles.cards.card import parse_cards
from feltwork.titles.one_deal import EnteredHand, is_possible
from feltwork.titles.title import Game
from tests.sizes import size

CARDS = range(52)  # 0..12 are the clubs from two to ace, then diamonds, hearts and spades
TEN, ACE = 8, 12
#: For every commit, the upper ranks: they make every row too, and together what the whole deck does.
DECK = [card for card in CARDS if card % 13 >= size(4, 0)]
BOARD_DECK = [card for card in CARDS if card % 13 >= size(6, 4)]


def entered(
    seat: int, jackpot: str, row: str, cards: str = "", *, paytable: str = "", variant: str = ""
) -> EnteredHand:
    title = registry.jackpot(jackpot)
    rows = registry.paytable(jackpot, "jackpot", paytable or PAYTABLES[jackpot][-1]).rows
    names = tuple(one.hand for one in rows)
    sight = tuple(map(parse_cards, cards.split("/"))) if cards else ()
    return EnteredHand(seat, jackpot, variant or title.variants[0], names, row, sight)


PAYTABLES = {
    jackpot.name: registry.library(jackpot.name).ids_of("jackpot") for jackpot in registry.jackpots()
}


def both(game: str, decks: int, *hands: EnteredHand) -> bool:
    return is_possible(game, decks, hands)


@pytest.mark.requirement("LT-02")
@pytest.mark.parametrize(
    ("game", "jackpot", "rows", "possible"),
    [
        ("crazy_4", "four_card", "four_aces four_aces", False),
        ("crazy_4", "four_card", "four_aces four_of_a_kind four_of_a_kind", True),
        ("crazy_4", "five_card", " ".join(["royal_flush"] * 4), True),
        ("crazy_4", "five_card", " ".join(["royal_flush"] * 5), False),
        ("crazy_4", "five_card", " ".join(["straight_flush"] * 8), True),
        ("holdem_bonus", "five_card", "royal_flush royal_flush", False),
        ("holdem_bonus", "five_card", "straight_flush straight_flush", True),
        ("holdem_bonus", "five_card", "straight_flush straight_flush straight_flush", False),
        ("holdem_bonus", "holdem", "community_royal royal_after_5", False),
        ("holdem_bonus", "holdem", "royal_after_5 royal_after_7", False),
        ("holdem_bonus", "holdem", "community_royal community_royal community_royal", True),
        ("holdem_bonus", "holdem", "community_royal full_house", False),
        ("holdem_bonus", "holdem", "royal_after_7 straight_flush straight_flush four_of_a_kind", False),
        ("mini_baccarat", "dragon", "nine_over_zero two_three_four", False),
        ("mini_baccarat", "dragon", "two_three_four two_three_four", True),
    ],
)
def test_hands_without_cards(game: str, jackpot: str, rows: str, possible: bool) -> None:
    hands = [entered(seat, jackpot, row) for seat, row in enumerate(rows.split(), 1)]
    assert is_possible(game, 8 if game == "mini_baccarat" else 1, hands) is possible


@pytest.mark.requirement("LT-02")
def test_the_decks_of_a_shoe_count() -> None:
    diamonds = [
        entered(seat, "blazing_7s", "three_7s_diamonds", paytable="2", variant="player_cards")
        for seat in (1, 2, 3)
    ]
    assert both("blackjack", 6, *diamonds[:2])
    assert not both("blackjack", 8, *diamonds)
    aces = [entered(seat, "trilux", "three_aces_suited") for seat in (1, 2, 3)]
    assert both("blackjack", 8, *aces)
    assert not both("blackjack", 6, *aces)


@pytest.mark.requirement("LT-02")
def test_cards_already_named() -> None:
    aces = entered(1, "four_card", "four_aces", "Ah As Ad Ac 2d")
    assert both("crazy_4", 1, aces, entered(2, "four_card", "straight_flush", "3d 4d 5d 6d 9c"))
    assert not both("crazy_4", 1, aces, entered(2, "four_card", "straight_flush", "2d 3d 4d 5d 9c"))
    board = "Th Jh Qh 2c 2d"
    royal = entered(1, "holdem", "royal_after_5", f"Ah Kh/{board}")
    assert both("holdem_bonus", 1, royal, entered(2, "holdem", "four_of_a_kind", f"2h 2s/{board}"))
    assert both("holdem_bonus", 1, royal, entered(2, "holdem", "straight_flush"))
    assert not both("holdem_bonus", 1, royal, entered(2, "holdem", "straight_flush", "8h 9h/Th Jh Qh 2c 3d"))
    assert not both(
        "holdem_bonus",
        1,
        royal,
        entered(2, "holdem", "four_of_a_kind"),
        entered(3, "holdem", "four_of_a_kind"),
    )
    flop = entered(1, "five_card", "royal_flush", "Th Jh Qh Kh Ah")
    assert both("holdem_bonus", 1, flop, entered(2, "five_card", "straight_flush", "8h 9h Th Jh Qh"))
    assert not both("holdem_bonus", 1, flop, entered(2, "five_card", "straight_flush", "5h 6h 7h 8h 9h"))
    sevens = entered(1, "blazing_7s", "three_7s_suited", "7h 7h/7h", paytable="1", variant="dealer_up_card")
    other = entered(2, "blazing_7s", "three_7s_suited", "7s 7s/7s", paytable="1", variant="dealer_up_card")
    assert not both("blackjack", 6, sevens, other)
    assert both(
        "mini_baccarat", 8, *(entered(seat, "dragon", "two_three_four", "2c 3d 4h/Ts Ks") for seat in (1, 2))
    )
    coups = [
        entered(seat, "dragon", "two_three_four", cards) for seat, cards in ((1, "2c 3d 4h"), (2, "2c 3d 4s"))
    ]
    assert not both("mini_baccarat", 8, *coups)


@pytest.mark.requirement("LT-02")
def test_two_jackpots_of_a_layout_see_one_deal() -> None:
    sevens = entered(1, "blazing_7s", "three_7s_diamonds", paytable="2", variant="dealer_up_card")
    assert not both("blackjack", 6, sevens, entered(2, "trilux", "three_aces_suited"))
    assert both("blackjack", 6, sevens, entered(1, "trilux", "three_of_a_kind_suited"))
    assert not both("blackjack", 6, sevens, entered(1, "trilux", "flush"))
    aces = entered(1, "four_card", "four_aces")
    assert both("crazy_4", 1, aces, entered(1, "five_card", "four_of_a_kind"))
    assert not both("crazy_4", 1, aces, entered(1, "five_card", "full_house"))
    late = entered(1, "holdem", "royal_after_7")
    assert both(
        "holdem_bonus", 1, entered(1, "holdem", "royal_after_5"), entered(1, "five_card", "royal_flush")
    )
    assert not both("holdem_bonus", 1, late, entered(1, "five_card", "royal_flush"))
    assert both("holdem_bonus", 1, late, entered(2, "five_card", "four_of_a_kind"))


# --- the enumeration ---

Mask = int
Options = dict[str, "np.ndarray"]


def suits_and_ranks(cards: "np.ndarray", least: int) -> tuple["np.ndarray", ...]:
    """How often each rank comes, the best run of one suit, of any, and the longest suit."""
    ranks, suits = cards % 13, cards // 13
    held = np.stack([(ranks == rank).sum(axis=1) for rank in range(13)], axis=1)
    masks = [(np.where(suits == suit, 1 << ranks, 0)).sum(axis=1) for suit in range(4)]
    longest = np.max([(suits == suit).sum(axis=1) for suit in range(4)], axis=0)
    straight = np.max([top_of_run(mask, least) for mask in masks], axis=0)
    return held, straight, top_of_run((held > 0) @ (1 << np.arange(13)), least), longest


def top_of_run(mask: "np.ndarray", length: int) -> "np.ndarray":
    """The top rank of a run, with an ace below the two too; -1 without one."""
    low = mask << 1 | mask >> ACE & 1
    top = np.full(mask.shape, -1)
    for first in range(14 - length + 1):
        run = ((1 << length) - 1) << first
        top = np.where(low & run == run, first + length - 2, top)
    return top


def kinds(cards: "np.ndarray", length: int) -> "np.ndarray":
    """The name of the best hand of so many cards, as the paytables write it."""
    held, suited, run, longest = suits_and_ranks(cards, length)
    most, second = np.sort(held, axis=1)[:, -1], np.sort(held, axis=1)[:, -2]
    five = length == 5
    order = [
        ("four_aces", (held[:, ACE] == 4) & (not five)),
        ("royal_flush", (suited == ACE) & five),
        *([("straight_flush", suited >= 0)] if five else []),
        ("four_of_a_kind", most == 4),
        *([("straight_flush", suited >= 0)] if not five else []),
        ("full_house", (most == 3) & (second >= 2) & five),
        *([] if five else [("three_of_a_kind", most == 3)]),
        ("flush", longest >= length),
        ("straight", run >= 0),
        ("three_of_a_kind", most == 3),
    ]
    return np.select([test for _, test in order], [name for name, _ in order], "nothing")


def masks_of(cards: "np.ndarray") -> "np.ndarray":
    return np.asarray((np.uint64(1) << cards.astype(np.uint64)).sum(axis=1, dtype=np.uint64))


def disjoint(options: Options, rows: Sequence[str]) -> bool:
    """Whether each row finds cards that no other takes."""
    if any(row not in options for row in rows):
        return False
    first, *rest = sorted(rows, key=lambda row: len(options[row]))
    if not rest:
        return len(options[first]) > 0
    return any(
        disjoint({row: options[row][options[row] & mask == 0] for row in rest}, rest)
        for mask in options[first]
    )


def by_row(names: "np.ndarray", masks: "np.ndarray") -> Options:
    return {row: masks[names == row] for row in np.unique(names) if row != "nothing"}


@cache
def five_dealt(length: int) -> Options:
    """Every hand of five cards, by row."""
    cards = np.array(list(combinations(DECK, 5)), dtype=np.int64)
    return by_row(kinds(cards, length), masks_of(cards))


def boards(count: int, deck: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Boards of so many cards, but one for all exchanges of suits."""
    for board in combinations(deck, count):
        suits = [sorted(card % 13 for card in board if card // 13 == suit) for suit in range(4)]
        if suits == sorted(suits, key=lambda ranks: (len(ranks), ranks), reverse=True):
            yield board


@cache
def flops() -> list[Options]:
    return [hole_cards(flop, DECK) for flop in boards(3, DECK)]


def hole_cards(board: tuple[int, ...], deck: Iterable[int]) -> Options:
    """The rows that two hole cards make with a board."""
    pairs = np.array(list(combinations([card for card in deck if card not in board], 2)), dtype=np.int64)
    cards = np.concatenate([pairs, np.broadcast_to(np.array(board), (len(pairs), len(board)))], axis=1)
    names = kinds(cards, 5).astype("U20")
    if len(board) == 5:
        held = max(sum(card // 13 == suit and card % 13 >= TEN for card in board) for suit in range(4))
        names[names == "royal_flush"] = f"royal_with_{held}"
    return by_row(names, masks_of(pairs))


@cache
def full_boards() -> list[Options]:
    """All boards that make a row."""
    rows = {"straight_flush", "four_of_a_kind", "full_house", "royal_with_3", "royal_with_4", "royal_with_5"}
    pairs = (
        board for board in boards(5, BOARD_DECK) if len({card % 13 for card in board}) < 5 or has_three(board)
    )
    found = (hole_cards(board, BOARD_DECK) for board in pairs)
    return [{row: masks for row, masks in one.items() if row in rows} for one in found]


def has_three(board: tuple[int, ...]) -> bool:
    """Whether three cards have one suit, as a straight flush needs."""
    return max(Counter(card // 13 for card in board).values()) >= 3


#: The cards of a royal that may lie on the board, by when it is complete.
WHEN = {
    "royal_after_5": ("royal_with_3",),
    "royal_after_6": ("royal_with_3", "royal_with_4"),
    "royal_after_7": ("royal_with_3", "royal_with_4"),
    "royal_flush": ("royal_with_3", "royal_with_4"),
    "community_royal": ("royal_with_5",),
}


def three_cards(jackpot: str, cards: tuple[int, ...]) -> str:
    """The row of two first cards and a third one in blackjack."""
    ranks, suits = [card % 13 for card in cards], {card // 13 for card in cards}
    if jackpot.startswith("blazing_7s"):
        sevens = ranks[:2].count(5)
        if sevens < 2 or ranks[2:] != [5]:
            return ["nothing", "one_7", "two_7s"][sevens]
        if suits == {1} and jackpot == "blazing_7s":
            return "three_7s_diamonds"
        same_color = "three_7s_same_color" if suits in ({0, 3}, {1, 2}) else "three_7s"
        return "three_7s_suited" if len(suits) == 1 else same_color
    run = sorted(ranks) in [[0, 1, 12], *([low, low + 1, low + 2] for low in range(11))]
    if len({*ranks}) == 1:
        suited = "three_aces_suited" if ranks[0] == ACE else "three_of_a_kind_suited"
        return suited if len(suits) == 1 else "three_of_a_kind"
    if len(suits) == 1:
        return "straight_flush" if run else "flush"
    return "straight" if run else "nothing"


@cache
def first_cards(jackpot: str, variant: str) -> list[tuple[Counter[int], dict[str, list[Counter[int]]]]]:
    """The up card, and what a seat may hold by row: two cards, or three where the up card does not count."""
    pairs = list(combinations_with_replacement(CARDS, 2))
    if variant == "player_cards":
        sevens = [(5 + 13 * suit,) for suit in range(4)]
        hands = [
            pair + third
            for pair in pairs
            for third in ([(), *sevens] if {*pair} <= {*sum(sevens, ())} else [()])
        ]
        return [(Counter(), grouped(jackpot, hands, ()))]
    return [(Counter([up]), grouped(jackpot, pairs, (up,))) for up in CARDS]


def grouped(
    jackpot: str, hands: Iterable[tuple[int, ...]], up: tuple[int, ...]
) -> dict[str, list[Counter[int]]]:
    found: dict[str, list[Counter[int]]] = {}
    for hand in hands:
        found.setdefault(three_cards(jackpot, hand + up), []).append(Counter(hand))
    return found


def in_a_shoe(
    dealt: Counter[int], options: dict[str, list[Counter[int]]], rows: Sequence[str], decks: int
) -> bool:
    if not rows:
        return True
    return any(
        in_a_shoe(dealt + cards, options, rows[1:], decks)
        for cards in options.get(rows[0], ())
        if all((dealt + cards)[card] <= decks for card in cards)
    )


def enumerated(game: str, jackpot: str, variant: str, rows: tuple[str, ...], decks: int) -> bool:
    """Whether any deal gives the rows, by trying deals."""
    if game == "mini_baccarat":
        return len({*rows}) == 1
    if game == "blackjack":
        by_scarcity = sorted(
            rows, key=lambda row: sum(len(own.get(row, ())) for _, own in first_cards(jackpot, variant))
        )
        return any(in_a_shoe(up, own, by_scarcity, decks) for up, own in first_cards(jackpot, variant))
    if game != "holdem_bonus":
        return disjoint(five_dealt(4 if jackpot == "four_card" else 5), rows)
    if jackpot == "five_card":
        return any(disjoint(flop, rows) for flop in flops())
    ways = list(product(*(WHEN.get(row, (row,)) for row in rows)))
    return any(disjoint(board, way) for board in full_boards() for way in ways)


def decks_of(game: Game) -> list[int]:
    return [int(value) for option in game.options if option.name == "decks" for value in option.values]


@pytest.mark.timeout(1_800)
@pytest.mark.requirement("LT-02")
def test_random_hands_are_refused_exactly_if_no_deal_gives_them() -> None:
    cases = [
        (game, jackpot, variant, paytable, decks)
        for game in registry.games()
        for jackpot in registry.fitting(game)
        for variant in jackpot.variants
        if registry.fits(jackpot, variant, game)
        for paytable in PAYTABLES[jackpot.name]
        for decks in jackpot.decks or decks_of(game)
    ]
    dice, seen = random.Random(38), dict[object, bool]()
    refused = 0
    for number in range(size(200, 10_000)):
        game, jackpot, variant, paytable, decks = cases[number % len(cases)]
        rows = sorted({row.hand for row in registry.paytable(jackpot.name, "jackpot", paytable).rows})
        chosen = tuple(sorted(dice.choice(rows) for _ in range(dice.choice((2, 3)))))
        hands = [
            entered(seat, jackpot.name, row, paytable=paytable, variant=variant)
            for seat, row in zip(dice.sample(range(1, 8), len(chosen)), chosen, strict=True)
        ]
        about = (game.name, jackpot.name, variant, chosen, decks, tuple(rows))
        if about not in seen:
            kind = jackpot.name
            if kind == "blazing_7s" and "three_7s_diamonds" not in rows:
                kind += " without diamonds"
            seen[about] = enumerated(game.name, kind, variant, chosen, decks)
        assert is_possible(game.name, decks, hands) is seen[about], about
        refused += not seen[about]
    assert refused > size(20, 1_000)
