"""Two exported bundles: equal, continued, changed, cut, rewritten, or without a link."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from feltwork.cli.main import application
from feltwork.problem import ProblemsError
from feltwork.site.books.audit.bundle_comparison import (
    BundleComparison,
    ChainComparison,
    compare_bundles,
)
from feltwork.site.books.audit.export import export
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.room import BooksRoom, adjust
from tests.books.test_forgeries import a_change
from tests.progressive.room import four_card, level, link_of
from tests.support.books import new_books


@pytest.fixture(scope="module")
def bundles(server: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The books of one site at three times: early, later, and with a link more."""
    folder = tmp_path_factory.mktemp("bundles")
    with connect(server.dsn(new_books(server, "books_compared"), role="writer")) as connection:
        room = BooksRoom(connection, four_card()).open()
        other = BooksRoom(connection, link_of("five_card", "01", [level()], name="L2"), ["U1"]).open()
        for each, table in ((room, "T1"), (other, "U1")):
            each.start(table)
            each.end(table)
        adjust(connection, "L1", a_change(room.state, "J1"))
        export(connection, folder / "early", Period())
        export(connection, folder / "early.tar", Period())
        for _ in range(3):
            room.start("T1")
            room.end("T1")
        export(connection, folder / "later", Period())
        BooksRoom(connection, link_of("five_card", "01", [level()], name="L3"), ["V1"]).open()
        adjust(connection, "L1", a_change(room.state, "J2"))
        export(connection, folder / "newest", Period())
    return folder


def chain(comparison: BundleComparison, name: str) -> ChainComparison:
    return next(chain_comparison for chain_comparison in comparison.chains if chain_comparison.chain == name)


