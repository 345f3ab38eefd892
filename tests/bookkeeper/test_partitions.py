"""The bookkeeper creates the monthly partitions a year ahead, so that they never run out."""

import json
from datetime import UTC, datetime

import psycopg

from tests.bookkeeper.house import House, say, started

_TABLES = ("audit", "entry", "round", "round_end", "table_fact")


def _month(ahead: int) -> str:
    now = datetime.now(UTC)
    years, month = divmod(now.month - 1 + ahead, 12)
    return f"{now.year + years}_{month + 1:02}"


def test_missing_partitions_are_created_and_doctor_tells_how_far_they_go(house_alone: House) -> None:
    house = house_alone
    with psycopg.connect(house.postgres.dsn(), autocommit=True) as owner:
        for table in _TABLES:
            for ahead in range(1, 13):
                owner.execute(f"DROP TABLE books.{table}_{_month(ahead)}".encode())
    check = _doctor(house)
    assert (check["state"], _month(0).replace("_", "-") in check["what"]) == ("missing", True)
    house.keeper()
    last = [f"books.{table}_{_month(12)}" for table in _TABLES]
    house.until(lambda: all(house.ask("SELECT to_regclass(%s)::text", name) for name in last))
    assert _doctor(house)["state"] == "well"
    say(house, [started(1)])
    house.until(lambda: house.booked() == "{[1,2)}")
    assert house.ask(f"SELECT count(*) FROM books.round_{_month(0)}") == 1


def _doctor(house: House) -> dict[str, str]:
    output = house.command("doctor", "--dsn", house.dsn, "--json", check=False)
    checks: dict[str, dict[str, str]] = {check["check"]: check for check in json.loads(output)}
    return checks["partitions"]
