"""Money as plain integers: whole millionths of a currency unit.

Micros make contributions in basis points of whole-cent wagers exact; integers are never rounded silently.
"""

import re
from collections.abc import Sequence
from typing import TypeAlias

Micros: TypeAlias = int

CENT: Micros = 10_000
DOLLAR: Micros = 1_000_000
WHOLE_BASIS_POINTS = 10_000

_AMOUNT = re.compile(r"(-?)\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,6}))?")
_RATE = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?%")


def parse(text: str) -> Micros:
    """Read an amount such as ``10``, ``10.00`` or ``$25,000``; more than six decimals are refused."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not an amount of money; write it like 10, 10.00 or 25000.00")
    sign, units, decimals = match.groups()
    micros = int(units.replace(",", "")) * DOLLAR + int((decimals or "").ljust(6, "0"))
    return -micros if sign else micros


def text(amount: Micros) -> str:
    """Write an amount with two decimals, or more if it has a fraction of a cent."""
    units, rest = divmod(abs(amount), DOLLAR)
    decimals = f"{rest:06d}".rstrip("0").ljust(2, "0")
    return f"{'-' if amount < 0 else ''}{units}.{decimals}"


def parse_rate(text: str) -> int:
    """Read a rate such as ``24%`` or ``12.5%`` in basis points; finer rates are refused."""
    match = _RATE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a rate; write it like 24% or 12.50%")
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


def rate_text(basis_points: int) -> str:
    """Write basis points as a percentage, with decimals only if needed."""
    whole, rest = divmod(abs(basis_points), 100)
    return f"{'-' if basis_points < 0 else ''}{whole}{f'.{rest:02d}' if rest else ''}%"


def whole_cents(amount: Micros) -> Micros:
    """Round down to whole cents, the smallest coin an award is paid in."""
    return amount - amount % CENT


def part(amount: Micros, basis_points: int) -> Micros:
    """Return a part of an amount, in basis points, rounded down to the micro."""
    return amount * basis_points // WHOLE_BASIS_POINTS


def dollars(amount: Micros, *, cents: bool = True) -> str:
    """Format an amount as signs show it, rounded down to whole cents: ``$12,345.67``."""
    units, rest = divmod(abs(amount) // CENT, 100)
    text_ = f"${units:,}.{rest:02d}" if cents else f"${units:,}"
    return f"-{text_}" if amount < 0 else text_


def split(total: Micros, shares: int, *, unit: Micros = CENT) -> list[Micros]:
    """Split evenly in whole units; odd units go one each to the first shares.

    A remainder below one unit goes to the first share, so the shares sum to the total.
    """
    if shares < 1:
        raise ValueError("an amount is split among at least one share")
    units, rest = divmod(total, unit)
    each, odd = divmod(units, shares)
    parts = [(each + (position < odd)) * unit for position in range(shares)]
    parts[0] += rest
    return parts


def in_proportion(total: Micros, claims: Sequence[Micros]) -> list[Micros]:
    """Divide an amount in proportion to claims that sum to at least as much, exactly.

    Uses whole cents if all amounts do, and the largest-remainder method: no share exceeds its claim or falls
    below the share of a smaller claim.
    """
    if not 0 <= total <= sum(claims) or any(claim < 0 for claim in claims):
        raise ValueError(
            "the amount must be from zero to the sum of the claims, and no claim may be negative; correct it"
        )
    if not total:
        return [0] * len(claims)
    unit = CENT if all(amount % CENT == 0 for amount in (total, *claims)) else 1
    shares = [divmod(total * claim, sum(claims) * unit) for claim in claims]
    parts = [units * unit for units, _ in shares]
    odd = (total - sum(parts)) // unit
    first = sorted(range(len(claims)), key=lambda place: -shares[place][1])
    for place in first[:odd]:
        parts[place] += unit
    return parts