def copy(bundle: Path, target: Path, file: str, edit: Callable[[list[Any]], list[Any]]) -> Path:
    """A copy of a bundle with other lines in one file."""
    shutil.copytree(bundle, target)
    rows = [json.loads(line) for line in (bundle / file).read_text(encoding="utf-8").splitlines()]
    text = "".join(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n" for row in edit(rows))
    (target / file).write_text(text, encoding="utf-8")
    return target


def ask(*arguments: object) -> tuple[int, str]:
    answer = CliRunner().invoke(application("dev"), ["dev", "compare-bundles", *map(str, arguments)])
    return answer.exit_code, answer.stdout


def test_a_folder_and_an_archive_of_the_same_books_are_equal(bundles: Path) -> None:
    comparison = compare_bundles(bundles / "early", bundles / "early.tar")
    assert comparison.relation == "equal"
    assert {chain_comparison.outcome for chain_comparison in comparison.chains} == {"same"}
    assert all(file.same for file in comparison.files)
    code, output = ask(bundles / "early", bundles / "early.tar")
    assert code == 0
    assert "L1: same up to its end, entry " in output
    assert output.endswith("The bundles are equal.\n")


def test_a_later_bundle_continues_an_earlier_one(bundles: Path) -> None:
    comparison = compare_bundles(bundles / "early", bundles / "later")
    assert comparison.relation == "second_continues_first"
    grown = chain(comparison, "L1")
    assert (grown.outcome, grown.same_up_to) == ("second_longer", grown.first_last)
    assert chain(comparison, "L2").outcome == "same"
    assert compare_bundles(bundles / "later", bundles / "early").relation == "first_continues_second"
    code, output = ask(bundles / "early", bundles / "later")
    assert code == 0
    assert f"L1: same up to entry {grown.same_up_to}; the second bundle continues to" in output


def test_a_link_that_was_opened_later_is_new(bundles: Path) -> None:
    comparison = compare_bundles(bundles / "early", bundles / "newest")
    assert (comparison.relation, chain(comparison, "L3").outcome) == ("second_continues_first", "new")


def test_one_changed_entry_is_named_in_words(bundles: Path, tmp_path: Path) -> None:
    def edit(rows: list[Any]) -> list[Any]:
        row = next(row for row in rows if '"Adjusted"' in row["fact"])
        fact = json.loads(row["fact"])
        row["fact"] = json.dumps({**fact, "after": fact["after"] + 5_000_000}, separators=(",", ":"))
        changed.append(row["number"])
        return rows

    changed: list[int] = []
    other = copy(bundles / "later", tmp_path / "changed", "entries.jsonl", edit)
    comparison = compare_bundles(bundles / "later", other)
    wrong = chain(comparison, "L1")
    assert (comparison.relation, wrong.outcome, wrong.same_up_to) == ("different", "differs", changed[0] - 1)
    assert wrong.difference == (
        f"{changed[0]}: Adjusted: after is $5,000.35 in the first and $5,005.35 in the second"
    )
    assert {
        chain_comparison.outcome for chain_comparison in comparison.chains if chain_comparison.chain != "L1"
    } == {"same"}
    code, output = ask(bundles / "later", other)
    assert code == 1
    assert f"L1: same up to entry {changed[0] - 1}, then different\n  entry {wrong.difference}\n" in output
    code, output = ask(bundles / "later", other, "--json")
    assert (code, json.loads(output)["relation"]) == (1, "different")


def test_bundles_that_differ_before_their_first_entry_have_none_in_common(
    bundles: Path, tmp_path: Path
) -> None:
    other = shutil.copytree(bundles / "later", tmp_path / "opening")
    manifest = json.loads((other / "manifest.json").read_text(encoding="utf-8"))
    manifest["links"]["L1"]["opening"]["hash"] = "f" * 64
    (other / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    wrong = chain(compare_bundles(bundles / "later", other), "L1")
    assert (wrong.outcome, wrong.same_up_to) == ("differs", None)


@pytest.mark.parametrize("length", [3, 1])
def test_a_rewritten_tail_is_found_where_it_begins(bundles: Path, tmp_path: Path, length: int) -> None:
    """Every hash from one entry on is new, and the copy is longer than what it was made from."""

    def edit(rows: list[Any]) -> list[Any]:
        tail = [row for row in rows if row["link"] == "L1"][-length:]
        begins.append(tail[0]["number"])
        previous = tail[0]["previous"]
        for row in tail:
            row["booked_at"] = "2020-01-01T00:00:00.000000+00:00"
            row["previous"] = previous
            row["hash"] = previous = hashlib.sha256(f"{previous}{row['body']}".encode()).hexdigest()
        return rows

    begins: list[int] = []
    other = copy(bundles / "newest", tmp_path / "rewritten", "entries.jsonl", edit)
    comparison = compare_bundles(other, bundles / "newest")
    wrong = chain(comparison, "L1")
    assert (comparison.relation, wrong.outcome, wrong.same_up_to) == ("different", "differs", begins[0] - 1)
    assert 'booked at is "2020-01-01' in wrong.difference


def test_an_entry_left_out_is_not_taken_for_an_earlier_bundle(bundles: Path, tmp_path: Path) -> None:
    def edit(rows: list[Any]) -> list[Any]:
        return [row for row in rows if (row["link"], row["number"]) != ("L1", 2)]

    other = copy(bundles / "later", tmp_path / "hole", "entries.jsonl", edit)
    wrong = chain(compare_bundles(bundles / "later", other), "L1")
    assert (wrong.outcome, wrong.same_up_to) == ("differs", 1)
    assert "the second bundle does not have it" in wrong.difference


def test_a_link_left_out_is_missing(bundles: Path, tmp_path: Path) -> None:
    def edit(rows: list[Any]) -> list[Any]:
        return [row for row in rows if row["link"] != "L2"]

    other = copy(bundles / "later", tmp_path / "short", "entries.jsonl", edit)
    manifest = json.loads((other / "manifest.json").read_text(encoding="utf-8"))
    del manifest["links"]["L2"]
    (other / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    comparison = compare_bundles(bundles / "later", other)
    assert (comparison.relation, chain(comparison, "L2").outcome) == ("different", "missing")
    # Nor is it new: the link that the older bundle has is gone from the one that continues it.
    assert compare_bundles(bundles / "early", other).relation == "different"
    code, output = ask(bundles / "later", other)
    assert code == 1
    assert "L2: missing; the second bundle does not have this link" in output


@pytest.mark.parametrize("file", ["rounds.jsonl", "round_ends.jsonl"])
def test_another_round_is_named(bundles: Path, tmp_path: Path, file: str) -> None:
    def changed(rows: list[Any]) -> list[Any]:
        rows[-1]["entry"] += 1
        return rows

    other = copy(bundles / "later", tmp_path / "other", file, changed)
    comparison = compare_bundles(bundles / "later", other)
    (wrong,) = (file_comparison for file_comparison in comparison.files if file_comparison.difference)
    assert (comparison.relation, wrong.file) == ("different", file)
    assert wrong.difference == "link L2, table U1, number 1 is not the same"
    less = copy(bundles / "later", tmp_path / "less", file, lambda rows: rows[:-1])
    (wrong,) = (
        file_comparison
        for file_comparison in compare_bundles(bundles / "later", less).files
        if file_comparison.difference
    )
    assert wrong.difference == "link L2, table U1, number 1 is not in the second bundle"


def test_something_else_is_not_a_bundle(bundles: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    for path in (tmp_path, tmp_path / "notes.txt", tmp_path / "gone"):
        with pytest.raises(ProblemsError, match="not a bundle"):
            compare_bundles(bundles / "early", path)
