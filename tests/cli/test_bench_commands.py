"""What-if and certificates as a person runs them."""

import csv
import json
import re
import select
import socket
import subprocess
from pathlib import Path

import pytest

from feltwork.odds.certificate import as_text, base_certificate, from_text
from feltwork.odds.title_odds import odds_of
from feltwork.site.web.rendering import certificate_pdf
from feltwork.site.web.rendering.certificate_pdf import as_pdf, from_pdf, shows
from feltwork.titles import registry
from feltwork.titles.paytables.parse import parse_paytable
from tests.support.commands import run


def test_what_if_shows_before_and_after() -> None:
    answer = run("what-if", "four_card", "jackpot", "3", "--seed", "5000", "--tables", "10")
    assert answer.returncode == 0, answer.stderr
    (hold,) = (line for line in answer.stdout.splitlines() if "Long-run hold" in line)
    assert hold.split()[-3:] == ["18.8314%", "13.2908%", "-5.5407%"]
    assert re.search(r"Mean jackpot +\$17,702.05 +\$20,702.05 +\$3,000.00", answer.stdout)
    assert "Printed: Reserve = 5% (stated)" in answer.stdout


def test_what_if_as_data_with_every_flag() -> None:
    flags = [
        *(
            "--seed",
            "20000,2000,200",
            "--contribution",
            "10%,8%,6%",
            "--reserve",
            "1%,1%,0%",
            "--cap",
            "none,none,900",
        ),
        *("--tables", "8", "--seats", "6", "--rounds-per-hour", "45", "--betting", "40%", "--wager", "5"),
        *("--others", "2", "--within", "500", "--pays", "flush=35 for 1"),
    ]
    answer = run("what-if", "five_card", "jackpot", "ML03", *flags, "--json")
    assert answer.returncode == 0, answer.stderr
    after = json.loads(answer.stdout)["after"]
    assert after["name"] == "five_card/jackpot/ML03-draft"
    assert list(after["meters"]) == ["mega", "major", "minor"]
    assert after["meters"]["mega"]["wagers_to_hit"]["value"] == "649740"
    assert after["meters"]["minor"]["shortfall_risk"]["how"] == "sampled"
    assert after["meters"]["mega"]["shortfall_risk"]["how"] == "rounded"


def test_what_if_compares_paytables_and_writes_drafts(tmp_path: Path) -> None:
    draft = tmp_path / "draft.toml"
    answer = run("what-if", "crazy_4", "queens_up", "C4P-09", "--pays", "flush=3 to 1", "--draft", str(draft))
    assert answer.returncode == 0, answer.stderr
    assert parse_paytable(draft.read_text(encoding="utf-8"), where="draft").id == "C4P-09-draft"
    compared = run("what-if", "crazy_4", "queens_up", "C4P-12", "--compare", str(draft), "--json")
    comparison = json.loads(compared.stdout)
    assert (comparison["before"]["name"], comparison["after"]["name"]) == (
        "crazy_4/queens_up/C4P-09-draft",
        "crazy_4/queens_up/C4P-12",
    )


def test_several_paytables_and_a_folder_of_drafts(tmp_path: Path) -> None:
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    base = ("what-if", "crazy_4", "queens_up", "C4P-09")
    table = tmp_path / "compared.csv"
    both = ("--compare", "C4P-12", "--compare", "C4P-11", "--draft", str(first), "--out", str(table))
    answer = run(*base, "--pays", "flush=3 to 1", *both)
    assert answer.returncode == 0, answer.stderr
    rows = {row["figure"]: row for row in csv.DictReader(table.read_text(encoding="utf-8").splitlines())}
    assert rows["pays flush"]["crazy_4/queens_up/C4P-09-draft"] == "3 to 1"
    edge = rows["house_edge"]["crazy_4/queens_up/C4P-09-draft"]
    second.write_text(first.read_text(encoding="utf-8").replace("flush", "flsh"), encoding="utf-8")
    book = tmp_path / "batch.csv"
    batch = run("what-if", str(tmp_path), "--out", str(book))
    assert batch.returncode == 1
    assert "did you mean" in batch.stdout
    lines = {row["file"]: row for row in csv.DictReader(book.read_text(encoding="utf-8").splitlines())}
    assert lines["a.toml"]["house_edge"] == edge
    assert lines["b.toml"]["problem"]
    assert run("what-if", str(tmp_path), "--pays", "flush=1 to 1").returncode == 2


