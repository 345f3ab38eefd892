"""Approval check: compare configurations by value and components by hash."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from feltwork import money
from feltwork.problem import Problem
from feltwork.site.compliance.floor import (
    Floor,
    FloorLink,
    FloorTable,
    link_from_floor,
    titles_from_packages,
)
from feltwork.titles import registry


@dataclass(frozen=True, slots=True)
class ComponentDifference:
    """A value that differs from the approved one."""

    where: str
    approved: str
    operated: str


def operated(floor: Floor) -> dict[str, str]:
    """Return a floor as flat values: everything that an approval covers [LT-16]."""
    values = {"jurisdiction": floor.jurisdiction, "location": floor.location}
    values |= {
        f"title {name}": registry.fingerprint(name)[:12] for name in sorted(titles_from_packages(floor))
    }
    for table in floor.tables:
        values |= {f"table {table.id}, {name}": value for name, value in _table(table)}
    for link in floor.links:
        values |= {f"link {link.id}, {name}": value for name, value in _link(floor, link)}
    return values


def differences(approved: Floor, now: Floor) -> tuple[ComponentDifference, ...]:
    """List where the operated floor differs from the approved one [LT-16]."""
    before, after = operated(approved), operated(now)
    names = dict.fromkeys((*before, *after))
    pairs = ((name, before.get(name, "not there"), after.get(name, "not there")) for name in names)
    return tuple(ComponentDifference(*pair) for pair in pairs if pair[1] != pair[2])


def unapproved(approved: Mapping[str, str], components: Mapping[str, str]) -> tuple[Problem, ...]:
    """List running components that are not on the approved list, by name and SHA-256 [WA-31]."""
    return tuple(
        Problem(
            name,
            f"runs as {digest[:12]}" + (f", approved is {approved[name][:12]}" if name in approved else ""),
            "install the approved component, or have this one approved",
            "WA-31",
        )
        for name, digest in components.items()
        if approved.get(name) != digest
    )


def _table(table: FloorTable) -> Iterator[tuple[str, str]]:
    yield "game", table.known_as or table.game.name
    yield "location", table.location
    yield "seats", str(table.seats)
    yield "entry", f"{table.entry}, {table.sensors} sensors"
    yield "manufacturer", table.manufacturer
    yield from ((f"equipment, {name}", value) for name, value in table.equipment.items())
    yield from ((f"limits, {limits.bet}", limits.range_text) for limits in table.bets)
    yield from ((f"options, {name}", str(value)) for name, value in table.options.items())
    yield from (
        (f"paytables, {bet}", _printed(paytable.name, paytable.fingerprint))
        for bet, paytable in table.paytables.items()
    )


def _link(floor: Floor, link: FloorLink) -> Iterator[tuple[str, str]]:
    yield "tables", ", ".join(sorted(link.tables))
    yield "jackpot", f"{link.jackpot.name} {link.variant}".strip()
    yield "wager", money.text(link.wager)
    yield "manufacturer", link.manufacturer
    yield "executive_above", money.text(link.executive_above)
    yield "kind", link.kind
    runs = link_from_floor(floor, link)
    yield "paytable", _printed(link.paytable.name, link.paytable.fingerprint)
    yield "controls", f"{link.controls}, lock at {link.lock_at}"
    yield "cut_off", link.cut_off
    if link.system:
        yield "system", ", ".join(map(str, link.system))
    yield from ((f"options, {name}", str(value)) for name, value in runs.options.items())
    for meter in link.meters:
        if link.is_house:
            yield f"{meter.level}, amount", money.text(meter.amount)
            continue
        yield f"{meter.level}, seed", money.text(meter.seed)
        yield f"{meter.level}, contribution", money.rate_text(meter.contribution)
        yield f"{meter.level}, reserve", money.rate_text(meter.reserve)


def _printed(name: str, fingerprint: str) -> str:
    return f"{name} {fingerprint[:12]}"
