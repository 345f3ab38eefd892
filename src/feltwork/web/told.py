"""An award of a house jackpot as plain values."""

from dataclasses import asdict
from typing import Any

from feltwork.operations.site import verify_link
from feltwork.progressive.state import Award

__all__ = ["award", "verify_link"]


def award(found: Award) -> dict[str, Any]:
    """An award as it stands."""
    return {**asdict(found), "amount": found.amount}
