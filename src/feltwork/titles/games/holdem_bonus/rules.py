"""The rules of Texas Hold'em Bonus as functions: deal, legal decisions, settlement."""

from collections.abc import Callable
from dataclasses import replace

from feltwork.problem import Problem
from feltwork.titles import bets
from feltwork.titles.bets import Showdown
from feltwork.titles.cards.card import ACE, JACK, KING, QUEEN, SEVEN, TEN, TWO, Card
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.hands.category import Hand
from feltwork.titles.hands.five_card import THREE_TENS, FiveCardCategory, best_five
from feltwork.titles.hands.two_card import holds, is_pair, is_suited
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decide, Decision, Sight

#: The lowest winning hand that the Ante pays on; the layout says which the house chose
#: [TH.deal.12.d.{1,2,3}, TH.layout.ante-criterion].
ANTE_WINS_WITH = {
    "flush": Hand(FiveCardCategory.FLUSH, ()),
    "straight": Hand(FiveCardCategory.STRAIGHT, ()),
    "three_tens": THREE_TENS,
}

ACES_AGAINST_ACES = "aces_against_aces"
#: The rows that hole cards alone can win; a ten is not a face card [TH.deal.12.e, TH.overview.bonus].
BONUS_ROWS: dict[str, Callable[[tuple[Card, ...]], bool]] = {
    "aces": lambda hole: holds(hole, ACE, ACE),
    "ace_king_suited": lambda hole: holds(hole, ACE, KING) and is_suited(hole),
    "ace_queen_or_jack_suited": lambda hole: _ace_queen_or_jack(hole) and is_suited(hole),
    "ace_king_offsuit": lambda hole: holds(hole, ACE, KING) and not is_suited(hole),
    "high_pair": lambda hole: is_pair(hole) and JACK <= hole[0].rank <= KING,
    "ace_queen_or_jack_offsuit": lambda hole: _ace_queen_or_jack(hole) and not is_suited(hole),
    "low_pair": lambda hole: is_pair(hole) and hole[0].rank <= TEN,
}


def _ace_queen_or_jack(hole: tuple[Card, ...]) -> bool:
    return holds(hole, ACE, QUEEN) or holds(hole, ACE, JACK)


def folded(_round: Round, seat: Seat) -> bool:
    """A hand without a Flop wager is folded; with it the player is in to the end [TH.deal.4, TH.deal.5]."""
    return not seat.wager("flop")


def hole_and_flop(round_: Round, seat: Seat) -> Sight | None:
    """Show the hole cards and the flop, the only cards that the link sees [TH.link.2, TH.link.5]."""
    board = round_.cards("board")
    return ((*seat.cards, *board[:3]),) if board else None


def hole_and_board(round_: Round, seat: Seat) -> Sight | None:
    """Show the hole cards, and the board in the order dealt [TH.{aquarius,nexus}.2]."""
    board = round_.cards("board")
    return (seat.cards, board) if board else None


def check(round_: Round) -> list[Problem]:
    """List the wagers that the rules do not allow [TH.deal.2]."""
    return bets.missing(round_, "ante") + [
        Problem(
            f"seat {seat.number}, wagers",
            f"{name} is wagered on a folded hand",
            f"add flop, or leave {name} out for a folded hand",
        )
        for seat in round_.seats
        for name in ("turn", "river")
        if seat.wager(name) and folded(round_, seat)
    ]


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Settle every bet of a seat: first those against the dealer, then the Bonus [TH.deal.12]."""
    results = _settle_folded(seat) if folded(round_, seat) else _settle_showdown(round_, seat)
    if seat.wager("bonus"):
        results["bonus"] = _bonus(round_, seat)
    return results


def _settle_folded(seat: Seat) -> dict[str, BetResult]:
    """A folding player gives up the Ante, and nothing else [TH.deal.4.a]."""
    return {"ante": bets.lose(seat.wager("ante"), "folded")}


def _settle_showdown(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Each side makes its best five of hole cards and board; the dealer always plays [TH.deal.{10,11,12}]."""
    board = round_.cards("board")
    player, dealer = best_five(seat.cards + board), best_five(round_.cards("dealer") + board)
    showdown = Showdown(round_, seat, player, dealer)
    raised = [name for name in ("flop", "turn", "river") if seat.wager(name)]
    results = {name: bets.against_dealer(showdown, seat.wager(name)) for name in raised}
    return {**results, "ante": _ante(showdown)}


