"""The generated Python client plays whole rehearsals over HTTP with a service account."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from feltwork.rehearsal.preparation import OBSERVER
from feltwork.rehearsal.runner import Runner, RunReport
from feltwork.rehearsal.script import read_script
from feltwork.rehearsal.servers import rehearsal_servers
from feltwork.rehearsal.service_client import ServiceClient
from feltwork.rehearsal.site import Site
from feltwork.site.servers.temporary import TemporaryServers
from tests.rehearsal.machine_client import PACKAGE, MachineClient, generate
from tests.rehearsal.test_rehearse import SHIPPED

#: Two wins on one meter, wrong buttons, and a house jackpot with a reversal.
PLAYED = ("two_wins_on_one_meter", "wrong_button_does_no_harm", "house_jackpot")
_MANAGERS = ("rehearsal-executive", "rehearsal-it")


@pytest.fixture(scope="module")
def servers() -> Iterator[TemporaryServers]:
    servers = rehearsal_servers()
    servers.start()
    yield servers
    servers.stop()


@pytest.fixture(scope="module", autouse=True)
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("generated")
    generate(folder)
    yield
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


async def _token(people: ServiceClient, *scopes: str) -> str:
    about = {"command": "manage_people", "service_account": "dealing-machine", "reason": "rehearsal"}
    new = {"act": "add_service_account", "name": "Dealing machine", "scopes": scopes}
    await people.two_people(_MANAGERS, {**about, **new})
    granted = await people.two_people(_MANAGERS, {**about, "act": "grant_token", "days": 1})
    path = "/api/v1/service-accounts/dealing-machine/tokens"
    response = await people.post(_MANAGERS[1], path, {"grant": granted["booked"]["grant"]})
    return str(response["token"])


async def _play(
    servers: TemporaryServers, plays: Sequence[tuple[Path, tuple[str, ...]]]
) -> list[tuple[RunReport, list[str]]]:
    """Play rehearsals with the machine at the tables, each with a token of some scopes."""
    played = []
    site = Site(servers)
    await site.start()
    try:
        for file, scopes in plays:
            script, report = read_script(file), RunReport(entry_point="http")
            (books,) = await site.databases(script, 1)
            async with site.service(books) as opened:
                client = MachineClient(opened.url, OBSERVER, await _token(opened.client, *scopes))
                try:
                    await Runner(script, client, None).run(report)
                finally:
                    await client.close()
                report.audit = await opened.client.audit()
                report.verifier = await site.verify(opened.database)
            played.append((report, client.used))
    finally:
        await site.finish()
    return played


def test_the_generated_client_plays_whole_rehearsals(servers: TemporaryServers) -> None:
    plays = [(SHIPPED[name], ("tables:run", "floor:read")) for name in PLAYED]
    *played, without = asyncio.run(_play(servers, [*plays, (SHIPPED[PLAYED[0]], ("floor:read",))]))
    for name, (report, used) in zip(PLAYED, played, strict=True):
        assert report.passed, (name, report.failed_step, report.differences, report.verifier)
        assert report.audit["ok"], name
        assert report.results, name
        assert "tables.tables_start" in used, name
    everything = {operation for _, used in played for operation in used}
    assert {"rounds.rounds_press", "awards.awards_confirm", "tables.tables_end"} <= everything
    refused = without[0]
    assert (refused.failed_step, refused.results[0]["ok"]) == (1, False)
    assert "scope" in refused.results[0]["what"]
