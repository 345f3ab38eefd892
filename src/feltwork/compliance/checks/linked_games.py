"""Checks of links across different games: the same hand, exactly the same chance, a meter on each table."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from feltwork.compliance.finding import Finding, FloorCase
from feltwork.compliance.floor import FloorLink, FloorTable
from feltwork.compliance.link_odds import Uncounted, meter_prizes, offer_at, one_in
from feltwork.titles import registry

#: The chance of every meter prize.
Prizes: TypeAlias = dict[str, Fraction]


def check_connected(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Check everything that depends on a link's odds or on having different games [WA-11, WA-12, GEN-03]."""
    tables = [
        table
        for table in case.floor.tables_of(link)
        if registry.fits(link.jackpot, link.variant, table.game)
        and (not link.jackpot.decks or table.decks in link.jackpot.decks)
    ]
    prizes = {table.id: _chances_at(link, table) for table in tables}
    if len({_game(table) for table in tables}) > 1:
        yield from _equal_chance(case, link, tables, prizes)
        yield from _folded(case, link, tables)
        yield from _one_jackpot(case, link, tables)
    yield from stated_odds(case, link, next(iter(prizes.values()), None))


def _chances_at(link: FloorLink, table: FloorTable) -> Prizes | Uncounted:
    """Return the chance of every meter prize for one bettor, on the side where it is rarer."""
    offered = offer_at(link, table)
    if isinstance(offered, Uncounted):
        return offered
    by_side = [meter_prizes(price) for price in offered.prices.values()]
    return {hand: min(chances[hand] for chances in by_side) for hand in by_side[0]}


def _game(table: FloorTable) -> tuple[str, str]:
    return table.game.name, table.known_as


def _equal_chance(
    case: FloorCase, link: FloorLink, tables: list[FloorTable], prizes: dict[str, Prizes | Uncounted]
) -> Iterator[Finding]:
    """Require exactly the same chance of each prize at every table, compared as fractions [WA-11]."""
    ruling = case.rulings["equal_probability"]
    if not ruling.flag:
        return
    place = (*link.place, "tables")
    first, *others = tables
    first_prizes = prizes[first.id]
    if isinstance(first_prizes, Uncounted):
        what = f"{link.id}: the chances of {_names(tables)} cannot be compared: {first_prizes.why}"
        remedy = "rely on the letter's own approval of the link; keep its reference on file"
        yield case.warning(place, ruling.requirement, what, remedy)
        return
    for other in others:
        other_prizes = prizes[other.id]
        if isinstance(other_prizes, Uncounted):
            what = f"{link.id}: the chance at {other.id} is not counted: {other_prizes.why}"
            yield case.warning(place, ruling.requirement, what, "deal it like the other tables")
            continue
        unlike = _differences(first_prizes, other_prizes)
        if unlike:
            what = f"{link.id}: {first.id} and {other.id} do not have the same chance: {'; '.join(unlike)}"
            yield case.refused(place, ruling.requirement, what, "link only tables with the same odds")


def _differences(prizes: Prizes, other_prizes: Prizes) -> list[str]:
    """List the prizes whose chances differ, in words."""
    return [
        f"{hand} comes {one_in(chance)} and {one_in(other_prizes[hand])}"
        for hand, chance in prizes.items()
        if other_prizes[hand] != chance
    ]


def _folded(case: FloorCase, link: FloorLink, tables: list[FloorTable]) -> Iterator[Finding]:
    """Folded hands must count: different games are folded at different times, on different cards [WA-11]."""
    if case.rulings["equal_probability"].flag and link.options.get("folded_hands_qualify") is False:
        games = " and ".join(sorted({table.game.name for table in tables}))
        what = (
            f"{link.id}: folded hands do not count, and {games} are folded on different cards, "
            "so the chance of a prize is not the same"
        )
        remedy = "let folded hands qualify on a link of different games"
        requirement = case.rulings["equal_probability"].requirement
        yield case.refused((*link.place, "options"), requirement, what, remedy)


def _one_jackpot(case: FloorCase, link: FloorLink, tables: list[FloorTable]) -> Iterator[Finding]:
    """Refuse a second progressive at a table of a shared jackpot, unless that rule is lifted [WA-12]."""
    ruling = case.rulings["one_connected_jackpot"]
    if not ruling.flag:
        return
    for table in tables:
        others = [
            other.id for other in case.floor.links_of(table) if other.id != link.id and not other.is_house
        ]
        if others:
            what = f"{table.id} feeds {link.id}, which different games share, and also {others[0]}"
            remedy = "take one of them off"
            if ruling.uncertain:
                remedy += (
                    f', or settle it with [[confirmed]] rule = "one_connected_jackpot" ({ruling.uncertain})'
                )
            yield case.refused(table.place, ruling.requirement, what, remedy)


def stated_odds(case: FloorCase, link: FloorLink, prizes: Prizes | Uncounted | None) -> Iterator[Finding]:
    """Require known odds within the legal limit before a jackpot goes live [GEN-03]."""
    longest, stated = case.rulings["longest_odds"], case.rulings["probability_stated"]
    place = (*link.place, "jackpot")
    if isinstance(prizes, Uncounted) and stated.flag:
        what = f"{link.id} cannot state its odds: {prizes.why}"
        remedy = "choose a variant whose odds are counted"
        yield case.refused(place, stated.requirement, what, remedy)
    if prizes is None or isinstance(prizes, Uncounted) or longest.number is None:
        return
    for hand, chance in prizes.items():
        if chance * longest.number < 1:
            what = f"{link.id}: {hand} comes {one_in(chance)}, rarer than one in {longest.number:,}"
            yield case.refused(place, longest.requirement, what, "choose another paytable")


def _names(tables: list[FloorTable]) -> str:
    return ", ".join(table.id for table in tables)
