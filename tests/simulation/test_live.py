"""The floor over the public protocol and API: what it says it sent is what the books hold."""

import asyncio
import time

import httpx
import psycopg
import pytest

from feltwork.problem import ProblemsError
from feltwork.simulation.floor_runner import connector, live_floor
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import connect
from tests.simulation.conftest import OneBox


def booked(box: OneBox, query: str) -> int:
    with psycopg.connect(box.dsn) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return int(row[0])


def wait_for(box: OneBox, query: str, least: int) -> int:
    for _ in range(1_200):
        if (count := booked(box, query)) >= least:
            return count
        time.sleep(0.1)
    raise AssertionError(f"{query}: {count} instead of {least}")


ROUNDS = "SELECT count(*) FROM books.round"
CONFIRMED = "SELECT count(*) FROM books.award WHERE link = 'sevens' AND status IN ('confirmed', 'paid')"
WAGERS = "SELECT coalesce(sum(cardinality(seats)), 0) FROM books.round"


@pytest.mark.requirement("GEN-11")
def test_every_table_plays_and_every_wager_is_booked(box: OneBox) -> None:
    before = booked(box, ROUNDS), booked(box, WAGERS)
    report = box.floor("--rounds", "3", "--speed", "flat-out", "--seed", "5")
    assert report["tables"] == 13
    assert report["rounds"] == 3 * 14, "B4 plays its rounds on two links"
    assert wait_for(box, ROUNDS, before[0] + report["rounds"]) == before[0] + report["rounds"]
    assert booked(box, WAGERS) == before[1] + report["wagers"]
    assert report["amount"] == 1_000_000 * report["wagers"]
    with connect(box.dsn) as connection:
        assert audit(connection).problems == []


@pytest.mark.parametrize(
    "hit",
    [
        "five-card:minor",
        pytest.param("dragon:jackpot", marks=pytest.mark.whole),
        pytest.param("trilux:jackpot", marks=pytest.mark.whole),
        "house-sevens:major",
    ],
)
def test_a_forced_hit_is_claimed_confirmed_and_paid(box: OneBox, hit: str) -> None:
    link, _, level = hit.partition(":")
    tables = ",".join(table.id for table in box.house.floor.tables if table.id in ("B3", "B4", "C1", "M1"))
    report = box.floor(
        "--tables", tables, "--rounds", "1", "--seed", "9", "--force-hit", hit, "--seconds", "60"
    )
    assert report["claims"] >= 1
    paid = f"SELECT count(*) FROM books.award WHERE link = '{link}' AND level = '{level}' AND status = 'paid'"
    assert wait_for(box, f"SELECT count(*) FROM books.award WHERE link = '{link}'", 1) >= 1
    confirmed = paid.replace("= 'paid'", "IN ('confirmed', 'paid')")
    assert booked(box, confirmed) >= 1, "END GAME waits for whoever confirms"


def test_a_sign_of_a_table_shows_both_of_its_jackpots(box: OneBox) -> None:
    def meters() -> dict[str, int]:
        page = httpx.get(f"{box.service}/signs/tables/B4.json").raise_for_status().json()
        return {sign["link"]: sign["levels"][0]["amount"] for sign in (page["sign"], *page["also"])}

    before = meters()
    assert set(before) == {"sevens", "trilux"}
    assert list(before.values()) == sorted(before.values(), reverse=True), "the highest first"
    played = "SELECT count(*) FROM books.round WHERE table_id = 'B4' AND link = 'trilux'"
    rounds = booked(box, played)
    box.floor("--tables", "B4", "--rounds", "4", "--speed", "flat-out", "--seed", "2")
    wait_for(box, played, rounds + 4)
    after = meters()
    assert all(after[link] > before[link] for link in before)


def test_a_floor_can_be_run_by_other_programs(box: OneBox) -> None:
    """As the demo does: one object, a button for a hit, and a stop."""
    before = booked(box, CONFIRMED)

    async def play() -> dict[str, object]:
        floor = live_floor(
            box.house,
            connector(box.nats),
            seed=3,
            rounds_per_minute=600,
            service=box.service,
            only=["B1", "H2"],
        )
        assert floor.force_hit("sevens:minor") == ("B1", "sevens", "minor")
        with pytest.raises(ProblemsError, match="royals:jackpot"):
            floor.force_hit("gigantic")
        playing = asyncio.create_task(floor.run())
        while booked(box, CONFIRMED) == before and not playing.done():
            await asyncio.sleep(0.2)
        floor.stop()
        return await playing

    report = asyncio.run(play())
    assert report["rounds"] == report["ended"]
    assert report["claims"] == 1
    assert report["awards"]["confirmed"] == 1  # type: ignore[index]


def test_the_shortest_way_to_play(box: OneBox) -> None:
    floor = live_floor(box.house, connector(box.nats), rounds_per_minute=0, service=box.service)
    report = asyncio.run(floor.run(rounds=1))
    assert report["rounds"] == 14
