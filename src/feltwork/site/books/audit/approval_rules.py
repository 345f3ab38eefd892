"""Audit of adjustments and reversals against the proposals that two people approved."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from feltwork.site.books.people.waiting_proposals import command_of
from feltwork.site.compliance.two_person import fingerprint
from feltwork.site.progressive.adjustment import Adjustment, held, verify_lawful_adjustment
from feltwork.site.progressive.facts import Adjusted, Fact, Reversed
from feltwork.site.progressive.state import LinkState


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovedCommand:
    """A proposed adjustment and its approval."""

    id: str
    command: str
    about: str
    body: Mapping[str, Any]
    fingerprint: str
    proposed_by: str
    lapses_at: datetime
    #: The fingerprint that was approved, by whom and when.
    approved: str
    approved_by: str
    approved_at: datetime


class ApprovalRules:
    """Follows a link's adjustments and raises at the first that two people did not approve."""

    def __init__(self, approved: Iterable[ApprovedCommand]) -> None:
        self._approved = {command.body["adjustment"]: command for command in approved}

    def verify(self, state: LinkState, fact: Fact, booked_at: datetime) -> None:
        """Raise unless the fact matches a proposal that another person approved beforehand."""
        if isinstance(fact, Adjusted):
            self._verify(fact, self._approved.get(fact.adjustment), _adjusted(fact), booked_at)
            names = ("reason", "pool", "level", "text", "evidence", "by", "approved_by")
            terms: dict[str, Any] = {name: getattr(fact, name) for name in names}
            change = fact.after - fact.before
            if fact.before != held(state, fact.pool, fact.level):
                raise ValueError(f"adjustment {fact.adjustment} was made from another amount")
            verify_lawful_adjustment(state, Adjustment(id=fact.adjustment, change=change, **terms))
        elif isinstance(fact, Reversed):
            proposal = self._approved.get(fact.adjustment)
            ids = {"award": fact.award, "adjustment": fact.adjustment}
            if proposal is None:  # an award reversed together with the one in the proposal
                proposal = self._approved.get(fact.adjustment.rpartition("-")[0])
                first = state.awards.get(proposal.body["award"]) if proposal else None
                award = state.awards[fact.award]
                if first is None or (first.table, first.round) != (award.table, award.round):
                    proposal = None
                ids = {}
            details = {"reason": fact.reason, "evidence": fact.evidence, "link": fact.link}
            self._verify(fact, proposal, {"command": "reverse", **details, **ids}, booked_at)

    def _verify(
        self,
        fact: Adjusted | Reversed,
        proposal: ApprovedCommand | None,
        terms: Mapping[str, Any],
        booked_at: datetime,
    ) -> None:
        name = f"adjustment {fact.adjustment}"
        if proposal is None:
            raise ValueError(f"{name} has no approved proposal")
        digest = fingerprint(command_of(proposal.id, proposal.command, proposal.about, proposal.body))
        if {proposal.fingerprint, proposal.approved} != {digest}:
            raise ValueError(f"{name}: proposal {proposal.id} is not the command that was approved")
        if any(proposal.body.get(key) != value for key, value in terms.items()):
            raise ValueError(f"{name} is not what proposal {proposal.id} says")
        people = (proposal.proposed_by, proposal.approved_by)
        if people != (fact.by, fact.approved_by) or people[0] == people[1]:
            raise ValueError(f"{name} was not approved by the two people that it names")
        if proposal.approved_at > min(proposal.lapses_at, booked_at):
            raise ValueError(f"{name} was approved after it was booked, or too late")


def _adjusted(fact: Adjusted) -> dict[str, Any]:
    terms: dict[str, Any] = {
        name: getattr(fact, name) for name in ("link", "adjustment", "pool", "level", "evidence")
    }
    if fact.reason == "MERCHANDISE":
        terms |= {"command": "buy_merchandise", "value": fact.before - fact.after}
    else:
        terms |= {"command": "adjust", "lawful_reason": fact.reason, "change": fact.after - fact.before}
    return {**terms, "reason": fact.text}
