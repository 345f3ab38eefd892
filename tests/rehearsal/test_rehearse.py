"""The command as a person runs it: shipped files, unmet expectations, wrong files and the report."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.docs.console import commands
from tests.support.commands import Answer, run

ROOT = Path(__file__).parents[2]
REHEARSALS = ROOT / "examples" / "rehearsals"
SHIPPED = {path.stem: path for path in sorted(REHEARSALS.glob("*.toml"))}
START = {"do": "start", "table": "C1", "by": "dana", "wagers": {"four-aces": [1, 2]}}


def rehearse(*arguments: object) -> Answer:
    return run("rehearse", *map(str, arguments))


def rehearsal(folder: Path, *steps: dict[str, Any], name: str = "rehearsal.json", **more: Any) -> Path:
    (folder / "room.toml").write_text(
        (REHEARSALS / "floors" / "crazy_4_nexus.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    path = folder / name
    path.write_text(json.dumps({"floor": "room.toml", "steps": steps, **more}), encoding="utf-8")
    return path


#: A quarter of the files go through the screens with each commit, an eighth through controllers, and all
#: through both at night.
_BY_NIGHT = [pytest.param(share, 2, "both", marks=pytest.mark.whole) for share in (0, 1)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("first", "step", "via"), [(0, 4, "http"), (2, 8, "nats"), *_BY_NIGHT])
def test_shipped_files_give_what_they_expect(first: int, step: int, via: str) -> None:
    files = list(SHIPPED.values())[first::step]
    answer = rehearse(*files, "--via", via, "--json", "--processes", "1")
    assert answer.returncode == 0, answer.stderr
    steps_by_file = json.loads(answer.stdout)
    assert list(steps_by_file) == [str(path) for path in files]
    assert all(
        [step["step"] for step in steps] == list(range(1, len(steps) + 1)) for steps in steps_by_file.values()
    )


@pytest.mark.whole
@pytest.mark.timeout(300)
def test_many_files_run_in_several_processes() -> None:
    assert len(SHIPPED) >= 90
    files = list(SHIPPED.values())[:3]
    answer = rehearse(*files, "--processes", "2", "--json")
    assert answer.returncode == 0, answer.stderr
    assert list(json.loads(answer.stdout)) == [str(path) for path in files]


def test_the_command_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = commands("docs/rehearsals.md", "first")
    monkeypatch.chdir(ROOT)
    answer = rehearse(*command.split()[2:])
    assert answer.returncode == 0, answer.stderr
    assert "passed via http and nats" in answer.stdout


def test_one_file_prints_one_array_and_a_refusal_is_an_object(tmp_path: Path) -> None:
    meters = {"four-aces": {"jackpot": "12345.67"}}
    again = {**START, "table": "C9"}
    end = {"do": "end", "table": "C1", "by": "dana"}
    answer = rehearse(rehearsal(tmp_path, START, again, end, meters=meters), "--json")
    assert answer.returncode == 0, answer.stderr
    first, refused, last = json.loads(answer.stdout)
    assert first == {
        "step": 1,
        "do": "start",
        "ok": True,
        "round": 1,
        "meters": {"four-aces": {"jackpot": "12346.17"}},
        "awards": [],
        "lit": {"four-aces": [1, 2]},
        "tray": {"1": {"fixed": "0.00", "envy": "0.00"}, "2": {"fixed": "0.00", "envy": "0.00"}},
    }
    assert {key: refused[key] for key in ("step", "ok", "rule")} == {"step": 2, "ok": False, "rule": "GEN-06"}
    assert refused["what"]
    assert refused["remedy"]
    assert last["ok"]


def test_an_unmet_expectation_ends_the_rehearsal_with_1_and_prints_the_difference(tmp_path: Path) -> None:
    wrong = {**START, "expect": {"meters": {"four-aces": {"jackpot": "1.00"}}}}
    path = rehearsal(tmp_path, wrong, {"do": "end", "table": "C1", "by": "dana"})
    report = tmp_path / "report.html"
    answer = rehearse(path, "--json", "--html", report)
    assert answer.returncode == 1
    assert "step 1: meters.four-aces.jackpot: expected 1.00, got 10000.50" in answer.stderr
    assert [step["step"] for step in json.loads(answer.stdout)] == [1]
    assert "expected 1.00, got 10000.50" in report.read_text(encoding="utf-8")


def test_a_wrong_file_is_reported_without_a_traceback(tmp_path: Path) -> None:
    answer = rehearse(rehearsal(tmp_path, START, {"do": "shuffle"}))
    assert answer.returncode == 2
    assert "rehearsal.json, step 2: There is no step 'shuffle'." in answer.stderr
    assert "Traceback" not in answer.stderr
    answer = rehearse(tmp_path / "nowhere.toml", "--json")
    assert answer.returncode == 2
    assert json.loads(answer.stdout)["errors"][0]["where"].endswith("nowhere.toml")


class Outline(HTMLParser):
    """Collects the tags of a page and requires that every one is closed in order."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()


def test_the_report_is_a_page_that_a_lab_can_file(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    marked = {**START, "comment": "A chip <on> the sensor & a bet."}
    answer = rehearse(rehearsal(tmp_path, marked, {"do": "audit"}), "--via", "both", "--html", report)
    assert answer.returncode == 0, answer.stderr
    text = report.read_text(encoding="utf-8")
    page = Outline(text)
    assert ("html", {"lang": "en"}) in page.seen
    assert [about for tag, about in page.seen if tag == "th" and "scope" not in about] == []
    # Self-contained: nothing is loaded from anywhere.
    assert [about for _, about in page.seen if "src" in about or "href" in about] == []
    for phrase in ("Feltwork ", "Floor fingerprint", "dana", "Independent verifier", "Entry points agree"):
        assert phrase in text
    assert "A chip &lt;on&gt; the sensor &amp; a bet." in text
