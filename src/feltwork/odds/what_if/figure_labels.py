"""Labels and formats of what-if figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from feltwork.odds.sessions import BankSession
from feltwork.odds.what_if.answer import ComputedFigure
from feltwork.odds.what_if.card_removal import CardRemoval
from feltwork.titles import registry
from feltwork.titles.cards.card import Card, Suit, rank_letter

LABELS: Mapping[str, str] = {
    "return": "Return",
    "house_edge": "House edge",
    "house_edge_taken": "House edge with every win taken",
    "variance_taken": "Variance with every win taken",
    "house_edge_on_player": "House edge on Player",
    "house_edge_on_banker": "House edge on Banker",
    "hold": "Long-run hold",
    "hold_on_player": "Long-run hold on Player",
    "hold_on_banker": "Long-run hold on Banker",
    "element_of_risk": "Element of risk",
    "edge_at_seed": "House edge at seed",
    "edge_at_meter": "House edge at today's meter",
    "fixed_return": "Return of fixed pays",
    "to_meters": "Contribution to meters and reserves",
    "hit_frequency": "Hit frequency",
    "fold_frequency": "Fold frequency",
    "variance": "Variance",
    "standard_deviation": "Standard deviation",
    "base_covariance": "Covariance with the base game",
    "base_correlation": "Correlation with the base game",
    "variance_with_base": "Variance of both together, one wager each",
    "exposed_edge": "House edge with these cards exposed",
    "exposed_favorable": "Rounds in which the cards exposed favor the player",
    "exposed_gain": "Win per round when betting only in those rounds",
    "top_odds": "Top row",
    "envy_per_bettor": "Envy return per other bettor",
    "break_even_meter": "Break-even meter",
    "mean_jackpot": "Mean jackpot",
    "jackpot_deviation": "Jackpot standard deviation",
    "jackpot_5": "Jackpot, 5th percentile",
    "jackpot_25": "Jackpot, 25th percentile",
    "jackpot_50": "Jackpot, median",
    "jackpot_75": "Jackpot, 75th percentile",
    "jackpot_95": "Jackpot, 95th percentile",
    "jackpot_above": "Jackpot above the amount asked for",
    "dry_risk": "Risk of running dry before a hit",
    "shortfall_risk": "Seed shortfall, share of hits",
    "mean_shortfall": "Average seed shortfall per hit",
    "stranded_per_hit": "Left in the reserve per hit",
    "wagers_to_hit": "Average wagers per hit",
    "hours_to_hit": "Average time to a hit",
    "hours_to_hit_50": "Time to a hit, 50% chance",
    "hours_to_hit_90": "Time to a hit, 90% chance",
    "hits_a_year": "Hits per year",
    "back_to_back": "Odds of back-to-back hits",
    "mean_meter": "Mean jackpot",
    "house_edge_with_parlay": "House edge with the best parlay decision",
    "seed": "Seed",
    "reserve": "Reserve",
}
_HOURS_A_DAY = 24


def label(name: str) -> str:
    """Return the label of a figure, without the name of its meter."""
    return LABELS[name.rpartition(".")[2]]


def bet_name(name: str) -> str:
    """Return a bet's or base game's display name: ``crazy_4/base`` is the base game of Crazy 4 Poker."""
    title, _, rest = name.partition("/")
    bet, _, paytable = rest.partition("/")
    label = f"{bet.replace('_', ' ')}, paytable {paytable}" if paytable else "base game"
    return f"{registry.title(title).title}: {label}"


def options_text(options: Mapping[str, str]) -> str:
    """Format options for display: ``soft_17=hit`` becomes soft 17: hit."""
    words = {"true": "yes", "false": "no"}
    return "; ".join(
        f"{name.replace('_', ' ')}: {words.get(value, value.replace('_', ' '))}"
        for name, value in options.items()
    )


def figure_name(identifier: str) -> str:
    """Name a figure of the catalog within its paytable: label and parameters instead of an id."""
    path, _, query = identifier.partition("?")
    parameters = [part.replace("_", " ").replace("=", " ") for part in query.split("&") if part]
    return ", ".join([label(path.rpartition("/")[2]), *parameters])


def written(figure: ComputedFigure) -> str:
    """Format a figure, a sampled one with its interval."""
    text = in_unit(figure.value, figure.unit)
    return f"{text} ± {in_unit(figure.error, figure.unit)}" if figure.how == "sampled" else text


def returns_text(returns: Fraction | None) -> str:
    """Format the return of a row."""
    return "unknown" if returns is None else in_unit(returns, "of the wager")


def in_unit(value: Fraction, unit: str) -> str:
    """Format a value in its unit: percentages, dollars and cents, days instead of many hours."""
    if unit.startswith("of "):
        return f"{float(value * 100):.4f}%"
    if unit == "dollars":
        return f"{'-' if value < 0 else ''}${abs(float(value)):,.2f}"
    if unit == "hours":
        hours = float(value)
        return (
            f"{hours / _HOURS_A_DAY:,.1f} days" if abs(hours) >= 2 * _HOURS_A_DAY else f"{hours:,.1f} hours"
        )
    if unit == "one in":
        return f"one in {value.numerator:,}" if value.denominator == 1 else f"one in {float(value):,.1f}"
    number = f"{float(value):,.4f}" if abs(value) < 1_000 else f"{float(value):,.0f}"
    if unit.endswith(" squared"):
        return f"{number} {unit.removesuffix(' squared')}²"
    return f"{number} {unit}"


def session_text(session: BankSession) -> str:
    """Describe the risk of ruin of a bank in a session."""
    return (
        f"A bank of {session.bank:,} wagers is lost within {session.rounds:,} rounds with a chance of "
        f"{session.ruin * 100:.4f}%. For a risk of {float(session.risk * 100):g}%, a bank of "
        f"{session.required_bank:,} wagers is needed."
    )


def removal_lines(removal: CardRemoval | None) -> list[str]:
    """Write the effect of each card, the best for the player first, and the value of a count."""
    model = removal_model(removal)
    if removal is None or model is None:
        return ["Card removal does not apply: the bet is not dealt from a shoe, or is decided later."]
    return [
        f"Player's advantage in a full shoe of {removal.cards} cards: {returns_text(removal.advantage)}",
        *(f"  {row['cards']}: {row['effect']} when one is gone" for row in model["effects"]),
        *(
            f"  {depth['dealt']} dealt: favorable in {depth['favorable']} of rounds, "
            f"{depth['gain']} won per round"
            for depth in model["depths"]
        ),
    ]


def removal_model(removal: CardRemoval | None) -> dict[str, Any] | None:
    """Return the same data as cells of two tables."""
    if removal is None:
        return None
    return {
        "cards": removal.cards,
        "effects": [
            {"cards": _cards_text(cards), "effect": f"{float(effect * 100):+.5f}%"}
            for effect, cards in removal.by_effect()
        ],
        "depths": [
            {
                "dealt": f"{float(depth.dealt):.0%}",
                "favorable": f"{depth.favorable * 100:.3f}%",
                "gain": f"{depth.gain * 100:.4f}%",
            }
            for depth in removal.depths
        ],
    }


def _cards_text(cards: Sequence[Card]) -> str:
    """Write cards; a rank with all its suits is written once."""
    whole = {rank for rank, copies in Counter(card.rank for card in cards).items() if copies == len(Suit)}
    words = (rank_letter(card.rank) if card.rank in whole else str(card) for card in cards)
    return " ".join(dict.fromkeys(words))
