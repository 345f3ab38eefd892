"""A report is one SQL block and one `Report`; a two-person command is one class. Nothing else changes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from feltwork.site.books.connection import connect
from feltwork.site.books.people import staff
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.house import PASSWORD, PEOPLE, PIN, House
from tests.web.test_commands import _wait

EXTENSION = '''
from typing import Literal

from feltwork.site.books.people import staff
from feltwork.site.books.context import Operation
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.books.reports.report import Report, of
from feltwork.site.books.two_person.command import two_person
from feltwork.site.books.two_person.outcomes import PersonChangedView
from feltwork.site.books.two_person.people import ManagePeople
from feltwork.site.progressive.sign_offs import TwoPersonRequest

REPORTS["staff_by_role"] = Report(
    name="staff_by_role",
    title="Staff by role",
    says="How many active people hold each role.",
    columns=of("role, people: number"),
    query="SELECT role, count(*) AS people FROM books.person WHERE active GROUP BY role ORDER BY role",
)


@two_person
class Retire(ManagePeople):
    """Take a person's role and access in one step."""

    act: Literal["retire"]

    def carry_out(self, op: Operation, asked: TwoPersonRequest, proposal: str) -> PersonChangedView:
        """Retire the person."""
        staff.change(op.connection, asked, self.person, role="", active=False)
        return self._view(op)
'''


@pytest.fixture(scope="module")
def extended(server: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The service as `feltwork serve` runs it, in a process that has imported the extension."""
    folder: Path = tmp_path_factory.mktemp("extension")
    (folder / "staff_extension.py").write_text(EXTENSION, encoding="utf-8")
    dsn, port = server.dsn(new_books(server, "web_extension"), role="writer"), free_port()
    with connect(dsn) as connection:
        staff.register_people(connection, PEOPLE, pin=PIN, password=PASSWORD, by="setup")
    main = "import staff_extension; from feltwork.cli.main import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(folder), "FELTWORK_SECURITY_KEY": "offered"}
    service = subprocess.Popen(
        [sys.executable, "-c", main, "serve", "--dsn", dsn, "--port", str(port), "--plain-http"],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    house = House(f"http://127.0.0.1:{port}", dsn)
    try:
        _wait(house.nobody, service)
        yield house
    finally:
        house.close()
        service.terminate()
        service.wait(120)


def test_a_new_report_is_served_as_json_csv_and_a_page(extended: House) -> None:
    auditor = extended.of("otto")
    rows = auditor.get("/api/v1/reports/staff_by_role").json()["rows"]
    assert {"role": "accounting", "people": 2} in rows
    assert auditor.get("/api/v1/reports/staff_by_role", params={"format": "csv"}).text.startswith(
        "role,people\r\n"
    )
    page = auditor.get("/office/reports/staff_by_role", headers={"Accept": "text/html"}).text
    assert "Staff by role" in page
    assert "staff_by_role" in auditor.get("/openapi.json").text


def test_a_new_two_person_command_is_proposed_approved_and_carried_out(extended: House) -> None:
    command = {"command": "manage_people", "act": "retire", "person": "dana", "reason": "moved away"}
    alone = extended.done("ivy", "/api/v1/proposals", command)
    own = {"fingerprint": alone["fingerprint"]}
    assert extended.post("ivy", f"/api/v1/proposals/{alone['proposal']}/approve", own).status_code == 409
    approved = extended.done("eve", f"/api/v1/proposals/{alone['proposal']}/approve", own)
    assert approved["booked"] == {"person": "dana", "role": "", "badge": "B-dana", "active": False}
    with psycopg.connect(extended.dsn) as connection:
        row = connection.execute("SELECT role, active FROM books.person WHERE id = 'dana'").fetchone()
    assert row == ("", False)
    assert "Retire" in httpx.get(f"{extended.url}/openapi.json").json()["components"]["schemas"]
