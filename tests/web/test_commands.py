"""The commands around the service, each run as a person runs it, on a real database."""

import os
import signal
import socket
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch
from zoneinfo import ZoneInfo

import httpx
import pytest

from feltwork.problem import ProblemsError
from feltwork.simulation.stage import open_site
from feltwork.site.books.context import Policy, connected
from feltwork.site.books.people.sign_in import SignIn, sign_in
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.settings import read_settings
from tests.support import commands
from tests.support.commands import Answer, Program

ROOT = Path(__file__).parents[2]
FIRST_PIN = "4711"
PINS = {"FELTWORK_PIN_EVE": FIRST_PIN, "FELTWORK_PIN_ANN": FIRST_PIN, "FELTWORK_PIN_B_1": "2580"}


def run(*words: str, **more: str) -> Answer:
    return commands.run(*words, **{**PINS, "FELTWORK_PIN_B_2": "1470", **more})


def test_from_an_empty_database_to_an_export(durable_server: EmbeddedPostgres, tmp_path: Path) -> None:
    dsn = durable_server.dsn()
    sick = run("doctor", "--dsn", dsn)
    assert (sick.returncode, "feltwork init" in sick.stdout) == (1, True), sick.stderr
    floor = str(ROOT / "examples" / "card_room.toml")
    people = ("--person", "eve:executive:B-1", "--person", "ann:accounting:B-2")
    result = run("init", "--dsn", dsn, *people)
    assert result.returncode == 0, result.stderr
    two = ("--by", "B-1", "--approved-by", "B-2")
    offered = {"FELTWORK_SECURITY_KEY": "offered"}
    first = {"FELTWORK_PIN_B_1": FIRST_PIN, "FELTWORK_PIN_B_2": FIRST_PIN}
    known = run("apply", floor, "--dsn", dsn, *two, **first, **offered)
    assert (known.returncode, "choose your own first" in known.stderr) == (2, True), known.stderr
    _replace_first_pin(dsn, "B-1", "2580")
    _replace_first_pin(dsn, "B-2", "1470")
    wrong = run("apply", floor, "--dsn", dsn, *two, FELTWORK_PIN_B_2="0000")
    assert (wrong.returncode, "PIN is wrong" in wrong.stderr) == (2, True)
    alone = run("apply", floor, "--dsn", dsn, "--by", "B-1", "--approved-by", "B-1", **offered)
    assert (alone.returncode, "own proposal" in alone.stderr) == (2, True)
    keyless = run("apply", floor, "--dsn", dsn, *two)
    assert (keyless.returncode, "security key" in keyless.stderr) == (2, True), keyless.stderr
    applied = run("apply", floor, "--dsn", dsn, *two, **offered)
    assert applied.returncode == 0, applied.stderr
    assert "planned: " in applied.stdout
    healthy = run("doctor", "--dsn", dsn)
    assert (healthy.returncode, healthy.stdout.splitlines()[-1]) == (0, "all is well"), healthy.stdout
    audited = run("audit", "--dsn", dsn)
    assert (audited.returncode, "4 links" in audited.stdout) == (0, True), audited.stdout
    bundle = tmp_path / "bundle"
    assert run("export", "ALL", str(bundle), "--dsn", dsn).returncode == 0
    assert (bundle / "manifest.json").exists()
    assert run("export", "ALL", str(bundle), "--dsn", dsn).returncode == 2
    day = tmp_path / "day.tar"
    exported = run("export", "TODAY", str(day), "--dsn", dsn)
    assert (exported.returncode, "--tail dragon-1=0:0000" in exported.stdout) == (0, True), exported.stderr
    verified = subprocess.run(
        [sys.executable, "-I", str(ROOT / "tools" / "verify_books.py"), str(day), "--no-signature"],
        check=False,
        timeout=60,
    )
    assert verified.returncode == 0
    daily = ("export", "YESTERDAY", str(tmp_path / "books-DAY.tar"), "--once", "--dsn", dsn)
    before = run(*daily)
    assert before.returncode == 0, before.stderr
    (written,) = tmp_path.glob("books-*.tar")
    content = written.read_bytes()
    again = run(*daily)
    assert (again.returncode, "is left as it is" in again.stdout) == (0, True), again.stderr
    assert written.read_bytes() == content
    unit = ROOT / "src" / "feltwork" / "cli" / "setup" / "debian" / "feltwork-export.service"
    assert "DAY.tar --once" in unit.read_text(encoding="utf-8"), "a second start on one day does not fail"
    (export,) = tmp_path.glob("books-*.tar")
    last = datetime.now(ZoneInfo("America/Los_Angeles")) - timedelta(hours=6, days=1)
    assert export.name == f"books-{last:%Y-%m-%d}.tar", (
        "the last gambling day that is over, by the floor's hours"
    )
    checked = run("audit", "2026-01-31", "--dsn", dsn)
    assert (checked.returncode, "checked for 2026-01-31" in checked.stdout) == (0, True), checked.stderr
    wrong_day = run("export", "someday", str(tmp_path / "other"), "--dsn", dsn)
    assert (wrong_day.returncode, "enter ALL, TODAY, YESTERDAY or a date" in wrong_day.stderr) == (2, True)
    missing = run("audit", FELTWORK_DSN="")
    assert (missing.returncode, "FELTWORK_DSN" in missing.stderr) == (2, True)


