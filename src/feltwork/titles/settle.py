"""Settlement of a round, for every game and jackpot."""

from feltwork import money
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import bets
from feltwork.titles.aggregate import within_limits
from feltwork.titles.bet_limits import bet_limits
from feltwork.titles.cards.shoe import dealt_too_often
from feltwork.titles.meter_pays import pay_jackpot
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import JackpotResult, MeterChange, SeatResult, Settlement


def settle(round_: Round) -> Settlement:
    """Pay every bet and jackpot of a round, or return all stakes after a misdeal."""
    why_void = verify(round_)
    if why_void:
        return _void(round_, why_void)
    paid = {table.jackpot.name: pay_jackpot(round_, table) for table in round_.jackpots}
    seats = tuple(
        SeatResult(
            seat=seat.number,
            bets=round_.game.settle(round_, seat),
            jackpots={
                name: results[seat.number] for name, (results, _) in paid.items() if seat.number in results
            },
        )
        for seat in round_.seats
    )
    seats = within_limits(seats, table=round_.table_aggregate, player=round_.player_aggregate)
    return Settlement(void=False, seats=seats, meters={name: changes for name, (_, changes) in paid.items()})


def verify(round_: Round) -> str:
    """Raise every problem with the cards and wagers of a round; return why it is void, if it is."""
    problems = _impossible_cards(round_) + _wagers_out_of_place(round_) + _jackpots_out_of_place(round_)
    why_void = misdeal(round_)
    if not problems and not why_void:
        problems = _wrong_sizes(round_) + _outside_limits(round_) + round_.game.check(round_)
    if problems:
        raise ProblemsError(problems)
    return why_void


def misdeal(round_: Round) -> str:
    """Return why the round is void; a wrong number of cards voids it for everyone [C4.irregularities.1]."""
    game = round_.game
    if not game.voids_on_misdeal:
        return ""
    counts = [(f"seat {seat.number}", len(seat.cards), game.seat_cards) for seat in round_.seats]
    empty = round_.lawfully_empty()
    counts += [
        (place, len(round_.cards(place)), due)
        for place, due in game.table_cards.items()
        if place not in empty
    ]
    return "; ".join(
        f"{place} has {held} cards instead of {due}" for place, held, due in counts if due and held != due
    )


def _impossible_cards(round_: Round) -> list[Problem]:
    cards = list(round_.all_cards())
    if len({4 * card.rank + card.suit for card in cards}) == len(cards):
        return []
    decks = int(round_.options.get("decks", 1))
    return [
        Problem("cards", f"{card} appears more often than {decks} deck(s) contain it", "correct one of them")
        for card in dealt_too_often(cards, decks)
    ]


def _wagers_out_of_place(round_: Round) -> list[Problem]:
    """List jackpot wagers without a base wager.

    [C4.nexus.5, HM.{blazing_player,blazing_upcard}.2, HM.{blazing_player,blazing_upcard}.4, HM.trilux.5]
    """
    return [
        Problem(
            f"seat {seat.number}, jackpots",
            f"{', '.join(sorted(seat.jackpots))} is wagered without the regular game's wager",
            f"add one of: {', '.join(round_.game.base)}",
        )
        for seat in round_.seats
        if seat.jackpots and not any(seat.wager(name) for name in round_.game.base)
    ]


def _wrong_sizes(round_: Round) -> list[Problem]:
    """List wagers whose size does not match the wager they depend on."""
    return [
        Problem(
            f"seat {seat.number}, wagers",
            f"{wager.name} must be {wager.size}",
            "correct it, or leave it out where the player did not make it",
        )
        for seat in round_.seats
        for wager in round_.game.wagers
        if wager.size
        and (amount := seat.wager(wager.name))
        and not wager.size.allows(amount, seat.wager(wager.size.of))
    ]


def _outside_limits(round_: Round) -> list[Problem]:
    """List wagers that the table does not take."""
    if round_.limits is None:
        return []
    offered = {
        bet_limit.bet: bet_limit for bet_limit in bet_limits(round_.game, round_.limits, round_.paytables)
    }
    problems = []
    for seat in round_.seats:
        for name, amount in seat.wagers.items():
            limits, where = offered.get(name), f"seat {seat.number}, wagers"
            if limits is None:
                problems.append(Problem(where, f"this table does not offer {name}", "leave it out"))
            elif not limits.allows(amount):
                what = f"{name} is {money.text(amount)}; this table takes {limits.range_text}"
                problems.append(Problem(where, what, "keep to the table's limits"))
    return problems


def _jackpots_out_of_place(round_: Round) -> list[Problem]:
    """A jackpot may require certain numbers of decks [HM.{blazing_player,blazing_upcard,trilux}.decks]."""
    return [
        Problem(
            "options.decks",
            f"{table.jackpot.name} is not offered with {decks} deck(s)",
            f"choose from: {', '.join(map(str, table.jackpot.decks))}",
        )
        for table in round_.jackpots
        if table.jackpot.decks and (decks := int(round_.options.get("decks", 1))) not in table.jackpot.decks
    ]


def _void(round_: Round, why: str) -> Settlement:
    meters = {
        table.jackpot.name: {level: MeterChange(amount, amount) for level, amount in table.meters.items()}
        for table in round_.jackpots
    }
    seats = tuple(_void_seat(round_, seat, why) for seat in round_.seats)
    return Settlement(void=True, seats=seats, meters=meters, why_void=why)


def _void_seat(round_: Round, seat: Seat, why: str) -> SeatResult:
    jackpots = {
        table.jackpot.name: JackpotResult(wager=table.wager, hand=None, stake_returned=table.wager, why=why)
        for table in round_.jackpots
        if table.jackpot.name in seat.jackpots
    }
    staked = {**seat.wagers, **dict.fromkeys(round_.game.riding, 0)}
    returned = {name: bets.void(amount, why) for name, amount in staked.items()}
    return SeatResult(seat.number, returned, jackpots)
