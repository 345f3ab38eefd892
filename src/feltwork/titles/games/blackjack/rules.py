"""The rules of blackjack with House Money as functions: deal, legal wagers, settlement."""

from dataclasses import replace
from itertools import islice

from feltwork import money
from feltwork.money import Micros
from feltwork.titles import bets
from feltwork.titles.cards.card import ACE, KING, Card
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.games.blackjack.hand_play import PlayedHand, Spot, drawn_cards, follow, words_of
from feltwork.titles.hands import two_card
from feltwork.titles.hands.points import blackjack_total, is_blackjack
from feltwork.titles.paytables.paytable import Odds
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult, Outcome
from feltwork.titles.title import Decide, Decision, Sight

HOUSE_MONEY_ROWS = frozenset({"ace_king_suited", "straight_flush", "pair", "straight"})
BLACKJACK_PAYS = {
    "3 to 2": Odds(3, 2, stake_returned=True),
    "6 to 5": Odds(6, 5, stake_returned=True),
}
INSURANCE_PAYS = Odds(2, 1, stake_returned=True)


def first_two_and_up(round_: Round, seat: Seat) -> Sight:
    """Show the player's first two cards and the dealer's up card [HM.blazing_upcard.3, HM.trilux.2]."""
    return (seat.cards, round_.cards("dealer")[:1])


def first_two_and_third(_round: Round, seat: Seat) -> Sight:
    """Show the player's first two cards, and the third card dealt to that player, if any.

    The third is the first hit card, or the first card dealt after a split [HM.blazing_player.{8,9}]; a card
    that busts the hand does not count [HM.blazing_player.10].
    """
    third = tuple(islice(drawn_cards(seat), 1))
    busts = words_of(seat)[:1] != ["split"] and blackjack_total(seat.cards + third)[0] > 21
    return (seat.cards, () if busts else third)


def house_money_names(cards: tuple[Card, ...]) -> frozenset[str]:
    """Return the rows that two cards match [HM.house_money.hands.*]."""
    run, suited = two_card.is_run(cards), two_card.is_suited(cards)
    matches = {
        "ace_king_suited": suited and two_card.holds(cards, ACE, KING),
        "straight_flush": run and suited,
        "pair": two_card.is_pair(cards),
        "straight": run,
    }
    return frozenset(name for name, holds in matches.items() if holds)


def must_draw(dealer: tuple[Card, ...], soft_17: object) -> bool:
    """Whether the dealer draws: on 16 or less, and on soft 17 if the house option says so."""
    total, soft = blackjack_total(dealer)
    return total < 17 or (total == 17 and soft and soft_17 == "hit")


def left_on_spot(seat: Seat) -> Micros:
    """Return the House Money proceeds that the player left up [HM.house_money.leave-winnings]."""
    left = seat.said.get("house_money_left")
    return money.parse(left) if left else 0


def spot_of(round_: Round, seat: Seat) -> Spot:
    """Return the seat's hands before play.

    The bet and House Money proceeds left on the spot are one wager [HM.house_money.6.merged].
    """
    return Spot(seat.cards, seat.wager("bet") + left_on_spot(seat), round_.options)


