"""Jackpots played round after round on real cards and settled by `settle`, beside the return that we state.

Published jackpots hit too rarely to be simulated. So each scenario makes a common hand the top prize: the
rules, the options and the formula are the same, and only the paytable differs.

``python -m tests.figures.simulated_returns --rounds 100000`` plays for longer and prints a table.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

from feltwork.money import DOLLAR, Micros
from feltwork.odds import strategy
from feltwork.odds.returns import Crowd, Offer, TableSetting, Terms, offer, returns
from feltwork.odds.what_if.draft import edited
from feltwork.titles import meter_pays, registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round, Seat, TableJackpot
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decide, OptionValue
from tests.figures.simulated import STAKE, first_choice

BATCHES = 20
#: Half of a 99.9% interval in standard errors, for means of twenty batches (Student, 19).
WIDTH = 3.883


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A jackpot on a game, who sits there, and which of them is watched."""

    name: str
    game: str
    paytable: Paytable
    crowd: Crowd
    wagers: tuple[str, ...]
    options: Mapping[str, OptionValue]
    counting: Mapping[str, str] = field(default_factory=dict)
    table_options: Mapping[str, OptionValue] = field(default_factory=dict)
    variant: str = ""
    side: str = ""
    cards: int = 52
    seed: Fraction = Fraction(40)
    rate: Fraction = Fraction(30, 100)

    @property
    def offer(self) -> Offer:
        game = registry.game(self.game)
        chosen = {option.name: option.default for option in game.options} | dict(self.table_options)
        return offer(
            self.paytable,
            counting=self.counting,
            options=self.options,
            wager=Fraction(1),
            terms={level: Terms(seed=self.seed, contribution=self.rate) for level in self.paytable.levels},
            at=TableSetting(game, self.variant, chosen),
        )

    @property
    def stated(self) -> Fraction:
        return returns(self.offer, self.crowd, side=self.side).total


def play(scenario: Scenario, decide: Decide, *, rounds: int, seed: int) -> list[float]:
    """What came back to the bettors in each round, of each unit: to one of them where there are sides."""
    dice = random.Random(seed)
    opened = _opened(scenario)
    shoe = decks_of(int(opened.options["decks"]))
    award = returns(scenario.offer, scenario.crowd, side=scenario.side).mean_award
    meters = {level: int(amount * DOLLAR) for level, amount in award.items()}
    fed = int(scenario.rate * DOLLAR) * scenario.crowd.bettors
    paid = []
    for _ in range(rounds):
        meters = {level: amount + fed for level, amount in meters.items()}
        (table,) = opened.jackpots
        current = replace(opened, seats=_seats(scenario, dice), jackpots=(replace(table, meters=meters),))
        played = opened.game.play(current, Shoe(dice.sample(shoe, scenario.cards)), decide)
        settled = settle(played)
        meters = {level: change.after for level, change in settled.meters[table.jackpot.name].items()}
        results = [seat.jackpots[table.jackpot.name] for seat in settled.seats if seat.jackpots]
        watched = results[:1] if scenario.side else results
        paid.append(
            fmean((result.award + result.stake_returned + result.envy) / DOLLAR for result in watched)
        )
    return paid


def _opened(scenario: Scenario) -> Round:
    opened = open_round(registry.game(scenario.game), scenario.crowd.players)
    jackpot = registry.jackpot(scenario.paytable.title)
    known = (*meter_pays.OPTIONS, *jackpot.options)
    reseed: dict[str, Micros] = {level: int(scenario.seed * DOLLAR) for level in scenario.paytable.levels}
    table = TableJackpot(
        jackpot=jackpot,
        paytable=scenario.paytable,
        wager=DOLLAR,
        meters=reseed,
        reseed=reseed,
        options={option.name: scenario.options.get(option.name, option.default) for option in known},
        variant=scenario.variant,
    )
    return replace(opened, jackpots=(table,), options={**opened.options, **scenario.table_options})


def _seats(scenario: Scenario, dice: random.Random) -> tuple[Seat, ...]:
    """The first seat is the watched one; where the bet has sides, the others choose by a coin."""
    seats = []
    for number in range(1, scenario.crowd.players + 1):
        side = scenario.side if number == 1 else dice.choice(("player", "banker"))
        wagers = (side,) if scenario.side else scenario.wagers
        bets = number <= scenario.crowd.bettors
        jackpots = frozenset({scenario.paytable.title} if bets else ())
        seats.append(Seat(number, dict.fromkeys(wagers, STAKE), jackpots=jackpots))
    return tuple(seats)


