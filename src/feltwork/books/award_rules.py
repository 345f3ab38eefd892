"""Awards against the rules: every amount that left a meter is computed again from the state before it."""

from feltwork.progressive.facts import Confirmed, Fact, Locked
from feltwork.progressive.locks import due_pays, locked
from feltwork.progressive.pays import MeterPay, fixed_pay
from feltwork.progressive.round import TableRound
from feltwork.progressive.state import LinkState


class AwardRules:
    """Follows a link's facts and raises at the first amount that the paytable does not give."""

    def __init__(self) -> None:
        self._due: dict[str, MeterPay] = {}

    def verify(self, state: LinkState, fact: Fact) -> None:
        """Raise unless an amount is what the rules say on the state before the fact."""
        if isinstance(fact, Locked):
            self._verify_locked(state, fact)
        elif isinstance(fact, Confirmed):
            self._verify_confirmed(state, fact)
        else:
            self._due = {}

    def _verify_locked(self, state: LinkState, fact: Locked) -> None:
        award = state.awards[fact.award]
        logged = award.status == "confirmed"  # by J-POT, when its amount was fixed
        due = fixed_pay(award) if logged else self._pay(state, fact.award)
        if locked(state, fact.award, due, fact.at) != fact:
            raise ValueError(f"award {fact.award} is not what the paytable gives on the meter before it")

    def _verify_confirmed(self, state: LinkState, fact: Confirmed) -> None:
        award = state.awards[fact.award]
        due = fixed_pay(award) if award.locked else self._pay(state, fact.award)
        said = MeterPay(
            level=fact.level, from_meter=fact.from_meter, from_house=fact.from_house, restarts=fact.restarts
        )
        if due != said:
            raise ValueError(f"award {fact.award} was confirmed with another amount than it had")
        if not fact.supervisor or award.claimed_by in (fact.supervisor, fact.executive):
            raise ValueError(f"award {fact.award} was confirmed without another person's badge")

    def _pay(self, state: LinkState, award: str) -> MeterPay:
        """Claims of a round are computed together, on the meters before the first of them is taken."""
        if award not in self._due:
            claim = state.awards[award]
            self._due = due_pays(state, TableRound(table=claim.table, link=state.link, number=claim.round))
        return self._due[award]
