"""A day of the books as a bundle: it verifies on its own, follows the day before, and tampering is named."""

import hashlib
import json
import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from feltwork.problem import ProblemsError
from feltwork.site.books.audit.export import export
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import Period, period_of, register_floor
from feltwork.site.compliance.floor import GamblingDay
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.test_tampering import an_evening, edit_lines, verifier
from tests.progressive.room import asked
from tests.support.books import new_books

UNSIGNED = " (the signature was not checked)"
LAST = datetime(9999, 1, 1, tzinfo=UTC)
#: Days end after these entries of L1: a claim waits, it is confirmed, a cap was set, a version was changed.
CUTS = (1, 8, 12, 14, 16, 22, 28, 30)


@pytest.fixture(scope="module")
def honest(server: EmbeddedPostgres) -> str:
    name = new_books(server, "books_days")
    with connect(server.dsn(name, role="writer")) as connection:
        an_evening(connection)
    return name


@pytest.fixture(scope="module")
def days(server: EmbeddedPostgres, honest: str, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same evening as bundles of consecutive days."""
    folder = tmp_path_factory.mktemp("days")
    with connect(server.dsn(honest, role="reader")) as reader:
        ends = [_after(reader, number) for number in CUTS]
        periods = zip([datetime(1, 1, 1, tzinfo=UTC), *ends], [*ends, LAST], strict=True)
        for place, (since, until) in enumerate(periods):
            export(reader, folder / f"day{place}", Period(f"day {place}", since, until))
    return sorted(folder.iterdir())


def _after(reader: Connection, number: int) -> datetime:
    row = reader.execute(
        "SELECT booked_at FROM books.entry WHERE link = 'L1' AND number = %s", (number,)
    ).fetchone()
    assert row is not None
    ended: datetime = row[0] + timedelta(microseconds=1)
    return ended


@pytest.mark.requirement("WA-08", "WA-25", "GEN-24")
def test_every_day_verifies_on_its_own_and_follows_the_day_before(days: list[Path]) -> None:
    entries = 0
    for bundle in days:
        code, output = verifier(bundle)
        assert code == 0, output
        entries += int(output.splitlines()[-1].split()[0])
    code, output = verifier(days[0], *map(str, days[1:]))
    all_well = f"{entries} entries followed: all is well{UNSIGNED}"
    assert (code, output.splitlines()[-1]) == (0, all_well)
    opened = [manifest(bundle)["links"]["L1"]["opening"] for bundle in days]
    assert [opening["number"] for opening in opened] == [0, *CUTS]
    assert any(opening["awards"] for opening in opened), "a day opens while an award waits"
    assert any(opening["caps"] for opening in opened), "a day opens under a cap"


def test_a_day_that_is_left_out_is_missed(days: list[Path]) -> None:
    code, output = verifier(days[0], str(days[2]))
    assert code == 1
    assert output.startswith(f"L1, entry {CUTS[1]}: it does not open as it closed before: number, hash"), (
        output
    )


def manifest(bundle: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((bundle / "manifest.json").read_text())
    return content


def edit_opening(bundle: Path, edit: Callable[[dict[str, Any]], None], *ends: str) -> None:
    """Change what a bundle says about the ends of L1."""
    content = manifest(bundle)
    for end in ends or ("opening",):
        edit(content["links"]["L1"][end])
    (bundle / "manifest.json").write_text(json.dumps(content))


def _add_a_cent(end: dict[str, Any]) -> None:
    end["balances"]["meter/L1/jackpot"] += 10_000
    end["balances"]["retention/L1"] -= 10_000


def _unbalance(end: dict[str, Any]) -> None:
    end["balances"]["meter/L1/jackpot"] += 10_000


def _other_head(end: dict[str, Any]) -> None:
    end["body"] = end["body"].replace('"number":', '"number": ')


def _head_of_another_link(end: dict[str, Any]) -> None:
    end["body"] = end["body"].replace('"link":"L1"', '"link":"L2"')
    end["hash"] = hashlib.sha256(end["body"].encode()).hexdigest()


def _other_version(end: dict[str, Any]) -> None:
    end["version"] = "0" * 64


OPENINGS: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a cent more on the meter": (_add_a_cent, "do not hold what the entries come to"),
    "money from nowhere": (_unbalance, "the opening amounts do not balance"),
    "another entry before the day": (_other_head, "is not the end of its chain"),
    "the entry of another link": (_head_of_another_link, "another entry stands before it"),
    "another version": (_other_version, "its version is not registered"),
}


@pytest.mark.requirement("GL-08")
@pytest.mark.parametrize("how", OPENINGS)
def test_a_forged_opening_is_found_in_the_bundle_alone(days: list[Path], tmp_path: Path, how: str) -> None:
    shutil.copytree(days[3], tmp_path / "day")
    edit, message = OPENINGS[how]
    edit_opening(tmp_path / "day", edit)
    code, output = verifier(tmp_path / "day")
    assert code == 1
    assert output.startswith("L1, entry "), output
    assert message in output


@pytest.mark.requirement("GL-08")
def test_a_day_that_is_forged_at_both_ends_does_not_follow_the_day_before(
    days: list[Path], tmp_path: Path
) -> None:
    """The chain alone cannot tell what stood before it; yesterday's bundle can."""
    shutil.copytree(days[2], tmp_path / "day")
    edit_opening(tmp_path / "day", _add_a_cent, "opening", "closing")
    code, output = verifier(days[1], str(tmp_path / "day"))
    assert code == 1
    assert output.startswith(f"L1, entry {CUTS[1]}: it does not open as it closed before: balances\n"), output
    assert output.endswith(f"{_count(days[1]) + _count(days[2])} entries followed: NOT in order{UNSIGNED}\n")


def _count(bundle: Path) -> int:
    return len((bundle / "entries.jsonl").read_text().splitlines())


def _ours(rows: list[Any]) -> list[Any]:
    return [row for row in rows if row["link"] == "L1"]


def _changed(rows: list[Any]) -> int:
    row = _ours(rows)[1]
    row["body"] = row["body"].replace('"at":', '"at":1', 1)
    return int(row["number"])


def _deleted(rows: list[Any]) -> int:
    row = _ours(rows)[0]
    rows.remove(row)
    return int(row["number"])


def _inserted(rows: list[Any]) -> int:
    first, second = _ours(rows)[:2]
    rows.insert(rows.index(second), first)
    return int(second["number"])


def _reordered(rows: list[Any]) -> int:
    first, second = _ours(rows)[:2]
    place = rows.index(first)
    rows[place : place + 2] = [second, first]
    return int(first["number"])


def _re_dated(rows: list[Any]) -> int:
    row = _ours(rows)[0]
    body = json.loads(row["body"])
    row["body"] = json.dumps({**body, "at": body["at"] + 1}, sort_keys=True, separators=(",", ":"))
    return int(row["number"])


def _cut(rows: list[Any]) -> int:
    row = _ours(rows)[-1]
    rows.remove(row)
    return int(row["number"])


@pytest.mark.requirement("GL-08")
@pytest.mark.parametrize("tamper", [_changed, _deleted, _inserted, _reordered, _re_dated, _cut])
@pytest.mark.parametrize("day", range(1, len(CUTS)))
def test_the_first_bad_entry_of_a_day_is_named(
    days: list[Path], tmp_path: Path, day: int, tamper: Callable[[list[Any]], int]
) -> None:
    shutil.copytree(days[day], tmp_path / "day")
    numbers: list[int] = []

    def edit(rows: list[Any]) -> list[Any]:
        numbers.append(tamper(rows))
        return rows

    edit_lines(tmp_path / "day", "entries.jsonl", edit)
    code, output = verifier(tmp_path / "day")
    assert code == 1
    assert output.startswith(f"L1, entry {numbers[0]}: "), output


@pytest.mark.requirement("WA-25")
def test_a_gambling_day_begins_at_its_hour_where_the_site_is(fresh: Connection) -> None:
    with pytest.raises(ProblemsError, match="no floor file has been applied"):
        period_of(fresh, "TODAY")
    text = (Path(__file__).parents[2] / "examples" / "card_room.toml").read_text(encoding="utf-8")
    register_floor(fresh, text, asked())
    winter = period_of(fresh, "2026-01-31")
    assert (winter.since.isoformat(), winter.until.isoformat()) == (
        "2026-01-31T06:00:00-08:00",
        "2026-02-01T06:00:00-08:00",
    )
    spring = period_of(fresh, "2026-03-07")
    assert spring.until.astimezone(UTC) - spring.since.astimezone(UTC) == timedelta(hours=23)
    now = datetime.now(UTC)
    today = period_of(fresh, "TODAY")
    assert today.since <= now + timedelta(minutes=1)
    assert now - timedelta(minutes=1) < today.until
    for wrong in ("yesterday", "2026-02-30", "9999-12-31"):
        with pytest.raises(ProblemsError, match="this is not a date"):
            period_of(fresh, wrong)
    hours = GamblingDay(time_zone="America/Los_Angeles", starts_at_hour=6)
    assert hours.of(datetime(2026, 1, 31, 13, 59, tzinfo=UTC)) == date(2026, 1, 30)
    assert hours.of(datetime(2026, 1, 31, 14, 0, tzinfo=UTC)) == date(2026, 1, 31)
