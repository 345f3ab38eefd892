"""The posting sheet: what must hang at a table, made from the floor file and nothing else."""

from collections.abc import Iterator

from feltwork import money
from feltwork.compliance.floor import (
    Floor,
    FloorTable,
    HouseLink,
    ProgressiveLink,
    house_jackpot,
    progressive_link,
)
from feltwork.compliance.jurisdiction import Rulings
from feltwork.paytables.paytable import Odds, Row
from feltwork.progressive.link import NO_CAP, Link

_WINNERS = {
    "seat_order": "Several winners of one amount are paid from the dealer's right, each on what is left.",
    "split": "Several winners of one amount divide it.",
    "each_in_full": "Several winners of one amount are each paid in full.",
}


def posting_sheet(floor: Floor, table: FloorTable, rulings: Rulings) -> str:
    """Limits, jackpots, prizes and how disputes are settled, for one table [WA-28, GEN-26]."""
    lines = [f"# {table.known_as or table.game.title}, table {table.id}", "", floor.site, ""]
    lines += _limits(table)
    for paytable in table.paytables.values():
        rows = (f"{row.hand.replace('_', ' ')} {row.pays}" for row in paytable.rows)
        lines.append(f"- {paytable.bet.replace('_', ' ')} pays: {', '.join(rows)}")
    for link in floor.links_of(table):
        lines += ["", f"## {link.jackpot.title}: {link.id}", ""]
        lines += _house(link) if isinstance(link, HouseLink) else _progressive(floor, link, rulings)
    lines += ["", "## Disputes", "", floor.disputes or "Ask the supervisor."]
    return "\n".join(lines) + "\n"


def _limits(table: FloorTable) -> Iterator[str]:
    yield f"- Highest wager {money.text(table.highest_wager)}"
    for bet, highest in table.side_bets.items():
        yield f"- Highest wager on {bet.replace('_', ' ')} {money.text(highest)}"
    if table.table_aggregate is not None:
        yield f"- All wins of a round together come to at most {money.text(table.table_aggregate)}"
    if table.player_aggregate is not None:
        yield f"- One player's wins of a round come to at most {money.text(table.player_aggregate)}"


def _house(link: HouseLink) -> Iterator[str]:
    """The amount, standing still, with both disclosures [WA-02]."""
    yield f"- {link.hand.replace('_', ' ')} pays {money.text(link.amount)} to every player who makes it"
    yield from (f"- {disclosure}" for disclosure in house_jackpot(link).disclosures)


def _progressive(floor: Floor, link: ProgressiveLink, rulings: Rulings) -> Iterator[str]:
    """Prizes scaled to the wager, caps, and every policy that decides money [LT-13, LT-10, GEN-10, WA-09]."""
    runs = progressive_link(floor, link)
    yield f"- Wager {money.text(link.wager)}"
    yield from (f"- {_prize(runs, row)}" for row in link.paytable.rows)
    for meter in link.meters:
        rate, reserve = money.rate_text(meter.contribution), money.rate_text(meter.reserve)
        fed = f"{rate} of each wager feeds it, and {reserve} its reserve"
        yield f"- {meter.level} starts at {money.text(meter.seed)}; {fed}"
        if meter.cap != NO_CAP:
            cap = money.text(meter.cap)
            yield f"- {meter.level} is capped at {cap}; what exceeds it feeds the {link.overflow}"
    counts = "count" if runs.options["folded_hands_qualify"] else "do not count"
    yield f"- Folded hands {counts}"
    yield f"- {_winners(link, runs)}"
    days = link.notice_days if link.notice_days is not None else rulings["notice_days"].number
    yield f"- It is removed only after {days} days of notice"


def _winners(link: ProgressiveLink, runs: Link) -> str:
    if link.jackpot.divides_shares:
        return "A percentage is divided among the table's bettors who share it."
    return _WINNERS[str(runs.options["several_winners"])]


def _prize(runs: Link, row: Row) -> str:
    pays = money.text(row.pays.pay(runs.wager)) if isinstance(row.pays, Odds) else str(row.pays)
    back = ", and the wager back" if isinstance(row.pays, Odds) and row.pays.stake_returned else ""
    envy = row.envy_for(runs.wager)
    others = f"; {money.text(envy)} to every other bettor at the table" if envy else ""
    return f"{row.hand.replace('_', ' ')}: {pays}{back}{others}"
