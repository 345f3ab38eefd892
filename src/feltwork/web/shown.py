"""What is shown: the paytable of a link, as players read it."""

from dataclasses import asdict
from typing import Any

from feltwork.operations import signs
from feltwork.progressive.link import Link


def paytable_of(link: Link) -> list[dict[str, Any]]:
    """The rows of a link's paytable in money [LT-13]."""
    return [asdict(row) for row in signs.paytable_of(link)]
