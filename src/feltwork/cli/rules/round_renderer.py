"""Renderer of settled rounds for the terminal."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from feltwork import money
from feltwork.money import Micros
from feltwork.titles.cards.card import Card, rank_letter
from feltwork.titles.round import Round
from feltwork.titles.settlement import SeatResult, Settlement

_STYLES = {"win": "bold green", "push": "yellow", "lose": "red", "void": "magenta"}


def cards_drawn(cards: tuple[Card, ...]) -> Text:
    """Draw cards side by side, three lines high."""
    lines = [Text(), Text(), Text()]
    for card in cards:
        face = rank_letter(card.rank).replace("T", "10")
        lines[0].append("╭────╮", "dim")
        lines[1].append("│", "dim").append(
            f"{face:>2}{card.suit.symbol} ", "bold red" if card.suit.is_red else "bold"
        )
        lines[1].append("│", "dim")
        lines[2].append("╰────╯", "dim")
    return Text("\n").join(lines)


def print_round(
    round_: Round, settlement: Settlement, added: Mapping[str, Mapping[str, Micros]] | None = None
) -> None:
    """Print the layout, every seat with its pays and the reasons, and the meters.

    ``added`` holds the contributions of the round's wagers, by jackpot and level.
    """
    console = Console()
    console.print(Text(round_.game.title, "bold underline"))
    for place, cards in round_.table_cards.items():
        console.print(f"\n{place}")
        console.print(cards_drawn(cards))
    if settlement.void:
        console.print(f"\nVOID: {settlement.why_void}. All stakes are returned.", style="bold magenta")
    for seat, result in zip(round_.seats, settlement.seats, strict=True):
        console.print(f"\n[bold]seat {seat.number}[/bold]")
        if seat.cards:
            console.print(cards_drawn(seat.cards))
        for field, value in seat.said.items():
            console.print(f"{field}: {value}", markup=False)
        console.print(_paid(result))
    for jackpot, levels in settlement.meters.items():
        for level, change in levels.items():
            contribution = added[jackpot][level] if added else 0
            addition = f" + {money.text(contribution)} from the wagers" if contribution else ""
            moved = f"{money.text(change.before - contribution)}{addition} → {money.text(change.after)}"
            console.print(f"\nmeter {jackpot}/{level}: {moved}", markup=False)


def _paid(result: SeatResult) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column, justify in (
        ("bet", "left"),
        ("staked", "right"),
        ("returned", "right"),
        ("", "left"),
        ("why", "left"),
    ):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for name, bet in result.bets.items():
        outcome = Text(bet.outcome, _STYLES[bet.outcome])
        table.add_row(name, money.text(bet.staked), money.text(bet.returned), outcome, Text(bet.why))
    for name, jackpot in result.jackpots.items():
        paid = jackpot.award + jackpot.envy + jackpot.stake_returned
        outcome = Text("jackpot", "bold green") if paid else Text("lose", "red")
        table.add_row(name, money.text(jackpot.wager), money.text(paid), outcome, Text(jackpot.why))
    table.add_row("net", "", Text(money.text(result.net), "bold"), "", "")
    return table
