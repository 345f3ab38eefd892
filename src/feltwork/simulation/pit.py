"""The simulated pit: supervisors, executives and the cage, over HTTP."""

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from feltwork.simulation.people_client import NO_ANSWER, Answer, PeopleClient
from feltwork.simulation.stage import SimulatedCasino, credentials
from feltwork.simulation.tally import Tally
from feltwork.site.web.rendering import hand_faces

_LOOK_SECONDS = 0.5
#: Number of new amounts in a row that the pit confirms before it looks at other claims.
_AMOUNT_CHANGES = 5
#: The patrons who are paid.
_PATRONS = (
    *("Alex Kim", "Blanca Ortiz", "Chen Wei", "Desmond Clarke", "Erin Walsh", "Farid Nasser", "Grace Okafor"),
    *("Hans Berg", "Inez Castillo", "Joe Whitehorse", "Kavita Rao", "Lou Bianchi", "Mai Tran", "Nick Sawyer"),
)
#: Lines of the payout checklist that the record or the payment itself completes.
_IMPLIED = ("record", "check")


@dataclass(kw_only=True)
class Pit:
    """Everyone who signs for awards; a request without a response is retried with the same key."""

    url: str
    house: SimulatedCasino
    tally: Tally
    dice: random.Random
    #: The rate of claims that are refused at first, so the dealer must enter the hand again.
    refuses: float = 0.1
    #: How long a claim waits for confirmation, and a confirmed award for payment.
    takes_seconds: float = 0.0
    #: How long an award that people have confirmed waits for payment.
    pays_left_seconds: float = 0.0
    #: How long no claim may be added before those that share a prize are confirmed.
    enters_seconds: float = 0.0
    #: Awards that people have entered: the pit neither confirms nor pays them.
    is_theirs: Callable[[Mapping[str, Any]], bool] = lambda _: False
    #: Awards that people confirm themselves.
    is_left: Callable[[Mapping[str, Any]], bool] = lambda _: False
    #: Results and refusals, newest last.
    news: list[str] = field(default_factory=list)
    _http: PeopleClient = field(init=False)
    _judged: dict[str, bool] = field(default_factory=dict)
    #: Link, award and status -> when it was first seen.
    _seen: dict[tuple[str, str, str], float] = field(default_factory=dict)
    #: Link -> its open claims, and since when there are these.
    _waiting: dict[str, tuple[list[str], float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._http = PeopleClient(self.url, place="pit", timeout=10.0)

    async def run(self) -> None:
        """Confirm and pay claims until cancelled."""
        try:
            while True:
                await asyncio.gather(*(self._look_again(link) for link in self.house.links))
                await asyncio.sleep(_LOOK_SECONDS)
        finally:
            self._http.close()

    async def _look_again(self, link: str) -> None:
        with suppress(*NO_ANSWER):  # the service is down; retry
            await self._look(link)

    async def open_awards(self) -> int:
        """Count the awards that are not paid or voided."""
        awards = [award for link in self.house.links for award in await self._awards(link)]
        return sum(award["status"] in ("claimed", "confirmed") for award in awards)

    async def _look(self, link: str) -> None:
        awards = await self._awards(link)
        waiting = [str(award["id"]) for award in awards if award["status"] == "claimed"]
        now = asyncio.get_running_loop().time()
        before, since = self._waiting.get(link, ([], now))
        self._waiting[link] = waiting, since if waiting == before else now
        still = waiting == before and now - since >= self.enters_seconds
        for award in awards:
            if not self._is_due(link, award):
                continue
            # Claims that share a prize are confirmed together, once the dealer has entered them all.
            if award["status"] == "claimed" and (still or not self.house.links[link].shares_prizes):
                await self._judge(link, award, awards)
            elif award["status"] == "confirmed":
                await self._pay(link, award)

    def _is_due(self, link: str, award: dict[str, Any]) -> bool:
        """Whether the pit handles this award now."""
        is_left = self.is_left(award)
        if self.is_theirs(award) or (award["status"] == "claimed" and is_left):
            return False
        now = asyncio.get_running_loop().time()
        key = (link, str(award["id"]), award["status"])
        return now - self._seen.setdefault(key, now) >= (
            self.pays_left_seconds if is_left else self.takes_seconds
        )

    async def _awards(self, link: str) -> list[dict[str, Any]]:
        awards: list[dict[str, Any]] = []
        path = f"/api/v1/links/{link}/awards"
        while path:
            answer = await self._ask("GET", path, by=self._one("supervisor"))
            if not answer.is_success:
                return []
            awards += answer.body["awards"]
            path = answer.next
        return awards

    async def _judge(self, link: str, award: dict[str, Any], awards: Iterable[dict[str, Any]]) -> None:
        name = str(award["id"])
        place = f"{link}:{award['table']}:{award['round']}:{award['seat']}"
        refuse = self._judged.setdefault(place, self.dice.random() < self.refuses)
        path = f"/api/v1/links/{link}/awards/{name}"
        if refuse:
            supervisor = self._one("supervisor")
            body: dict[str, Any] = {"reason": "check the cards again", "shown": credentials(supervisor)}
            answer = await self._ask("POST", f"{path}/void", by=supervisor, body=body)
            if answer.is_success:
                self._judged[place] = False
                self._told("Voided", link, award)
            return
        badges = [credentials(self._one(role)) for role in award["badges"]]
        of = self.house.links[link]
        together = of.shares_prizes or of.lock_at == "run"
        at, there = (award["table"], award["round"]), [one for one in awards if one["status"] == "claimed"]
        hit = [one for one in there if together and (one["table"], one["round"]) == at] or [award]
        cards = {str(other["id"]): self._cards(link, other) for other in hit if not other["cards"]}
        for _ in range(_AMOUNT_CHANGES):
            body = {"badges": badges, "amount": int(award["hit_amount"])}
            body["cards"] = cards if "executive" in award["badges"] else {}
            answer = await self._ask("POST", f"{path}/confirm", by=self._one("dealer"), body=body)
            if answer.is_success:
                self._told("Confirmed", link, award)
            if answer.is_success or answer.body.get("requirement") != "GEN-10":
                return
            # The meter has grown since the amount was shown: confirm the new amount.
            response = await self._ask("GET", path, by=self._one("supervisor"))
            award = response.body if response.is_success else award

    async def _pay(self, link: str, award: dict[str, Any]) -> None:
        """Complete the payout record and its checklist, then pay."""
        name, cage = str(award["id"]), self._one("cage")
        record = f"/api/v1/payouts/{link}/{name}"
        sheet = await self._ask("GET", record, by=cage)
        form = "check"
        if sheet.is_success:
            payout = sheet.body
            form = form if form in payout["forms"] else payout["forms"][0]
            await self._write_record(record, payout, award["cards"] or self._cards(link, award))
        path = f"/api/v1/links/{link}/awards/{name}/pay"
        answer = await self._ask("POST", path, by=cage, body={"form": form})
        if answer.is_success:
            self._told("Paid", link, award)

    def _cards(self, link: str, award: dict[str, Any]) -> str:
        """Cards that make the hand, where the table has not sent them."""
        return " / ".join(map(" ".join, hand_faces.groups(self.house.links[link].jackpot, award["hand"])))

    async def _write_record(self, record: str, payout: dict[str, Any], cards: str) -> None:
        cage = self._one("cage")
        if not payout["payee"]:
            identity = {"documents": 2, "photo": True, "taxpayer_number": True}
            payee = random.Random(record).choice(_PATRONS)
            body = {"payee": payee, "cards": cards, "identity": identity}
            body |= {"address": "1 Main St, Olympia WA 98501", "taxpayer": "900-00-1234"}
            await self._ask("POST", record, by=cage, body=body)
        for step in payout["steps"]:
            if step["done"] is None and step["name"] not in _IMPLIED:
                path, body = f"{record}/steps/{step['name']}", {"note": "done"}
                await self._ask("POST", path, by=cage, body=body)

    async def _ask(self, method: str, path: str, *, by: str, body: dict[str, Any] | None = None) -> Answer:
        """Send a request; its key depends on the path alone, so a retry is idempotent."""
        key = path.strip("/").replace("/", ".") if method == "POST" else ""
        answer = await self._http.request(by, method, path, key=key, body=body)
        if key and 400 <= answer.status < 500 and answer.status != 401:
            self.news.append(f"{path}: {str(answer.body)[:300]}")
        return answer

    def _told(self, kind: str, link: str, award: dict[str, Any]) -> None:
        self.tally.answered(kind, link, str(award["id"]))
        self.news.append(f"{kind} {link} {award['table']} seat {award['seat']} {award.get('hand', '')}")

    def _one(self, role: str) -> str:
        return self.house.people[role][0]
