"""Large awards of sites, which an executive of the hub must countersign."""

from dataclasses import asdict, dataclass

from feltwork.books.network import hub_members
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize, verify_person
from feltwork.operations.context import Operation
from feltwork.operations.links.links import BookedView, booked_view
from feltwork.operations.network.hub_views import verify_hub


@dataclass(frozen=True, slots=True, kw_only=True)
class Countersign:
    """Countersign a site's award, with the amount that is locked for it now."""

    link: str
    award: str
    amount: int


def countersign(op: Operation, command: Countersign) -> BookedView:
    """Countersign a large award; if its lock changes afterwards, it needs another signature [LT-03]."""
    verify_person(op, "countersign an award")
    authorize(op, Command(name="countersign", about=command.award))
    verify_hub(op.connection, command.link)

    def act() -> BookedView:
        booked = hub_members.countersign(
            op.connection,
            command.link,
            award=command.award,
            amount=command.amount,
            executive=op.actor.id,
        )
        return booked_view(booked)

    return op.perform(asdict(command), BookedView, act)