def interval(values: list[float]) -> tuple[float, float]:
    """A mean and half of its interval, from batches: a meter carries over from round to round."""
    size = len(values) // BATCHES
    means = [fmean(values[place * size : (place + 1) * size]) for place in range(BATCHES)]
    return fmean(means), WIDTH * stdev(means) / sqrt(BATCHES)


def _envied(paytable: Paytable, hand: str, envy: Micros) -> Paytable:
    rows = tuple(replace(row, envy=envy) if row.hand == hand else row for row in paytable.rows)
    return replace(paytable, id=f"{paytable.id}-envy", rows=rows)


def _published(title: str, identifier: str) -> Paytable:
    return registry.paytable(title, "jackpot", identifier)


def scenarios() -> Iterator[Scenario]:
    """Yield what the posted returns depend on: sides, sharing, several winners, envy and folded hands."""
    fixed = ("two_three_four_diamonds", "two_three_four_suited", "two_three_four", "nine_over_zero")
    tops = dict.fromkeys(("eight_over_zero", "natural_win"), "100% of jackpot")
    common = edited(_published("dragon", "2"), {**dict.fromkeys(fixed, "10 for 1"), **tops})
    for side in ("player", "banker"):
        for share_with, bettors in (("winning_side", 1), ("winning_side", 3), ("all_bettors", 3)):
            yield Scenario(
                name=f"Dragon, {side}, {share_with}, {bettors} betting",
                game="mini_baccarat",
                paytable=common,
                crowd=Crowd(bettors, bettors),
                wagers=(),
                options={"share_with": share_with},
                counting={"decks": "8"},
                table_options={"decks": 8},
                side=side,
                cards=6,
                seed=Fraction(1),
            )
    sevens = dict.fromkeys(("three_7s_suited", "three_7s_same_color", "three_7s"), "30 for 1")
    for several_winners in ("seat_order", "split", "each_in_full"):
        yield Scenario(
            name=f"Blazing 7's, {several_winners}, all 7 betting",
            game="blackjack",
            paytable=edited(_published("blazing_7s", "1"), {**sevens, "two_7s": "100% of jackpot"}),
            crowd=Crowd(7, 7),
            wagers=("bet",),
            options={"several_winners": several_winners},
            counting={"decks": "6"},
            table_options={"decks": 6},
            variant="dealer_up_card",
            cards=60,
        )
    envied = _envied(_published("four_card", "1"), "three_of_a_kind", 2 * DOLLAR)
    for envy_from in ("any_player", "bettors"):
        for bettors in (4, 7):
            yield Scenario(
                name=f"Four card, envy from {envy_from}, {bettors} of 7 betting",
                game="crazy_4",
                paytable=edited(envied, {"four_aces": "100 for 1", "straight_flush": "100% of jackpot"}),
                crowd=Crowd(7, bettors),
                wagers=("ante", "super_bonus"),
                options={"envy_from": envy_from},
            )
    flushes = dict.fromkeys(("royal_flush", "straight_flush"), "100 for 1")
    for qualify in (True, False):
        yield Scenario(
            name=f"Five card on hold'em, folded hands {'count' if qualify else 'do not count'}",
            game="holdem_bonus",
            paytable=edited(_published("five_card", "01"), {**flushes, "straight": "100% of jackpot"}),
            crowd=Crowd(6, 6),
            wagers=("ante",),
            options={"folded_hands_qualify": qualify},
        )


def player_of(scenario: Scenario) -> Decide:
    """Optimal play where a fold changes the jackpot, the first choice elsewhere."""
    if scenario.options.get("folded_hands_qualify") is not False:
        return first_choice
    game = registry.game(scenario.game)
    chosen = {option.name: option.default for option in game.options}
    folds = strategy.player(scenario.game, {}, chosen)
    # Only the fold decides: later bets change no jackpot.
    return lambda decision: folds(decision) if decision.name == "flop" else decision.choices[-1]


def main() -> None:
    """Print one line per scenario."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=20_261)
    chosen = parser.parse_args()
    sys.stdout.write("| scenario | stated | simulated | interval | rounds |\n|---|---:|---:|---:|---:|\n")
    for scenario in scenarios():
        values = play(scenario, player_of(scenario), rounds=chosen.rounds, seed=chosen.seed)
        mean, within = interval(values)
        stated = float(scenario.stated)
        differs = "" if abs(mean - stated) <= within else " **differs**"
        cells = (
            scenario.name,
            f"{stated:.4%}",
            f"{mean:.4%}",
            f"± {within:.4%}{differs}",
            f"{chosen.rounds:,}",
        )
        sys.stdout.write(f"| {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
