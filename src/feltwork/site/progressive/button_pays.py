"""Pays of hand buttons: the titles' amounts, order, splits and envy, on a link's meters."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from feltwork.money import Micros
from feltwork.problem import Sentence
from feltwork.site.progressive.link import NO_CAP, Link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.state import Award, LinkState
from feltwork.titles import meter_pays
from feltwork.titles.cards.card import Card, parse_cards
from feltwork.titles.meter_pays import Hands, pay_hands
from feltwork.titles.paytables.paytable import Share
from feltwork.titles.round import TableJackpot
from feltwork.titles.settlement import JackpotResult
from feltwork.titles.title import Sight


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayPay:
    """The dealer's payout to one seat at the end of the round."""

    fixed: Micros
    stake_returned: Micros
    envy: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterPay:
    """The amount of one claim and its sources."""

    level: str
    from_meter: Micros
    from_house: Micros
    #: Whether the meter restarts afterward.
    restarts: bool

    @property
    def amount(self) -> Micros:
        """The amount paid to the patron."""
        return self.from_meter + self.from_house


def fixed_pay(award: Award) -> MeterPay:
    """The pay of an award whose amount is already locked."""
    return MeterPay(
        level=award.level,
        from_meter=award.from_meter,
        from_house=award.from_house,
        restarts=award.restarts,
    )


def jackpot_of(state: LinkState) -> TableJackpot:
    """The jackpot with the current meters and restart amounts [LT-06]."""
    link = state.link
    return _on_table(
        link,
        meters={name: state.meter(name) for name in link.level_names},
        reseed={level.name: level.seed for level in link.levels},
        reserve={name: state.reserve(name) for name in link.level_names},
        caps={name: state.cap(name) for name in link.level_names if state.cap(name) != NO_CAP},
    )


def meter_pays_of(state: LinkState, hands: Mapping[int, str]) -> dict[int, MeterPay]:
    """The meter pays of a round's claims, in pay order [LT-05, LT-07, LT-08]."""
    link = state.link
    results, _ = pay_hands(jackpot_of(state), _pressed(link, hands, tuple(hands)))
    return {seat: _meter_pay(link, result, hands[seat]) for seat, result in results.items()}


def tray_pays(link: Link, *, hands: Mapping[int, str], bettors: Collection[int]) -> dict[int, TrayPay]:
    """The tray pays of each bettor: fixed pays, stakes and envy, scaled to the wager [LT-09, LT-13]."""
    empty = dict.fromkeys(link.level_names, 0)
    table = _on_table(link, meters=empty)
    results, _ = pay_hands(table, _pressed(link, hands, tuple(bettors)))
    by_claim = link.options["fixed_pays_from"] == "meter"
    return {
        seat: TrayPay(
            fixed=0 if by_claim else result.sources.get(meter_pays.TRAY, 0),
            stake_returned=result.stake_returned,
            envy=result.envy,
        )
        for seat, result in results.items()
    }


def verify_cards(link: Link, *, hand: str, cards: str) -> None:
    """Raise if known cards contradict the dealer's button [LT-02].

    A slash separates groups of cards as the jackpot looks at them: hole cards and board, or first two cards
    and the dealer's up card. The evaluator is the same as in settlement.
    """
    where = f"link {link.id}, hand button {hand}"
    try:
        card_hand = hand_of_cards(link, cards)
    except ValueError as error:
        remedy = "enter all cards that make the hand, such as Ah Kh Qh Jh Th"
        if link.jackpot == "holdem":
            remedy = "enter the hole cards and the whole board, such as Ah Kh / Qh Jh Th 2s 3s"
        raise refuse(
            where, Sentence("%(cards)s is not a hand in this game", cards=f"{cards!r}"), remedy, "LT-02"
        ) from error
    if card_hand != hand:
        hand_text = card_hand or "nothing on the paytable"
        raise refuse(
            where,
            Sentence("the cards make %(hand)s", hand=Sentence(hand_text)),
            "clear the button and check the hand",
            "LT-02",
        )


def hand_of_cards(link: Link, cards: str) -> str:
    """Return the hand button for cards, or an empty string; raise ValueError if the game has no such hand."""
    try:
        groups = tuple(parse_cards(group) for group in cards.split("/"))
        row = link.paytable.row_for(link.title.names(_sight(link, groups)))
    except (IndexError, AssertionError) as error:
        raise ValueError(cards) from error
    return row.hand if row else ""


def cards_of_record(award: Award, link: Link, text: str) -> str:
    """Return the cards for the payout record of an award; raise if a text names others [LT-02].

    A text that names no cards, such as "as shown", is kept where the award has none.
    """
    try:
        entered = Counter(parse_cards(text.replace("/", " ")))
    except ValueError:
        entered = Counter()
    if not entered:
        return award.cards or text
    if not award.cards:
        verify_cards(link, hand=award.hand, cards=text)
        return text
    if entered - Counter(parse_cards(award.cards.replace("/", " "))):
        where = f"link {link.id}, award {award.id}"
        what = Sentence("the cards entered for this hand are %(cards)s", cards=award.cards)
        raise refuse(where, what, "check the hand, and enter the same cards", "LT-02")
    return award.cards


def sight_of_text(link: Link, cards: str) -> Sight:
    """Return the groups of cards that a jackpot looks at; none for a text such as "as shown"."""
    try:
        groups = tuple(parse_cards(group) for group in cards.split("/"))
        return _sight(link, groups) if any(groups) else ()
    except ValueError:
        return ()


def _sight(link: Link, groups: tuple[tuple[Card, ...], ...]) -> Sight:
    """Return the cards in the groups that the jackpot evaluates."""
    if link.jackpot in ("four_card", "five_card"):
        (cards,) = groups
        if len(set(cards)) != 5 or len(cards) != 5:
            raise ValueError("it takes five different cards")
        return (cards,)
    if len(groups) == 2:
        return groups
    (cards,) = groups
    return (cards, ()) if link.title.divides_shares else (cards[:2], cards[2:])


def _on_table(link: Link, **pools: Mapping[str, Micros]) -> TableJackpot:
    return TableJackpot(
        jackpot=link.title,
        paytable=link.paytable,
        wager=link.wager,
        options=link.options,
        variant=link.variant,
        **pools,
    )


def _pressed(link: Link, hands: Mapping[int, str], bettors: tuple[int, ...]) -> Hands:
    """Treat a pressed button as the seat's own hand and side."""
    return Hands(
        rows={seat: link.row(hand) for seat, hand in hands.items()},
        bettors=bettors,
        backing=frozenset(hands),
    )


def _meter_pay(link: Link, result: JackpotResult, hand: str) -> MeterPay:
    """Take a share off its own level, a fixed pay off the lowest; the house covers what the meter lacks.

    The operator pays a house jackpot in full.
    """
    row = link.row(hand)
    assert row is not None, hand
    level = row.pays.level if isinstance(row.pays, Share) else link.paytable.levels[-1]
    from_meter = 0 if link.is_house else result.sources.get(level, 0)
    return MeterPay(
        level=level,
        from_meter=from_meter,
        from_house=result.award - from_meter,
        restarts=result.restarts and not link.is_house,
    )
