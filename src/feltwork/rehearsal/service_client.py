"""The HTTP API of a rehearsal: every path and body that it sends or reads."""

import secrets
from collections.abc import Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Any, Literal

from feltwork import money
from feltwork.money import Micros
from feltwork.rehearsal.refusal import StepRefusedError, refusal_of, refused
from feltwork.rehearsal.state import AwardState, Levels, Rounds, RoundState
from feltwork.rehearsal.step import Step
from feltwork.simulation.people_client import Answer, PeopleClient
from feltwork.simulation.stage import badge_of, credentials

_BADGE = badge_of("")
#: Lines of a payout's checklist that the record or the payment itself completes, or a step of its own.
_IMPLIED = ("record", "check", "match")
_IDENTIFIED = {
    "identity": {"documents": 2, "photo": True, "taxpayer_number": True},
    "address": "1 Main St, Olympia WA 98501",
    "taxpayer": "900-00-1234",
}
_REASON = "as rehearsed"
#: The adjustment reasons that the API accepts.
_ADJUSTMENT_REASONS = (
    "MALFUNCTION_CORRECTION",
    "CAP_CORRECTION",
    "NON_DISPLAYED_TO_GROSS_RECEIPTS",
    "SEED_RECOVERY",
    "HOUSE_ADDITION",
)
_DAY_REPORTS = ("daily_lines", "reconciliation", "payouts", "gaps")


