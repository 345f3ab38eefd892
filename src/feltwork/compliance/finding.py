"""Findings of a floor check, each with location, requirement and remedy."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from feltwork.compliance.floor import Floor, FloorLink
from feltwork.compliance.jurisdiction import Rulings
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

    def as_json(self) -> dict[str, object]:
        """Return the finding as JSON data."""
        return {
            "severity": self.severity,
            "requirement": self.requirement,
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
        self, link: FloorLink, key: str, requirement: str, what: str, remedy: str, *, is_open: bool = False
    ) -> Finding:
        """A finding about something that the letters do not allow.

        It refuses the floor where the letters are binding. Elsewhere, or if their list is open, it is a
        warning until the link names an approval.
        """
        place = (*link.place, key)
        if self.rulings["approval_letters"].flag and not is_open:
            return self.refused(place, requirement, what, remedy)
        if link.approval:
            return self.note(place, requirement, what, f"allowed by {link.approval}")
        return self.warning(place, requirement, what, f"{remedy}; or name the approval of it: approval = ...")

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
