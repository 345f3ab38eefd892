"""Years of operation: under libfaketime, the clocks of a site move half a year at a time."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltwork.site.servers import nats_permissions
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.servers.nats_keys import KeyRing
from tests.bookkeeper.house import House, say, started
from tests.bookkeeper.test_sign_on import sign_on
from tests.wire.floors import card_room

_LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), Path("apt install faketime"))
_HALF_YEAR = 182
_BOOKED = "SELECT booked @> %s::bigint FROM books.booked_rounds WHERE table_id = 'T1'"


class Clock:
    """A clock that the processes of a site share, as many days ahead as a file says."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "clock"
        self.days = 0
        self.set(0)

    def set(self, days: int) -> None:
        self.days = days
        new = self.file.with_suffix(".new")
        new.write_text(f"+{days}d\n")
        new.chmod(0o644)
        new.replace(self.file)

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(days=self.days)

    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(_LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, Clock]]:
    assert _LIBRARY.exists(), "apt install faketime"
    folder = Path(tempfile.mkdtemp(prefix="feltwork-years-"))
    house, clock = House(folder), Clock(folder)
    for name, value in clock.environment().items():
        monkeypatch.setenv(name, value)  # for the processes that this one starts
    try:
        yield house.open(), clock
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.whole
@pytest.mark.requirement("AM-04")
def test_five_years_pass_and_partitions_and_retention_need_nobody(site: tuple[House, Clock]) -> None:
    house, clock = site
    first_month = f"{clock.now():%Y-%m}"
    house.keeper()
    for half_year in range(12):
        clock.set(half_year * _HALF_YEAR)
        name = f"books.round_{clock.now() + timedelta(days=360):%Y_%m}"
        house.until(partial(house.ask, "SELECT to_regclass(%s)::text", name))
        number = half_year + 1
        dealer = sign_on(house, "B-dana", "2580")
        at = int(clock.now().timestamp() * 1_000_000)
        say(house, [replace(started(number), at=at, sign_on=dealer.sign_on)])
        house.until(partial(house.ask, _BOOKED, number))
        month = f"books.round_{clock.now():%Y_%m}"
        assert house.ask(f"SELECT count(*) FROM {month} WHERE number = %s", number) == 1
    assert clock.days > 30 * 31
    for table in ("entry", "round", "table_fact", "audit"):
        assert house.ask(f"SELECT count(*) FROM books.{table}_other") == 0
    house.check()
    drop = ("audit", "--dsn", house.postgres.dsn(), "--drop-audit-month")
    assert "is kept for 5 years" in house.command(*drop, f"{clock.now():%Y-%m}", check=False)
    assert f"deleted: the audit log of {first_month}" in house.command(*drop, first_month)


_CONNECT = """
import asyncio, datetime, sys, nats
from pathlib import Path
from feltwork.site.servers.nats_keys import KeyRing
async def connect():
    options = KeyRing(Path(sys.argv[1])).options("C1")
    client = await nats.connect(sys.argv[2], allow_reconnect=False, **options)
    await client.close()
asyncio.run(connect())
print(datetime.date.today())
"""


@pytest.mark.whole
def test_a_device_connects_with_its_certificate_after_thirty_months_and_fifteen_years(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    users = nats_permissions.make_keys(card_room(), ring)
    server = EmbeddedNats(
        tmp_path / "log", NatsPlan(tls=ring.certificate(nats_permissions.SERVER), users=users)
    ).start()
    try:
        for days, works in ((915, True), (15 * 365, True), (20 * 365 + 30, False)):
            result = subprocess.run(
                [sys.executable, "-c", _CONNECT, str(ring.folder), f"tls://127.0.0.1:{server.port}"],
                env={**os.environ, "LD_PRELOAD": str(_LIBRARY), "FAKETIME": f"+{days}d"},
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
            assert (result.returncode == 0) == works, result.stderr
            if works:
                assert result.stdout.strip() == f"{time_ahead(days):%Y-%m-%d}", "the clock was moved"
            else:
                assert "certificate has expired" in result.stderr
    finally:
        server.remove()


def time_ahead(days: int) -> datetime:
    return datetime.fromtimestamp(time.time() + days * 86_400, tz=UTC)