def _ante(showdown: Showdown) -> BetResult:
    """Push on a win below the house's criterion [TH.deal.12.d]."""
    staked = showdown.seat.wager("ante")
    criterion = str(showdown.round.option("ante_wins_with"))
    if showdown.dealer < showdown.player < ANTE_WINS_WITH[criterion]:
        needed = criterion.replace("_", " ")
        return bets.push(staked, f"{showdown.player} wins, but the ante pays from {needed} up")
    return bets.against_dealer(showdown, staked)


def _bonus(round_: Round, seat: Seat) -> BetResult:
    """The hole cards alone decide, fold or showdown, win or lose [TH.deal.12.e]."""
    names = bonus_names(seat.cards, round_.cards("dealer"))
    return bets.by_table(round_.paytables["bonus"], names, seat.wager("bonus"))


def bonus_names(hole: tuple[Card, ...], dealer: tuple[Card, ...]) -> frozenset[str]:
    """Return the rows that hole cards match, including aces against the dealer's aces."""
    names = {name for name, passes in BONUS_ROWS.items() if passes(hole)}
    if "aces" in names and BONUS_ROWS["aces"](dealer):
        names.add(ACES_AGAINST_ACES)
    return frozenset(names)


def play(round_: Round, shoe: Shoe, decide: Decide) -> Round:
    """Deal two to each player from the dealer's left and to the dealer; then board and bets [TH.deal.3]."""
    seats = [replace(seat, cards=shoe.draw(2)) for seat in round_.seats]
    dealer = shoe.draw(2)
    seats = [_asked(round_, seat, "flop", (), decide) for seat in seats]
    if not _waits_for_board(round_, seats):
        return round_.with_cards(tuple(seats), dealer=dealer, board=())
    board = shoe.draw(3)
    seats = [_asked(round_, seat, "turn", board, decide) for seat in seats]
    board += shoe.draw()
    seats = [_asked(round_, seat, "river", board, decide) for seat in seats]
    board += shoe.draw()
    return round_.with_cards(tuple(seats), dealer=dealer, board=board)


def _waits_for_board(round_: Round, seats: list[Seat]) -> bool:
    """Whether a hand is in play, or a folded one may win a jackpot [TH.{aquarius,nexus}.8, TH.link.10]."""
    jackpots = {table.jackpot.name for table in round_.jackpots if table.options["folded_hands_qualify"]}
    return any(not folded(round_, seat) or seat.jackpots & jackpots for seat in seats)


def _asked(round_: Round, seat: Seat, name: str, board: tuple[Card, ...], decide: Decide) -> Seat:
    """Ask to fold or bet two Antes before the board; later, to check or bet one [TH.deal.{4,6,7,8,9}]."""
    if name != "flop" and folded(round_, seat):
        return seat
    choices = ("fold", "bet") if name == "flop" else ("check", "bet")
    choice = decide(round_.decision(seat, name, choices, sees={"board": board}))
    if choice != "bet":
        return seat
    return seat.adding(name, seat.wager("ante") * (2 if name == "flop" else 1))


def rule_of_thumb(decision: Decision) -> str:
    """Fold only a deuce with an unsuited three to seven; later bet with a paired hole card or a straight."""
    hole, board = decision.cards, decision.sees["board"]
    if decision.name == "flop":
        low, high = sorted(card.rank for card in hole)
        return "fold" if low == TWO < high <= SEVEN and not is_suited(hole) else "bet"
    paired = is_pair(hole) or {card.rank for card in hole} & {card.rank for card in board}
    strong = best_five(hole + board).category >= FiveCardCategory.STRAIGHT
    return "bet" if paired or strong else "check"
