"""A draft: a published paytable with other pays, with rows added, or with rows removed."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches

from feltwork.odds.sheet import counted_bet, default_options, known_rows
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.paytables.parse import parse_pay
from feltwork.titles.paytables.paytable import Pay, Paytable, Row

#: The pay of a row that a draft leaves out.
REMOVED = "none"


def edited(paytable: Paytable, pays: Mapping[str, str]) -> Paytable:
    """Return the paytable with other pays; a row that it lacks is added, and ``none`` removes a row.

    A changed paytable is a draft.
    """
    written = _written(paytable, pays)
    row_pays = ((row, written.get(row.hand, row.pays)) for row in paytable.rows)
    rows = [replace(row, pays=pay) for row, pay in row_pays if pay is not None]
    for hand in other_rows(paytable):
        pay = written.get(hand)
        if pay is not None:
            rows.insert(_place(paytable, rows, hand), Row(hand, pay, "a draft"))
    if not rows:
        raise ProblemsError([Problem(paytable.name, "has no rows left", "keep a row, or add one")])
    if tuple(rows) == paytable.rows:
        return paytable
    return replace(paytable, id=f"{paytable.id}-draft", rows=tuple(rows))


def _written(paytable: Paytable, pays: Mapping[str, str]) -> dict[str, Pay | None]:
    """Parse the pays; None marks a removed row."""
    problems: list[Problem] = []
    written: dict[str, Pay | None] = {}
    known = sorted({*known_rows(paytable), *(row.hand for row in paytable.rows)})
    for hand, text in pays.items():
        if hand not in known:
            near = get_close_matches(hand, known, n=1)
            guess = f"did you mean {near[0]}? " if near else ""
            what = f"{paytable.title} has no such row"
            problems.append(Problem(hand, what, f"{guess}choose from: {', '.join(known)}"))
            continue
        try:
            written[hand] = None if text.strip() == REMOVED else parse_pay(text.strip())
        except ValueError as error:
            remedy = 'write it like "50 to 1", "300 for 1", "10% of major", "$250", "push", or "none"'
            problems.append(Problem(hand, str(error), remedy))
    if problems:
        raise ProblemsError(problems)
    return written


def other_rows(paytable: Paytable) -> list[str]:
    """Return the rows that the title recognizes and the paytable lacks."""
    present = {row.hand for row in paytable.rows}
    return sorted(known_rows(paytable) - present)


def _place(paytable: Paytable, rows: list[Row], hand: str) -> int:
    """Find the place of a new row: rarer hands first, and never after a row that pays all of its hands."""
    bet, options = counted_bet(paytable.title, paytable.bet), default_options(paytable)
    atoms = bet.atoms(**{name: options[name] for name in bet.options})
    deals = {
        name: sum(count for names, count in atoms.items() if name in names)
        for name in (hand, *(row.hand for row in rows))
    }
    shared = {name for names in atoms if hand in names for name in names}
    first, last = 0, len(rows)
    for place, row in reversed(list(enumerate(rows))):
        if row.hand in shared and deals[row.hand] > deals[hand]:
            last = place
    for place, row in enumerate(rows[:last]):
        if row.hand in shared and deals[row.hand] <= deals[hand]:
            first = place + 1
    return next((place for place in range(first, last) if deals[rows[place].hand] > deals[hand]), last)
