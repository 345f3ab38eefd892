"""Tables of several paytables, and spreadsheets."""

import csv
import io
import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from xml.etree import ElementTree

from feltwork import spreadsheet
from feltwork.odds.what_if.comparison import compare_with, comparison_table
from feltwork.odds.what_if.question import usual
from feltwork.odds.what_if.what_if import what_if
from feltwork.titles import registry

IDS = ("C4P-09", "C4P-11", "C4P-12")
PAYTABLES = [registry.paytable("crazy_4", "queens_up", identifier) for identifier in IDS]


def test_each_column_is_the_answer_for_its_paytable() -> None:
    answers = compare_with(PAYTABLES[0], {}, PAYTABLES[1:])
    for answer, paytable in zip(answers, PAYTABLES, strict=True):
        assert answer.as_json() == what_if(usual(paytable)).as_json()
    names, rows = comparison_table(answers)
    assert [name.rpartition("/")[2] for name in names[1:-1]] == list(IDS)
    edges = next(row for row in rows if row[0] == "house_edge")
    assert edges[1] == Decimal(answers[0].as_json()["bet"]["house_edge"]["decimal"])  # type: ignore[index]


def test_a_spreadsheet_takes_no_text_for_a_formula_and_keeps_numbers() -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    rows = [["=1+1", Decimal("-0.0135"), 7, None, moment]]
    text = spreadsheet.as_csv(["a", "b", "c", "d", "e"], rows)
    assert list(csv.reader(io.StringIO(text)))[1] == ["'=1+1", "-0.0135", "7", "", moment.isoformat()]
    content = spreadsheet.as_xlsx(["a", "b", "c", "d", "e"], rows)
    assert content == spreadsheet.as_xlsx(["a", "b", "c", "d", "e"], rows)
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        page = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
        strings = book.read("xl/sharedStrings.xml").decode()
    assert not [element for element in page.iter() if element.tag.endswith("}f")]
    assert "=1+1" in strings
    cells = [element for element in page.iter() if element.tag.endswith("}c")]
    assert [float(cell[0].text or 0) for cell in cells if "t" not in cell.attrib] == [-0.0135, 7.0]
