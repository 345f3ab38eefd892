"""The doors: every screen with its address, what it is for, and the command that its reader needs."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltwork.compliance.roles import granting


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """The way to a screen."""

    name: str
    to: str
    says: str
    #: Empty where nobody needs to be signed in.
    command: str = ""
    #: Another command that opens it as well.
    other: str = ""

    def is_open(self, me: Mapping[str, str] | None) -> bool:
        """Whether somebody may go through."""
        if not self.command:
            return True
        return me is not None and any(granting((me["role"],), one) for one in (self.command, self.other))


NAVIGATION = (
    NavigationEntry(
        "Signs", "/signs", "What the room sees: meters that climb, wins, the paytable. No sign-in."
    ),
    NavigationEntry("Dealer", "/dealer", "START GAME, hand buttons, END GAME.", "start_game"),
    NavigationEntry("Pit", "/pit", "Claims waiting, tables by state; confirm, pay, void.", "watch"),
    NavigationEntry(
        "Floor plan",
        "/floor",
        "The room live: tables, meters, sensors, alarms and who cleared them.",
        "watch",
    ),
    NavigationEntry(
        "Office", "/office", "Meters, deposits, adjustments, reconciliation, reports.", "read_books"
    ),
    NavigationEntry(
        "Auditor", "/audit", "Replay the chain, sample an award, take the books home.", "read_books"
    ),
    NavigationEntry(
        "People",
        "/people",
        "Badges and roles; why somebody may do a thing or may not, and what two people change.",
        "read_books",
        "manage_people",
    ),
    NavigationEntry(
        "School", "/school", "Settle dealt rounds, decide as a player; each mistake gets its rule."
    ),
    NavigationEntry(
        "Workbench", "/workbench", "Edit a paytable and its meters; see at once what follows, exactly."
    ),
    NavigationEntry("Verdicts", "/verdicts", "Every figure that the letters print, beside the exact one."),
)
