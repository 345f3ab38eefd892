"""The runner: one rehearsal file through one entry point, step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from feltwork import money
from feltwork.rehearsal.expectation import differences
from feltwork.rehearsal.refusal import StepRefusedError, refused
from feltwork.rehearsal.script import Script
from feltwork.rehearsal.service_client import ServiceClient
from feltwork.rehearsal.state import AwardState, Rounds, RoundState
from feltwork.rehearsal.step import Step
from feltwork.rehearsal.table_devices import TableDevices
from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.progressive.button_pays import tray_pays
from feltwork.titles.paytables.paytable import Share

#: The entry points of a rehearsal.
EntryPoint: TypeAlias = Literal["http", "nats"]
#: A step's result as the output shows it.
Result: TypeAlias = dict[str, Any]
#: The buttons of a table, on a screen or on a controller.
RehearsedTable: TypeAlias = ServiceClient | TableDevices

_OPEN_CLAIM = ("claimed",)
_OWED = ("confirmed",)
_SETTLED = ("confirmed", "paid", "confiscated")
#: Roles that may take over a controller's round.
_TAKE_OVER = ("supervisor", "executive")


@dataclass(kw_only=True)
class RunReport:
    """The results of one run, and how it ended."""

    entry_point: EntryPoint
    results: list[Result] = field(default_factory=list)
    #: The step that did not meet its expectation, and how it differs.
    failed_step: int = 0
    differences: list[str] = field(default_factory=list)
    audit: dict[str, Any] = field(default_factory=dict)
    verifier: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether every expectation was met and the books are right."""
        return not self.differences and self.audit.get("ok") is True and not self.verifier


