"""The generated Python client at a table: a machine with a token presses the buttons."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from feltwork.rehearsal.refusal import StepRefusedError, refusal_of
from feltwork.rehearsal.service_client import ServiceClient, round_of
from feltwork.rehearsal.state import AwardState, Rounds
from feltwork.rehearsal.step import Step
from feltwork.simulation.stage import credentials
from feltwork.site.web.app import application
from feltwork.site.web.settings import Settings

PACKAGE = "feltwork_client"


def generate(folder: Path) -> None:
    """Generate the client from the OpenAPI document into a folder, and make it importable."""
    document = folder / "openapi.json"
    document.write_text(json.dumps(application(Settings(dsn="")).openapi()), encoding="utf-8")
    config = folder / "config.json"
    config.write_text(json.dumps({"post_hooks": []}), encoding="utf-8")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(document)]
    command += ["--meta", "none", "--output-path", str(folder / PACKAGE), "--config", str(config)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr
    assert "Warning" not in result.stdout, result.stdout
    sys.path.insert(0, str(folder))


class MachineClient(ServiceClient):
    """A rehearsal in which a service account deals; people show their badges, and do the rest themselves."""

    def __init__(self, url: str, observer: str, token: str) -> None:
        super().__init__(url, observer)
        self._machine = import_module(PACKAGE).AuthenticatedClient(base_url=url, token=token)
        self._models = import_module(f"{PACKAGE}.models")
        self._numbers = count(1)
        #: The operations that the machine has used.
        self.used: list[str] = []

    async def close(self) -> None:
        """Close the connections."""
        await self._machine.get_async_httpx_client().aclose()
        await super().close()

    async def call(self, operation: str, *path: str, body: Any = None, keyed: bool = True) -> Any:
        """Call an operation of the generated client by its tag and id; returns the typed answer."""
        self.used.append(operation)
        keywords: dict[str, Any] = {} if body is None else {"body": body}
        if keyed:
            keywords["idempotency_key"] = f"machine-{next(self._numbers):06}"
        module = import_module(f"{PACKAGE}.api.{operation}")
        answer = await module.asyncio_detailed(*path, client=self._machine, **keywords)
        if answer.status_code != 200:
            raise StepRefusedError(refusal_of(int(answer.status_code), json.loads(answer.content)))
        return answer.parsed

    async def sensors(self, table: str, by: str, wagers: Mapping[str, Sequence[int]]) -> None:
        """Cover these sensors and no others."""
        for link, seats in wagers.items():
            body = self._models.Covered(covered=list(seats))
            await self.call("rounds.rounds_cover", link, table, body=body, keyed=False)

    async def start(
        self, table: str, by: str, wagers: Mapping[str, Sequence[int]], players: Sequence[int] | None
    ) -> None:
        """Press START GAME."""
        fields: dict[str, Any] = {"wagers": {link: list(seats) for link, seats in wagers.items()}}
        if players is not None:
            fields["players"] = list(players)
        await self.call("tables.tables_start", table, body=self._models.TableStart.from_dict(fields))

    async def hand(self, link: str, table: str, step: Step) -> None:
        """Press a hand button."""
        body = self._models.HandButton(
            seat=step.seat, hand=step.hand, cards=step.cards, winners=list(step.winners)
        )
        await self.call("rounds.rounds_press", link, table, body=body)

    async def fold(self, link: str, table: str, step: Step) -> None:
        """Mark a seat as folded."""
        body = self._models.FoldedSeat(seat=step.seat, folded=step.folded)
        await self.call("rounds.rounds_fold", link, table, body=body)

    async def correct(self, link: str, table: str, step: Step) -> None:
        """Correct one locked seat."""
        fields: dict[str, Any] = {"seat": step.seat, "wagered": step.wagered}
        if len(step.by) > 1:
            fields["shown"] = credentials(step.by[1])
        body = self._models.CorrectedSeat.from_dict(fields)
        await self.call("rounds.rounds_correct", link, table, body=body)

    async def end(self, table: str, by: str) -> None:
        """Press END GAME."""
        await self.call("tables.tables_end", table)

    async def confirm(self, link: str, award: str, step: Step) -> None:
        """Hand in the badges of the people who confirm."""
        award_state = await self.call("awards.awards_show", link, award, keyed=False)
        amount = award_state.hit_amount if step.amount is None else step.amount
        fields = {"badges": [credentials(person) for person in step.by], "amount": amount}
        await self.call("awards.awards_confirm", link, award, body=self._models.Confirm.from_dict(fields))

    async def rounds_at(self, table: str, awards: Mapping[str, Sequence[AwardState]]) -> Rounds:
        """The current round at a table on each of these links."""
        links = (await self.call("tables.tables_show", table, keyed=False)).to_dict()["links"]
        return {link: round_of(links[link]) for link in awards}
