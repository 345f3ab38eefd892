"""Checks of links: which tables may share a jackpot, under which policies, and with which chances."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from feltwork.problem import Problem, ProblemsError
from feltwork.site.compliance.approvals_register import JACKPOTS
from feltwork.site.compliance.finding import Finding, FloorCase
from feltwork.site.compliance.floor import (
    FloorLink,
    FloorTable,
    link_from_floor,
)
from feltwork.site.compliance.link_odds import Uncounted, meter_prizes, offer_at, one_in
from feltwork.site.progressive.link import verify_link
from feltwork.titles import registry
from feltwork.toml_locations import Place


def check_links(case: FloorCase) -> Iterator[Finding]:
    """Check every link: its tables, its terms, its policies."""
    for link in case.floor.links:
        yield from _views(case, link)
        yield from _title_rule(case, link)
        yield from _locations(case, link)
        yield from _manufacturers(case, link)
        yield from _access_plan(case, link)
        yield from _shows(case, link)
        yield from _runs(case, link)
        yield from _policies(case, link)
        if not link.is_house:
            yield from check_connected(case, link)


def _views(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Require games that deal the cards a jackpot evaluates [LT-11]."""
    views = link.jackpot.views[link.variant]
    for table in case.floor.tables_of(link):
        if not registry.fits(link.jackpot, link.variant, table.game):
            what = (
                f"{link.id} looks at {' or '.join(views)}, and {table.game.name} at {table.id} "
                f"shows {', '.join(table.game.views)}"
            )
            fitting = ", ".join(jackpot.name for jackpot in registry.fitting(table.game)) or "none"
            yield case.refused((*link.place, "tables"), "LT-11", what, f"jackpots that fit it: {fitting}")
    decks = link.jackpot.decks
    for table in case.floor.tables_of(link):
        if decks and table.decks not in decks:
            what = f"{link.jackpot.name} is not offered with the {table.decks} decks of {table.id}"
            remedy = f"deal it from: {', '.join(map(str, decks))}"
            yield case.not_allowed(table, "options", "WA-13", what, remedy)


def _title_rule(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Check the letters' rules on linking titles [WA-13]."""
    rule = JACKPOTS.get(link.jackpot.name)
    tables = case.floor.tables_of(link)
    if rule is None:
        return
    if rule.linked == "never" and len(tables) > 1:
        what = f"{link.jackpot.name} is never linked, and {link.id} has {len(tables)} tables [{rule.cites}]"
        yield case.not_allowed(link, "tables", "WA-13", what, "give each table a link of its own")
    decks = sorted({table.decks for table in tables})
    if rule.linked == "same_decks" and len(decks) > 1:
        what = f"{link.id} links shoes of {' and '.join(map(str, decks))} decks [{rule.cites}]"
        remedy = "deal all its tables from the same number of decks"
        yield case.not_allowed(link, "tables", "WA-13", what, remedy)
    for table in tables:
        if table.known_as and rule.titles and table.known_as not in rule.titles:
            what = f"{table.known_as} at {table.id} is not a title that may share {link.jackpot.name}"
            remedy = f"the letter lists: {', '.join(rule.titles)}"
            yield case.not_allowed(table, "known_as", "WA-13", what, remedy)


def _locations(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    ruling = case.rulings["link_across_locations"]
    locations = sorted({table.location for table in case.floor.tables_of(link)})
    if len(locations) > 1 and not ruling.flag:
        what = f"{link.id} links {' and '.join(locations)}; {ruling.cited} keeps a link in one location"
        yield case.refused((*link.place, "tables"), ruling.requirement, what, "make it one link per location")


def _manufacturers(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Require an approval on file for equipment of several makers on one link [WA-14]."""
    ruling = case.rulings["mixed_manufacturers"]
    makers = sorted({link.manufacturer, *(table.manufacturer for table in case.floor.tables_of(link))})
    if len(makers) > 1 and ruling.value == "approval" and not link.interoperability_approval:
        what = f"{link.id} mixes the equipment of {' and '.join(makers)} without an approval"
        remedy = "add interoperability_approval with its reference"
        yield case.refused((*link.place, "manufacturer"), ruling.requirement, what, remedy)


def _access_plan(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Require an access plan on file before a jackpot goes live, where the law does [GEN-03]."""
    ruling = case.rulings["access_plan_stated"]
    if ruling.flag and not link.access_plan:
        what = f"{link.id} names no access plan for its controller; {ruling.cited} requires one"
        remedy = "add access_plan with its reference"
        yield case.refused(link.place, ruling.requirement, what, remedy)


def _shows(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Require every table of a link to show the amounts that can be won [WA-07]."""
    for table in case.floor.tables_of(link):
        if not table.shows_meter:
            what = f"{table.id} does not show the amounts of {link.id}"
            requirement = "WA-02" if link.is_house else "WA-07"
            yield case.refused((*table.place, "shows_meter"), requirement, what, "give it a display")


def _runs(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Report links that `progressive` would refuse to open: rates, bounds, controls [WA-05, GEN-01]."""
    try:
        verify_link(link_from_floor(case.floor, link))
    except ProblemsError as error:
        for problem in error.problems:
            place = _place_of(link, problem)
            yield case.refused(
                place, problem.requirement or "GEN-03", f"{link.id}: {problem.what}", problem.remedy
            )


def _place_of(link: FloorLink, problem: Problem) -> Place:
    """Return the place in the file for a problem of a link."""
    _, _, detail = problem.where.partition(", ")
    word, _, level = detail.partition(" ")
    meter = link.meter(level) if word == "level" else None
    return meter.place if meter else (*link.place, {"levels": "meter"}.get(word, word))


def _policies(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Check policies against the jurisdiction's choices [GEN-10, GEN-07, WA-09, WA-22]."""
    chosen = {"cut_off": (link.cut_off, "cut_off")}
    if not link.is_house:
        chosen["several_winners"] = (str(link.options.get("several_winners", "seat_order")), "options")
        chosen["overflow"] = (link.overflow, "overflow")
    by_controls = case.rulings["by_internal_controls"].names
    for name, (value, key) in chosen.items():
        ruling = case.rulings[name]
        if value in ruling.names:
            continue
        what = f"{link.id}: {name} = {value} is not what {ruling.cited} allows"
        remedy = f"choose from: {', '.join(ruling.names)}"
        if name not in by_controls:
            yield case.refused((*link.place, key), ruling.requirement, what, remedy)
        elif not link.internal_controls:
            remedy += "; or add internal_controls with the reference of their approval"
            yield case.refused((*link.place, key), ruling.requirement, what, remedy)
        else:
            what = f"{link.id}: {name} = {value} by internal controls {link.internal_controls}"
            yield case.note((*link.place, key), ruling.requirement, what, "keep the approval at hand")
    notice = case.rulings["notice_days"]
    if link.notice_days is not None and notice.number is not None and link.notice_days < notice.number:
        what = f"{link.id} would be removed after {link.notice_days} days of notice, not {notice.number}"
        yield case.refused((*link.place, "notice_days"), notice.requirement, what, "give patrons longer")


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
