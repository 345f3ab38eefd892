"""The posting sheet: what must hang at a table, made from the floor file and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass

from feltwork import money
from feltwork.compliance.floor import Floor, FloorLink, FloorTable, link_from_floor
from feltwork.compliance.jurisdiction import Rulings
from feltwork.compliance.link_odds import Uncounted, percent, stated_returns
from feltwork.paytables.paytable import Odds, Row
from feltwork.progressive.link import DISCLOSURES, NO_CAP, Link

_WINNERS = {
    "seat_order": "Several winners of one amount are paid from the dealer's right, each on what is left.",
    "split": "Several winners of one amount divide it.",
    "each_in_full": "Several winners of one amount are each paid in full.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PostingSection:
    """One part of a sheet; the first has no title, and a jackpot's part names its link and its prizes."""

    title: str = ""
    link: str = ""
    #: A hand and what it pays, the highest first.
    prizes: tuple[tuple[str, str], ...] = ()
    says: tuple[str, ...] = ()
    #: Whether it is a text of the house rather than a list.
    text: bool = False


def posting_sheet(floor: Floor, table: FloorTable, rulings: Rulings) -> str:
    """Limits, jackpots, prizes and how disputes are settled, for one table [WA-28, GEN-26]."""
    lines = [f"# {table.known_as or table.game.title}, table {table.id}", "", floor.site, ""]
    for section in sections(floor, table, rulings):
        if section.title:
            about = f": {section.link}" if section.link else ""
            lines += ["", f"## {section.title}{about}", ""]
        bullets = [*(f"{hand}: {pays}" for hand, pays in section.prizes), *section.says]
        lines += bullets if section.text else [f"- {line}" for line in bullets]
    return "\n".join(lines) + "\n"


def sections(floor: Floor, table: FloorTable, rulings: Rulings) -> tuple[PostingSection, ...]:
    """The notice in parts, for print."""
    return tuple(_sections(floor, table, rulings))


def _sections(floor: Floor, table: FloorTable, rulings: Rulings) -> Iterator[PostingSection]:
    yield PostingSection(says=(*_limits(table), *_side_bets(table)))
    for link in floor.links_of(table):
        runs = link_from_floor(floor, link)
        yield PostingSection(
            title=link.jackpot.title,
            link=link.id,
            prizes=tuple(_prize(runs, row) for row in link.paytable.rows),
            says=(*_policies(runs, link, rulings), *_returns(link, table)),
        )
    if floor.cannot_win:
        yield PostingSection(title="Who cannot win", says=(floor.cannot_win,), text=True)
    yield PostingSection(title="Disputes", says=(floor.disputes or "Ask the supervisor.",), text=True)


def _limits(table: FloorTable) -> Iterator[str]:
    for one in table.bets:
        yield f"{one.bet.replace('_', ' ')}: {one.range_text}; {one.rule}"
    if table.table_aggregate is not None:
        yield f"All wins of a round together come to at most {money.text(table.table_aggregate)}"
    if table.player_aggregate is not None:
        yield f"One player's wins of a round come to at most {money.text(table.player_aggregate)}"
    if table.table_aggregate is not None or table.player_aggregate is not None:
        yield "Wins that come to more are paid in proportion; jackpots are paid besides"


def _side_bets(table: FloorTable) -> Iterator[str]:
    for paytable in table.paytables.values():
        rows = (f"{row.hand.replace('_', ' ')} {row.pays}" for row in paytable.rows)
        yield f"{paytable.bet.replace('_', ' ')} pays: {', '.join(rows)}"


def _policies(runs: Link, link: FloorLink, rulings: Rulings) -> Iterator[str]:
    """The wager, amounts, caps, and every policy that decides money [LT-10, GEN-10, WA-09]."""
    yield f"Wager {money.text(link.wager)}"
    counts = "count" if runs.options["folded_hands_qualify"] else "do not count"
    if link.is_house:
        for meter in link.meters:
            opens = money.text(meter.amount)
            yield f"{meter.level} opens at {opens}; every player who wins it gets what is posted then"
        yield f"Folded hands {counts}"
        yield from DISCLOSURES
        return
    for meter in link.meters:
        rate, reserve = money.rate_text(meter.contribution), money.rate_text(meter.reserve)
        fed = f"{rate} of each wager feeds it, and {reserve} its reserve"
        yield f"{meter.level} starts at {money.text(meter.seed)}; {fed}"
        if meter.cap != NO_CAP:
            cap = money.text(meter.cap)
            yield f"{meter.level} is capped at {cap}; what exceeds it feeds the {link.overflow}"
    yield f"Folded hands {counts}"
    yield _winners(link, runs)
    days = link.notice_days if link.notice_days is not None else rulings["notice_days"].number
    yield f"It is removed only after {days} days of notice"


def _returns(link: FloorLink, table: FloorTable) -> Iterator[str]:
    """The return to player, where the odds are known [GEN-26]."""
    stated = stated_returns(link, table)
    if isinstance(stated, Uncounted):
        yield f"What it returns is not stated: {stated.why}"
        return
    for side in dict.fromkeys(one.side for one in stated):
        alone, *company = (one for one in stated if one.side == side)
        bettor = f"a player who bets on the {side}" if side else "the player"
        told = f"In the long run {percent(alone.returns.total)} of each wager comes back to {bettor}"
        if all(one.returns.total == alone.returns.total for one in company):
            yield told
            continue
        others = (f"{percent(one.returns.total)} {one.crowd}" for one in company)
        yield f"{told} {alone.crowd}; {'; '.join(others)}"


def _winners(link: FloorLink, runs: Link) -> str:
    if link.jackpot.divides_shares:
        return "A percentage is divided among the table's bettors who share it."
    return _WINNERS[str(runs.options["several_winners"])]


def _prize(runs: Link, row: Row) -> tuple[str, str]:
    """A hand and what it pays, scaled to the wager [LT-13]."""
    pays = money.text(row.pays.pay(runs.wager)) if isinstance(row.pays, Odds) else str(row.pays)
    back = ", and the wager back" if isinstance(row.pays, Odds) and row.pays.stake_returned else ""
    envy = row.envy_for(runs.wager)
    others = f"; {money.text(envy)} to every other bettor at the table" if envy else ""
    return row.hand.replace("_", " "), f"{pays}{back}{others}"
