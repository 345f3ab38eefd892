"""Serializer of paytables to TOML."""

import json

from feltwork import money
from feltwork.titles.paytables.paytable import Paytable, Row


def as_toml(paytable: Paytable, *, cites: str) -> str:
    """Write a paytable file that the parser reads back; ``cites`` is its source."""
    head = {"id": paytable.id, "title": paytable.title, "bet": paytable.bet, "cites": cites}
    parts = ["\n".join(_line(key, value) for key, value in head.items())]
    parts += [_row(row) for row in paytable.rows]
    if paytable.recommended:
        lines = "\n".join(_line(key, str(value)) for key, value in paytable.recommended.items())
        parts.append(f"[recommended]\n{lines}")
    return "\n\n".join(parts) + "\n"


def _row(row: Row) -> str:
    lines = ["[[row]]", _line("hand", row.hand), _line("pays", str(row.pays))]
    if row.envy:
        lines.append(_line("envy", money.text(row.envy)))
    return "\n".join(lines)


def _line(key: str, value: str) -> str:
    # A JSON string is a valid TOML string as long as no surrogate escapes are used.
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"
