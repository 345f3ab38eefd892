"""Serializer of rounds to the notation."""

from feltwork import money
from feltwork.titles.cards.card import write_cards
from feltwork.titles.round import Round, Seat, TableJackpot


def transcript(round_: Round) -> dict[str, object]:
    """Return the data that ``notation.round_from`` reads back into the same round."""
    game = round_.game
    chosen = {bet: paytable.id for bet, paytable in round_.paytables.items() if bet in game.paytable_bets}
    limits = {"table_aggregate": round_.table_aggregate, "player_aggregate": round_.player_aggregate}
    return {
        "game": game.name,
        "paytables": {bet: known for bet, known in chosen.items() if bet not in game.chosen_by_deal},
        "options": dict(round_.options),
        "jackpots": [_jackpot(table) for table in round_.jackpots],
        **{name: money.text(limit) for name, limit in limits.items() if limit is not None},
        **{place: write_cards(cards) for place, cards in round_.table_cards.items()},
        "seats": [_seat(round_, seat) for seat in round_.seats],
    }


def _seat(round_: Round, seat: Seat) -> dict[str, object]:
    cards = {"cards": write_cards(seat.cards)} if round_.game.seat_cards else {}
    return {
        "seat": seat.number,
        **cards,
        "wagers": {name: money.text(amount) for name, amount in seat.wagers.items()},
        "jackpots": sorted(seat.jackpots),
        **seat.said,
    }


def _jackpot(table: TableJackpot) -> dict[str, object]:
    variant = {"variant": table.variant} if table.variant else {}
    return {
        "jackpot": table.jackpot.name,
        "paytable": table.paytable.id,
        "wager": money.text(table.wager),
        "meters": {level: money.text(amount) for level, amount in table.meters.items()},
        "options": dict(table.options),
        "reseed": {level: money.text(amount) for level, amount in table.reseed.items()},
        **variant,
    }
