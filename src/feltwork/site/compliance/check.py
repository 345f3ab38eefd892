"""Floor check: apply every rule of a day, refusals first."""

from collections.abc import Callable, Iterator
from datetime import date

from feltwork.site.compliance import funds
from feltwork.site.compliance.checks import approvals, links, meters, tables
from feltwork.site.compliance.finding import SEVERITIES, Finding, FloorCase
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.jurisdiction import Rulings, jurisdiction

CHECKS: tuple[Callable[[FloorCase], Iterator[Finding]], ...] = (
    tables.check_tables,
    links.check_links,
    meters.check_meters,
    approvals.check_approvals,
    approvals.check_people,
    funds.check_funds,
)


def check(floor: Floor, *, on: date) -> tuple[Finding, ...]:
    """Return all findings about a floor on a day; it is lawful if nothing is refused."""
    rulings = jurisdiction(floor.jurisdiction).on(on)
    findings = [*_confirmations(floor, rulings)]
    case = FloorCase(floor, rulings_of(floor, on=on))
    findings += [finding for rule_check in CHECKS for finding in rule_check(case)]
    return tuple(sorted(findings, key=lambda finding: (SEVERITIES.index(finding.severity), finding.line)))


def rulings_of(floor: Floor, *, on: date) -> Rulings:
    """Return the rulings for a floor on a day, with the operator's confirmations applied."""
    rulings = jurisdiction(floor.jurisdiction).on(on)
    for settled in floor.confirmations:
        if rulings[settled.rule].uncertain:
            rulings = rulings.confirmed(settled.rule, settled.value, settled.reference)
    return rulings


def _confirmations(floor: Floor, rulings: Rulings) -> Iterator[Finding]:
    """Note confirmations of uncertain rules; refuse those of rules that the law has settled [WA-29]."""
    case = FloorCase(floor, rulings)
    for settled in floor.confirmations:
        ruling = rulings[settled.rule]
        if ruling.uncertain:
            what = f"{settled.rule} is taken as {_told(settled.value)} by {settled.reference}"
            yield case.note(
                settled.place, ruling.requirement, what, f"our data was unsure: {ruling.uncertain}"
            )
        else:
            what = f"{settled.rule} is {_told(ruling.value)} by {ruling.cited}: the house cannot change it"
            yield case.refused(settled.place, "WA-29", what, "take this [[confirmed]] out")


def _told(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
