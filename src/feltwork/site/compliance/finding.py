"""Findings of a floor check, each with location, requirement and remedy."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from feltwork.site.compliance.floor import Floor, FloorLink, FloorTable
from feltwork.site.compliance.jurisdiction import Rulings
from feltwork.site.compliance.requirements import READ, REQUIREMENTS
from feltwork.toml_locations import Place

#: ``refused`` keeps a floor closed; a warning is for the operator to consider; a note is informational.
Severity: TypeAlias = Literal["refused", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("refused", "warning", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A result of checking a floor file, with its line, requirement and remedy."""

    severity: Severity
    requirement: str
    #: File and line.
    where: str
    line: int
    what: str
    remedy: str

    @property
    def mark(self) -> Literal["read", "quoted", "unread"]:
        """Whether the text of the requirement was read, is quoted, or is known by title or hearsay only."""
        if ' says "' in self.what:
            return "quoted"
        return "read" if REQUIREMENTS[self.requirement].mark in READ else "unread"

    def as_json(self) -> dict[str, object]:
        """Return the finding as JSON data."""
        return {
            "severity": self.severity,
            "requirement": self.requirement,
            "mark": self.mark,
            "where": self.where,
            "what": self.what,
            "remedy": self.remedy,
        }


@dataclass(frozen=True, slots=True)
class FloorCase:
    """A floor and the rulings of one day."""

    floor: Floor
    rulings: Rulings

    def refused(self, place: Place, requirement: str, what: str, remedy: str) -> Finding:
        """A finding that refuses the floor."""
        return self._finding("refused", place, requirement, what, remedy)

    def warning(self, place: Place, requirement: str, what: str, remedy: str) -> Finding:
        """A finding that the operator should consider."""
        return self._finding("warning", place, requirement, what, remedy)

    def note(self, place: Place, requirement: str, what: str, remedy: str) -> Finding:
        """An informational finding."""
        return self._finding("note", place, requirement, what, remedy)

    def not_allowed(
        self,
        of: FloorLink | FloorTable,
        key: str | Place,
        requirement: str,
        what: str,
        remedy: str,
        *,
        is_open: bool = False,
        severity: Severity = "refused",
    ) -> Finding:
        """A finding about something that the letters do not allow or advise; ``key`` is a key or a place.

        Where the letters are binding, it has the given severity. Elsewhere, or if their list is open, it is
        advice: a warning until an approval is named for the link or the table.
        """
        place = key if isinstance(key, tuple) else (*of.place, key)
        if self.rulings["approval_letters"].flag and not is_open:
            return self._finding(severity, place, requirement, what, remedy)
        if isinstance(of, FloorLink):
            approvals, how = [of.approval], "approval = ..."
        else:
            approvals = [of.approvals.get("game", ""), *(link.approval for link in self.floor.links_of(of))]
            how = "approvals = { game = ... }"
        if any(approvals):
            return self.note(place, requirement, what, f"allowed by {next(filter(None, approvals))}")
        return self.warning(place, requirement, what, f"{remedy}; or name the approval of it: {how}")

    def advice(self, link: FloorLink, place: Place, what: str, remedy: str) -> Finding:
        """A finding about the makers' advice on meters, which the letters enclose [LT-14]."""
        return self.not_allowed(link, place, "LT-14", what, remedy, severity="warning")

    def _finding(self, severity: Severity, place: Place, requirement: str, what: str, remedy: str) -> Finding:
        document = self.floor.document
        return Finding(
            severity=severity,
            requirement=requirement,
            where=document.where(place),
            line=document.line(place),
            what=what,
            remedy=remedy,
        )
