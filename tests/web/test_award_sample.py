"""An auditor draws ten awards by a seed, draws them again, and follows one to its last true reset."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import TABLES, House

LINK = "sampled"
SEED = "spring audit 7"
NAME = "web_award_sample"


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    for house in serve(server, new_books(server, NAME)):
        house.open(LINK)
        yield house


@pytest.fixture(scope="module")
def awards(house: House) -> list[str]:
    """Thirteen confirmed awards; the last one is recorded for a patron, and a claim was refused before it."""
    names = []
    for table in TABLES[:13]:
        house.start(LINK, table)
        award = house.claim(LINK, table)
        if table == TABLES[12]:
            house.void("sam", LINK, award, "wrong seat")
            award = house.claim(LINK, table, seat=2)
        assert house.confirm(LINK, award, "sam", "eve").status_code == 200
        house.end(LINK, table)
        names.append(award)
    house.record(LINK, names[-1])
    return names


def drawn(awards: list[str], seed: str) -> list[str]:
    """The sample by hand."""
    return sorted(awards, key=lambda award: hashlib.sha256(f"{seed}/{LINK}/{award}".encode()).hexdigest())[
        :10
    ]


@pytest.mark.requirement("GEN-02")
def test_ten_awards_are_drawn_by_a_seed_and_anyone_draws_them_again(
    house: House, server: EmbeddedPostgres, awards: list[str]
) -> None:
    page = house.of("otto").get("/audit/awards", params={"seed": SEED}, headers={"Accept": "text/html"}).text
    addresses = re.findall(rf'<a href="(/audit/awards/{LINK}/[^"]+)"', page)
    assert addresses == [f"/audit/awards/{LINK}/{award}" for award in drawn(awards, SEED)]
    assert 'name="seed"' in page
    for seed in (SEED, "another"):
        again = house.get("vic", f"/audit/awards?seed={seed}")["awards"]
        assert [award["award"] for award in again] == drawn(awards, seed)
    assert drawn(awards, "another") != drawn(awards, SEED)
    program = "from feltwork.cli.main import main; main()"
    command = [sys.executable, "-c", program, "audit", "--sample", SEED, "--dsn", server.dsn(NAME), "--json"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [award["award"] for award in json.loads(output)] == drawn(awards, SEED)
    assert "The meter" in house.of("otto").get(addresses[0], headers={"Accept": "text/html"}).text


def test_awards_are_found_by_patron_table_amount_and_day(house: House, awards: list[str]) -> None:
    def search(**filters: str) -> list[str]:
        query = "&".join(f"{name}={value}" for name, value in filters.items())
        return [award["award"] for award in house.get("otto", f"/audit/awards?{query}")["awards"]]

    assert search() == awards[::-1]
    assert search(patron="pat p") == [awards[-1]]
    assert search(table=TABLES[3]) == [awards[3]]
    amount = house.get("otto", f"/api/v1/links/{LINK}/awards/{awards[4]}")["amount"]
    assert awards[4] in search(amount=f"{amount / 1_000_000:.2f}")
    assert search(amount="0.01") == search(day="2020-01-01") == []


def test_an_award_is_built_up_from_the_last_true_reset(house: House, awards: list[str]) -> None:
    first, *_, last = awards
    for award, began in ((first, "opened with"), (last, "reset to")):
        view = house.get("otto", f"/audit/awards/{LINK}/{award}")
        lines = {line["what"]: line["amount"] for line in view["growth"]}
        before = lines.pop("the meter before the award")
        assert before == sum(lines.values()) == view["from_meter"], "all of the meter was won"
        assert lines[began] >= 10_000_000_000
        assert lines["contributed"] > 0
    earlier = house.get("otto", f"/audit/awards/{LINK}/{awards[-2]}")
    locked = next(step["entry"] for step in earlier["steps"] if step["step"] == "Locked")
    assert view["growth"][0]["entry"] == locked, "the refused claim reset nothing"
