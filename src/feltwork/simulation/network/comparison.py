"""The comparison of a network: exports of the hub and its sites against what was sent to them.

It reads only files. The numbers of raw sites come from their generators, those of real sites from the tallies
of their tables. The independent verifier compares the bundles with each other.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from feltwork.money import Micros
from feltwork.progressive.link import Link
from feltwork.simulation.export_comparison import Books, compare, verify_independently
from feltwork.simulation.tally import Tally

HUB = "hub"
#: Balances that the hub holds for patrons, and those that its sponsor has advanced.
_HELD, _ADVANCED = ("meter", "reserve", "pending", "payable"), ("seed_advanced", "house_pays")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentAward:
    """A claim that a site made, and its outcome."""

    #: paid, voided, open, or the reason for its refusal.
    end: str
    #: The amount paid to the patron.
    amount: Micros = 0


@dataclass(slots=True, kw_only=True)
class SentByRawSite:
    """Everything that a raw site sent."""

    wagers: int
    awards: dict[str, SentAward] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class NetworkComparison:
    """The result; in correct books the three counts are 0."""

    #: Wagers, ends, claims and payments that are missing, and those that are booked twice or were never sent.
    lost: int = 0
    double: int = 0
    #: Amounts that differ, and problems that the independent verifier finds.
    differences: int = 0
    wagers: int = 0
    claims: int = 0
    paid: int = 0
    voided: int = 0
    problems: list[str] = field(default_factory=list)

    def count(self, what: str, *, lost: int = 0, double: int = 0, differences: int = 0) -> None:
        """Count an error and record its description."""
        if lost or double or differences:
            self.lost += lost
            self.double += double
            self.differences += differences
            self.problems.append(what)


class HubBundle(Books):
    """The exported books of a hub."""

    def __init__(self, folder: Path, link: str) -> None:
        super().__init__(folder)
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        closing = manifest["links"][link]["closing"]
        self.members: dict[str, dict[str, Any]] = closing["network"]["members"]
        self.balances: dict[str, Micros] = closing["balances"]

    def total(self, kinds: Sequence[str]) -> Micros:
        """The sum of all accounts of some kinds."""
        return sum(amount for name, amount in self.balances.items() if name.split("/")[0] in kinds)


def compare_network(
    folder: Path, link: Link, tallies: Mapping[str, Tally], raw: Mapping[str, SentByRawSite]
) -> NetworkComparison:
    """Compare the bundles of a folder, ``hub`` and one for each site, with what was sent."""
    verdict = NetworkComparison()
    hub = HubBundle(folder / HUB, link.id)
    wagers = {name: site.wagers for name, site in raw.items()}
    for name, tally in tallies.items():
        wagers[name] = _site(verdict, folder / name, name, tally, link)
    for name, sent in wagers.items():
        _member(verdict, name, sent, hub.members.get(name), link)
    ends = {award: sent_award for site in raw.values() for award, sent_award in site.awards.items()}
    for name in tallies:
        ends |= _ends_at_site(Books(folder / name))
    _awards(verdict, hub, ends)
    _identity(
        verdict, hub, sum(wagers.values()), sum(sent_award.amount for sent_award in ends.values()), link
    )
    without = [text for name in raw for text in ("--without", name)]
    bundles = [folder / name for name in (HUB, *tallies)]
    for problem in verify_independently("--network", *bundles, *without):
        verdict.count(problem, differences=1)
    return verdict


def _site(verdict: NetworkComparison, bundle: Path, name: str, tally: Tally, link: Link) -> int:
    """Compare a site's own books with its tables; return the wagers that the hub must have from it."""
    claims = {(claimed, _name_at(name, award)) for claimed, award in tally.kept_claims}
    comparison = compare(bundle, replace(tally, kept_claims=claims), {link.id: link})
    counts = (comparison.rounds, comparison.wagers, comparison.ends, comparison.awards)
    lost, double = (sum(by_outcome[what] for by_outcome in counts) for what in ("lost", "double"))
    differences = comparison.meter_differences + comparison.rounds["changed"]
    if comparison.problems:
        text = f"{name}: {'; '.join(comparison.problems)}"
        verdict.count(text, lost=lost, double=double, differences=differences or not lost + double)
    books = Books(bundle)
    back = {(fact["link"], fact["table"], fact["round"]) for fact in books.facts["PassedBack"]}
    # A round in doubt counts once it is booked.
    return sum(
        len(round_.seats) for key, round_ in tally.rounds.items() if key in books.rounds and key not in back
    )


