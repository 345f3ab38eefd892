"""A sample round before the deal: typical wagers, first paytables, default options, a compatible jackpot."""

from dataclasses import replace

from feltwork import money
from feltwork.money import DOLLAR, Micros
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round, Seat, TableJackpot
from feltwork.titles.title import Game, Jackpot, Option, OptionValue

STAKE = 10 * DOLLAR
#: The meter of an example when its source states no seed.
EXAMPLE_METER = 10_000 * DOLLAR
#: The contribution of each wager to the meters of an example, in basis points.
EXAMPLE_CONTRIBUTION = 2_400


def open_round(game: Game, seats: int, *, jackpots_of_table: int = 1) -> Round:
    """Open a round with typical wagers, first paytables, default options and compatible jackpots."""
    fitting = registry.fitting(game)[:jackpots_of_table] if jackpots_of_table else ()
    jackpots = tuple(map(_on_table, fitting))
    covered = frozenset(table.jackpot.name for table in jackpots)
    return Round(
        game=game,
        seats=tuple(
            Seat(
                number=number,
                wagers=dict.fromkeys(game.openings[number % len(game.openings)], STAKE),
                jackpots=covered,
            )
            for number in range(1, seats + 1)
        ),
        paytables=_first_paytables(game),
        options=_defaults(game.options),
        jackpots=jackpots,
    )


def contributions_of(round_: Round) -> dict[str, dict[str, Micros]]:
    """Return the contributions of a sample round's jackpot wagers, by jackpot and level."""
    contributions = {}
    for table in round_.jackpots:
        bettors = sum(table.jackpot.name in seat.jackpots for seat in round_.seats)
        added = bettors * money.part(table.wager, EXAMPLE_CONTRIBUTION)
        shares = money.split(added, len(table.meters), unit=1)
        contributions[table.jackpot.name] = dict(zip(table.meters, shares, strict=True))
    return contributions


def with_contributions(round_: Round) -> Round:
    """Return the sample round after START GAME, with the meters raised by the wagers."""
    added = contributions_of(round_)
    raised = (
        replace(
            table,
            meters={level: meter + added[table.jackpot.name][level] for level, meter in table.meters.items()},
        )
        for table in round_.jackpots
    )
    return replace(round_, jackpots=tuple(raised))


def _first_paytables(game: Game) -> dict[str, Paytable]:
    library = registry.library(game.name)
    first = {bet: library[bet, library.ids_of(bet)[0]] for bet in game.paytable_bets}
    by_deal = {
        f"{bet}-{identifier}": library[bet, identifier]
        for bet in game.chosen_by_deal
        for identifier in library.ids_of(bet)
    }
    return first | by_deal


def _on_table(jackpot: Jackpot) -> TableJackpot:
    from feltwork.titles import meter_pays

    library = registry.library(jackpot.name)
    paytable = library["jackpot", library.ids_of("jackpot")[0]]
    seed = paytable.recommended.get("seed")
    meter = money.parse(str(seed)) if seed else EXAMPLE_METER
    return TableJackpot(
        jackpot=jackpot,
        paytable=paytable,
        wager=DOLLAR,
        meters=dict.fromkeys(paytable.levels, meter),
        options=_defaults((*meter_pays.OPTIONS, *jackpot.options)),
        variant=jackpot.variants[0],
    )


def _defaults(options: tuple[Option, ...]) -> dict[str, OptionValue]:
    return {option.name: option.default for option in options}
