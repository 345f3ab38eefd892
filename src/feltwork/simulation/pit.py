"""The pit: supervisors, executives and the cage, who do over HTTP what people do at a screen."""

import asyncio
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from feltwork.simulation.staff import PIN, SimulatedCasino, badge_of
from feltwork.simulation.tally import Tally

_LOOK_SECONDS = 0.5
#: Lines of a payout's check-list that are done by writing the record, or by paying.
_BY_ITSELF = ("record", "check")


@dataclass(kw_only=True)
class Pit:
    """Everybody who signs for awards. A request without an answer is made again with the same key."""

    url: str
    house: SimulatedCasino
    tally: Tally
    dice: random.Random
    #: How often a claim is refused at first, so that the dealer must name the hand again.
    refuses: float = 0.1
    #: How long a claim waits for its badge, and a confirmed award for its money.
    takes_seconds: float = 0.0
    #: Awards that people confirm themselves.
    is_left: Callable[[Mapping[str, Any]], bool] = lambda _: False
    #: What was told over HTTP, the newest last; for people who watch.
    news: list[str] = field(default_factory=list)
    _tokens: dict[str, str] = field(default_factory=dict)
    _signing_in: asyncio.Lock = field(default_factory=asyncio.Lock)
    _judged: dict[str, bool] = field(default_factory=dict)
    #: Link, award and status -> when it was first seen so.
    _seen: dict[tuple[str, str, str], float] = field(default_factory=dict)
    #: Link -> the claims that waited when it was last looked at.
    _waiting: dict[str, list[str]] = field(default_factory=dict)

    async def run(self) -> None:
        """Look for claims and answer them, until cancelled."""
        async with httpx.AsyncClient(base_url=self.url, timeout=10) as client:
            while True:
                await asyncio.gather(*(self._look_again(client, link) for link in self.house.links))
                await asyncio.sleep(_LOOK_SECONDS)

    async def _look_again(self, client: httpx.AsyncClient, link: str) -> None:
        with suppress(httpx.HTTPError):  # the service is away; what was asked is asked again
            await self._look(client, link)

    async def open_awards(self) -> int:
        """How many awards still wait for somebody."""
        async with httpx.AsyncClient(base_url=self.url, timeout=10) as client:
            found = [await self._awards(client, link) for link in self.house.links]
        return sum(one["status"] in ("claimed", "confirmed") for awards in found for one in awards)

    async def _look(self, client: httpx.AsyncClient, link: str) -> None:
        found = await self._awards(client, link)
        waiting = [str(award["id"]) for award in found if award["status"] == "claimed"]
        still, self._waiting[link] = waiting == self._waiting.get(link), waiting
        for award in found:
            if not self._is_due(link, award):
                continue
            # Who share a prize are confirmed together: the dealer must have named them all.
            if award["status"] == "claimed" and (still or not self.house.links[link].shares_prizes):
                await self._judge(client, link, award)
            elif award["status"] == "confirmed":
                await self._pay(client, link, award)

    def _is_due(self, link: str, award: dict[str, Any]) -> bool:
        """Whether it is the pit's to do something, now."""
        if award["status"] == "claimed" and self.is_left(award):
            return False
        now = asyncio.get_running_loop().time()
        seen = (link, str(award["id"]), award["status"])
        return now - self._seen.setdefault(seen, now) >= self.takes_seconds

    async def _awards(self, client: httpx.AsyncClient, link: str) -> list[dict[str, Any]]:
        answer = await self._ask(client, "GET", f"/links/{link}/awards", by=self._one("supervisor"))
        return list(answer.json()["awards"]) if answer.is_success else []

    async def _judge(self, client: httpx.AsyncClient, link: str, award: dict[str, Any]) -> None:
        name = str(award["id"])
        place = f"{link}:{award['table']}:{award['round']}:{award['seat']}"
        refuse = self._judged.setdefault(place, self.dice.random() < self.refuses)
        path = f"/links/{link}/awards/{name}"
        if refuse:
            body: dict[str, Any] = {"reason": "the cards shall be looked at again"}
            answer = await self._ask(client, "POST", f"{path}/void", by=self._one("supervisor"), body=body)
            if answer.is_success:
                self._judged[place] = False
                self._told("Voided", link, award)
            return
        shown = [{"badge": badge_of(self._one(role)), "pin": PIN} for role in award["badges"]]
        body = {"badges": shown, "amount": int(award["hit_amount"])}
        answer = await self._ask(client, "POST", f"{path}/confirm", by=self._one("dealer"), body=body)
        if answer.is_success:
            self._told("Confirmed", link, award)

    async def _pay(self, client: httpx.AsyncClient, link: str, award: dict[str, Any]) -> None:
        """The payout record and its check-list first, where the service keeps them; then the money."""
        name, cage = str(award["id"]), self._one("cage")
        record = f"/payouts/{link}/{name}"
        sheet = await self._ask(client, "GET", record, by=cage)
        form = "check"
        if sheet.is_success:
            told = sheet.json()
            form = form if form in told["forms"] else told["forms"][0]
            await self._write_record(client, record, told)
        path = f"/links/{link}/awards/{name}/pay"
        answer = await self._ask(client, "POST", path, by=cage, body={"form": form})
        if answer.is_success:
            self._told("Paid", link, award)

    async def _write_record(self, client: httpx.AsyncClient, record: str, told: dict[str, Any]) -> None:
        cage = self._one("cage")
        if not told["payee"]:
            shown = {"documents": 2, "photo": True, "taxpayer_number": True}
            body = {"payee": "Pat Patron", "cards": "as shown to the camera", "identity": shown}
            await self._ask(client, "POST", record, by=cage, body=body)
        for step in told["steps"]:
            if step["done"] is None and step["name"] not in _BY_ITSELF:
                path, body = f"{record}/steps/{step['name']}", {"note": "done"}
                await self._ask(client, "POST", path, by=cage, body=body)

    async def _ask(
        self,
        client: httpx.AsyncClient,
        method: str,
        path: str,
        *,
        by: str,
        body: dict[str, Any] | None = None,
    ) -> httpx.Response:
        """Ask as somebody; the key names what is asked for, so that asking twice does it once."""
        async with self._signing_in:
            if by not in self._tokens:
                shown = {"badge": badge_of(by), "pin": PIN, "place": "pit"}
                answer = await client.post("/sign-in", json=shown)
                answer.raise_for_status()
                self._tokens[by] = str(answer.json()["token"])
            token = self._tokens[by]
        headers = {"Authorization": f"Bearer {token}"}
        if method == "POST":
            headers["Idempotency-Key"] = path.strip("/").replace("/", ".")
        answer = await client.request(method, path, headers=headers, json=body)
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            self._tokens.pop(by, None)
        elif answer.is_client_error and method == "POST":
            self.news.append(f"{path}: {answer.text[:300]}")
        return answer

    def _told(self, kind: str, link: str, award: dict[str, Any]) -> None:
        self.tally.answered(kind, link, str(award["id"]))
        self.news.append(f"{kind} {link} {award['table']} seat {award['seat']} {award.get('hand', '')}")

    def _one(self, role: str) -> str:
        return self.house.people[role][0]
