"""Audit rules of a site of a network link: an award moves with the hub's grants and the site's signatures."""

from dataclasses import replace

from feltwork.ledger import accounts
from feltwork.progressive.facts import Confirmed, Fact, Paid, Reversed, Voided
from feltwork.progressive.network.facts import (
    Acknowledged,
    Granted,
    Joined,
    ReversalPassedOn,
    SignedOff,
    Withdrawn,
)
from feltwork.progressive.network.site_books import OpenAward, SiteBooks, Stage, after_fact
from feltwork.progressive.state import LinkState

#: Stages that an award may be in before each fact.
_STAGES: dict[type[Fact], tuple[Stage, ...]] = {
    Granted: ("claimed",),
    Withdrawn: ("granted", "signed", "cleared"),
    SignedOff: ("granted",),
    Confirmed: ("signed",),
    Paid: ("confirmed",),
    Voided: ("claimed", "granted"),
    ReversalPassedOn: ("reversed",),
}


class SiteReplay:
    """Follows the open awards of a site and raises at the first step out of order or with a wrong amount."""

    def __init__(self) -> None:
        self._books: SiteBooks | None = None

    def verify(self, state: LinkState, fact: Fact) -> bool:
        """Raise unless a fact follows from earlier ones; return False if the rules of any link apply too."""
        if self._books is None:
            if not isinstance(fact, Joined) or state.life != "planned":
                return False
            self._books = SiteBooks(state=state, site=fact.site)
        if type(fact) in _STAGES:
            self._verify_step(fact)
        if (
            isinstance(fact, Acknowledged)
            and fact.what in ("paid", "reversed")
            and self._open(fact.name).stage != fact.what
        ):
            raise ValueError(f"award {fact.name} was acknowledged before it was {fact.what}")
        if isinstance(fact, Reversed) and fact.award in self._books.open:
            self._verify_stage(self._open(fact.award), fact, "confirmed")
        meters = (accounts.meter(fact.link, level) for level in state.link.level_names)
        if any(state.balances.get(meter, 0) for meter in meters) and not isinstance(fact, ReversalPassedOn):
            raise ValueError("a reversed award stays at the site, and is not passed on to the network")
        self._books = after_fact(replace(self._books, state=state), fact)
        # A voided award stays granted until the hub has answered.
        return isinstance(fact, Voided)

    def _verify_step(self, fact: Fact) -> None:
        assert isinstance(
            fact, Granted | Withdrawn | SignedOff | Confirmed | Paid | Voided | ReversalPassedOn
        )
        award = self._open(fact.award)
        self._verify_stage(award, fact, *_STAGES[type(fact)])
        if isinstance(fact, Granted):
            return
        amount = award.amount
        amounts = {
            "amount": getattr(fact, "amount", amount),
            "from_meter": getattr(fact, "from_meter", amount),
            "from_house": getattr(fact, "from_house", 0),
        }
        if amounts != {"amount": amount, "from_meter": amount, "from_house": 0}:
            raise ValueError(f"award {award.id} has a different amount than the hub granted")
        if isinstance(fact, SignedOff) and fact.grant != award.grant:
            raise ValueError(f"award {award.id} was signed for another grant")
        people = (getattr(fact, "supervisor", ""), getattr(fact, "executive", ""))
        if isinstance(fact, Confirmed) and people != (award.supervisor, award.executive):
            raise ValueError(f"award {award.id} was confirmed by people other than those who signed it")

    def _verify_stage(self, award: OpenAward, fact: Fact, *stages: Stage) -> None:
        if award.stage not in stages:
            raise ValueError(f"award {award.id} is {award.stage}: {type(fact).__name__} does not follow")

    def _open(self, name: str) -> OpenAward:
        assert self._books is not None
        if name not in self._books.open:
            raise ValueError(f"award {name} is not open")
        return self._books.open[name]