class Runner:
    """One run of one file."""

    def __init__(self, script: Script, service: ServiceClient, devices: TableDevices | None) -> None:
        self._script = script
        self._floor = script.floor
        self._service = service
        self._devices = devices
        self._links = [link.id for link in script.floor.links]
        #: Tables whose controller is down.
        self._down: set[str] = set()
        #: Tables with a controller's open round that nobody has taken over.
        self._orphaned: set[str] = set()
        #: Tables and links whose key a step has turned to JPH.
        self._keys: set[tuple[str, str]] = set()
        #: Tables where a step has put chips on the sensors: whether these wait for START GAME.
        self._sensors_wait: dict[str, bool] = {}
        #: Table -> its rounds after the last step there.
        self._rounds: dict[str, Rounds] = {}

    async def run(self, report: RunReport) -> None:
        """Take the steps until one does not meet its expectation."""
        for step in self._script.steps:
            result = await self._take(step)
            report.results.append(result)
            if step.expect is not None:
                report.differences = list(differences(step.expect, result))
            if report.differences:
                if not result["ok"]:
                    report.differences.append(f"refused [{result['rule']}] {result['what']}")
                report.failed_step = step.number
                break

    async def _take(self, step: Step) -> Result:
        """Take one step; return its result or its refusal."""
        about = {"step": step.number, "do": step.do}
        try:
            extra = await _HANDLERS[step.do](self, step)
            shown = await self._shown(step.step or step)
        except StepRefusedError as error:
            refusal = error.refusal
            problem = {"rule": refusal.rule, "what": refusal.what, "remedy": refusal.remedy}
            return {**about, "ok": False, **problem}
        return {**about, "ok": True, **shown, **(extra or {})}

    # --- what the system shows ---

    async def _shown(self, step: Step) -> Result:
        states = {link: await self._service.meters(link) for link in self._links}
        meters = {
            link: {level: money.text(amount) for level, amount in levels.items()}
            for link, (levels, _) in states.items()
        }
        links = self._links_at(step.table) if step.table else [step.link] if step.link in self._links else []
        awards_by_link = {link: await self._service.awards(link, states[link][1]) for link in links}
        if not step.table:
            return {
                "meters": meters,
                "awards": [award.as_json() for link in links for award in awards_by_link[link]],
            }
        # A restarted controller shows rounds played elsewhere only from its next round on.
        shows = self._service if step.do == "controller" else self._table(step.table)
        rounds = self._rounds[step.table] = await shows.rounds_at(step.table, awards_by_link) if links else {}
        number = step.round or max([round_.number for round_ in rounds.values()], default=0)
        tray: dict[int, dict[str, int]] = {}
        awards = []
        for link, round_ in rounds.items():
            of_round = [award for award in awards_by_link[link] if self._is_of(award, step.table, number)]
            awards += sorted(of_round, key=lambda award: award.seat)
            if round_.number == number:
                _add_tray(tray, self._floor, link, round_)
        return {
            "round": number,
            "meters": meters,
            "awards": [award.as_json() for award in awards],
            "lit": {link: list(round_.seats) if round_.is_open else [] for link, round_ in rounds.items()},
            "tray": {
                str(seat): {name: money.text(amount) for name, amount in pays.items()}
                for seat, pays in sorted(tray.items())
            },
        }

    def _is_of(self, award: AwardState, table: str, number: int) -> bool:
        return award.table == table and award.round == number

    def _links_at(self, table: str) -> list[str]:
        """The links of a table."""
        at_table = [link.id for link in self._floor.links if table in link.tables]
        return [link for link in at_table if link in self._links]

    def _link(self, step: Step) -> str:
        """The link that a step names, or the only one of its table."""
        if step.link:
            return step.link
        at_table = [link.id for link in self._floor.links if step.table in link.tables]
        if len(at_table) == 1:
            return at_table[0]
        what = f"Table {step.table} has {len(at_table) or 'no'} jackpots, and the step names none."
        raise refused("GEN-06", what, f"Add link to the step: {', '.join(at_table) or 'none'}.")

    # --- the table ---

    def _table(self, table: str) -> RehearsedTable:
        """The controller of a table while it is up, otherwise its screen."""
        if self._devices is None or table in self._down:
            return self._service
        return self._devices

    async def _reach(self, step: Step) -> RehearsedTable:
        """Return the table's buttons, after taking over a controller's open round."""
        if step.table in self._orphaned and self._roles(step.by[0]) & set(_TAKE_OVER):
            await self._take_over(step.table, step.by[0])
        return self._table(step.table)

    async def _take_over(self, table: str, by: str) -> None:
        await self._service.take_over(table, by)
        self._orphaned.discard(table)

    def _roles(self, person: str) -> set[str]:
        return {role for member in self._floor.people if member.id == person for role in member.roles}

    async def _sensors(self, step: Step) -> None:
        wagers = {link: step.wagers.get(link, ()) for link in [*self._links_at(step.table), *step.wagers]}
        await (await self._reach(step)).sensors(step.table, step.by[0], wagers)
        self._sensors_wait[step.table] = True

    async def _start(self, step: Step) -> None:
        table = await self._reach(step)
        if self._sensors_wait.get(step.table) is False:  # the sensors still show the chips of another round
            await self._sensors(step)
        await table.start(step.table, step.by[0], step.wagers, step.players)
        self._take_chips(step.table)

    def _take_chips(self, table: str) -> None:
        """Take the chips off the sensors of a table: the next ones are put there for the next round."""
        if table in self._sensors_wait:
            self._sensors_wait[table] = False

    async def _hand(self, step: Step) -> None:
        await (await self._reach(step)).hand(self._link(step), step.table, step)

    async def _fold(self, step: Step) -> None:
        await (await self._reach(step)).fold(self._link(step), step.table, step)

    async def _correct(self, step: Step) -> None:
        await (await self._reach(step)).correct(self._link(step), step.table, step)

    async def _end(self, step: Step) -> None:
        await (await self._reach(step)).end(step.table, step.by[0])
        self._take_chips(step.table)

    async def _misdeal(self, step: Step) -> None:
        await (await self._reach(step)).misdeal(step.table, step)
        self._take_chips(step.table)

    async def _controller(self, step: Step) -> None:
        """Shut a controller down or bring it up; over HTTP, where a screen needs none, do nothing."""
        if self._devices is None:
            return
        if step.state == "up":
            self._down.discard(step.table)
            self._orphaned.discard(step.table)
            return
        rounds = await self._devices.rounds_at(step.table, dict.fromkeys(self._links_at(step.table), ()))
        await self._devices.shut_down(step.table)
        self._down.add(step.table)
        if any(round_.is_open for round_ in rounds.values()):
            self._orphaned.add(step.table)
            if step.by:
                await self._take_over(step.table, step.by[0])

    # --- the pit and the cage ---

    async def _claim(self, step: Step, statuses: Sequence[str]) -> tuple[str, AwardState]:
        """The newest award of the step's seat, preferably with one of these statuses."""
        link = self._link(step)
        awards = await self._service.awards(link) if link in self._links else []
        number = step.round or await self._number(link, step.table)
        claims = [
            award for award in awards if self._is_of(award, step.table, number) and award.seat == step.seat
        ]
        if not claims:
            what = f"Seat {step.seat} has no claim on {link} in round {number} of table {step.table}."
            raise refused("LT-02", what, "Press the hand button first.")
        matches = [award for award in claims if award.status in statuses]
        return link, (matches or claims)[-1]

    async def _number(self, link: str, table: str) -> int:
        """The number of the current round of a table."""
        rounds = self._rounds.get(table, {})
        if link not in rounds:
            rounds = await self._table(table).rounds_at(table, {link: ()})
        return rounds[link].number

    async def _key(self, step: Step) -> None:
        """Turn the key; until it is back at RUN, `confirm` only presses J-POT."""
        place = (step.table, self._link(step))
        await (await self._reach(step)).turn_key(
            place[1], step.table, step.by[0], "JPH" if step.state == "JPH" else "RUN"
        )
        (self._keys.add if step.state == "JPH" else self._keys.discard)(place)

    async def _confirm(self, step: Step) -> None:
        """CONFIRM; on an Aquarius table, turn the key to JPH, press J-POT, and turn the key back to RUN."""
        link, award = await self._claim(step, _OPEN_CLAIM)
        chosen = next((candidate for candidate in self._floor.links if candidate.id == link), None)
        aquarius = chosen is not None and chosen.controls == "aquarius"
        table = await self._reach(step)
        turns = aquarius and award.status == "claimed" and (step.table, link) not in self._keys
        if turns:
            await table.turn_key(link, step.table, step.by[0], "JPH")
        try:
            await self._service.confirm(link, award.id, step)
        finally:
            if turns:
                await table.turn_key(link, step.table, step.by[0], "RUN")

    async def _void(self, step: Step) -> None:
        link, award = await self._claim(step, _OPEN_CLAIM)
        await self._service.void(link, award.id, step)

    async def _pay(self, step: Step) -> None:
        link, award = await self._claim(step, _OWED)
        await self._service.pay(link, award.id, step)

    async def _check(self, step: Step) -> Result:
        link, award = await self._claim(step, _OWED)
        return {"found": await self._service.check(link, award.id, step)}

    async def _confiscate(self, step: Step) -> Result:
        """Confiscate an award; the result has the incident that tells the regulator."""
        link, award = await self._claim(step, _OWED)
        await self._service.confiscate(link, award.id, step)
        return {} if self._service.proposing else {"incident": await self._service.last_incident()}

    async def _set_aside(self, step: Step) -> None:
        link, award = await self._claim(step, _OPEN_CLAIM)
        await self._service.set_aside(link, award.id, step)

    async def _reverse(self, step: Step) -> None:
        link, award = await self._claim(step, _SETTLED)
        await self._service.reverse(link, award.id, step)

    # --- the office ---

    async def _adjust(self, step: Step) -> None:
        await self._service.adjust(step)

    async def _propose(self, step: Step) -> Result:
        """Take a step of two people only so far that its first person proposes it."""
        assert step.step is not None
        self._service.proposing = step.name
        try:
            await _HANDLERS[step.step.do](self, step.step)
        finally:
            self._service.proposing = ""
        return {"proposal": await self._service.proposal(step.name)}

    async def _approve(self, step: Step) -> Result:
        """Approve a proposal; its result shows what the person saw before."""
        assert step.step is not None
        seen = await self._service.proposal(step.name)
        await self._service.approve(step.name, step.by[0])
        if step.step.do == "floor":
            self._use_floor(step.step)
        return {"proposal": seen}

    async def _withdraw(self, step: Step) -> None:
        await self._service.withdraw(step.name, step.by[0], step.reason)

    async def _incident(self, step: Step) -> Result:
        return {"incident": await self._service.report(step)}

    async def _set_amount(self, step: Step) -> None:
        """Post the prize of a hand; the service refuses an unknown hand."""
        chosen = next((link for link in self._floor.links if link.id == step.link), None)
        row = chosen.paytable.row_for(frozenset({step.hand})) if chosen else None
        pays = row.pays if row else None
        level = pays.level if isinstance(pays, Share) and pays.is_whole else step.hand
        await self._service.set_amount(step.by, step.link, level, step.to, step.reason)

    async def _apply_floor(self, step: Step) -> None:
        """Put another floor file into effect; the rehearsal uses it from then on."""
        await self._service.apply_floor(step.by, self._floor_file(step)[1], step.reason)
        if not self._service.proposing:
            self._use_floor(step)

    def _floor_file(self, step: Step) -> tuple[Path, str]:
        path = Path(self._script.name).parent / step.file
        return path, path.read_text(encoding="utf-8")

    def _use_floor(self, step: Step) -> None:
        path, text = self._floor_file(step)
        self._floor = read_floor(text, where=str(path))
        self._links = [link.id for link in self._floor.links]

    async def _count(self, step: Step) -> None:
        await self._service.count_funds(step)

    async def _stop(self, step: Step) -> None:
        await self._service.stop(step)

    async def _resume(self, step: Step) -> None:
        await self._service.resume(step)

    async def _day(self, step: Step) -> Result:
        return {"day": await self._service.close_day(step.by[0] if step.by else "")}

    async def _audit(self, step: Step) -> Result:
        audit = await self._service.audit(step.by[0] if step.by else "")
        return {"ok": audit["ok"], "audit": audit}


