"""Reports through HTTP: every registered report is there as JSON, as CSV, as a page and in the docs."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest

from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.books.reports.report import Report, of
from tests.web.house import House
from tools.reference import reports_page

ROOT = Path(__file__).parent.parent.parent
HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def about(house: House) -> dict[str, str]:
    """What every report may be asked about, of a link that has an award."""
    link = house.open("reports")
    house.start(link, "P1")
    award = house.claim(link, "P1")
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    return {"link": link, "level": "jackpot", "award": award, "table": "P1", "round": "1"}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_json_csv_and_a_page(house: House, about: dict[str, str], name: str) -> None:
    report, otto = REPORTS[name], house.of("otto")
    answer = otto.get(f"/api/v1/reports/{name}", params=about)
    assert answer.status_code == 200, answer.text
    rows = answer.json()["rows"]
    if rows:
        assert list(rows[0]) == [column.name for column in report.columns]
    sheet = otto.get(f"/api/v1/reports/{name}", params={**about, "format": "csv"})
    assert sheet.headers["content-type"].startswith("text/csv")
    assert len(list(csv.DictReader(io.StringIO(sheet.text)))) >= len(rows)
    page = otto.get(f"/office/reports/{name}", params=about, headers=HTML)
    assert page.status_code == 200, page.text
    assert report.title in page.text
    of_days = 'name="day"' in page.text or f"/office/reports/{name}?day=" in page.text
    assert of_days == ({"since", "day"} & {*report.parameters} != set()), "a report of days offers them"
    twin = otto.get(f"/office/reports/{name}", params=about).json()
    assert twin["title"] == report.title
    assert otto.get(twin["files"]["csv"]).status_code == 200
    empty = otto.get(f"/office/reports/{name}", headers=HTML)
    assert empty.status_code == 200, "a page asks for what is missing"


def test_every_registered_report_has_a_test_a_page_and_a_row_in_the_docs(house: House) -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    tested = set(re.findall(r"""(?:report\(.*?, "|/reports/(?:links/.*?/)?)(\w+)""", tests))
    documented = set(re.findall(r"^\| `(\w+)` ", reports_page(), flags=re.M))
    linked = {report["name"] for report in house.get("otto", "/office")["reports"]}
    assert REPORTS.keys() - tested == set()
    assert REPORTS.keys() - linked == set()
    assert REPORTS.keys() ^ documented == set()


def test_an_unknown_report_and_a_missing_parameter_are_refused(house: House) -> None:
    otto = house.of("otto")
    assert otto.get("/api/v1/reports/everything").status_code == 404
    assert otto.get("/office/reports/everything").status_code == 404
    refused = otto.get("/api/v1/reports/win_page")
    assert (refused.status_code, refused.json()["detail"]) == (409, "the report needs link, award")


def test_adding_a_report_takes_one_block_of_sql_and_one_registration(
    house: House, about: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = Report(
        name="rounds_of_a_link",
        title="Rounds of a link",
        says="How many rounds each table has played, and what was wagered.",
        columns=of("table, rounds: number, wagered: amount"),
        query="""
            SELECT table_id AS "table", count(*) AS rounds, 1000000 * sum(cardinality(seats))::bigint
                   AS wagered
              FROM books.round WHERE link = %(link)s AND booked_at >= %(since)s GROUP BY table_id
        """,
    )
    monkeypatch.setitem(REPORTS, rounds.name, rounds)
    otto, only = house.of("otto"), {"link": about["link"]}
    (row,) = otto.get(f"/api/v1/reports/{rounds.name}", params=only).json()["rows"]
    assert row == {"table": "P1", "rounds": 1, "wagered": 3_000_000}
    sheet = otto.get(f"/api/v1/reports/{rounds.name}", params={**only, "format": "csv"}).text
    assert sheet.splitlines() == ["table,rounds,wagered ($)", "P1,1,3.00"]
    workbook = otto.get(f"/api/v1/reports/{rounds.name}", params={**only, "format": "xlsx"})
    assert workbook.headers["content-disposition"] == 'attachment; filename="rounds_of_a_link-reports.xlsx"'
    with zipfile.ZipFile(io.BytesIO(workbook.content)) as parts:
        assert "<v>3.00</v>" in parts.read("xl/worksheets/sheet1.xml").decode()
    page = otto.get(f"/office/reports/{rounds.name}", params={**only, "day": "ALL"}, headers=HTML).text
    assert "Rounds of a link" in page
    assert "$3.00" in page
    assert rounds.name in otto.get("/office", headers=HTML).text
