"""A full report on a bet or a base game: distribution, figures, strategy, method."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from feltwork.odds.distribution import Distribution, html_table
from feltwork.odds.meters.distribution import ERROR, root
from feltwork.odds.pricing import RowReturn
from feltwork.odds.sheet import Sheet, chosen_options, sheet, sides, solved_base
from feltwork.odds.title_odds import NET_RESULT
from feltwork.odds.what_if.answer import ComputedFigure
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.paytables.paytable import Paytable


@dataclass(frozen=True, slots=True, repr=False)
class FigureReport:
    """The report on a bet or a base game."""

    name: str
    method: str
    options: Mapping[str, str]
    lines: tuple[RowReturn, ...]
    figures: Mapping[str, Fraction]
    strategy: tuple[str, ...] = ()
    #: The error of the house edge, if it is computed in double precision.
    error: Fraction = Fraction(0)

    @property
    def computed(self) -> dict[str, ComputedFigure]:
        """The figures with their units; a variance adds its standard deviation."""
        figures = _with_units(self.figures)
        if self.error:
            figures["house edge"] = replace(figures["house edge"], how="numeric", error=self.error)
        return figures

    @property
    def distribution(self) -> Distribution:
        """What one round returns, in first wagers; a share of a meter counts as zero."""
        pays = [
            (line.returns / line.probability + (line.hand == NET_RESULT), line.probability)
            for line in self.lines
            if line.returns is not None and line.probability
        ]
        nothing = 1 - sum((chance for _, chance in pays), Fraction(0))
        if nothing < 0 or not pays:
            what = "has no single distribution: its bets are priced apart, or it is solved without one"
            raise ProblemsError([Problem(self.name, what, "ask for the odds of one bet")])
        return Distribution.of([*pays, (Fraction(0), nothing)])

    def __repr__(self) -> str:
        figures = ", ".join(f"{name} {float(value):.6g}" for name, value in list(self.figures.items())[:2])
        return f"<FigureReport {self.name}: {figures}>"

    def _repr_html_(self) -> str:
        rows = [[line.hand, line.pays, f"{float(line.probability):.6g}"] for line in self.lines]
        figures = [[name, "", f"{float(value):.8g}"] for name, value in self.figures.items()]
        return html_table((self.name, "pays", "probability"), [*rows, *figures])

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
            "figures": {name: figure.as_json() for name, figure in self.computed.items()},
            "strategy": list(self.strategy),
        }


def bet_reports(paytable: Paytable, options: Mapping[str, str]) -> list[FigureReport]:
    """Report on a bet that a paytable pays, on each side unless one is chosen."""
    if "side" in options or not sides(paytable):
        return [bet_report(paytable, options)]
    return [bet_report(paytable, {**options, "side": side}) for side in sides(paytable)]


def bet_report(paytable: Paytable, options: Mapping[str, str]) -> FigureReport:
    """Report on a bet with the given options; the others default to those it is designed for."""
    priced = sheet(paytable, options)
    price = priced.price
    nothing = RowReturn("nothing", "-", price.probability(None), Fraction(0), price.deals[None])
    return FigureReport(
        price.paytable.name,
        priced.method,
        priced.options,
        (*price.row_returns(), nothing),
        _figures(priced) if priced.stands_alone else priced.game,
        priced.strategy,
        priced.gain_error,
    )


def _figures(priced: Sheet) -> dict[str, Fraction]:
    price = priced.price
    meters = " of fixed pays" if price.paytable.levels else ""
    figures = {"hit frequency": price.hit_frequency, f"variance{meters}": price.variance}
    if priced.gain:
        taken_edge = {"house edge with every win taken": price.house_edge}
        return {"house edge": priced.house_edge, **taken_edge, "hit frequency": price.hit_frequency}
    if not price.paytable.levels:
        return {"house edge": price.house_edge, **figures}
    figures["fixed return"] = price.fixed_return
    if price.probability(0):
        figures["top odds (one in)"] = price.top_odds
    if len(price.paytable.levels) == 1 and price.mean_share(price.paytable.levels[0]):
        figures["break-even meter"] = price.break_even_meter()
    for level in price.paytable.levels:
        if chance := price.whole_share_probability(level):
            figures[f"wagers to the {level} (one in)"] = 1 / chance
    if price.envy_per_bettor:
        figures["envy per other bettor"] = price.envy_per_bettor
    return figures


def base_report(title: str, options: Mapping[str, str]) -> FigureReport:
    """Report on a base game under optimal play."""
    game = solved_base(title)
    given_options = chosen_options(title, game.options, options)
    chosen = {name: given_options.get(name, values[0]) for name, values in game.options.items()}
    play = game.solve(**chosen)
    return FigureReport(
        f"{title}/base", game.method, chosen, play.outcomes, play.figures, play.strategy, play.error
    )


def _with_units(figures: Mapping[str, Fraction]) -> dict[str, ComputedFigure]:
    figures_by_name = {}
    for name, value in figures.items():
        unit = next((unit for word, unit in _UNITS.items() if word in name), "of the first wager")
        figures_by_name[name] = ComputedFigure(value, unit)
        if "variance" in name:
            deviation = ComputedFigure(root(value), "first wagers", "rounded", ERROR)
            figures_by_name[name.replace("variance", "standard deviation")] = deviation
    return figures_by_name


#: Units by a word in the figure's name; all other figures are fractions of the first wager.
_UNITS = {
    "variance": "first wagers squared",
    "element of risk": "of all that is staked",
    "frequency": "of all rounds",
    "one in": "one in",
    "meter": "dollars",
}
