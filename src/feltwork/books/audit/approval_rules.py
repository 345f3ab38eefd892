"""Adjustments and reversals against the proposals that two people approved."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from feltwork.books.people.proposals import command_of
from feltwork.compliance.two_person import fingerprint
from feltwork.progressive.adjustment import Adjustment, held, verify_lawful_adjustment
from feltwork.progressive.facts import Adjusted, Fact, Reversed
from feltwork.progressive.state import LinkState


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovedCommand:
    """A proposal about an adjustment, and the approval of it."""

    id: str
    command: str
    about: str
    body: Mapping[str, Any]
    fingerprint: str
    proposed_by: str
    lapses_at: datetime
    #: What was approved, by whom and when.
    approved: str
    approved_by: str
    approved_at: datetime


class ApprovalRules:
    """Follows a link's adjustments and raises at the first that two people did not approve."""

    def __init__(self, approved: Iterable[ApprovedCommand]) -> None:
        self._approved = {one.body["adjustment"]: one for one in approved}

    def verify(self, state: LinkState, fact: Fact, booked_at: datetime) -> None:
        """Raise unless the fact is what a proposal says, and another person approved that proposal before."""
        if isinstance(fact, Adjusted):
            self._verify(fact, self._approved.get(fact.adjustment), _adjusted(fact), booked_at)
            names = ("reason", "pool", "level", "text", "evidence", "by", "approved_by")
            asked: dict[str, Any] = {name: getattr(fact, name) for name in names}
            change = fact.after - fact.before
            if fact.before != held(state, fact.pool, fact.level):
                raise ValueError(f"adjustment {fact.adjustment} was made from another amount")
            verify_lawful_adjustment(state, Adjustment(id=fact.adjustment, change=change, **asked))
        elif isinstance(fact, Reversed):
            found = self._approved.get(fact.adjustment)
            said = {"award": fact.award, "adjustment": fact.adjustment}
            if found is None:  # an award that went back with the one of the proposal
                found = self._approved.get(fact.adjustment.rpartition("-")[0])
                first = state.awards.get(found.body["award"]) if found else None
                award = state.awards[fact.award]
                if first is None or (first.table, first.round) != (award.table, award.round):
                    found = None
                said = {}
            told = {"reason": fact.reason, "evidence": fact.evidence, "link": fact.link}
            self._verify(fact, found, {"command": "reverse", **told, **said}, booked_at)

    def _verify(
        self,
        fact: Adjusted | Reversed,
        found: ApprovedCommand | None,
        said: Mapping[str, Any],
        booked_at: datetime,
    ) -> None:
        name = f"adjustment {fact.adjustment}"
        if found is None:
            raise ValueError(f"{name} has no approved proposal")
        made = fingerprint(command_of(found.id, found.command, found.about, found.body))
        if {found.fingerprint, found.approved} != {made}:
            raise ValueError(f"{name}: proposal {found.id} is not the command that was approved")
        if any(found.body.get(key) != value for key, value in said.items()):
            raise ValueError(f"{name} is not what proposal {found.id} says")
        people = (found.proposed_by, found.approved_by)
        if people != (fact.by, fact.approved_by) or people[0] == people[1]:
            raise ValueError(f"{name} was not approved by the two people that it names")
        if found.approved_at > min(found.lapses_at, booked_at):
            raise ValueError(f"{name} was approved after it was booked, or too late")


def _adjusted(fact: Adjusted) -> dict[str, Any]:
    said: dict[str, Any] = {
        name: getattr(fact, name) for name in ("link", "adjustment", "pool", "level", "evidence")
    }
    if fact.reason == "MERCHANDISE":
        said |= {"command": "buy_merchandise", "value": fact.before - fact.after}
    else:
        said |= {"command": "adjust", "lawful_reason": fact.reason, "change": fact.after - fact.before}
    return {**said, "reason": fact.text}
