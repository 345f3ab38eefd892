"""From the text of a paytable file to a paytable, or to a list of located problems."""

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from feltwork import money
from feltwork.paytables.paytable import Odds, Pay, Paytable, Push, Row, Share
from feltwork.problem import Problem, ProblemsError

_ODDS = re.compile(r"(\d[\d,]*) (to|for) (\d+)")
_SHARE = re.compile(r"(\d+(?:\.\d{1,2})?)% of ([a-z]+)")
_DOLLARS = re.compile(r"\$(\d[\d,]*)")
_HEAD_KEYS = {"id", "title", "bet", "cites", "row", "recommended"}
_ROW_KEYS = {"hand", "pays", "envy", "cites"}


def parse_pay(text: str) -> Pay:
    """Read ``50 to 1``, ``300 for 1``, ``10% of major``, ``$250`` (for each dollar wagered) or ``push``."""
    if match := _ODDS.fullmatch(text):
        return Odds(int(match[1].replace(",", "")), int(match[3]), stake_returned=match[2] == "to")
    if match := _SHARE.fullmatch(text):
        return Share(int(Decimal(match[1]) * 100), match[2])
    if match := _DOLLARS.fullmatch(text):
        return Odds(int(match[1].replace(",", "")), 1, stake_returned=False)
    if text == "push":
        return Push()
    raise ValueError(f"{text!r} is not a pay")


def parse_paytable(text: str, *, where: str) -> Paytable:
    """Read a paytable file; every problem names its line."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemsError([Problem(where, str(error), "mend the TOML there")]) from error
    reader = _Reader(text, where)
    paytable = reader.read(data)
    if reader.problems:
        raise ProblemsError(reader.problems)
    return paytable


class _Reader:
    """Collects problems while it reads, so that a person sees all of them at once."""

    def __init__(self, text: str, where: str) -> None:
        self._lines = text.splitlines()
        self._where = where
        self.problems: list[Problem] = []

    def read(self, data: Mapping[str, object]) -> Paytable:
        self._refuse_unknown(data, _HEAD_KEYS, row=None)
        head_cites = self._text(data, "cites", row=None)
        rows = data.get("row")
        if not isinstance(rows, list) or not rows:
            self._problem("row", None, "has no rows", "add a [[row]] with hand and pays")
            rows = []
        recommended = data.get("recommended", {})
        return Paytable(
            id=self._text(data, "id", row=None),
            title=self._text(data, "title", row=None),
            bet=self._text(data, "bet", row=None),
            rows=tuple(self._row(row, number, head_cites) for number, row in enumerate(rows)),
            recommended=recommended if isinstance(recommended, dict) else {},
        )

    def _row(self, data: Mapping[str, object], number: int, head_cites: str) -> Row:
        self._refuse_unknown(data, _ROW_KEYS, row=number)
        hand = self._text(data, "hand", row=number)
        pays: Pay = Push()
        try:
            pays = parse_pay(self._text(data, "pays", row=number))
        except (ValueError, InvalidOperation) as error:
            remedy = 'write it like "50 to 1", "300 for 1", "10% of major", "$250" or "push"'
            self._problem("pays", number, str(error), remedy)
        envy = 0
        try:
            envy = money.parse(str(data.get("envy", "0")))
        except ValueError as error:
            self._problem("envy", number, str(error), 'write it per dollar of wager, like "100"')
        cites = f"{head_cites}, {data['cites']}" if "cites" in data else f"{head_cites}, row {number + 1}"
        return Row(hand=hand, pays=pays, cites=cites, envy=envy)

    def _text(self, data: Mapping[str, object], key: str, *, row: int | None) -> str:
        value = data.get(key)
        if isinstance(value, str) and value:
            return value
        self._problem(key, row, f"{key} is missing or no text", f'add {key} = "..."')
        return ""

    def _refuse_unknown(self, data: Mapping[str, object], known: set[str], *, row: int | None) -> None:
        for key in sorted(set(data) - known):
            self._problem(key, row, f"{key!r} means nothing here", f"use one of {', '.join(sorted(known))}")

    def _problem(self, key: str, row: int | None, what: str, remedy: str) -> None:
        place = key if row is None else f"row {row + 1}, {key}"
        self.problems.append(Problem(f"{self._where}:{self._line(key, row)}", f"{place}: {what}", remedy))

    def _line(self, key: str, row: int | None) -> int:
        """The line a key stands on; the line its table begins on where the key is missing."""
        headers = [number for number, line in enumerate(self._lines, 1) if line.strip() == "[[row]]"]
        first = headers[row] if row is not None and row < len(headers) else 1
        last = next((number for number in headers if number > first), len(self._lines) + 1)
        for number in range(first, last):
            if re.match(rf"\s*{re.escape(key)}\s*=", self._lines[number - 1]):
                return number
        return first
