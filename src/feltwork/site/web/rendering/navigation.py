"""Navigation: every screen with its address, its description, and the command that opens it."""

from dataclasses import dataclass

from feltwork.site.books.context import Actor
from feltwork.site.compliance.roles import granting
from feltwork.site.web.rendering.catalog import N_


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A link to a screen."""

    name: str
    to: str
    says: str
    #: A role with any of these commands opens the screen; empty if no sign-in is needed.
    commands: tuple[str, ...] = ()
    #: The role whose home page shows it first.
    first_for: str = ""

    def is_open(self, me: Actor | None) -> bool:
        """Whether the person may open it."""
        if not self.commands:
            return True
        return me is not None and any(granting((me.role,), command) for command in self.commands)


NAVIGATION = (
    NavigationEntry(
        N_("Signs"),
        "/signs",
        N_("Jackpot displays for the room: live meters, wins, and paytables. No sign-in."),
    ),
    NavigationEntry(N_("Dealer"), "/dealer", N_("START GAME, hand buttons, END GAME."), ("start_game",)),
    NavigationEntry(
        N_("Pit"), "/pit", N_("Open claims, alarms, and table status. Confirm or void."), ("watch",)
    ),
    NavigationEntry(
        N_("Cage"),
        "/cage",
        N_("Awards to pay: payout record, checklist, payment, and slip."),
        ("pay",),
        first_for="cage",
    ),
    NavigationEntry(
        N_("Floor plan"), "/floor", N_("The floor live: tables, meters, sensors, and alarms."), ("watch",)
    ),
    NavigationEntry(
        N_("Manager"),
        "/manager",
        N_("The floor at a glance: notifications, claims, alarms, meters, and who is on duty."),
        ("oversee",),
    ),
    NavigationEntry(
        N_("Office"),
        "/office",
        N_("Meters, deposits, adjustments, reconciliation, and reports."),
        ("read_books",),
    ),
    NavigationEntry(
        N_("Auditor"), "/audit", N_("Replay the books, trace an award, export everything."), ("read_books",)
    ),
    NavigationEntry(
        N_("People"),
        "/people",
        N_("Staff, badges, and roles: who may do what, and why."),
        ("read_books", "manage_people"),
    ),
    NavigationEntry(
        N_("School"), "/school", N_("Settle rounds or play hands. Every mistake comes with its rule.")
    ),
    NavigationEntry(
        N_("Workbench"), "/workbench", N_("Edit a paytable and its meters, and see the exact effect at once.")
    ),
    NavigationEntry(
        N_("Verdicts"), "/verdicts", N_("Every figure printed in the letters, next to the exact value.")
    ),
)