def _name_at(site: str, award: str) -> str:
    """Return the books' id of an award that a table calls ``C1:12:3``, or ``C1:12:3:2`` the second time."""
    table, round_, seat, *attempt = award.split(":")
    return f"{site}:{table}:{round_}:{seat}:{int(attempt[0]) - 1 if attempt else 0}"


def _member(
    verdict: NetworkComparison, name: str, sent: int, member: Mapping[str, Any] | None, link: Link
) -> None:
    """Compare the amount a site sent with the amount the hub has booked for it."""
    verdict.wagers += sent
    if member is None:
        verdict.count(f"{name}: the hub does not know it", lost=sent, differences=1)
        return
    size = len(member["counters"]) // 3
    booked = sum(member["counters"][: 2 * size]) - sum(member["counters"][2 * size :])
    owed = sent * _rate(link)
    if booked != owed:
        missing = abs(owed - booked) // _rate(link)
        what = f"{name}: it passed on {owed}, the hub has {booked}"
        lost, double = (missing, 0) if owed > booked else (0, missing)
        verdict.count(what, lost=lost, double=double, differences=1)


def _ends_at_site(books: Books) -> dict[str, SentAward]:
    """Return the outcome of each claim of a real site, from its own books."""
    ends = {award: SentAward(end="open") for award in _names(books, "Claimed")}
    ends |= {award: SentAward(end="voided") for award in _names(books, "Voided")}
    paid = {fact["award"]: fact["amount"] for fact in books.facts["Paid"]}
    return ends | {award: SentAward(end="paid", amount=amount) for award, amount in paid.items()}


def _awards(verdict: NetworkComparison, hub: HubBundle, ends: Mapping[str, SentAward]) -> None:
    """Check that every award ended once at the hub, as it did at its site."""
    claimed, barred = _names(hub, "Claimed"), _names(hub, "Barred")
    paid: dict[str, list[Micros]] = {}
    for fact in hub.facts["HandedOver"]:
        paid.setdefault(fact["award"], []).append(fact["amount"])
    voided = _names(hub, "Voided")
    for award, sent_award in ends.items():
        verdict.claims += 1
        verdict.paid += sent_award.end == "paid"
        verdict.voided += sent_award.end == "voided"
        if award not in claimed and award not in barred:
            verdict.count(f"award {award}: lost", lost=1)
        elif sent_award.end == "paid" and paid.get(award, [None])[0] != sent_award.amount:
            text = f"award {award}: the site paid {sent_award.amount}, the hub has {paid.get(award)}"
            verdict.count(text, lost=award not in paid, differences=1)
        elif sent_award.end == "voided" and award not in voided and award not in barred:
            verdict.count(f"award {award}: voided at the site only", differences=1)
        elif sent_award.end not in ("paid", "voided"):
            verdict.count(f"award {award}: it ended as {sent_award.end}", differences=1)
    for award in claimed.keys() - ends.keys():
        verdict.count(f"award {award}: nobody claimed it", double=1)
    for kind in ("Claimed", "Confirmed", "HandedOver", "Voided"):
        twice = [award for award, times in _names(hub, kind).items() if times > 1]
        verdict.count(f"{kind} twice: {', '.join(twice)}", double=len(twice))


def _identity(verdict: NetworkComparison, hub: HubBundle, wagers: int, paid: Micros, link: Link) -> None:
    """Check that in - out - held is 0, where in was sent by the sites and out paid to patrons."""
    inflow, advanced = wagers * _rate(link), -hub.total(_ADVANCED)
    rest = inflow + advanced - paid - hub.total(_HELD)
    if rest:
        verdict.count(
            f"in {inflow} and advanced {advanced}, less out {paid}, less held: {rest}", differences=1
        )


def _names(books: Books, kind: str) -> Counter[str]:
    return Counter(str(fact["award"]) for fact in books.facts[kind])


def _rate(link: Link) -> Micros:
    """Return the amount that a wager passes on."""
    return sum(link.wager * (level.contribution + level.reserve) // 10_000 for level in link.levels)
