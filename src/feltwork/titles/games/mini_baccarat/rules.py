"""The rules of Mini-Baccarat as functions: the drawing table, the deal, the settlement.

The game follows the public rules, which the letter does not change [DB.introduction.base-game,
DB.{aquarius,nexus}.base-game].
"""

from feltwork.money import Micros
from feltwork.problem import Problem
from feltwork.titles import bets
from feltwork.titles.cards.card import Card
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.hands.points import baccarat_total, baccarat_value, is_natural
from feltwork.titles.paytables.paytable import Odds
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decide, Decision, Sight

BASE = ("player", "banker", "tie")
DRAGON_BONUS = {"dragon_bonus_player": "player", "dragon_bonus_banker": "banker"}
OTHER_SIDE = {"player": "banker", "banker": "player"}

#: Even money, less 5% commission for the Banker.
SIDE_PAYS = {"player": bets.EVEN_MONEY, "banker": Odds(19, 20, stake_returned=True)}

#: The values of the Player's third card on which the Banker draws, by the total of the Banker's first two.
BANKER_DRAWS_ON = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset(range(10)) - {8},
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset[int](),
}

#: The Dragon Bonus rows by winning margin; paytable 3 pays two margins alike.
MARGIN_NAMES = {
    9: frozenset({"win_by_9"}),
    8: frozenset({"win_by_8"}),
    7: frozenset({"win_by_7", "win_by_6_or_7"}),
    6: frozenset({"win_by_6", "win_by_6_or_7"}),
    5: frozenset({"win_by_5", "win_by_4_or_5"}),
    4: frozenset({"win_by_4", "win_by_4_or_5"}),
}
NATURAL_WINNER = frozenset({"natural_winner"})
NATURAL_TIE = frozenset({"natural_tie"})
ROWS = frozenset[str]().union(NATURAL_WINNER, NATURAL_TIE, *MARGIN_NAMES.values())


def final_hands(round_: Round, _seat: Seat) -> Sight:
    """Show the final Player and Banker hands; no other game shows them, so the Dragon fits no other."""
    return round_.cards("player"), round_.cards("banker")


def player_draws(player: tuple[Card, ...], banker: tuple[Card, ...]) -> bool:
    """Whether the Player draws a third card: on 0 to 5, unless either side has a natural."""
    return not is_natural(player) and not is_natural(banker) and baccarat_total(player) <= 5


def banker_draws(player: tuple[Card, ...], banker: tuple[Card, ...]) -> bool:
    """Whether the Banker draws a third card once the Player's hand is complete."""
    if is_natural(player) or is_natural(banker):
        return False
    if len(player) == 2:
        return baccarat_total(banker) <= 5
    return baccarat_value(player[2]) in BANKER_DRAWS_ON[baccarat_total(banker)]


def check(round_: Round) -> list[Problem]:
    """List draws against the drawing table, and Dragon Bonus wagers that the house does not take."""
    return _check_cards(round_) + [
        Problem(
            f"seat {seat.number}, wagers",
            "dragon_bonus is wagered without a wager on the regular game",
            f"add one of: {', '.join(BASE)}; or set dragon_bonus_needs_base to false",
        )
        for seat in round_.seats
        if round_.option("dragon_bonus_needs_base") and _is_bonus_alone(seat)
    ]


def _is_bonus_alone(seat: Seat) -> bool:
    """Whether a seat bets only Dragon Bonus; the house may allow that [DB.dragon.introduction.base-wager]."""
    return any(map(seat.wager, DRAGON_BONUS)) and not any(map(seat.wager, BASE))


def _check_cards(round_: Round) -> list[Problem]:
    hands = {side: round_.cards(side) for side in ("player", "banker")}
    short = [
        Problem(side, f"{len(cards)} card(s), but each hand begins with two", "add the missing cards")
        for side, cards in hands.items()
        if len(cards) < 2
    ]
    if short:
        return short
    player, banker = hands["player"][:2], hands["banker"][:2]
    draws = player_draws(player, banker)
    problems = _wrong_count(hands, "player", draws=draws)
    if draws:
        player = hands["player"][:3]
    if draws and len(player) == 2:  # the Banker's draw depends on the missing card
        return problems
    return problems + _wrong_count(hands, "banker", draws=banker_draws(player, banker))


