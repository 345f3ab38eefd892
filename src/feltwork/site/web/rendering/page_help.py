"""Page help: what each page is for, what to do on it, and its keys."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltwork.site.web.rendering.catalog import N_


@dataclass(frozen=True, slots=True)
class PageHelp:
    """The purpose of a page, the steps of its job, and what its keys do."""

    purpose: str
    steps: tuple[str, ...]
    #: Keys of the page, in addition to those of every page.
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def shortcuts(self) -> tuple[tuple[str, str], ...]:
        """Every key of the page."""
        return (*self.keys, *_EVERYWHERE)


_EVERYWHERE = (
    ("?", N_("Open this help, unless you are typing in a field.")),
    (N_("Esc"), N_("Close an open dialog.")),
)
_DECK = (
    (N_("Arrow keys"), N_("Move through the deck where you choose the winning cards.")),
    (N_("Enter"), N_("Choose the card.")),
)
_BADGE = (N_("Enter"), N_("Submit the badge number that was typed or swiped."))
_HOME = PageHelp(
    N_("The screens that you may open."),
    (
        N_("Sign in with your badge and PIN."),
        N_("Open the screen for your job. A locked screen is for another role."),
    ),
)
#: Help by address prefix; the longest match applies.
_HELP: Mapping[str, PageHelp] = {
    "/signs": PageHelp(
        N_("Jackpot displays for the room. They need no sign-in."),
        (N_("Open a display on the screen above the table and make the browser full screen."),),
    ),
    "/dealer": PageHelp(
        N_("The dealer's buttons for the jackpots of one table."),
        (
            N_("Press START GAME before the first card. It locks the seats with a chip on the sensor."),
            N_("Press the hand of each seat that wins, and call a supervisor to confirm it."),
            N_("Pay what the screen lists, then press END GAME."),
        ),
        (_BADGE, (N_("Esc"), N_("Stop correcting a seat, or choosing the winning side."))),
    ),
    "/pit": PageHelp(
        N_("Claims waiting for a badge, and the status of every table."),
        (
            N_("Look at the cards on the table and at the amount on the screen."),
            N_("Confirm with your badge and PIN. A large win takes an executive as well."),
            N_("Void a wrong claim with a reason, your badge and PIN."),
            N_("A confirmed award can't be voided. Two people can reverse it."),
        ),
        _DECK,
    ),
    "/pit/parked": PageHelp(
        N_("Table messages that could not be posted."),
        (
            N_("Read why, correct the cause, and count the tray of the table."),
            N_("Propose to post the message again. Nothing is posted twice."),
            N_("Propose to dismiss messages already settled at the table, such as returned chips."),
            N_("A second person, an executive or accounting, approves it in the office."),
        ),
    ),
    "/cage": PageHelp(
        N_("Awards waiting to be paid."),
        (
            N_("Find the award by its slip, table, amount or patron."),
            N_("Write the payout record: identity, tax form and cards."),
            N_("Complete the checklist, pay, and print the slip."),
        ),
        _DECK,
    ),
    "/floor": PageHelp(
        N_("The floor as it is now: tables, meters, sensors and alarms."),
        (N_("Start with the alarms: each says what to do."), N_("Select a table to see its round.")),
        ((N_("Arrow keys"), N_("Move the selected table while you arrange the floor.")),),
    ),
    "/manager": PageHelp(
        N_("The floor at a glance, on a phone or at a desk."),
        (
            N_("Acknowledge a notification that you are handling, so it is not escalated to anyone else."),
            N_("Check claims, alarms and stopped links. Handle them on the pit and meters pages."),
        ),
    ),
    "/meters": PageHelp(
        N_("One jackpot: its meters, and whether it takes wagers."),
        (
            N_("Stop wagers with a reason when something is wrong."),
            N_("Two people resume wagers. Open claims can still be confirmed and paid."),
        ),
    ),
    "/office": PageHelp(
        N_("Deposits, adjustments, reconciliation and reports."),
        (
            N_("Count the bank and compare it with the books."),
            N_("Propose a change with a reason. A second person approves it under Proposals."),
        ),
    ),
    "/audit": PageHelp(
        N_("The books from the first entry to the last."),
        (
            N_("Replay the books: every entry and the chain are checked."),
            N_("Open an award to see how its amount was built up."),
            N_("Download the books to check them with the independent verifier."),
        ),
    ),
    "/people": PageHelp(
        N_("Staff, badges and roles."),
        (
            N_("Select a person to see what they may do, and why."),
            N_("Two people add a person or change a role."),
        ),
    ),
    "/service-accounts": PageHelp(
        N_("Machines that use the API, their scopes and tokens."),
        (
            N_("Two people add a service account and grant each token."),
            N_("Revoke a token immediately if someone else may have it."),
        ),
    ),
    "/me": PageHelp(
        N_("Your own PIN and password, and how this screen looks."),
        (N_("Change your PIN immediately if anyone has seen it."),),
    ),
    "/school": PageHelp(
        N_("Practice rounds with the real rules and no money."),
        (N_("Choose a game, settle the round, and read the rule behind each mistake."),),
    ),
    "/workbench": PageHelp(
        N_("The exact cost of a paytable or a meter setting."),
        (N_("Choose a title and a paytable."), N_("Change a pay or a rate, and compare the figures.")),
    ),
    "/workbench/advise": PageHelp(
        N_("The exact value of each choice for one hand."),
        (N_("Choose a game."), N_("Enter the cards, such as As Td 2c, and read the value of each choice.")),
    ),
    "/verdicts": PageHelp(
        N_("Figures printed in the approval letters beside the exact values."),
        (N_("Look for differences; each says what explains it."),),
    ),
    "/rules": PageHelp(
        N_("A requirement, where it comes from, and what enforces it."),
        (N_("Go back to the page that named it, and follow its remedy."),),
    ),
}


def page_help(path: str) -> PageHelp:
    """The help of the page at an address."""
    fits = [start for start in _HELP if path == start or path.startswith(f"{start}/")]
    return _HELP[max(fits, key=len)] if fits else _HOME