def ended_by_peek(round_: Round) -> bool:
    """Whether the dealer peeked at a blackjack, so no one plays [HM.house_money.4]."""
    return bool(round_.option("dealer_peeks")) and is_blackjack(round_.cards("dealer"))


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Settle every bet of a seat in dealer order [HM.house_money.{1,4,5}]."""
    settled = {"insurance": _insurance, "house_money": settle_house_money, "bet": _bet}
    return {name: settle_bet(round_, seat) for name, settle_bet in settled.items() if seat.wager(name)}


def _insurance(round_: Round, seat: Seat) -> BetResult:
    staked = seat.wager("insurance")
    if len(round_.cards("dealer")) < 2:
        return bets.void(staked, "open: the dealer's hole card is missing")
    if is_blackjack(round_.cards("dealer")):
        return bets.win(staked, INSURANCE_PAYS, "the dealer has blackjack")
    return bets.lose(staked, "the dealer has no blackjack")


def settle_house_money(round_: Round, seat: Seat) -> BetResult:
    """Settle House Money on the first two cards [HM.house_money.{2,3}]."""
    names = house_money_names(seat.cards)
    return bets.by_table(round_.paytables["house_money"], names, seat.wager("house_money"))


def _bet(round_: Round, seat: Seat) -> BetResult:
    """Combine all hands of the seat into one result."""
    hands = follow(spot_of(round_, seat), seat).hands
    if len(round_.cards("dealer")) < 2:
        return bets.void(sum(hand.wager for hand in hands), "open: the dealer's hole card is missing")
    results = [_settle_hand(round_, hand) for hand in hands]
    if len(results) == 1:
        return results[0]
    staked = sum(result.staked for result in results)
    returned = sum(result.returned for result in results)
    why = "; ".join(result.why for result in results)
    outcome: Outcome = "push" if returned == staked else "win" if returned > staked else "lose"
    return BetResult(staked, returned, outcome, why)


def _settle_hand(round_: Round, hand: PlayedHand) -> BetResult:
    dealer, staked = round_.cards("dealer"), hand.wager
    if is_blackjack(dealer):
        return _against_blackjack(hand)
    if hand.is_natural:
        pays = BLACKJACK_PAYS[str(round_.option("blackjack_pays"))]
        return bets.win(staked, pays, f"blackjack pays {pays}")
    if hand.surrendered:
        return BetResult(staked, staked // 2, "lose", f"{hand} is surrendered for half the wager")
    if hand.total > 21:
        return bets.lose(staked, f"{hand} is bust")
    total, _ = blackjack_total(dealer)
    if must_draw(dealer, round_.option("soft_17")):
        return bets.void(staked, f"open: the dealer stops at {total} and must draw")
    return _against_total(hand, total)


def _against_blackjack(hand: PlayedHand) -> BetResult:
    """A dealer blackjack beats every hand but a blackjack, even a surrendered one: surrender is late."""
    if hand.is_natural:
        return bets.push(hand.wager, "blackjack ties the dealer's blackjack")
    return bets.lose(hand.wager, f"{hand} loses to the dealer's blackjack")


def _against_total(hand: PlayedHand, total: int) -> BetResult:
    if total > 21:
        return bets.win_even(hand.wager, f"{hand} stands, the dealer is bust with {total}")
    if hand.total > total:
        return bets.win_even(hand.wager, f"{hand} beats the dealer's {total}")
    if hand.total < total:
        return bets.lose(hand.wager, f"{hand} loses to the dealer's {total}")
    return bets.push(hand.wager, f"{hand} ties the dealer's {total}")


def play(round_: Round, shoe: Shoe, decide: Decide) -> Round:
    """Deal two cards each from the dealer's left, dealer last; peek; then play each seat."""
    first = [shoe.draw() for _ in round_.seats]
    dealer = shoe.draw()
    seats = [replace(seat, cards=card + shoe.draw()) for seat, card in zip(round_.seats, first, strict=True)]
    dealer += shoe.draw()
    dealt = round_.with_cards(tuple(seats), dealer=dealer)
    if ended_by_peek(dealt):
        return dealt
    seats = [_house_money_decided(dealt, seat, decide) for seat in seats]
    spots = [spot_of(round_, seat) for seat in seats]
    played = tuple(
        _played(dealt, seat, spot=spot, shoe=shoe, decide=decide)
        for seat, spot in zip(seats, spots, strict=True)
    )
    if any(hand.is_live for spot in spots for hand in spot.hands):
        while must_draw(dealer, round_.option("soft_17")):
            dealer += shoe.draw()
    return round_.with_cards(played, dealer=dealer)


def _house_money_decided(round_: Round, seat: Seat, decide: Decide) -> Seat:
    """Ask House Money winners clockwise, before anyone plays [HM.house_money.{4.b,5,6,6.blackjack}]."""
    if not seat.wager("house_money"):
        return seat
    result = settle_house_money(round_, seat)
    if result.outcome != "win":
        return seat
    question = _question(round_, seat, "house_money", choices=("take", "leave"), cards=seat.cards)
    if decide(question) == "take":
        return seat
    return replace(seat, said={"house_money_left": money.text(result.returned)})


def _played(round_: Round, seat: Seat, *, spot: Spot, shoe: Shoe, decide: Decide) -> Seat:
    """Play a seat until its last hand ends, and record it in the seat's notation."""
    words: list[str] = []
    while (hand := spot.hand) is not None:
        if spot.due:
            (card,) = shoe.draw()
            spot.deal(card)
            words.append(str(card))
        else:
            others = tuple(card for other in spot.hands if other is not hand for card in other.cards)
            question = _question(round_, seat, "hand", choices=spot.choices(), cards=hand.cards)
            if others:
                question = replace(question, sees={**question.sees, "other_hands": others})
            action = decide(question)
            spot.act(action)
            words.append(action)
    return replace(seat, said={**seat.said, "play": " ".join(words)}) if words else seat


def _question(
    round_: Round, seat: Seat, name: str, *, choices: tuple[str, ...], cards: tuple[Card, ...]
) -> Decision:
    return Decision(
        seat=seat.number,
        name=name,
        choices=choices,
        cards=cards,
        sees={"dealer": round_.cards("dealer")[:1]},
        options=round_.options,
    )