def test_serve_takes_an_option_before_the_environment_and_that_before_the_default(
    server: EmbeddedPostgres,
) -> None:
    empty_database(server, "web_serve")
    dsn = server.dsn("web_serve")
    assert run("init", "--dsn", dsn, "--person", "eve:executive:B-1").returncode == 0
    _replace_first_pin(dsn, "B-1", "2580")
    option_port, in_environment = free_port(), free_port()
    environment = {"FELTWORK_PORT": str(in_environment), "FELTWORK_SECURE_COOKIE": "false"}
    assert "Secure" not in _sign_in(dsn, (), environment, in_environment)
    assert "Secure" in _sign_in(
        dsn, ("--port", str(option_port), "--secure-cookie"), environment, option_port
    )
    away = {**environment, "FELTWORK_HOST": "127.0.0.3", "FELTWORK_SECURE_COOKIE": "true"}
    words = ("--host", "127.0.0.2", "--port", str(option_port), "--plain-http")
    assert "Secure" not in _sign_in(dsn, words, away, option_port, host="127.0.0.2")


def test_serve_refuses_a_port_that_is_taken_and_books_of_another_release(server: EmbeddedPostgres) -> None:
    empty_database(server, "web_empty")
    empty = run("serve", "--port", "0", "--dsn", server.dsn("web_empty"))
    assert (empty.returncode, "feltwork init" in empty.stderr) == (2, True), empty.stderr
    unmade = run("audit", "--dsn", server.dsn("web_empty"))
    assert (unmade.returncode, "feltwork init" in unmade.stderr) == (2, True), unmade.stderr
    assert run("init", "--dsn", server.dsn("web_empty")).returncode == 0
    nobody = run("init", "--person", "zoe:dealer:B-7", "--dsn", server.dsn("web_empty"))
    assert (nobody.returncode, "set FELTWORK_PIN_ZOE" in nobody.stderr) == (2, True), nobody.stderr
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        answer = run("serve", "--port", port, "--dsn", server.dsn("web_empty"))
    assert (answer.returncode, "choose another --port" in answer.stderr) == (2, True), answer.stderr


def test_ctrl_c_stops_the_service_while_a_sign_listens(server: EmbeddedPostgres, tmp_path: Path) -> None:
    empty_database(server, "web_ctrl_c")
    dsn, port = server.dsn("web_ctrl_c"), free_port()
    open_site(dsn, (ROOT / "examples" / "card_room.toml").read_text(encoding="utf-8"))
    words = ("serve", "--dsn", dsn, "--port", str(port), "--plain-http")
    service = Program(words, tmp_path / "log")
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            _wait(client, service)
            with client.stream("GET", "/signs/five-card/live") as stream:
                lines = stream.iter_lines()
                assert next(lines).startswith("retry:")
                os.kill(service.pid, signal.SIGINT)
                until = time.monotonic() + 120
                assert all(time.monotonic() < until for _ in lines), "the stream does not end"
            output = (tmp_path / "log").read_text(encoding="utf-8")
            assert (service.wait(120), "Traceback" in output) == (0, False), output
    finally:
        service.kill()
        service.wait()


def test_settings_have_defaults_and_say_what_is_wrong_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings(dsn="x", port=None).port == 8017
    assert read_settings(dsn="x").secure_cookie
    monkeypatch.setenv("FELTWORK_PORT", "70000")
    assert read_settings(dsn="x", port=9).port == 9
    with pytest.raises(ProblemsError, match="FELTWORK_PORT"):
        read_settings(dsn="x")


def empty_database(server: EmbeddedPostgres, name: str) -> None:
    server.drop_database(name)
    server.create_database(name, "template1")


def _replace_first_pin(dsn: str, badge: str, pin: str) -> None:
    with connected(dsn, Policy(), place="pit") as op:
        sign_in(op, SignIn(badge=badge, pin=FIRST_PIN, new_pin=pin))


def _sign_in(
    dsn: str, words: tuple[str, ...], environment: dict[str, str], port: int, host: str = "127.0.0.1"
) -> str:
    """The cookie that the real command gives for a badge and its PIN."""
    with patch.dict(os.environ, {"FELTWORK_DSN": dsn, **environment}):
        service = Program(("serve", *words), Path(os.devnull))
    try:
        with httpx.Client(base_url=httpx.URL(scheme="http", host=host, port=port), timeout=120) as client:
            _wait(client, service)
            answer = client.post("/api/v1/sign-in", json={"badge": "B-1", "pin": "2580"})
        assert answer.status_code == 200, answer.text
        return answer.headers["set-cookie"]
    finally:
        service.terminate()
        service.wait(120)


def _wait(client: httpx.Client, service: Program | subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 150
    while time.monotonic() < until:
        assert service.poll() is None, "the service has ended"
        try:
            if client.get("/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the service does not answer")
