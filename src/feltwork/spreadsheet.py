"""Tables for a spreadsheet, as CSV and as XLSX."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

import xlsxwriter

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: The widest column, in characters.
_WIDEST = 60


def as_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV with a header row."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_text(name) for name in names])
    writer.writerows([_text(value) for value in row] for row in rows)
    return out.getvalue()


def as_xlsx(names: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Write a table as a workbook with a frozen header row: numbers as numbers, everything else as text."""
    out = io.BytesIO()
    # With a fixed date, the same table gives the same file.
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_urls": False})
    book.set_properties({"created": datetime(2000, 1, 1)})
    page = book.add_worksheet()
    bold = book.add_format({"bold": True})
    widths = [len(name) for name in names]
    for column, name in enumerate(names):
        page.write_string(0, column, name, bold)
    for line, row in enumerate(rows, 1):
        for column, value in enumerate(row):
            if isinstance(value, bool):
                page.write_boolean(line, column, value)
            elif isinstance(value, int | float | Decimal):
                page.write_number(line, column, value)
            elif value is not None:
                page.write_string(line, column, _plain(value))
            widths[column] = max(widths[column], len(_plain(value)))
    for column, width in enumerate(widths):
        page.set_column(column, column, min(width, _WIDEST) + 2)
    page.freeze_panes(1, 0)
    book.close()
    return out.getvalue()


def _text(value: object) -> object:
    """Escape text that a spreadsheet would read as a formula."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return _plain(value)


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return f"{value:f}"
    return value.isoformat() if isinstance(value, datetime) else str(value)