def _add_tray(tray: dict[int, dict[str, int]], floor: Floor, link: str, round_: RoundState) -> None:
    """Add what the tray pays each seat for one link."""
    chosen = next(candidate for candidate in floor.links if candidate.id == link)
    pays = tray_pays(link_from_floor(floor, chosen), hands=round_.hands, bettors=round_.seats)
    for seat, pay in pays.items():
        owed = tray.setdefault(seat, {"fixed": 0, "envy": 0})
        owed["fixed"] += pay.fixed + pay.stake_returned
        owed["envy"] += pay.envy


_HANDLERS: Mapping[str, Any] = {
    "sensors": Runner._sensors,
    "start": Runner._start,
    "hand": Runner._hand,
    "correct": Runner._correct,
    "fold": Runner._fold,
    "key": Runner._key,
    "confirm": Runner._confirm,
    "void": Runner._void,
    "pay": Runner._pay,
    "check": Runner._check,
    "confiscate": Runner._confiscate,
    "end": Runner._end,
    "misdeal": Runner._misdeal,
    "set_aside": Runner._set_aside,
    "reverse": Runner._reverse,
    "adjust": Runner._adjust,
    "propose": Runner._propose,
    "approve": Runner._approve,
    "withdraw": Runner._withdraw,
    "incident": Runner._incident,
    "set_amount": Runner._set_amount,
    "count": Runner._count,
    "stop": Runner._stop,
    "resume": Runner._resume,
    "controller": Runner._controller,
    "floor": Runner._apply_floor,
    "day": Runner._day,
    "audit": Runner._audit,
}
