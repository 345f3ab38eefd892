"""A full report on a bet or a base game: what can happen, how often, what it returns, how it was counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from feltwork.odds.bets import chosen_options, counted, reprice
from feltwork.odds.figures import five_card_games, four_card_games, shoe_games
from feltwork.odds.figures.figure import decimal
from feltwork.odds.pricing import Price, returned
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One row of the distribution."""

    hand: str
    pays: str
    deals: int
    probability: Fraction
    returns: Fraction


@dataclass(frozen=True, slots=True)
class FigureReport:
    """What there is to know about a bet."""

    name: str
    method: str
    options: Mapping[str, str]
    lines: tuple[ReportLine, ...]
    figures: Mapping[str, Fraction]
    strategy: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The report in the shape that programs read."""
        return {
            "name": self.name,
            "method": self.method,
            "options": dict(self.options),
            "distribution": [
                {
                    "hand": line.hand,
                    "pays": line.pays,
                    "deals": line.deals,
                    "probability": str(line.probability),
                    "returns": str(line.returns),
                }
                for line in self.lines
            ],
            "figures": {
                name: {"value": str(value), "decimal": decimal(value)} for name, value in self.figures.items()
            },
            "strategy": list(self.strategy),
        }


def bet_report(paytable: Paytable, options: Mapping[str, str]) -> FigureReport:
    """The report on a bet that a paytable pays."""
    bet = counted(paytable.title, paytable.bet)
    priced = reprice(paytable, options)
    lines = [
        ReportLine(
            row.hand, str(row.pays), priced.deals[place], priced.probability(place), _returns(priced, place)
        )
        for place, row in enumerate(paytable.rows)
    ]
    lines.append(ReportLine("nothing", "-", priced.deals[None], priced.probability(None), Fraction(0)))
    return FigureReport(
        paytable.name, bet.method, chosen_options(bet, options), tuple(lines), _figures(priced)
    )


def _returns(priced: Price, place: int) -> Fraction:
    return priced.probability(place) * returned(priced.paytable.rows[place])


def _figures(priced: Price) -> dict[str, Fraction]:
    found = {"hit frequency": priced.hit_frequency, "variance": priced.variance}
    if not priced.paytable.levels:
        return {"house edge": priced.house_edge, **found}
    found |= {"fixed return": priced.fixed_return, "top odds (one in)": priced.top_odds}
    if len(priced.paytable.levels) == 1:
        found["break-even meter"] = priced.break_even_meter()
    for level in priced.paytable.levels:
        found[f"wagers to the {level} (one in)"] = 1 / priced.whole_share_probability(level)
    if priced.envy_per_bettor:
        found["envy per other bettor"] = priced.envy_per_bettor
    return found


def base_report(game: str, options: Mapping[str, str]) -> FigureReport:
    """The report on a base game played optimally."""
    make = _BASE_GAMES.get(game)
    if make is None:
        known = ", ".join(_BASE_GAMES)
        remedy = f"name one of its bets; base games that are solved: {known}"
        raise ProblemsError([Problem(game, "its base game is not solved here", remedy)])
    return make(options)


def _net_lines(distribution: Mapping[Fraction, int]) -> tuple[ReportLine, ...]:
    deals = sum(distribution.values())
    return tuple(
        ReportLine("net result", decimal(net, 4), count, Fraction(count, deals), net * Fraction(count, deals))
        for net, count in sorted(distribution.items(), reverse=True)
    )


def _crazy_4(options: Mapping[str, str]) -> FigureReport:
    from feltwork.odds.crazy_4 import strategy

    solution = four_card_games.crazy_4_solution(options.get("super_bonus", four_card_games.FIRST_TABLE))
    border = strategy.margin(four_card_games.crazy_4_kept(), four_card_games.crazy_4_bases(), solution)
    figures = {
        "house edge": solution.house_edge,
        "element of risk": solution.element_of_risk,
        "fold frequency": solution.fold_frequency,
        "raise frequency": solution.raise_frequency,
        "Super Bonus hit frequency": solution.super_bonus_hit_frequency,
        "variance": solution.variance,
    }
    lines = _net_lines(solution.distribution)
    words = tuple(strategy.in_words(border))
    return FigureReport("crazy_4/base", four_card_games.SWEPT, dict(options), lines, figures, words)


def _six_five_four(options: Mapping[str, str]) -> FigureReport:
    from feltwork.odds.six_five_four import strategy

    solution = four_card_games.six_five_four_solution(options.get("ante_bonus", "1"))
    figures = {
        "house edge": solution.house_edge,
        "element of risk": solution.element_of_risk,
        "fold frequency": solution.fold_frequency,
        "Ante Bonus hit frequency": solution.ante_bonus_hit_frequency,
        "variance": solution.variance,
    }
    lines = _net_lines(solution.distribution)
    words = tuple(strategy.in_words(four_card_games.six_five_four_kept()))
    return FigureReport("six_five_four/base", four_card_games.SWEPT_6, dict(options), lines, figures, words)


def _holdem_bonus(options: Mapping[str, str]) -> FigureReport:
    from feltwork.odds.holdem_bonus import strategy_text as words

    solution = five_card_games.holdem_solution(options.get("ante_wins_with", "flush"))
    figures = {
        "house edge": solution.house_edge,
        "element of risk": solution.element_of_risk,
        "fold frequency": solution.fold_frequency,
        "Turn bet frequency": solution.turn_bet_frequency,
        "River bet frequency": solution.river_bet_frequency,
        "variance": solution.variance,
    }
    lines = tuple(
        ReportLine("net result", str(net), 0, chance, net * chance)
        for net, chance in sorted(solution.distribution.items(), reverse=True)
    )
    told = (
        words.before_the_flop(solution),
        words.EXACT_RULE,
        *(f"Turn: {line}" for line in words.ON_THE_TURN),
        *(f"River: {line}" for line in words.ON_THE_RIVER),
    )
    chosen = {"ante_wins_with": solution.criterion}
    return FigureReport("holdem_bonus/base", five_card_games.PLAYED, chosen, lines, figures, told)


def _mini_baccarat(options: Mapping[str, str]) -> FigureReport:
    decks = options.get("decks", "8")
    atoms = shoe_games.winner_atoms(decks)
    deals = sum(atoms.values())
    lines = tuple(
        ReportLine("/".join(names), "", count, Fraction(count, deals), Fraction(count, deals))
        for names, count in atoms.items()
    )
    figures = {
        f"house edge, {bet}": shoe_games.base_edge(bet=bet, decks=decks)
        for bet in ("player", "banker", "tie")
    }
    return FigureReport("mini_baccarat/base", shoe_games.COUNTED, {"decks": decks}, lines, figures)


_BASE_GAMES: Mapping[str, Callable[[Mapping[str, str]], FigureReport]] = {
    "crazy_4": _crazy_4,
    "six_five_four": _six_five_four,
    "holdem_bonus": _holdem_bonus,
    "mini_baccarat": _mini_baccarat,
}