def _wrong_count(hands: dict[str, tuple[Card, ...]], side: str, *, draws: bool) -> list[Problem]:
    cards = hands[side]
    due = 3 if draws else 2
    if len(cards) == due:
        return []
    natural = any(is_natural(hand[:2]) for hand in hands.values())
    must = f"{'draw once' if draws else 'stand'} on {baccarat_total(cards[:2])}"
    what = f"{len(cards)} cards, but it must {must}{' where there is a natural' if natural else ''}"
    remedy = "add its third card" if len(cards) < due else f"keep its first {due} cards"
    return [Problem(side, what, remedy)]


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Settle regular wagers, then Dragon Bonus; the order is up to the house [DB.dragon.3, DB.dragon.4]."""
    wagered = {name: seat.wager(name) for name in (*BASE, *DRAGON_BONUS) if seat.wager(name)}
    return {name: _settle_bet(round_, name, staked) for name, staked in wagered.items()}


def _settle_bet(round_: Round, name: str, staked: Micros) -> BetResult:
    if name in DRAGON_BONUS:
        return _dragon_bonus(round_, DRAGON_BONUS[name], staked)
    return _tie(round_, staked) if name == "tie" else _side(round_, name, staked)


def _side(round_: Round, side: str, staked: Micros) -> BetResult:
    """Settle Player or Banker: the hand nearer to nine wins, and a tie is a push."""
    own, other = _totals(round_, side)
    if own == other:
        return bets.push(staked, f"a tie, {own} to {other}")
    if own < other:
        return bets.lose(staked, f"{side} loses {own} to {other}")
    return bets.win(staked, SIDE_PAYS[side], f"{side} wins {own} to {other}, {SIDE_PAYS[side]}")


def _tie(round_: Round, staked: Micros) -> BetResult:
    own, other = _totals(round_, "player")
    if own != other:
        return bets.lose(staked, f"no tie, {own} to {other}")
    pays = Odds(int(round_.option("tie_pays")), 1, stake_returned=True)
    return bets.win(staked, pays, f"a tie, {own} to {other}, {pays}")


def _totals(round_: Round, side: str) -> tuple[int, int]:
    return baccarat_total(round_.cards(side)), baccarat_total(round_.cards(OTHER_SIDE[side]))


def _dragon_bonus(round_: Round, side: str, staked: Micros) -> BetResult:
    """Pay by how the backed hand won [DB.dragon.introduction]."""
    names = dragon_bonus_names(round_.cards(side), round_.cards(OTHER_SIDE[side]))
    return bets.by_table(round_.paytables["dragon_bonus"], names, staked)


def dragon_bonus_names(own: tuple[Card, ...], other: tuple[Card, ...]) -> frozenset[str]:
    """Return the Dragon Bonus rows that a hand matches.

    A natural winner matches only that row, whatever its margin [DB.dragon.5.a, DB.{aquarius,nexus}.6.a];
    margins are for other wins [DB.paytables.non-naturals]. Tied naturals have a row, other ties have none
    [DB.dragon.5.b, DB.dragon.5.b.i, DB.{aquarius,nexus}.6.b, DB.{aquarius,nexus}.6.b.i].
    """
    margin = baccarat_total(own) - baccarat_total(other)
    if is_natural(own) and margin >= 0:
        return NATURAL_WINNER if margin else NATURAL_TIE
    return MARGIN_NAMES.get(margin, frozenset())


def play(round_: Round, shoe: Shoe, _decide: Decide) -> Round:
    """Deal to Player and Banker in turn, then draw by the table.

    All wagers are made before the first card [DB.dragon.1]; there are no decisions after it.
    """
    first = shoe.draw(4)
    player, banker = first[::2], first[1::2]
    if player_draws(player, banker):
        player += shoe.draw()
    if banker_draws(player, banker):
        banker += shoe.draw()
    return round_.with_cards(round_.seats, player=player, banker=banker)


def rule_of_thumb(decision: Decision) -> str:
    """Return the first choice; the drawing table leaves no decision to players."""
    return decision.choices[0]
