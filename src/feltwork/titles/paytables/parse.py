"""Parser of paytable files; every problem has a location."""

import re
from collections.abc import Mapping

from feltwork import money
from feltwork.titles.paytables.paytable import Odds, Pay, Paytable, Push, Row, Share
from feltwork.toml_locations import Document, Section

_ODDS = re.compile(r"(\d[\d,]{0,9}) (to|for) ([1-9]\d{0,3})")
_SHARE = re.compile(r"(\d+(?:\.\d{1,2})?%) of ([a-z]+)")
_DOLLARS = re.compile(r"\$(\d[\d,]{0,9})")
_HEAD_KEYS = {"id", "title", "bet", "cites", "row", "recommended"}
_ROW_KEYS = {"hand", "pays", "envy", "cites"}
_HOW_TO_PAY = 'write it like "50 to 1", "300 for 1", "10% of major", "$250" or "push"'


def parse_pay(text: str) -> Pay:
    """Parse ``50 to 1``, ``300 for 1``, ``10% of major``, ``$250`` (per dollar wagered) or ``push``."""
    if match := _ODDS.fullmatch(text):
        return Odds(int(match[1].replace(",", "")), int(match[3]), stake_returned=match[2] == "to")
    if match := _SHARE.fullmatch(text):
        share = Share(money.parse_rate(match[1]), match[2])
        if not 0 < share.basis_points <= money.WHOLE_BASIS_POINTS:
            raise ValueError(f"{text!r} is not a part of a meter")
        return share
    if match := _DOLLARS.fullmatch(text):
        return Odds(int(match[1].replace(",", "")), 1, stake_returned=False)
    if text == "push":
        return Push()
    raise ValueError(f"{text!r} is not a pay")


def parse_paytable(source: str | Mapping[str, object], *, where: str) -> Paytable:
    """Parse a paytable file, or its content as a dictionary."""
    document = Document(source, where=where)
    head = document.root
    head.refuse_unknown(_HEAD_KEYS)
    cites = head.text("cites")
    rows = head.sections("row")
    if not rows:
        head.problem("row", "has no rows", "add a [[row]] with hand and pays")
    paytable = Paytable(
        id=head.text("id"),
        title=head.text("title"),
        bet=head.text("bet"),
        rows=tuple(_row(row, number, cites) for number, row in enumerate(rows, 1)),
        recommended=head.section("recommended").data,
    )
    document.finish()
    return paytable


def _row(row: Section, number: int, head_cites: str) -> Row:
    row.refuse_unknown(_ROW_KEYS)
    cites = row.text("cites") if row.has("cites") else f"row {number}"
    if not row.has("pays"):
        row.problem("pays", "pays is missing", _HOW_TO_PAY)
    stand_in: Pay = Push()
    return Row(
        hand=row.text("hand"),
        pays=row.read("pays", parse_pay, stand_in, remedy=_HOW_TO_PAY),
        cites=f"{head_cites}, {cites}",
        envy=row.read("envy", money.parse, 0, remedy='write it per dollar of wager, like "100"'),
    )
