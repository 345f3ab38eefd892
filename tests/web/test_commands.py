"""The commands around the service, each run as a person runs it, on a real database."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg

from feltwork.books.carried import Carried

ROOT = Path(__file__).parents[2]
PINS = {"FELTWORK_PIN_EVE": "2580", "FELTWORK_PIN_ANN": "1470", "FELTWORK_PIN_B_1": "2580"}


def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from feltwork.cli.main import main; main()", *words]
    env = {**os.environ, **PINS, "FELTWORK_PIN_B_2": "1470", **more}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False, timeout=120)


def test_from_an_empty_database_to_an_export(server: Carried, tmp_path: Path) -> None:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE web_commands")
    dsn = server.dsn("web_commands")
    sick = run("doctor", "--dsn", dsn)
    assert (sick.returncode, "feltwork init" in sick.stdout) == (1, True), sick.stderr
    floor = str(ROOT / "examples" / "card_room.toml")
    people = ("--person", "eve:executive:B-1", "--person", "ann:accounting:B-2")
    made = run("init", "--dsn", dsn, *people)
    assert made.returncode == 0, made.stderr
    two = ("--by", "B-1", "--approved-by", "B-2")
    wrong = run("apply", floor, "--dsn", dsn, *two, FELTWORK_PIN_B_2="0000")
    assert (wrong.returncode, "PIN is wrong" in wrong.stderr) == (2, True)
    alone = run("apply", floor, "--dsn", dsn, "--by", "B-1", "--approved-by", "B-1")
    assert (alone.returncode, "two people" in alone.stderr) == (2, True)
    applied = run("apply", floor, "--dsn", dsn, *two)
    assert applied.returncode == 0, applied.stderr
    assert "planned: " in applied.stdout
    assert run("doctor", "--dsn", dsn).stdout == "all is well\n"
    audited = run("audit", "--dsn", dsn)
    assert (audited.returncode, "4 links" in audited.stdout) == (0, True), audited.stdout
    bundle = tmp_path / "bundle"
    assert run("export", str(bundle), "--dsn", dsn).returncode == 0
    assert (bundle / "manifest.json").exists()
    assert run("export", str(bundle), "--dsn", dsn).returncode == 2
    missing = run("audit", FELTWORK_DSN="")
    assert (missing.returncode, "FELTWORK_DSN" in missing.stderr) == (2, True)
