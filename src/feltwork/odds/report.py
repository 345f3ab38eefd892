"""A full report on a bet or a base game: distribution, figures, strategy, method."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from feltwork.odds.bets import chosen_options, counted, reprice
from feltwork.odds.figures.figure import decimal
from feltwork.odds.pricing import Price, RowReturn
from feltwork.odds.title_odds import odds_of
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry


@dataclass(frozen=True, slots=True)
class FigureReport:
    """The report on a bet or a base game."""

    name: str
    method: str
    options: Mapping[str, str]
    lines: tuple[RowReturn, ...]
    figures: Mapping[str, Fraction]
    strategy: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the report for programs."""
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
    """Report on a bet that a paytable pays."""
    bet = counted(paytable.title, paytable.bet)
    priced = reprice(paytable, options)
    nothing = RowReturn("nothing", "-", priced.probability(None), Fraction(0), priced.deals[None])
    return FigureReport(
        paytable.name,
        bet.method,
        chosen_options(bet, options),
        (*priced.row_returns(), nothing),
        _figures(priced),
    )


def _figures(priced: Price) -> dict[str, Fraction]:
    figures = {"hit frequency": priced.hit_frequency, "variance": priced.variance}
    if not priced.paytable.levels:
        return {"house edge": priced.house_edge, **figures}
    figures |= {"fixed return": priced.fixed_return, "top odds (one in)": priced.top_odds}
    if len(priced.paytable.levels) == 1:
        figures["break-even meter"] = priced.break_even_meter()
    for level in priced.paytable.levels:
        figures[f"wagers to the {level} (one in)"] = 1 / priced.whole_share_probability(level)
    if priced.envy_per_bettor:
        figures["envy per other bettor"] = priced.envy_per_bettor
    return figures


def base_report(title: str, options: Mapping[str, str]) -> FigureReport:
    """Report on a base game under optimal play."""
    game = odds_of(title).base_game
    if game is None:
        solved = ", ".join(name for name in registry.names() if odds_of(name).base_game)
        remedy = f"name one of its bets; base games that are solved: {solved}"
        raise ProblemsError([Problem(title, "its base game is not solved", remedy)])
    chosen = chosen_options(game, options)
    play = game.solve(**chosen)
    return FigureReport(f"{title}/base", game.method, chosen, play.outcomes, play.figures, play.strategy)
