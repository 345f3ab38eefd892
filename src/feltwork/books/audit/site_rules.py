"""Audit rules of a site of a network link: an award moves with the hub's grants and the site's signatures."""

from dataclasses import replace

from feltwork.progressive.facts import Confirmed, Fact, Paid, Voided
from feltwork.progressive.network.facts import Acknowledged, Granted, Joined, SignedOff, Withdrawn
from feltwork.progressive.network.site_books import OpenAward, SiteBooks, Stage, after_fact
from feltwork.progressive.state import LinkState

#: What an award waits for before each fact.
_STAGES: dict[type[Fact], tuple[Stage, ...]] = {
    Granted: ("claimed",),
    Withdrawn: ("granted", "signed", "cleared"),
    SignedOff: ("granted",),
    Confirmed: ("signed",),
    Paid: ("confirmed",),
    Voided: ("claimed", "granted"),
}


class SiteReplay:
    """Follows the open awards of a site and raises at the first step out of order or of another amount."""

    def __init__(self) -> None:
        self._books: SiteBooks | None = None

    def verify(self, state: LinkState, fact: Fact) -> bool:
        """Raise unless a fact follows from the ones before; no for what is judged as in one room."""
        if self._books is None:
            if not isinstance(fact, Joined) or state.life != "planned":
                return False
            self._books = SiteBooks(state=state, site=fact.site)
        if type(fact) in _STAGES:
            self._verify_step(fact)
        if isinstance(fact, Acknowledged) and fact.what == "paid" and self._open(fact.name).stage != "paid":
            raise ValueError(f"award {fact.name} was acknowledged before it was paid")
        self._books = after_fact(replace(self._books, state=state), fact)
        # What is voided stays granted until the hub has answered.
        return isinstance(fact, Voided)

    def _verify_step(self, fact: Fact) -> None:
        assert isinstance(fact, Granted | Withdrawn | SignedOff | Confirmed | Paid | Voided)
        award = self._open(fact.award)
        if award.stage not in _STAGES[type(fact)]:
            raise ValueError(f"award {award.id} is {award.stage}: {type(fact).__name__} does not follow")
        if isinstance(fact, Granted):
            return
        amount = award.amount
        said = {
            "amount": getattr(fact, "amount", amount),
            "from_meter": getattr(fact, "from_meter", amount),
            "from_house": getattr(fact, "from_house", 0),
        }
        if said != {"amount": amount, "from_meter": amount, "from_house": 0}:
            raise ValueError(f"award {award.id} has another amount than the hub granted")
        if isinstance(fact, SignedOff) and fact.grant != award.grant:
            raise ValueError(f"award {award.id} was signed for another grant")
        people = (getattr(fact, "supervisor", ""), getattr(fact, "executive", ""))
        if isinstance(fact, Confirmed) and people != (award.supervisor, award.executive):
            raise ValueError(f"award {award.id} was confirmed by other people than signed it")

    def _open(self, name: str) -> OpenAward:
        assert self._books is not None
        if name not in self._books.open:
            raise ValueError(f"award {name} is not open")
        return self._books.open[name]