def test_the_effect_of_removed_cards_on_the_command_line() -> None:
    words = ["what-if", "blazing_7s", "jackpot", "1", "--removal"]
    answer = run(*words)
    assert "Player's advantage in a full shoe of 312 cards: -24.7828%" in answer.stdout
    assert "  7: -5.8" in answer.stdout
    removal = json.loads(run(*words, "--json").stdout)["removal"]
    assert (removal["cards"], len(removal["effects"]), len(removal["depths"])) == (312, 52, 4)
    plain = run("what-if", "crazy_4", "queens_up", "C4P-09", "--removal")
    assert "Card removal does not apply" in plain.stdout


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--seed", "1,2"], "--seed: has 2 values"),
        (["--pays", "flush"], "'flush' has no value"),
        (["--pays", "nines=5 to 1"], "has no such row"),
        (["--contribution", "120%"], "more than the wager"),
        (["-o", "decks=7"], "is not an allowed value"),
        (["--out", "figures.txt"], "is no table"),
    ],
)
def test_what_if_says_what_is_wrong(flags: list[str], message: str) -> None:
    answer = run("what-if", "trilux", "jackpot", "6", *flags)
    assert answer.returncode == 2
    assert message in answer.stderr
    assert "→" in answer.stderr


def test_a_certificate_is_made_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    answer = run("certify", "four_card", "jackpot", "3", "--out", str(file))
    assert answer.returncode == 0, answer.stderr
    assert run("certify", "four_card", "jackpot", "3").stdout == file.read_text(encoding="utf-8")
    held = run("certify", "--check", str(file))
    assert (held.returncode, "is valid: every value was derived again" in held.stdout) == (0, True)
    file.write_text(file.read_text(encoding="utf-8").replace("15748/32487", "15748/32488"), encoding="utf-8")
    refused = run("certify", "--check", str(file))
    assert refused.returncode == 1
    assert "differs: figures.fixed_return.value" in refused.stdout
    assert "certified: 15748/32488" in refused.stdout
    assert "derived:   15748/32487" in refused.stdout


def test_a_pdf_carries_its_data_and_is_checked_page_and_all(tmp_path: Path) -> None:
    file = tmp_path / "certificate.pdf"
    answer = run("certify", "crazy_4", "queens_up", "C4P-09", "--pdf", "--out", str(file))
    assert answer.returncode == 0, answer.stderr
    content = file.read_bytes()
    body = from_pdf(content, where="file")
    assert "9943/324870" in shows(content)
    assert body["figures"]["house_edge"]["value"] == "9943/324870"
    assert run("certify", "--check", str(file)).returncode == 0
    # Other data attached, or another page around the same data.
    lie = from_text(as_text(body).replace("9943/324870", "9943/324871"), where="file")
    file.write_bytes(as_pdf(lie))
    assert run("certify", "--check", str(file)).returncode == 1


def test_a_page_that_shows_something_else_than_its_data_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "certificate.pdf"
    body = from_text(run("certify", "crazy_4", "queens_up", "C4P-09").stdout, where="file")
    page = certificate_pdf.page(body).replace("9943/324870", "8943/324870")
    with monkeypatch.context() as patch:
        patch.setattr(certificate_pdf, "page", lambda _: page)
        file.write_bytes(as_pdf(body))
    refused = run("certify", "--check", str(file))
    assert refused.returncode == 1
    assert "differs: page" in refused.stdout


def test_a_certificate_asks_no_host_for_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    body = from_text(run("certify", "crazy_4", "queens_up", "C4P-09").stdout, where="file")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/picture.png"
        page = certificate_pdf.page(body).replace("<body>", f'<body><img src="{address}" alt="picture">')
        assert address in page
        monkeypatch.setattr(certificate_pdf, "page", lambda _: page)
        assert from_pdf(as_pdf(body), where="file") == body
        readable, _, _ = select.select([listening], [], [], 0)
    assert not readable, "somebody has knocked"


