"""Open claims and misdeal reasons, for the pit, dealer, and demo screens."""

from collections.abc import Sequence
from dataclasses import dataclass

from feltwork.site.books.awards import awards
from feltwork.site.books.awards.awards import WaitingAward
from feltwork.site.books.connection import Connection
from feltwork.site.books.tables.decisions import AddedSeat, added_seat
from feltwork.site.web.rendering import hand_faces as faces
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.report_format import plain_name
from feltwork.site.web.rendering.templating import amount_text, fields_of

#: Common reasons for a misdeal, so nobody has to type on a tablet.
MISDEAL_REASONS = (
    N_("Wrong number of cards"),
    N_("Card exposed by the dealer"),
    N_("Cards dealt out of order"),
    N_("Shuffler or shoe fault"),
)
#: Duty of each badge at a claim.
_JOBS = {
    "supervisor": N_("Supervisor: checks the cards and the amount, and confirms the win."),
    "executive": N_("Executive: approves the amount."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClaim(WaitingAward):
    """An open award with its display text and its cards, if known."""

    says: str
    #: The seats of the hit in words; a hit is shown once, at its first seat.
    seats_text: str
    is_first: bool
    faces: list[str]
    #: Reason for a second badge; empty if one is enough.
    rule: str
    #: Rule for executive badges, and the duty of each badge of this claim.
    badge_rule: str
    badge_jobs: list[str]
    #: The claim that is confirmed before it, in words.
    first_says: str
    #: How its seat was added after START GAME.
    added: AddedSeat | None


def waiting(connection: Connection, *, link: str = "", table: str = "") -> list[ShownClaim]:
    """Awards waiting for confirmation or payment, oldest first."""
    return [
        ShownClaim(
            **fields_of(award),
            says=_(award.hand_name),
            seats_text=_seats(award.hit_seats),
            is_first=award.seat == award.hit_seats[0],
            faces=faces.of_cards(award.cards),
            rule=_rule(award) if "executive" in award.badges else "",
            badge_rule=_rule(award),
            badge_jobs=[_(_JOBS[role]) for role in award.badges],
            first_says=_first_says(award),
            added=added_seat(connection, award.link, award.table, award.round, award.seat),
        )
        for award in awards.waiting(connection, link=link, table=table)
    ]


def _seats(seats: Sequence[int]) -> str:
    if len(seats) == 1:
        return _("seat %(seat)s") % {"seat": seats[0]}
    return _("seats %(seats)s") % {"seats": ", ".join(map(str, seats))}


def _first_says(award: WaitingAward) -> str:
    if award.first is None:
        return ""
    return _("Table %(table)s, seat %(seat)s: %(hand)s, %(amount)s.") % {
        "table": award.first.table,
        "seat": award.first.seat,
        "hand": _(award.first.hand_name),
        "amount": amount_text(award.first.hit_amount),
    }


def _rule(award: WaitingAward) -> str:
    values = {
        "amount": amount_text(award.executive_above),
        "levels": ", ".join(map(plain_name, award.executive_levels)),
    }
    if award.executive_levels:
        text = _("Awards over %(amount)s, and every %(levels)s award, also need an executive badge.")
        return text % values
    return _("Awards over %(amount)s also need an executive badge.") % values
