"""Pays of a four-card paytable by pay class."""

from fractions import Fraction

from feltwork.odds.four_card.classes import CLASS_NAMES
from feltwork.odds.pricing import net_pay
from feltwork.titles.paytables.paytable import Paytable

#: Net win on one unit by pay class; None where no row pays it.
ClassPays = tuple[Fraction | None, ...]


def pays_by_class(paytable: Paytable) -> ClassPays:
    """Return the net win of each pay class, None where no row pays it."""
    rows = (paytable.row_for(names) for names in CLASS_NAMES)
    return tuple(None if row is None else net_pay(row) for row in rows)