def test_all_certificates_go_into_a_folder(tmp_path: Path) -> None:
    answer = run("certify", "--all", "--out", str(tmp_path / "all"))
    assert answer.returncode == 0, answer.stderr
    solved = [title for title in registry.own_names() if odds_of(title).base_game is not None]
    files = list((tmp_path / "all").glob("*.json"))
    assert len(files) == 48 + len(solved)
    assert f"Wrote {len(files)} certificates" in answer.stdout


def test_a_certificate_is_signed_and_its_signature_checked(tmp_path: Path) -> None:
    key, public, file = tmp_path / "key.pem", tmp_path / "public.pem", tmp_path / "base.json"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
    words = ("--author", "J. Doe", "--date", "2026-11-16", "--sign", str(key), "--out", str(file))
    answer = run("certify", "crazy_4", *words)
    assert answer.returncode == 0, answer.stderr
    body = from_text(file.read_text(encoding="utf-8"), where="file")
    assert (body["bet"], body["author"], body["date"]) == ("base", "J. Doe", "2026-11-16")
    checked = ("certify", "--check", str(file), "--json")
    assert json.loads(run(*checked, "--public-key", str(public)).stdout)["holds"]
    assert "was not checked" in json.loads(run(*checked).stdout)["notes"][0]
    # The same data with one more space: valid in itself, and not what was signed.
    file.write_text(file.read_text(encoding="utf-8") + " ", encoding="utf-8")
    refused = run(*checked, "--public-key", str(public))
    assert refused.returncode == 1
    assert [difference["where"] for difference in json.loads(refused.stdout)["differences"]] == ["signature"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ([], "no paytable is named"),
        (["--all"], "no folder is named"),
        (["four_card", "jackpot", "9"], "there is no paytable '9'"),
        (["four_card", "jackpot", "3", "--json", "--pdf"], "--pdf and --json exclude each other"),
        (["--check", "missing.json"], "No such file"),
        (["four_card", "3", "--sign", "key.pem"], "a signature needs a file"),
        (["four_card", "3", "--public-key", "key.pem"], "there is nothing to check"),
        (["four_card", "3", "--date", "yesterday"], "'yesterday' is not a date"),
        (["four_card", "3", "--setting", "seed.mega=5"], "does not apply to four_card/jackpot/3"),
        (["crazy_4", "--setting", "seed.jackpot=5"], "a base game has no meter"),
        (["four_card"], "the paytable is missing"),
    ],
)
def test_certify_says_what_is_wrong(flags: list[str], message: str) -> None:
    answer = run("certify", *flags)
    assert answer.returncode == 2
    assert message in (answer.stdout if "--json" in flags else answer.stderr)


def test_goal_seek_on_the_command_line() -> None:
    words = ["what-if", "crazy_4", "queens_up", "C4P-09", "--goal", "house_edge=5%"]
    answer = run(*words, "--vary", "flush=3..6", "--vary", "straight=2..5")
    assert answer.returncode == 0, answer.stderr
    assert "House edge near 5.0000%" in answer.stdout
    assert "The nearest 12 of 16 combinations." in answer.stdout
    report = json.loads(run(*words, "--vary", "flush=3..4", "--json").stdout)
    assert [solution["pays"] for solution in report["solutions"]] == [{"flush": 4}, {"flush": 3}]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--vary", "flush=3..6"], "there is no goal"),
        (["--goal", "house_edge=5%"], "no row is varied"),
        (["--goal", "house_edge=5%", "--vary", "flush=3..6", "--compare", "C4P-12"], "excludes --compare"),
        (["--removal", "--compare", "C4P-12", "--compare", "C4P-11"], "is about one paytable"),
        (["--removal", "--goal", "house_edge=5%", "--vary", "flush=3..6"], "excludes --compare"),
        (["--goal", "house_edge=5%", "--vary", "flush=3..6", "--pays", "flush=5 to 1"], "in --pays and in"),
    ],
)
def test_goal_seek_says_what_is_wrong(flags: list[str], message: str) -> None:
    answer = run("what-if", "crazy_4", "queens_up", "C4P-09", *flags)
    assert answer.returncode == 2
    assert message in answer.stderr


def test_the_volatility_of_each_bet_is_headed_by_its_name() -> None:
    headings = re.findall(
        r"<h2>(Volatility[^<]*)</h2>", certificate_pdf.page(base_certificate("mini_baccarat"))
    )
    assert headings == ["Volatility: player", "Volatility: banker", "Volatility: tie"]
