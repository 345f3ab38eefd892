"""Checks against the approvals register: games, jackpots, equipment, and the roles that a win needs."""

from collections.abc import Iterable, Iterator

from feltwork import money
from feltwork.site.compliance.approvals_register import (
    AMENDED,
    AMENDED_CITES,
    FIRST,
    GAMES,
    JACKPOTS,
    PAYTABLES,
    Component,
    JackpotApproval,
    component,
)
from feltwork.site.compliance.finding import Finding, FloorCase
from feltwork.site.compliance.floor import FloorLink, FloorTable, titles_from_packages
from feltwork.site.compliance.roles import conflicts
from feltwork.sources import citations, paragraphs
from feltwork.titles import registry


def check_approvals(case: FloorCase) -> Iterator[Finding]:
    """Check the approvals required before play, then every table and every link."""
    yield from _first(case)
    yield from _packages(case)
    if case.rulings["approval_letters"].flag:
        for table in case.floor.tables:
            yield from _amended(case, table)
            yield from _shuffler(case, table)
    for table in case.floor.tables:
        if table.lacks_rules_of:
            lacks = f"the rules of {table.lacks_rules_of} are not in Feltwork"
            what = f"{table.id}: {lacks}, which posts and prices only its jackpots [{AMENDED_CITES}]"
            remedy = "deal it by its approved rules, and post their sheet"
            yield case.not_allowed(table, "known_as", "LT-16", what, remedy, severity="warning")
    for link in case.floor.links:
        approval = JACKPOTS.get(link.jackpot.name)
        if approval is not None:
            yield from _games(case, link, approval)
            yield from _system(case, link, approval)
            yield from _fixed_pays(case, link, approval)
            yield from _policies(case, link, approval)
        yield from _paytable(case, link)


def _first(case: FloorCase) -> Iterator[Finding]:
    """Check for approvals that must be on file before a game is played [LT-17, TR-01]."""
    for first in FIRST:
        missing = [table for table in case.floor.tables if not table.approvals.get(first.approval)]
        if first.jurisdiction != case.floor.jurisdiction or not missing:
            continue
        letters = dict.fromkeys(table.game.letter for table in missing if table.game.letter)
        cites = ", ".join(f"{letter}.approval.{first.paragraph}" for letter in letters)
        tables = ", ".join(table.id for table in missing)
        what = f"{first.asks} is not on file for {tables}{f' [{cites}]' if cites else ''}"
        remedy = f'add approvals = {{ {first.approval} = "its reference" }} for the site or the table'
        tell = case.refused if first.severity == "refused" else case.warning
        yield tell((*missing[0].place, "approvals"), first.requirement, what, remedy)


def _packages(case: FloorCase) -> Iterator[Finding]:
    """Require titles from third-party packages to have their approved fingerprints [LT-16]."""
    for name in sorted(titles_from_packages(case.floor)):
        approved, fingerprint = case.floor.titles.get(name, ""), registry.fingerprint(name)
        if approved == fingerprint:
            continue
        known = f"approved is {approved[:12]}" if approved else "it is not approved"
        what = f"{name} comes in a package with the fingerprint {fingerprint[:12]}; {known}"
        remedy = (
            "install the approved package, or have this one approved: "
            f'titles = {{ {name} = "{fingerprint}" }}'
        )
        requirement = "LT-16" if case.rulings["approval_letters"].flag else "GEN-21"
        yield case.refused(("titles", name), requirement, what, remedy)


