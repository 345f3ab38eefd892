"""A house is set up: three logins, keys, a log that takes them; and the doctor sees what is not well."""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

from feltwork.site.books.people.logins import SQL_FILE, dsn_of
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.docs.console import ROOT
from tests.support.commands import Answer, run
from tools.reference import sql_page

FLOOR = str(ROOT / "examples" / "card_room.toml")
NATS = Path(sys.executable).with_name("nats-server")


def feltwork(*words: str, **more: str) -> Answer:
    pins = {f"FELTWORK_PIN_{name}": "4711" for name in ("EVE", "ANN", "B_1", "B_2")}
    return run(*words, **{"FELTWORK_PIN_KEY": "", **pins, **more})


def told(*words: str, **more: str) -> dict[str, dict[str, str]]:
    result = feltwork("doctor", "--json", *words, **more)
    assert result.returncode in (0, 1), result.stderr
    findings: list[dict[str, str]] = json.loads(result.stdout)
    assert (result.returncode == 1) == any(finding["state"] == "missing" for finding in findings)
    assert all(finding["remedy"] for finding in findings if finding["state"] != "well")
    return {finding["check"]: finding for finding in findings}


class House:
    """A PostgreSQL that asks for passwords, a folder of keys, and a nats-server that reads it."""

    def __init__(self, folder: Path) -> None:
        self.keys, self.logins, self.folder = folder / "keys", folder / "logins", folder
        self.server = EmbeddedPostgres(folder / "books").start()
        self.port, self.http = free_port(), free_port()
        self.log: subprocess.Popen[bytes] | None = None

    def dsn(self, login: str) -> str:
        return dsn_of(login, self.logins, f"host=127.0.0.1 port={self.server.port}")

    def ask_for_passwords(self) -> None:
        rule = "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        (self.server.data / "pg_hba.conf").write_text(rule, encoding="utf-8")
        with psycopg.connect(self.server.dsn(), autocommit=True) as connection:
            connection.execute("SELECT pg_reload_conf()")

    def start_log(self, **changes: Any) -> None:
        """The server as it is started in a house; only its ports are others here."""
        path = self.keys / "server.conf"
        config = json.loads(path.read_text(encoding="utf-8"))
        config |= {"listen": f"127.0.0.1:{self.port}", "http": f"127.0.0.1:{self.http}"}
        (self.keys / "test.conf").write_text(json.dumps(config | changes), encoding="utf-8")
        command = [str(NATS), "-c", "test.conf", "-sd", str(self.folder / "log")]
        self.log = subprocess.Popen(
            command, cwd=self.keys, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def stop_log(self) -> None:
        if self.log is not None:
            self.log.terminate()
            self.log.wait(20)
            self.log = None

    def options(self) -> tuple[str, ...]:
        service = self.dsn("feltwork_service")
        url = f"tls://127.0.0.1:{self.port}"
        return (
            "--dsn",
            service,
            "--keys",
            str(self.keys),
            "--nats",
            url,
            "--monitor",
            f"http://127.0.0.1:{self.http}",
        )


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-house-"))
    folder.chmod(0o755)
    house = House(folder)
    try:
        result = feltwork(
            "init",
            "--logins",
            str(house.logins),
            "--keys",
            str(house.keys),
            "--floor",
            FLOOR,
            FELTWORK_DSN="",
        )
        assert result.returncode == 0, result.stderr
        assert "next:" in result.stdout
        psql = [
            str(house.server.binary("psql")),
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            house.server.dsn(),
        ]
        subprocess.run([*psql, "-f", str(house.logins / SQL_FILE)], check=True, capture_output=True)
        house.ask_for_passwords()
        people = ("--person", "eve:executive:B-1", "--person", "ann:accounting:B-2")
        two = ("--by", "B-1", "--approved-by", "B-2")
        words = ("init", "--dsn", house.dsn("feltwork_migrator"), "--floor", FLOOR, *people, *two)
        keyless = feltwork(*words)
        assert (keyless.returncode, "FELTWORK_PIN_KEY" in keyless.stderr) == (2, True), keyless.stderr
        books = feltwork(*words, FELTWORK_PIN_KEY=str(house.keys / "pin.key"))
        assert books.returncode == 0, books.stderr
        house.start_log()
        yield house
    finally:
        house.stop_log()
        house.server.remove()


@pytest.mark.requirement("GL-08")
def test_each_login_may_do_its_own_and_no_more(house: House) -> None:
    insert = "INSERT INTO books.alarm (kind, place, details) VALUES ('gap', 'T1', '{}')"
    with psycopg.connect(house.dsn("feltwork_service")) as writer:
        writer.execute(insert)
        writer.rollback()
        with pytest.raises(errors.InsufficientPrivilege):
            writer.execute("CREATE TABLE books.mine (id int)")
    with psycopg.connect(house.dsn("feltwork_auditor")) as reader:
        assert reader.execute("SELECT count(*) FROM books.link").fetchone() is not None
        with pytest.raises(errors.InsufficientPrivilege):
            reader.execute(insert)
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(house.dsn("feltwork_service").partition(" passfile")[0], passfile="/dev/null")


def test_the_page_of_the_auditor_is_what_the_auditor_can_read(house: House) -> None:
    page = sql_page()
    described = {
        name: set(re.findall(r"^\| `(\w+)` \|", text, flags=re.M))
        for name, text in re.findall(r"^## books\.(\w+)\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S)
    }
    with psycopg.connect(house.dsn("feltwork_auditor")) as reader:
        rows = reader.execute(
            "SELECT c.relname, c.relkind::text, array_agg(a.attname::text) FROM pg_class AS c"
            "  JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
            " WHERE c.relnamespace = 'books'::regnamespace AND c.relkind IN ('r', 'p', 'v')"
            "   AND NOT c.relispartition AND has_any_column_privilege(c.oid, 'SELECT') GROUP BY 1, 2"
        ).fetchall()
    assert described == {name: set() if kind == "v" else set(columns) for name, kind, columns in rows}


def test_passwords_are_their_owners_alone_and_not_in_the_sql(house: House) -> None:
    sql = (house.logins / SQL_FILE).read_text(encoding="utf-8")
    for path in house.logins.glob("*.pgpass"):
        assert path.stat().st_mode & 0o077 == 0
        assert path.read_text(encoding="utf-8").strip().rpartition(":")[2] not in sql
    again = feltwork("init", "--logins", str(house.logins), FELTWORK_DSN="")
    assert "is kept" in again.stdout
    assert (house.logins / SQL_FILE).read_text(encoding="utf-8") == sql


def test_all_is_well_in_a_new_house(house: House) -> None:
    approved = house.folder / "approved.toml"
    approved.write_text(feltwork("dev", "components").stdout, encoding="utf-8")
    findings = told(*house.options(), "--approved", str(approved), FELTWORK_ORIGIN="https://localhost")
    assert {
        check: finding["what"] for check, finding in findings.items() if finding["state"] == "missing"
    } == {}
    weighed = {check for check, finding in findings.items() if finding["state"] == "warning"}
    assert weighed - {"disk"} == {"archive_mode", "keys"}, (
        "no log leaves the machine, the authority is not locked away"
    )
    assert {
        "clock",
        "fsync",
        "schema",
        "people",
        "floor",
        "components",
        "origin",
        "pin key",
        "log",
        "log on disk",
        "certificates",
    } <= {check for check, finding in findings.items() if finding["state"] == "well"}
    spoken = feltwork("doctor", *house.options())
    assert spoken.stdout.splitlines()[-1] == "all is well"


def test_the_doctor_runs_for_the_auditor_too(house: House) -> None:
    assert told("--dsn", house.dsn("feltwork_auditor"))["schema"]["state"] == "well"


def test_the_doctor_misses_the_key_of_pins(house: House) -> None:
    """PINs of this house are hashed with pin.key; a site without the key has to say so, and is warned."""
    dsn = ("--dsn", house.dsn("feltwork_service"))
    assert told(*dsn)["pin key"]["state"] == "missing"
    none = told(*dsn, FELTWORK_PIN_KEY="none")["pin key"]
    assert (none["state"], "without a key" in none["what"]) == ("warning", True)
    other = house.folder / "other.key"
    other.write_text("00" * 32 + "\n", encoding="ascii")
    replaced = told(*dsn, FELTWORK_PIN_KEY=str(other))["pin key"]
    assert (replaced["state"], "2 people" in replaced["what"]) == ("warning", True)
    for command in ("serve", "bookkeeper", "up"):
        result = feltwork(command, *dsn)
        assert (result.returncode, "FELTWORK_PIN_KEY" in result.stderr) == (2, True), (command, result.stderr)


def test_a_key_that_others_may_read_is_missing(house: House) -> None:
    seed = house.keys / "books.seed"
    seed.chmod(0o644)
    try:
        finding = told(*house.options())["keys"]
    finally:
        seed.chmod(0o600)
    assert (finding["state"], "books.seed" in finding["what"]) == ("missing", True)


def test_a_log_that_does_not_know_the_key_or_is_not_there(house: House) -> None:
    other = house.folder / "other"
    assert feltwork("init", "--keys", str(other), "--floor", FLOOR, FELTWORK_DSN="").returncode == 0
    options = [str(other) if word == str(house.keys) else word for word in house.options()]
    assert told(*options)["log"]["state"] == "missing"
    nowhere = f"tls://127.0.0.1:{free_port()}"
    findings = told("--dsn", house.dsn("feltwork_service"), "--keys", str(house.keys), "--nats", nowhere)
    assert "does not answer" in findings["log"]["what"]


def test_a_log_that_keeps_messages_in_memory_is_missing(house: House) -> None:
    house.stop_log()
    house.start_log(jetstream={"sync_interval": "2m"})
    try:
        findings = _when_up(house)
        assert (findings["log"]["state"], findings["log on disk"]["state"]) == ("well", "missing")
    finally:
        house.stop_log()
        house.start_log()
        _when_up(house)


def _when_up(house: House) -> dict[str, dict[str, str]]:
    for _ in range(10):
        findings = told(*house.options())
        if findings["log"]["state"] == "well":
            return findings
    raise AssertionError(findings["log"])


@pytest.mark.requirement("GEN-03")
def test_a_clock_that_is_wrong_is_missing(house: House) -> None:
    with psycopg.connect(house.server.dsn("feltwork"), autocommit=True) as owner:
        owner.execute("CREATE SCHEMA late")
        owner.execute(
            "CREATE FUNCTION late.clock_timestamp() RETURNS timestamptz LANGUAGE sql"
            " AS $$ SELECT pg_catalog.clock_timestamp() - interval '90 seconds' $$"
        )
    late = f"{house.server.dsn('feltwork')} options='-c search_path=late,pg_catalog,public'"
    finding = told("--dsn", late)["clock"]
    assert (finding["state"], "90." in finding["what"]) == ("missing", True)


def test_what_the_books_lack_is_named_with_its_remedy(house: House) -> None:
    findings = told("--dsn", house.server.dsn())
    assert findings["schema"] == {
        "check": "schema", "state": "missing", "what": "the books have no schema", "remedy": "feltwork init"
    }  # fmt: skip
    assert findings["login"]["state"] == "warning"
    gone = told("--dsn", f"host=127.0.0.1 port={free_port()} dbname=feltwork")
    assert "do not answer" in gone["books"]["what"]
    demo = told("--dsn", house.dsn("feltwork_service"), FELTWORK_DEMO_BADGES='{"B-1": "4711"}')
    assert demo["settings"]["state"] == "missing"
    wrong = told("--dsn", house.dsn("feltwork_service"), FELTWORK_PORT="seven")
    assert "FELTWORK_PORT" in wrong["settings"]["what"]


def test_an_unlisted_component_is_missing(house: House) -> None:
    approved = house.folder / "other.toml"
    approved.write_text('[components]\n"feltwork/web" = "0"\n', encoding="utf-8")
    assert (
        told("--dsn", house.dsn("feltwork_service"), "--approved", str(approved))["components"]["state"]
        == "missing"
    )


def test_keys_are_those_of_a_floor() -> None:
    result = feltwork("init", "--keys", "nowhere", FELTWORK_DSN="")
    assert (result.returncode, "--floor" in result.stderr) == (2, True)
