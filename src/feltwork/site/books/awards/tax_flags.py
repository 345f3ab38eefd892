"""Tax requirements of a win before it is paid."""

from datetime import UTC, datetime

from feltwork.site.compliance import tax
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.jurisdiction import jurisdiction

#: The strictest choices that the instructions leave to an operator: nothing is deducted, each win by itself.
_PAYER = tax.Payer(less_wager=False, together=False, reports_cash=False)


def tax_flags(floor: Floor | None, *, amount: int, wager: int) -> tuple[tax.Flag, ...]:
    """Tax requirements before this amount is paid; empty without a floor file [TX-04]."""
    if floor is None:
        return ()
    rulings = jurisdiction(floor.jurisdiction).on(datetime.now(tz=UTC).date())
    return tax.flags([tax.Win(amount=amount, wager=wager)], rulings=rulings, payer=_PAYER, identity=None)
