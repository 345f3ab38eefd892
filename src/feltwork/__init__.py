"""Feltwork: the open system behind the felt.

The names in ``__all__`` are the public library; docs/library.md describes them. They load on first use, so
``import feltwork`` is fast.
"""

TYPE_CHECKING = False  # type checkers treat this name as true; importing typing would cost more than the rest
if TYPE_CHECKING:
    from feltwork.library.answers import best_hand, certify, figures, games, simulate, verify, what_if
    from feltwork.library.inputs import paytable, read_paytable
    from feltwork.library.meters import MeterSimulation, simulate_meter
    from feltwork.library.odds import advise, odds
    from feltwork.library.settlement import Settlements, settle, settle_many
    from feltwork.odds.distribution import Distribution
    from feltwork.odds.report import FigureReport
    from feltwork.odds.simulate import SimulatedGame
    from feltwork.odds.title_odds import Advice
    from feltwork.odds.verify import Verdict
    from feltwork.odds.what_if.answer import WhatIfAnswer
    from feltwork.problem import Problem, ProblemsError
    from feltwork.titles.cards.card import Card
    from feltwork.titles.paytables.paytable import Paytable
    from feltwork.titles.round import Round
    from feltwork.titles.settlement import BetResult, JackpotResult, MeterChange, SeatResult, Settlement

__version__ = "0.1.0"
__all__ = [
    "Advice",
    "BetResult",
    "Card",
    "Distribution",
    "FigureReport",
    "JackpotResult",
    "MeterChange",
    "MeterSimulation",
    "Paytable",
    "Problem",
    "ProblemsError",
    "Round",
    "SeatResult",
    "Settlement",
    "Settlements",
    "SimulatedGame",
    "Verdict",
    "WhatIfAnswer",
    "__version__",
    "advise",
    "best_hand",
    "certify",
    "figures",
    "games",
    "odds",
    "paytable",
    "read_paytable",
    "settle",
    "settle_many",
    "simulate",
    "simulate_meter",
    "verify",
    "what_if",
]
_HOMES = {
    "feltwork.library.answers": ("best_hand", "certify", "figures", "games", "simulate", "verify", "what_if"),
    "feltwork.library.inputs": ("paytable", "read_paytable"),
    "feltwork.library.meters": ("MeterSimulation", "simulate_meter"),
    "feltwork.library.odds": ("advise",),
    "feltwork.library.settlement": ("Settlements", "settle", "settle_many"),
    "feltwork.odds.distribution": ("Distribution",),
    "feltwork.odds.report": ("FigureReport",),
    "feltwork.odds.simulate": ("SimulatedGame",),
    "feltwork.odds.verify": ("Verdict",),
    "feltwork.odds.what_if.answer": ("WhatIfAnswer",),
    "feltwork.titles.cards.card": ("Card",),
    "feltwork.odds.title_odds": ("Advice",),
    "feltwork.titles.paytables.paytable": ("Paytable",),
    "feltwork.problem": ("Problem", "ProblemsError"),
    "feltwork.titles.round": ("Round",),
    "feltwork.titles.settlement": ("BetResult", "JackpotResult", "MeterChange", "SeatResult", "Settlement"),
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load a public name on first use; ``odds`` is the package of that name, which is callable."""
        from importlib import import_module

        if name == "odds":
            return import_module("feltwork.odds")
        for home, names in _HOMES.items():
            if name in names:
                return getattr(import_module(home), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