class ServiceClient:
    """The screens' HTTP API, as the people of the floor use it."""

    def __init__(self, url: str, observer: str, tokens: Mapping[str, str] = MappingProxyType({})) -> None:
        self._http = PeopleClient(url, place="rehearsal", tokens=tokens)
        self._observer = observer
        self._keys = (f"{secrets.token_hex(4)}-{number:06}" for number in count(1))
        #: The name under which steps of two people are only proposed; empty to carry them out.
        self.proposing = ""
        #: Name -> the proposal.
        self._proposals: dict[str, dict[str, Any]] = {}
        #: Link -> its last entry, and its awards at that entry.
        self._awards: dict[str, tuple[int, list[AwardState]]] = {}

    async def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # --- requests ---

    async def get(self, person: str, path: str) -> dict[str, Any]:
        """Send a GET request as a person."""
        return _body(await self._http.request(person, "GET", path))

    async def post(self, person: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a POST request as a person."""
        return _body(await self._http.request(person, "POST", path, key=next(self._keys), body=body))

    async def two_people(self, by: Sequence[str], command: Mapping[str, Any]) -> dict[str, Any]:
        """Propose a command as the first person and approve it as the second, unless it is only proposed."""
        proposal = await self.post(by[0], "/api/v1/proposals", command)
        if self.proposing:
            self._proposals[self.proposing] = proposal
            return proposal
        approval = {"fingerprint": proposal["fingerprint"]}
        second = by[1] if len(by) > 1 else by[0]
        return await self.post(second, f"/api/v1/proposals/{proposal['proposal']}/approve", approval)

    async def proposal(self, name: str) -> dict[str, Any]:
        """A proposal with its effect now, as the page of proposals shows it to both people."""
        number = self._proposed(name)["proposal"]
        waiting = (await self.get(self._observer, "/office/proposals"))["proposals"]
        for one in waiting:
            if one["proposal"] == number:
                body = one["body"]
                amounts = {"to": body.get("to"), "now": one["now"], "result": one["result"]}
                texts = {key: money.text(value) for key, value in amounts.items() if value is not None}
                names = ("reason", "lawful_reason", "incident", "proposed_for")
                return {
                    "by": one["proposed_by"],
                    **texts,
                    **{key: body[key] for key in names if body.get(key)},
                }
        return {}

    async def approve(self, name: str, by: str) -> None:
        """Approve a proposal."""
        proposal = self._proposed(name)
        approval = {"fingerprint": proposal["fingerprint"]}
        await self.post(by, f"/api/v1/proposals/{proposal['proposal']}/approve", approval)

    async def withdraw(self, name: str, by: str, reason: str) -> None:
        """Withdraw one's own proposal, or decline another's."""
        path = f"/api/v1/proposals/{self._proposed(name)['proposal']}/decline"
        await self.post(by, path, {"reason": reason or _REASON})

    def _proposed(self, name: str) -> dict[str, Any]:
        if name in self._proposals:
            return self._proposals[name]
        raise refused("GEN-19", f"The proposal {name!r} was refused.", "Propose it again.")

    # --- the table ---

    async def sensors(self, table: str, by: str, wagers: Mapping[str, Sequence[int]]) -> None:
        """Cover these sensors and no others."""
        for link, seats in wagers.items():
            path, body = f"/api/v1/links/{link}/tables/{table}/sensors", {"covered": list(seats)}
            _body(await self._http.request(by, "PUT", path, body=body))

    async def start(
        self, table: str, by: str, wagers: Mapping[str, Sequence[int]], players: Sequence[int] | None
    ) -> None:
        """Press START GAME."""
        body = {"wagers": {link: list(seats) for link, seats in wagers.items()}, "players": players}
        await self.post(by, f"/api/v1/tables/{table}/start", body)

    async def hand(self, link: str, table: str, step: Step) -> None:
        """Press a hand button."""
        body = {"seat": step.seat, "hand": step.hand, "cards": step.cards, "winners": list(step.winners)}
        await self.post(step.by[0], f"/api/v1/links/{link}/tables/{table}/hand", body)

    async def fold(self, link: str, table: str, step: Step) -> None:
        """Mark a seat as folded."""
        body = {"seat": step.seat, "folded": step.folded}
        await self.post(step.by[0], f"/api/v1/links/{link}/tables/{table}/fold", body)

    async def correct(self, link: str, table: str, step: Step) -> None:
        """Correct one locked seat; the second person is the supervisor who shows a badge."""
        shown = credentials(step.by[1]) if len(step.by) > 1 else None
        body = {"seat": step.seat, "wagered": step.wagered, "shown": shown}
        await self.post(step.by[0], f"/api/v1/links/{link}/tables/{table}/correct", body)

    async def turn_key(self, link: str, table: str, by: str, to: Literal["JPH", "RUN"]) -> None:
        """Turn the key of an Aquarius table."""
        await self.post(by, f"/api/v1/links/{link}/tables/{table}/key", {"to": to})

    async def end(self, table: str, by: str) -> None:
        """Press END GAME."""
        await self.post(by, f"/api/v1/tables/{table}/end")

    async def misdeal(self, table: str, step: Step) -> None:
        """Void the round."""
        await self.post(step.by[0], f"/api/v1/tables/{table}/misdeal", {"reason": step.reason or _REASON})

    async def take_over(self, table: str, by: str) -> None:
        """Take over the open round of a controller that is down."""
        await self.post(by, f"/api/v1/tables/{table}/takeover", {"shown": credentials(by)})

    # --- the pit and the cage ---

    async def confirm(self, link: str, award: str, step: Step) -> None:
        """Confirm a hit with the badges presented, for the step's amount or else the pit's."""
        path = _award_path(link, award)
        amount = step.amount
        if amount is None:
            claims = (await self.get(self._observer, "/pit"))["claims"]
            matches = [claim for claim in claims if (claim["link"], claim["id"]) == (link, award)]
            amount = (matches[0] if matches else await self.get(self._observer, path))["hit_amount"]
        cards = {award: step.cards} if step.cards else {}
        body = {"badges": [credentials(person) for person in step.by], "amount": amount, "cards": cards}
        await self.post(step.by[0], f"{path}/confirm", body)

    async def void(self, link: str, award: str, step: Step) -> None:
        """Refuse a claim."""
        path = _award_path(link, award)
        body = {"reason": step.reason or _REASON, "shown": credentials(step.by[0])}
        await self.post(step.by[0], f"{path}/void", body)

    async def pay(self, link: str, award: str, step: Step) -> None:
        """Write the payout record, complete its checklist and sign the payment."""
        by, record = step.by[0], f"/api/v1/payouts/{link}/{award}"
        sheet = await self._record(link, award, step)
        for line in sheet["steps"]:
            if line["done"] is None and line["name"] not in _IMPLIED:
                sheet = await self.post(by, f"{record}/steps/{line['name']}", {"note": _REASON})
        path = _award_path(link, award)
        await self.post(by, f"{path}/pay", {"form": step.how or "cash"})

    async def _record(self, link: str, award: str, step: Step) -> dict[str, Any]:
        """Write the payout record if there is none; return the payout."""
        by, record = step.by[0], f"/api/v1/payouts/{link}/{award}"
        sheet = await self.get(by, record)
        if sheet["payee"]:
            return sheet
        payee, cards = step.payee or "A Patron", step.cards or "as shown"
        return await self.post(by, record, {"payee": payee, "cards": cards, **_IDENTIFIED})

    async def check(self, link: str, award: str, step: Step) -> bool:
        """Look the payee up, or answer the match that another person found; return whether one was found."""
        sheet = await self._record(link, award, step)
        answers = any(line["name"] == "match" for line in sheet["steps"])
        path = f"/api/v1/payouts/{link}/{award}/steps/{'match' if answers else 'exclusion'}"
        sheet = await self.post(step.by[0], path, {"note": step.reason or _REASON, "found": step.found})
        return any(line["name"] == "match" and line["done"] is None for line in sheet["steps"])

    async def confiscate(self, link: str, award: str, step: Step) -> None:
        """Confiscate the award of a self-excluded patron."""
        body = {"command": "confiscate", "link": link, "award": award}
        await self.two_people(step.by, {**body, "reason": step.reason or _REASON})

    async def last_incident(self) -> dict[str, Any]:
        """The incident that was opened last."""
        incident = (await self.get(self._observer, "/api/v1/incidents"))["incidents"][0]
        return {"what": incident["what"], "timed": incident["notify_by"] is not None}

    # --- the office ---

    async def apply_floor(self, by: Sequence[str], text: str, reason: str) -> None:
        """Put a floor file into effect."""
        command = {"command": "reconfigure", "floor": text, "reason": reason or _REASON}
        await self.two_people(by, command)

    async def set_aside(self, link: str, award: str, step: Step) -> None:
        """Set a disputed claim aside."""
        body = {"command": "set_aside", "link": link, "award": award}
        await self.two_people(step.by, {**body, "reason": step.reason or _REASON})

    async def reverse(self, link: str, award: str, step: Step) -> None:
        """Reverse a confirmed hit."""
        reference = step.reference or f"REV-{step.number}"
        body = {"command": "reverse", "link": link, "award": award, "adjustment": reference}
        await self.two_people(step.by, {**body, "evidence": reference, "reason": step.reason or _REASON})

    async def adjust(self, step: Step) -> None:
        """Adjust a meter or a reserve."""
        if step.reason not in _ADJUSTMENT_REASONS:
            what = f"{step.reason!r} is not a lawful reason for an adjustment."
            raise refused("WA-15", what, f"Choose from: {', '.join(_ADJUSTMENT_REASONS)}.")
        pool, reference = step.pool or "meter", step.reference or f"ADJ-{step.number}"
        command = {
            "command": "adjust",
            "link": step.link,
            "level": step.level,
            "pool": pool,
            "to": step.to,
            "adjustment": reference,
            "lawful_reason": step.reason,
            "evidence": reference,
            "reason": step.text or step.reason,
            "incident": step.incident or None,
        }
        await self.two_people(step.by, command)

    async def report(self, step: Step) -> int:
        """Report a malfunction; return the number of its incident."""
        body = {"what": step.reason or _REASON, "link": step.link or None, "table": step.table or None}
        return int((await self.post(step.by[0], "/api/v1/incidents", body))["number"])

    async def set_amount(self, by: Sequence[str], link: str, level: str, to: Micros, reason: str) -> None:
        """Post an amount of a house jackpot."""
        command = {"command": "set_amount", "link": link, "level": level, "amount": to}
        await self.two_people(by, {**command, "reason": reason or _REASON})

    async def count_funds(self, step: Step) -> None:
        """Compare the bank with the books."""
        await self.post(step.by[0], f"/api/v1/links/{step.link}/count", {"bank_balance": step.bank})

    async def stop(self, step: Step) -> None:
        """Stop wagering on a link."""
        body = {"cause": step.cause or "suspended", "reason": step.reason or _REASON}
        await self.post(step.by[0], f"/api/v1/links/{step.link}/stop", body)

    async def resume(self, step: Step) -> None:
        """Take wagers again."""
        command = {"command": "resume", "link": step.link, "reason": step.reason or _REASON}
        await self.two_people(step.by, command)

    async def close_day(self, by: str) -> dict[str, Any]:
        """Get the reports that close a gambling day, and audit the books."""
        rows = {
            name: len((await self.get(by or self._observer, f"/api/v1/reports/{name}"))["rows"])
            for name in _DAY_REPORTS
        }
        return {"reports": rows, "audit": await self.audit(by)}

    async def audit(self, by: str = "") -> dict[str, Any]:
        """Replay the books from their first entry."""
        verdict = await self.get(by or self._observer, "/api/v1/reports/verdict")
        names = ("links", "entries", "rounds", "problems")
        return {"ok": verdict["sound"], **{name: verdict[name] for name in names}}

    # --- what the screens show ---

    async def link(self, name: str) -> dict[str, Any]:
        """A link with its meters and its last entry."""
        return await self.get(self._observer, f"/api/v1/links/{name}")

    async def meters(self, link: str) -> tuple[Levels, int]:
        """The amounts that a link shows, by level, and its last entry."""
        view = await self.link(link)
        return {level: pools["meter"] for level, pools in view["meters"].items()}, view["entry"]

    async def rounds_at(self, table: str, awards: Mapping[str, Sequence[AwardState]]) -> Rounds:
        """The current round at a table on each of these links."""
        view = await self.get(self._observer, f"/api/v1/tables/{table}")
        return {link: round_of(view["links"][link]) for link in awards}

    async def awards(self, link: str, entry: int | None = None) -> list[AwardState]:
        """Return every award of a link, oldest first; cached while its last entry is the same."""
        at, awards = self._awards.get(link, (None, []))
        if entry is None or entry != at:
            view = await self.get(self._observer, f"/api/v1/links/{link}/awards")
            awards = [_award(link, award) for award in view["awards"]]
        if entry is not None:
            self._awards[link] = (entry, awards)
        return awards


def _award_path(link: str, award: str) -> str:
    return f"/api/v1/links/{link}/awards/{award}"


def round_of(view: Mapping[str, Any]) -> RoundState:
    """A round as the API shows it."""
    hands = {int(seat): hand for seat, hand in view["hands"].items()}
    is_open = view["phase"] != "idle"
    return RoundState(number=view["round"], seats=tuple(view["seats"]), hands=hands, is_open=is_open)


def _award(link: str, view: Mapping[str, Any]) -> AwardState:
    confirmed = tuple(person for person in (view["supervisor"], view["executive"]) if person)
    return AwardState(
        id=view["id"],
        link=link,
        table=view["table"],
        round=view["round"],
        seat=view["seat"],
        hand=view["hand"],
        level=view["level"],
        amount=view["amount"],
        status=view["status"],
        needs=tuple(view["badges"]) if view["status"] == "claimed" else (),
        claimed_by=view["claimed_by"].removeprefix(_BADGE),
        confirmed_by=confirmed,
        paid_by=view["paid_by"],
    )


def _body(answer: Answer) -> dict[str, Any]:
    """Return the body of a response; raise the refusal that it holds."""
    if answer.is_success and isinstance(answer.body, dict):
        return answer.body
    raise StepRefusedError(refusal_of(answer.status, answer.body))