def _amended(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Check that the letters approve the game, or that it has its own approval [LT-17]."""
    approved = any(table.game.name in game.titles for game in AMENDED)
    if not approved and not table.approvals.get("game"):
        what = f"no letter approves {table.game.title} at {table.id} [{AMENDED_CITES}]"
        yield case.warning(
            (*table.place, "game"), "LT-17", what, 'add approvals = { game = "its reference" }'
        )


def _shuffler(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Check the shuffler, its mode and the shoe against the game's letter [LT-16]."""
    approval = GAMES.get(table.game.name)
    if approval is None:
        return
    place, equipment = (*table.place, "equipment"), table.equipment
    cites = f"[{approval.equipment}]"
    if approval.only_shufflers and "shuffler" not in equipment:
        what = f"{table.id} names no shuffler, and {table.game.title} must be dealt from one {cites}"
        remedy = f'add equipment = {{ shuffler = "{approval.shufflers[-1]}" }}'
        yield case.warning(place, "LT-16", what, remedy)
    for key, allowed in (("shuffler", approval.shufflers), ("shoe", approval.shoes)):
        if key not in equipment:
            continue
        part = component(equipment[key])
        # Unless the letter limits the game to its shufflers, only those that it lists need a version.
        others = [entry for entry in allowed if entry.name.casefold() == part.name.casefold()]
        limited = others or (list(allowed) if key == "shuffler" and approval.only_shufflers else [])
        if limited and not _covered(part, limited):
            what = f"{table.id} has the {key} {part}, and the letter lists {_or(limited)} {cites}"
            yield case.refused(place, "LT-16", what, "use one that the letter lists")
    if approval.shuffler_approval and "shuffler" in equipment and not table.approvals.get("shuffler"):
        what = (
            f"{table.id} has the shuffler {equipment['shuffler']}, and the Commission's approval of it is "
            f"not on file [{approval.shuffler_approval}]"
        )
        yield case.refused(place, "LT-16", what, 'add approvals = { shuffler = "its reference" }')
    mode = equipment.get("shuffler_mode")
    has_mode_rule = not approval.modes_for or approval.modes_for in table.limits.side_bets
    if mode and has_mode_rule and approval.modes and mode not in approval.modes:
        what = f"{table.id} has its shuffler in the mode {mode} {cites}"
        yield case.refused(place, "LT-16", what, f"set it to {_or(approval.modes)}")


def _games(case: FloorCase, link: FloorLink, approval: JackpotApproval) -> Iterator[Finding]:
    """Check which games carry a jackpot, and whether different games may share it [WA-13]."""
    tables = case.floor.tables_of(link)
    cites = ", ".join(game.cites for game in approval.games.values())
    # `check_links` reports games that do not show the cards.
    fitting = (table.game for table in tables if registry.fits(link.jackpot, link.variant, table.game))
    for game in {game.name: game for game in fitting if game.name not in approval.games}.values():
        what = f"{link.id}: no letter names {game.title} for {link.jackpot.name} [{cites}]"
        remedy = f"play it on {_or(approval.games)} only"
        yield case.not_allowed(link, "tables", "WA-13", what, remedy, is_open=approval.other_games)
    titles = dict.fromkeys(table.known_as or table.game.title for table in tables)
    if approval.linked == "same_game" and len(titles) > 1:
        what = (
            f"{link.id} connects {' and '.join(titles)}; "
            f"only tables of the same game may share it [{approval.cites}]"
        )
        yield case.not_allowed(link, "tables", "WA-13", what, "give each game a link of its own")


def _system(case: FloorCase, link: FloorLink, approval: JackpotApproval) -> Iterator[Finding]:
    """Check the controls, the components with their versions, and the displays [LT-16]."""
    cites = f"[{approval.systems_cites}]"
    systems = [system for system in approval.systems if system.controls == link.controls]
    if not systems:
        others = dict.fromkeys(system.controls for system in approval.systems)
        what = f"{link.id}: the letter lists no {link.controls} system for {link.jackpot.name} {cites}"
        yield case.not_allowed(link, "controls", "LT-16", what, f"use {_or(others)}")
        return
    if not any(all(_covered(part, system.components) for part in link.system) for system in systems):
        sets = "; or ".join(dict.fromkeys(", ".join(map(str, system.components)) for system in systems))
        runs = ", ".join(map(str, link.system))
        what = f"{link.id} runs on {runs}, which the letter does not list together {cites}"
        yield case.not_allowed(link, "system", "LT-16", what, f"use {sets}")
    displays = dict.fromkeys(display for system in systems for display in system.displays)
    for table in case.floor.tables_of(link):
        table_display = table.equipment.get("display")
        if table_display and not _covered(component(table_display), displays):
            what = f"{link.id} is shown on {table_display} at {table.id} {cites}"
            yield case.not_allowed(link, "tables", "LT-16", what, f"use {_or(displays)}")


def _fixed_pays(case: FloorCase, link: FloorLink, approval: JackpotApproval) -> Iterator[Finding]:
    """Check that fixed pays come from the source stated in each game's letter [LT-05]."""
    source = str(link.options.get("fixed_pays_from", "tray"))
    for name in dict.fromkeys(table.game.name for table in case.floor.tables_of(link)):
        game = approval.games.get(name)
        if game is not None and source not in game.fixed_pays_from and not link.is_house:
            what = f"{link.id} takes fixed pays from the {source} at {name} [{game.fixed_pays_cites}]"
            remedy = f"pay them from the {_or(game.fixed_pays_from)}"
            yield case.not_allowed(link, "options", "LT-05", what, remedy)


def _policies(case: FloorCase, link: FloorLink, approval: JackpotApproval) -> Iterator[Finding]:
    """Check the kind of jackpot, when its meter moves, and who is paid [LT-03, WA-04, LT-07, LT-08]."""
    if link.is_house and not approval.house:
        what = (
            f"{link.id}: the letter has {link.jackpot.name} as a progressive only [{approval.confirmation}]"
        )
        yield case.not_allowed(link, "kind", "WA-04", what, "make it a progressive", is_open=True)
    if not link.is_house and link.controls == "nexus" and link.lock_at == "claim":
        what = f"{link.id} moves the meter at the claim; under the letter it moves when a badge confirms"
        remedy = 'write lock_at = "confirm"'
        cited = f"{what} [{approval.confirmation}]"
        yield case.not_allowed(link, "lock_at", "LT-03", cited, remedy, is_open=True)
    policy = approval.policy
    chosen = link.options.get(policy.option, policy.value)
    if link.is_house or chosen == policy.value:
        return
    quote = paragraphs()[citations(policy.cites)[0]].quote
    what = f'{link.id}: {policy.option} = {chosen}; the letter says "{quote}" [{policy.cites}]'
    if link.internal_controls and case.rulings["approval_letters"].flag:
        tell = case.note if policy.by_controls == "note" else case.warning
        remedy = f"keep the approval of the internal controls {link.internal_controls} at hand"
        yield tell((*link.place, "options"), policy.requirement, what, remedy)
    else:
        remedy = f"choose {policy.value}, or add internal_controls with the reference of their approval"
        yield case.not_allowed(link, "options", policy.requirement, what, remedy)


def _paytable(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Check the decks, wager and reserve that the letter states for a paytable [LT-16]."""
    approval = PAYTABLES.get(link.paytable.name)
    if approval is None:
        return
    name, cites = link.paytable.name, f"[{approval.cites}]"
    for table in case.floor.tables_of(link):
        in_title = not link.jackpot.decks or table.decks in link.jackpot.decks
        if approval.decks and table.decks not in approval.decks and in_title:
            made_for = f"{link.id}: {name} is made for {_or(approval.decks)} decks"
            what = f"{made_for}, and {table.id} has {table.decks} {cites}"
            yield case.not_allowed(link, "paytable", "LT-16", what, "choose another paytable or shoe")
    if approval.wager is not None and link.wager != approval.wager:
        wager = money.dollars(approval.wager)
        what = f"{link.id}: {name} is for a wager of {wager}, not of {money.dollars(link.wager)} {cites}"
        yield case.not_allowed(
            link, "wager", "LT-16", what, f"make the wager {wager}, or choose another paytable"
        )
    reserve = sum(meter.reserve for meter in link.meters)
    if approval.reserve is not None and reserve != approval.reserve and not link.is_house:
        rate = money.rate_text(approval.reserve)
        what = f"{link.id}: {name} runs with a reserve of {rate}, not of {money.rate_text(reserve)} {cites}"
        yield case.not_allowed(
            link, "paytable", "LT-16", what, f"give its reserve {rate}, or choose another paytable"
        )


def _covered(part: Component, components: Iterable[Component]) -> bool:
    return any(component.allows(part) for component in components)


def _or(choices: Iterable[object]) -> str:
    return " or ".join(map(str, choices))


def check_people(case: FloorCase) -> Iterator[Finding]:
    """Check every badge's roles, and the roles that a win needs [WA-30, TR-04, GEN-22, LT-03, LT-04]."""
    for person in case.floor.people:
        for role, other, rule in conflicts(person.roles):
            what = f"{person.id} is both {role} and {other}: {rule.why}"
            yield case.refused((*person.place, "roles"), rule.requirement, what, "remove one of the roles")
    if case.rulings["approval_letters"].flag:
        yield from _who_settles_a_win(case)


def _who_settles_a_win(case: FloorCase) -> Iterator[Finding]:
    """Require a supervisor and an executive to confirm, two from accounting to reverse [LT-03, LT-04]."""
    jackpots = dict.fromkeys(link.jackpot.name for link in case.floor.links if link.jackpot.name in JACKPOTS)
    if not jackpots:
        return
    confirmation = ", ".join(JACKPOTS[name].confirmation for name in jackpots)
    reversal = ", ".join(JACKPOTS[name].reversal for name in jackpots)
    place = case.floor.people[0].place if case.floor.people else ()
    for role, count, requirement, needed, cites in (
        ("supervisor", 1, "LT-03", "no supervisor, who confirms wins", confirmation),
        ("executive", 1, "LT-03", "no executive, who confirms wins above a supervisor's level", confirmation),
        ("accounting", 2, "LT-04", "not the two people from accounting who reverse a win", reversal),
    ):
        if sum(role in person.roles for person in case.floor.people) < count:
            what = f"the floor has {needed} [{cites}]"
            yield case.refused(place, requirement, what, f'add a [[person]] with roles = ["{role}"]')
    for link in case.floor.links:
        usual = max([meter.seed + meter.amount for meter in link.meters], default=0)
        if usual and link.executive_above > 100 * usual and not link.executive_levels:
            above = money.dollars(link.executive_above)
            what = f"a supervisor alone confirms every award of {link.id} up to {above}: over 100 seeds"
            yield case.note((*link.place, "executive_above"), "LT-03", what, "see that your controls say so")
