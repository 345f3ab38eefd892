"""What somebody meets who is new: help, wrong places and names, a narrow terminal, and JSON for programs."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from feltwork import __version__
from feltwork.cli.errors import problems_of
from feltwork.cli.main import COMMANDS, DEV
from feltwork.cli.secret_prompt import variable_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from tests.support.commands import run

ROOT = Path(__file__).parents[2]
CARD_ROOM = str(ROOT / "examples" / "card_room.toml")
AWAY = "host=127.0.0.1 port=1 dbname=x"


def told(*words: str) -> Any:
    answer = run(*words, "--json")
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_help_lists_every_command_with_a_whole_sentence() -> None:
    answer = run("--help", COLUMNS="80")
    assert answer.returncode == 0
    assert all(f"  {name} " in answer.stdout for name in COMMANDS)
    assert "..." not in answer.stdout.partition("\n")[2]
    assert max(map(len, answer.stdout.splitlines())) <= 80
    assert "Rules and odds:" in answer.stdout
    assert all(f"  {name} " in run("dev", "--help", COLUMNS="80").stdout for name in DEV)


def test_help_loads_no_command() -> None:
    code = (
        "import sys; sys.argv = ['feltwork', '--help']\n"
        "from feltwork.cli.main import main\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        "heavy = ('numpy', 'numba', 'fastapi', 'psycopg', 'rich', 'feltwork.cli.odds.odds')\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stderr.strip() == "[]"


def test_a_mistyped_command_is_answered_with_one_that_is_near() -> None:
    answer = run("titls")
    assert (answer.returncode, "Did you mean 'titles'?" in answer.stderr) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        ("init", "--dsn", AWAY),
        ("apply", CARD_ROOM, "--by", "B-1", "--approved-by", "B-2", "--dsn", AWAY),
        ("audit", "--dsn", AWAY),
        ("export", "ALL", "no-such-bundle", "--dsn", AWAY),
    ],
    ids=lambda words: words[0],
)
def test_a_database_that_is_away_is_told_with_a_remedy(words: tuple[str, ...]) -> None:
    answer = run(*words)
    assert answer.returncode == 2
    assert "the books do not answer" in answer.stderr
    assert "→ start PostgreSQL, or correct --dsn" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_dsn_that_cannot_be_read_is_answered_with_an_example() -> None:
    answer = run("audit", "--dsn", "nonsense")
    assert answer.returncode == 2
    assert "host=127.0.0.1 dbname=feltwork" in answer.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("settle", "no-such-file"),
        ("odds", "crazy_4", "trips"),
        ("check", "no-such-file"),
        ("audit", "--dsn", AWAY),
        ("certify", "crazy_4", "queens_up"),
    ],
    ids=lambda words: words[0],
)
def test_a_program_is_told_what_is_wrong_as_json(words: tuple[str, ...]) -> None:
    answer = run(*words, "--json")
    assert answer.returncode == 2
    (problem,) = json.loads(answer.stdout)["errors"]
    assert all(problem[key] for key in ("where", "what", "remedy"))


def test_programs_read_titles_rules_paytables_posting_sheets_and_components() -> None:
    assert [title["title"] for title in told("titles")] == list(registry.names())
    assert told("titles", "four_card")["markdown"].startswith("# Four Card Progressive")
    (paytable,) = told("titles", "four_card", "1")
    assert paytable["rows"][0]["envy"] == "100.00"
    assert paytable["fingerprint"] == registry.paytable("four_card", "jackpot", "1").fingerprint
    assert {sheet["table"] for sheet in told("check", CARD_ROOM, "--posting")} >= {"C1", "B1"}
    assert f"feltwork {__version__}" in told("dev", "components")["components"]


def test_programs_read_whether_a_certificate_holds(tmp_path: Path) -> None:
    certificate = tmp_path / "certificate.json"
    assert run("certify", "four_card", "1", "--out", str(certificate)).returncode == 0
    assert told("certify", "--check", str(certificate)) == {
        "holds": True,
        "differences": [],
        "notes": [],
    }
    body = json.loads(certificate.read_text(encoding="utf-8"))
    body["paytable"] = "2"
    certificate.write_text(json.dumps(body), encoding="utf-8")
    changed = run("certify", "--check", str(certificate), "--json")
    assert (changed.returncode, json.loads(changed.stdout)["holds"]) == (1, False)


@pytest.mark.parametrize("words", [("verify",), ("figures", "dragon"), ("odds", "dragon", "3")])
def test_nothing_is_cut_on_a_terminal_of_eighty_columns(words: tuple[str, ...]) -> None:
    answer = run(*words, COLUMNS="80", FORCE_COLOR="1")
    assert answer.returncode == 0, answer.stderr
    assert "…" not in answer.stdout


def test_a_jackpot_needs_no_bet_to_be_named() -> None:
    assert told("what-if", "four_card", "1") == told("what-if", "four_card", "jackpot", "1")
    unsaid = run("what-if", "crazy_4", "queens_up")
    assert (unsaid.returncode, "choose from: C4P-09" in unsaid.stderr) == (2, True)


def test_a_file_that_cannot_be_written_is_told_where_it_could_be(tmp_path: Path) -> None:
    target = tmp_path / "new" / "draft.json"
    answer = run("certify", "crazy_4", "queens_up", "C4P-09", "--out", str(target))
    assert answer.returncode == 2
    assert f"create the folder {target.parent} first" in answer.stderr


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.EACCES, "ask its owner"), (errno.ENOSPC, "disk space"), (errno.EADDRINUSE, "another port")],
)
def test_each_trouble_of_the_machine_has_its_remedy(number: int, remedy: str) -> None:
    (problem,) = problems_of(OSError(number, os.strerror(number), "/somewhere"))
    assert (problem.where, problem.what) == ("/somewhere", os.strerror(number))
    assert remedy in problem.remedy


def test_a_bug_is_no_problem_of_a_person() -> None:
    assert not problems_of(KeyError("x"))
    problem = Problem("here", "what", "remedy")
    assert problems_of(ProblemsError([problem])) == (problem,)


def test_a_secret_that_nobody_types_names_its_variable() -> None:
    assert variable_of("PIN", "B-2") == "FELTWORK_PIN_B_2"
    assert variable_of("password", "ann.lee") == "FELTWORK_PASSWORD_ANN_LEE"


def test_the_verifier_of_a_regulator_says_what_it_cannot_read(tmp_path: Path) -> None:
    verifier = [sys.executable, "-I", str(ROOT / "tools" / "verify_books.py")]
    text = tmp_path / "day.tar"
    text.write_text("no bundle", encoding="utf-8")
    for words in ([str(text)], [str(tmp_path / "missing.tar")], [str(text), "--tail", "five-card"]):
        answer = subprocess.run([*verifier, *words], capture_output=True, text=True, check=False)
        assert answer.returncode == 2, answer.stdout
        assert "Traceback" not in answer.stderr
        assert answer.stderr.strip()
