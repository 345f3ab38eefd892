"""The two-person commands about what runs at a site: a floor file, a release."""

from datetime import UTC, date, datetime
from typing import Literal

from psycopg.errors import UniqueViolation
from pydantic import Field

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import FloorText, Statement
from feltwork.site.books.floors.floor_files import floors, register_floor
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.links import lifecycle
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.two_person.command import TwoPersonCommand, two_person
from feltwork.site.books.two_person.outcomes import FloorAppliedView, ReleaseApprovedView
from feltwork.site.compliance.check import check
from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest


@two_person
class Reconfigure(TwoPersonCommand):
    """Apply a floor file: new links are planned, changed ones must be suspended [GEN-06]."""

    command: Literal["reconfigure"] = "reconfigure"
    floor: FloorText
    day: date | None = Field(default=None, description="By the rules of this day; today without it.")
    reason: Statement = Field(examples=["two tables more"])

    @property
    def about(self) -> str:
        """The floor of the site."""
        return "floor"

    def basis(self, connection: Connection) -> str:
        """The floor in effect, whose changes an older file would undo."""
        known = floors(connection)
        return f"floor {known[0].number}" if known else "no floor"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> FloorAppliedView:
        """Register and apply the floor in one transaction."""
        floor = lawful_floor(self.floor, on=self.day or datetime.now(tz=UTC).date())
        with op.connection.transaction():
            try:
                number = register_floor(op.connection, self.floor, request)
            except UniqueViolation as error:
                remedy = "change the file, or add a comment, and apply it again"
                raise refuse("floor", "this floor file was already applied", remedy, "GEN-06") from error
            known = link_kinds(op.connection)
            planned, changed = [], []
            for link in sorted(
                floor.links, key=lambda floor_link: floor_link.id
            ):  # locks are taken in this order
                new = link_from_floor(floor, link)
                if link.id not in known:
                    lifecycle.register_link(op.connection, new, by=request.by)
                    planned.append(link.id)
                elif read_meters(op.connection, link.id).state.link.fingerprint != new.fingerprint:
                    lifecycle.reconfigure(op.connection, new, request)
                    changed.append(link.id)
        return FloorAppliedView(floor=number, site=floor.site, planned=planned, changed=changed)


@two_person
class ApproveRelease(TwoPersonCommand):
    """Approve the software with this hash, so that it may move money [WA-31]."""

    command: Literal["install"] = "install"
    release: str = Field(pattern="^[0-9a-f]{64}$", examples=["3f2a9c4d" * 8])

    @property
    def about(self) -> str:
        """The release; another than the running one gains nothing."""
        return f"release {self.release[:12]}"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> ReleaseApprovedView:
        """Nothing to book: the approved proposal is the record."""
        return ReleaseApprovedView(release=self.release)


def lawful_floor(text: str, *, on: date) -> Floor:
    """Return the floor that a file describes; raise what its jurisdiction refuses."""
    floor = read_floor(text, where="floor")
    refused = [finding for finding in check(floor, on=on) if finding.severity == "refused"]
    if refused:
        raise ProblemsError(
            [Problem(finding.where, finding.what, finding.remedy, finding.requirement) for finding in refused]
        )
    return floor
