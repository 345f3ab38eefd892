"""The terms of a network link: the same at the hub and at every site, and part of the link's version."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from feltwork.money import Micros
from feltwork.problem import Problem

#: Pay for claims of several sites: by the meter at their turn, or at least by the meter on their sign.
SeveralSites: TypeAlias = Literal["order", "shown"]
NO_COUNTERSIGN: Micros = -1
#: An award's id is SITE:TABLE:ROUND:SEAT:STEP and part of an account's path.
LONGEST_AWARD = 64
LONGEST_SITE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkTerms:
    """The terms that all members of a network link have agreed on."""

    #: The name of the hub, which keeps the meters.
    hub: str
    several_sites: SeveralSites = "order"
    #: An award above this amount also needs an executive of the hub.
    countersign_above: Micros = NO_COUNTERSIGN

    @property
    def plain(self) -> list[str | int]:
        """The terms as included in the link's fingerprint."""
        return [self.hub, self.several_sites, self.countersign_above]

    def needs_countersign(self, amount: Micros) -> bool:
        """Whether an executive of the hub must also sign an award."""
        return self.countersign_above != NO_COUNTERSIGN and amount > self.countersign_above


def term_problems(
    where: str, *, kind: str, lock_at: str, controls: str, options: Mapping[str, object]
) -> list[Problem]:
    """Return the problems that keep a link from being a network link."""
    required = {
        "kind": (kind, "progressive"),
        "lock_at": (lock_at, "claim"),
        "controls": (controls, "nexus"),
        "several_winners": (options.get("several_winners"), "seat_order"),
        "fixed_pays_from": (options.get("fixed_pays_from"), "tray"),
    }
    return [
        Problem(f"{where}, {name}", f"is {is_} in a network link", f"choose {must}", "GEN-18")
        for name, (is_, must) in required.items()
        if is_ != must
    ]


def award_name(site: str, table: str, round_: int, seat: int, step: int) -> str:
    """Return the id of a network award, the same at the site and at the hub."""
    name = f"{site}:{table}:{round_}:{seat}:{step}"
    if len(name) > LONGEST_AWARD:
        raise ValueError(f"award {name} has more than {LONGEST_AWARD} characters; shorten the table's name")
    return name
