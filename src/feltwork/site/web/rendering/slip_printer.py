"""Jackpot slips on a thermal printer that speaks ESC/POS."""

import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from feltwork import money
from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.awards.cage import CagePayout
from feltwork.site.books.errors import Refusal, RefusedError
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.catalog import in_english
from feltwork.site.web.rendering.report_format import plain_name

if TYPE_CHECKING:
    from datetime import tzinfo

    from escpos.escpos import Escpos

_FILE = "file:"
_PORT = 9100
#: Timeout; a cashier should not wait longer for a printer that is switched off.
_SECONDS = 5
#: Characters in a line of the narrow paper, 58 mm.
_WIDTH = 32


def print_slip(setting: str, slip: CagePayout, *, site: str, address: str, zone: "tzinfo") -> None:
    """Print a slip on ``file:/dev/usb/lp0``, ``host`` or ``host:port``."""
    if not setting:
        what, remedy = _("No slip printer is set up."), _("Set FELTWORK_SLIP_PRINTER, or print the PDF.")
        raise ProblemsError([Problem("FELTWORK_SLIP_PRINTER", what, remedy, "LT-15")])
    try:
        from escpos.printer import Dummy
    except ImportError as error:
        refusal = Refusal(
            rule="documents",
            requirement="LT-15",
            what=_("This service can't print slips."),
            remedy=_("Install feltwork[documents], or print the PDF."),
        )
        raise RefusedError("not_installed", refusal) from error
    # Buffered, so the printer gets a whole slip or nothing.
    written = Dummy()
    with in_english():
        write_slip(written, slip, site=site, address=address, zone=zone)
    try:
        _send(setting, written.output)
    except OSError as error:
        what = _("The slip printer doesn't respond.")
        remedy = _("Check its paper and its cable, or print the PDF.")
        raise ProblemsError([Problem(setting, what, remedy, "LT-15")]) from error


def _send(setting: str, slip: bytes) -> None:
    if setting.startswith(_FILE):
        Path(setting.removeprefix(_FILE)).write_bytes(slip)
        return
    host, _colon, port = setting.partition(":")
    with socket.create_connection((host, int(port or _PORT)), timeout=_SECONDS) as printer:
        printer.sendall(slip)


def write_slip(printer: "Escpos", slip: CagePayout, *, site: str, address: str, zone: "tzinfo") -> None:
    """Write the lines of a slip, its code, and the signature lines."""
    printer.set(align="center", bold=True)
    printer.textln(site)
    printer.textln(_("JACKPOT SLIP"))
    printer.set(align="center", double_height=True, double_width=True)
    printer.textln(money.dollars(slip.award.amount))
    printer.set_with_default()
    for name, value in slip_lines(slip, zone):
        printer.textln(line(name, value))
    printer.ln()
    printer.set(align="center")
    printer.qr(address, size=4, native=True)
    printer.set_with_default()
    for name in (*dict.fromkeys(_signers(slip)), slip.award.payee or _("Patron")):
        printer.ln(2)
        printer.textln("_" * _WIDTH)
        printer.textln(name)
    printer.cut()


def slip_lines(slip: CagePayout, zone: "tzinfo") -> list[tuple[str, str]]:
    """The lines of a slip; values that are not known yet are left out."""
    award, people = slip.award, slip.people
    confirmed = [people.get(person, person) for person in (award.supervisor, award.executive) if person]
    net = award.amount - slip.withheld
    paid = plain_name(award.form) if award.form else ""
    facts = [
        (_("Slip"), award.id),
        (_("Table, seat"), f"{award.table}, {award.seat}"),
        (_("Round"), str(award.round)),
        (_("Hand"), _(award.hand_name)),
        (_("Cards"), slip.payout.cards or award.cards),
        (_("Payee"), award.payee),
        (_("Patron number"), award.patron),
        (_("Gross"), money.dollars(award.amount)),
        (_("Tax withheld"), money.dollars(slip.withheld)),
        (_("Net") if paid else _("To pay"), money.dollars(net)),
        (_("Paid"), paid),
        (_("Pressed by"), people.get(award.claimed_by, award.claimed_by)),
        (_("Cards entered by"), people.get(award.cards_by, award.cards_by)),
        (_("Confirmed by"), ", ".join(confirmed)),
        (_("Witnessed by"), people.get(award.witness, award.witness)),
        (_("Paid by"), people.get(award.paid_by, award.paid_by)),
        (_("Entry"), str(award.entry)),
        (_("Printed"), datetime.now(tz=UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M")),
    ]
    return [(name, value) for name, value in facts if value]


def _signers(slip: CagePayout) -> list[str]:
    """The names of the people who sign a slip."""
    award = slip.award
    ids = (award.claimed_by, award.supervisor, award.executive, award.witness, award.paid_by)
    return [slip.people.get(person, person) for person in ids if person]


def line(name: str, value: str) -> str:
    """A name on the left and its value on the right; a long value gets its own line."""
    space = _WIDTH - len(name) - len(value)
    return f"{name}{' ' * space}{value}" if space > 0 else f"{name}\n{value.rjust(_WIDTH)}"
