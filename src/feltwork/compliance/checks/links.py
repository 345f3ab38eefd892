"""Checks of links: which tables may share a jackpot, and under which policies."""

from collections.abc import Iterator

from feltwork.compliance.approvals_register import JACKPOTS
from feltwork.compliance.checks.linked_games import check_connected
from feltwork.compliance.finding import Finding, FloorCase
from feltwork.compliance.floor import (
    FloorLink,
    link_from_floor,
)
from feltwork.problem import Problem, ProblemsError
from feltwork.progressive.link import verify_link
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
            yield case.refused((*table.place, "options"), "WA-13", what, remedy)


def _title_rule(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Check the letters' rules on linking titles [WA-13]."""
    rule = JACKPOTS.get(link.jackpot.name)
    tables = case.floor.tables_of(link)
    if rule is None:
        return
    place = (*link.place, "tables")
    if rule.linked == "never" and len(tables) > 1:
        what = f"{link.jackpot.name} is never linked, and {link.id} has {len(tables)} tables [{rule.cites}]"
        yield case.refused(place, "WA-13", what, "give each table a link of its own")
    decks = sorted({table.decks for table in tables})
    if rule.linked == "same_decks" and len(decks) > 1:
        what = f"{link.id} links shoes of {' and '.join(map(str, decks))} decks [{rule.cites}]"
        yield case.refused(place, "WA-13", what, "deal all its tables from the same number of decks")
    for table in tables:
        if table.known_as and rule.titles and table.known_as not in rule.titles:
            what = f"{table.known_as} at {table.id} is not a title that may share {link.jackpot.name}"
            remedy = f"the letter lists: {', '.join(rule.titles)}"
            yield case.refused((*table.place, "known_as"), "WA-13", what, remedy)


def _locations(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    ruling = case.rulings["link_across_locations"]
    locations = sorted({table.location for table in case.floor.tables_of(link)})
    if len(locations) > 1 and not ruling.flag:
        what = f"{link.id} links {' and '.join(locations)}; {ruling.source} keeps a link in one location"
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
        what = f"{link.id} names no access plan for its controller; {ruling.source} requires one"
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
        what = f"{link.id}: {name} = {value} is not what {ruling.source} allows"
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
