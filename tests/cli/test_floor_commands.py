"""The commands about a floor, as a person runs them."""

import json
from pathlib import Path

from pypdf import PdfReader

from tests.support.commands import run

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
CARD_ROOM = str(EXAMPLES / "card_room.toml")
UNLAWFUL = EXAMPLES / "unlawful"


def test_a_lawful_floor_passes() -> None:
    answer = run("check", CARD_ROOM, "--date", "2025-01-01")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("Checked against 11 rules of Washington, commercial card rooms, and the")
    assert "This floor may open. 12 notes." in answer.stdout.splitlines()
    assert "25, 40, 55: B1's bet with house money" in answer.stdout
    assert "the same for B2, B3" in answer.stdout
    assert "the house keeps 21.3892% of each wager on sevens" in answer.stdout, "without its fraction"


def test_an_unlawful_floor_is_refused_with_place_requirement_and_remedy() -> None:
    answer = run("check", str(UNLAWFUL / "dragon_linked.toml"))
    assert answer.returncode == 1
    assert "This floor may not open. 1 refusal, " in answer.stdout
    assert "dragon_linked.toml:46: dragon is never linked" in answer.stdout
    assert "→ give each table a link of its own" in answer.stdout
    assert "WA-13, the approval letters" in answer.stdout


def test_findings_as_data() -> None:
    answer = run("check", str(UNLAWFUL / "wager_before_its_day.toml"), "--json", "--date", "2022-01-01")
    assert answer.returncode == 1
    report = json.loads(answer.stdout)
    assert (report["lawful"], report["date"]) == (False, "2022-01-01")
    refused = [finding for finding in report["findings"] if finding["severity"] == "refused"]
    assert [finding["requirement"] for finding in refused] == ["WA-26"]


def test_the_day_decides() -> None:
    assert run("check", str(UNLAWFUL / "wager_before_its_day.toml"), "--date", "2025-01-01").returncode == 0
    answer = run("check", CARD_ROOM, "--date", "yesterday")
    assert answer.returncode == 2
    assert "→ write it like" in answer.stderr


def test_a_floor_that_cannot_be_read_is_told_by_lines(tmp_path: Path) -> None:
    broken = tmp_path / "floor.toml"
    broken.write_text(Path(CARD_ROOM).read_text(encoding="utf-8").replace('"wa_cardroom"', '"mars"'))
    answer = run("check", str(broken))
    assert answer.returncode == 2
    assert "floor.toml:4: jurisdiction: 'mars' is not one of them" in answer.stderr
    report = json.loads(run("check", str(broken), "--json").stdout)
    assert report["errors"][0]["where"].endswith("floor.toml:4")


def test_differences_from_the_approved_floor(tmp_path: Path) -> None:
    operated = tmp_path / "operated.toml"
    text = Path(CARD_ROOM).read_text(encoding="utf-8").replace('seed = "10000.00"', 'seed = "9000.00"')
    operated.write_text(text, encoding="utf-8")
    answer = run("check", str(operated), "--against", CARD_ROOM)
    assert "not as approved: link five-card, mega, seed is 9000.00, approved is 10000.00" in answer.stdout


def test_the_posting_sheet_of_a_table() -> None:
    answer = run("check", CARD_ROOM, "M1", "--posting")
    assert answer.returncode == 0
    assert "# Mini-Baccarat with Dragon Bonus, table M1" in answer.stdout
    assert run("check", CARD_ROOM, "X9", "--posting").returncode == 2


def test_the_submission_is_a_pdf_and_a_page(tmp_path: Path) -> None:
    answer = run("check", CARD_ROOM, "--submission", str(tmp_path), "--paper", "a4")
    assert answer.returncode == 0, answer.stderr
    page = (tmp_path / "submission-card_room.html").read_text(encoding="utf-8")
    assert "Evergreen Card Room" in page
    assert "51.3251%" in page
    assert "/static/" not in page, "the page needs no other file"
    document = PdfReader(tmp_path / "submission-card_room.pdf")
    box = document.pages[0].mediabox
    assert (round(float(box.width) * 25.4 / 72), round(float(box.height) * 25.4 / 72)) == (210, 297)
    assert "Internal controls submission" in document.pages[0].extract_text()


def test_programs_read_the_limits_of_every_bet() -> None:
    (sheet,) = json.loads(run("check", CARD_ROOM, "C1", "--posting", "--json").stdout)
    play = next(bet for bet in sheet["bets"] if bet["bet"] == "play")
    assert (play["minimum"], play["maximum"], play["cites"]) == ("5.00", "300.00", "C4.deal.3")
    checked = json.loads(run("check", CARD_ROOM, "--json").stdout)
    assert checked["bets"]["C1"] == sheet["bets"]
