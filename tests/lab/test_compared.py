"""The comparison finds what it is for: a lost message, a doubled row, a changed seat, a cent too much."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from feltwork.simulation.floors import room_text
from feltwork.simulation.stage import SimulatedCasino, open_site
from feltwork.simulation.tally import Tally
from feltwork.site.books.audit.export import export
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.tables.rounds import book_ends, book_rounds, say
from feltwork.site.progressive.round_facts import HandPressed
from feltwork.site.progressive.round_facts import RoundEnded as EndFact
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.wire import uplink
from feltwork.site.wire.uplink import RoundEnded, RoundStarted
from feltwork.titles.paytables.paytable import Odds
from lab.fault_test.comparison import BooksComparison, compare

LINK = "five-card"


@dataclass
class OpenRound:
    """Rounds that were sent and booked, and the bundle of them."""

    house: SimulatedCasino
    tally: Tally
    bundle: Path

    def verdict(self, bundle: Path | None = None) -> BooksComparison:
        return compare(bundle or self.bundle, self.tally, dict(self.house.links))


@pytest.fixture(scope="module")
def played(server: EmbeddedPostgres) -> Iterator[OpenRound]:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS floor_compared WITH (FORCE)")
        connection.execute("CREATE DATABASE floor_compared")
    house = open_site(server.dsn("floor_compared"), room_text())
    folder = Path(tempfile.mkdtemp(prefix="feltwork-compared-"))
    tally = Tally.writing(folder / "tally")
    version = house.links[LINK].fingerprint
    hand, pays = next(
        (row.hand, row.pays.pay(1_000_000))
        for row in house.links[LINK].paytable.rows
        if isinstance(row.pays, Odds) and not row.envy
    )
    with connect(server.dsn("floor_compared", role="writer")) as connection:
        for number in range(1, 41):
            started = RoundStarted(
                link=LINK, at=number, table="C1", round=number, step=0, sign_on="s", wager=1_000_000,
                seats=(1, 2, 5), version=version,
            )  # fmt: skip
            ended = RoundEnded(
                link=LINK,
                at=number,
                table="C1",
                round=number,
                step=1,
                sign_on="s",
                fixed=pays * (number % 2),
                envy=0,
            )
            for message in (started, ended):
                tally.sent(message)
                tally.acknowledged(message)
            book_rounds(connection, LINK, [started.fact()])
            if ended.fixed:
                pressed = HandPressed(
                    link=LINK, at=number, table="C1", round=number, seat=1, hand=hand, by="dan"
                )
                say(connection, [pressed])
            end = EndFact(link=LINK, at=number, table="C1", round=number, fixed=ended.fixed, envy=0)
            book_ends(connection, LINK, [end])
        export(connection, folder / "bundle", Period())
    yield OpenRound(house, tally, folder / "bundle")
    tally.close()
    shutil.rmtree(folder)


def edited(played: OpenRound, tmp_path: Path, name: str, edit: Callable[[list[str]], list[str]]) -> Path:
    """A copy of the bundle with one file changed, and its digest too: only content can give it away."""
    copy = tmp_path / "bundle"
    shutil.copytree(played.bundle, copy)
    lines = edit((copy / name).read_text(encoding="utf-8").splitlines())
    (copy / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["files"][name] = hashlib.sha256((copy / name).read_bytes()).hexdigest()
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return copy


def test_books_that_hold_what_was_sent_are_sound(played: OpenRound) -> None:
    verdict = played.verdict()
    assert verdict.problems == []
    assert verdict.wagers == {"sent": 120, "booked": 120, "lost": 0, "double": 0}
    assert verdict.ends == {"sent": 40, "booked": 40, "lost": 0, "double": 0}
    assert verdict.meter_differences == 0


def test_a_tally_survives_its_writer(played: OpenRound, tmp_path: Path) -> None:
    path = played.bundle.parent / "tally"
    again = Tally.reading(path)
    assert (again.rounds, again.kept, again.kept_ends) == (
        played.tally.rounds, played.tally.kept, played.tally.kept_ends
    )  # fmt: skip
    (tmp_path / "cut").write_bytes(path.read_bytes()[:-9])
    assert len(Tally.reading(tmp_path / "cut").kept_ends) == 39


def test_a_message_that_was_dropped_is_found(played: OpenRound) -> None:
    """It was acknowledged, and no books have it."""
    dropped = RoundStarted(
        link=LINK,
        at=1,
        table="C2",
        round=1,
        step=0,
        sign_on="s",
        wager=1_000_000,
        seats=(1, 4),
        version="0" * 64,
    )
    tally = Tally.reading(played.bundle.parent / "tally")
    tally.sent(dropped)
    in_doubt = compare(played.bundle, tally, dict(played.house.links))
    assert in_doubt.sound, "nobody promised to keep it"
    tally.acknowledged(dropped)
    verdict = compare(played.bundle, tally, dict(played.house.links))
    assert not verdict.sound
    assert (verdict.rounds["lost"], verdict.wagers["lost"]) == (1, 2)
    ended = uplink.RoundEnded(link=LINK, at=1, table="C2", round=1, step=1, sign_on="s", fixed=0, envy=0)
    tally.acknowledged(ended)
    assert compare(played.bundle, tally, dict(played.house.links)).ends["lost"] == 1


def test_a_doubled_row_is_found(played: OpenRound, tmp_path: Path) -> None:
    verdict = played.verdict(edited(played, tmp_path, "rounds.jsonl", lambda rows: [*rows, rows[7]]))
    assert (verdict.rounds["double"], verdict.wagers["double"]) == (1, 3)
    assert verdict.meter_differences > 0, "the independent verifier sees it too"


def test_a_round_that_nobody_sent_is_found(played: OpenRound, tmp_path: Path) -> None:
    def invent(rows: list[str]) -> list[str]:
        return [*rows, json.dumps({**json.loads(rows[-1]), "number": 99})]

    verdict = played.verdict(edited(played, tmp_path, "rounds.jsonl", invent))
    assert verdict.rounds["double"] == 1
    assert any("never sent" in problem for problem in verdict.problems)


def test_a_changed_seat_is_found(played: OpenRound, tmp_path: Path) -> None:
    def change(rows: list[str]) -> list[str]:
        return [json.dumps({**json.loads(rows[0]), "seats": [1, 2, 6]}), *rows[1:]]

    verdict = played.verdict(edited(played, tmp_path, "rounds.jsonl", change))
    assert verdict.rounds["changed"] == 1
    assert not verdict.sound


def test_a_cent_too_much_on_a_meter_is_found(played: OpenRound, tmp_path: Path) -> None:
    def give(entries: list[str]) -> list[str]:
        place = next(at for at, line in enumerate(entries) if '\\"kind\\":\\"Contributed' in line)
        line = json.loads(entries[place])
        fact = json.loads(line["fact"])
        fact["to_meter"]["mega"] += 10_000
        changed = json.dumps({**line, "fact": json.dumps(fact)})
        return [*entries[:place], changed, *entries[place + 1 :]]

    bundle = edited(played, tmp_path, "entries.jsonl", give)
    verdict = played.verdict(bundle)
    assert verdict.meter_differences >= 1
    assert any("tables fed" in problem for problem in verdict.problems)


def test_a_cent_of_the_house_that_is_missing_is_found(played: OpenRound, tmp_path: Path) -> None:
    """The wagers of a house jackpot feed no meter: what the house took is all there is to compare."""

    def keep(entries: list[str]) -> list[str]:
        place = next(at for at, line in enumerate(entries) if '\\"kind\\":\\"Contributed' in line)
        line = json.loads(entries[place])
        fact = json.loads(line["fact"])
        fact["to_house"] -= 10_000
        changed = json.dumps({**line, "fact": json.dumps(fact)})
        return [*entries[:place], changed, *entries[place + 1 :]]

    verdict = played.verdict(edited(played, tmp_path, "entries.jsonl", keep))
    assert any(f"{LINK}, retained: tables fed" in problem for problem in verdict.problems)


def test_a_round_on_one_of_two_jackpots_is_found(played: OpenRound, tmp_path: Path) -> None:
    def beside(rows: list[str], numbers: set[int]) -> list[str]:
        others = [{**json.loads(row), "link": "sevens"} for row in rows]
        return [*rows, *(json.dumps(row) for row in others if row["number"] in numbers)]

    def uneven(folder: str, numbers: set[int]) -> list[str]:
        bundle = edited(played, tmp_path / folder, "rounds.jsonl", lambda rows: beside(rows, numbers))
        return [problem for problem in played.verdict(bundle).problems if "some of its links" in problem]

    (tmp_path / "one").mkdir()
    (tmp_path / "last").mkdir()
    assert uneven("one", {*range(1, 41)} - {7}) == ["sevens, round 7 of C1: on some of its links only"]
    assert uneven("last", {*range(1, 40)}) == [], "the last round may be cut short"
