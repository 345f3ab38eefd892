"""The controller of one sensor row: each press is published and acknowledged before it counts."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from feltwork.background_tasks import is_cancelled
from feltwork.problem import Problem, ProblemsError
from feltwork.site.progressive import round as rules
from feltwork.site.progressive.facts import Fact, Instant
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.round_facts import HandCleared, HandPressed, RoundStarted
from feltwork.site.table import presence
from feltwork.site.table.downlink_handler import after_told, for_people, verify_let_in
from feltwork.site.table.offline_policy import BookingLag, TablePolicy, steady_clock, wall_clock, why_no_round
from feltwork.site.table.presence import SensorState
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.table.restore import restore, without_end
from feltwork.site.table.undo import Undo
from feltwork.site.wire import uplink as wire
from feltwork.site.wire.downlink import (
    AnyDownlink,
    AwardConfirmed,
    AwardMessage,
    AwardPaid,
    AwardVoided,
    ClaimBooked,
    MeterSnapshot,
    Refused,
    SignedOn,
    Welcome,
)
from feltwork.site.wire.subjects import downlink_prefix, meters_of, token

#: The requirement cited when another controller already plays the table.
_ANOTHER_PLAYS = "GEN-07"
#: How long START GAME waits for the books' reply.
_ANSWER_SECONDS = 2.0


class Controller:
    """One sensor row of a table, on one link."""

    def __init__(
        self,
        line: TablePublisher,
        link: Link,
        policy: TablePolicy,
        *,
        game: str,
        clock: Callable[[], Instant] = wall_clock,
        show: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._line = line
        self._policy = policy
        self._game = game
        self._clock = clock
        self._show = show
        self._acting = asyncio.Lock()
        self.unsent: list[wire.RoundMessage] = []
        self._step = 0
        #: The last booked round.
        self.booked_to = 0
        #: The number of a round whose start was refused, for reuse.
        self._refused = 0
        self.round = TableRound(table=line.table, link=link)
        self.seating = SensorState()
        self._undo = Undo()
        #: Number of claims of each seat in the round.
        self._attempts: dict[int, int] = {}
        #: Open claims of the round: seat -> award.
        self.claims: dict[int, str] = {}
        self.contact = BookingLag()
        self._answered = asyncio.Event()
        self.welcome: Welcome | None = None
        #: Whether the books accepted it and no other controller since; a refused version changes nothing.
        self._plays = False
        self.snapshot: MeterSnapshot | None = None

    # --- life cycle ---

    async def open(self) -> None:
        """Restore the round from the store, subscribe, and send a hello."""
        newest = await self._line.newest()
        state = restore(self.round.link, self.round.table, newest)
        refusal = await self._line.told(f"refused.{state.round.number}")
        if isinstance(refusal, Refused) and refusal.step == state.step and state.round.phase == "idle":
            state = replace(restore(self.round.link, self.round.table, without_end(newest)), step=state.step)
        self.round, self._step, self.claims = state.round, state.step, dict(state.claims)
        self._attempts = dict(state.attempts)
        own_subjects = f"{downlink_prefix(self._line.link, self._line.table)}.>"
        await self._line.listen(self._hear, own_subjects, meters_of(self._line.link))
        await self._find_decided()
        await self._catch_up()
        async with self._acting:
            self._claim_what_stands(by=state.sign_on)
            await self._flush()
        await self._say_hello()

    async def run(self, *, every_seconds: float = 2.0) -> None:
        """Retry publishing, send health messages, and catch up, until cancelled."""
        was_cut_off, reconnects = True, self._line.reconnects
        while not is_cancelled():
            await asyncio.sleep(every_seconds)
            with suppress(ProblemsError):
                async with self._acting:
                    await self._flush()
            cut_off = self.is_cut_off
            if not cut_off and self._line.client.is_connected:
                await self._catch_up()  # messages missed during a short disconnection
            late = self.contact.lag(steady_clock()) > self._policy.patience // 4
            refused = self.welcome is None or not self.welcome.accepted
            if refused or cut_off or late or self._line.reconnects > reconnects:
                reconnects = self._line.reconnects
                await self._say_hello()
            if cut_off and not was_cut_off:
                self._show("cut off from the books")
            was_cut_off = cut_off
            await self._say_health()

    async def close(self) -> None:
        """Announce the shutdown, so another controller can start immediately."""
        await self._say_health(phase="closed")
        await self._line.client.flush()

    @property
    def is_cut_off(self) -> bool:
        """Whether the books lag too far behind this table."""
        return self.contact.is_cut_off(self._policy, steady_clock())

    # --- people ---

    async def sign_on(self, *, badge: str, pin: str) -> SignedOn:
        """Sign a person on with badge and PIN; raise if the books refuse."""
        response = await self._line.ask(wire.SignOn(**self._about(), badge=badge, pin=pin))
        assert isinstance(response, SignedOn)
        if not response.sign_on:
            where = f"table {self.round.table}"
            raise ProblemsError([Problem(where, response.why, response.remedy, response.requirement)])
        return response

    # --- buttons; `by` is a sign-on ---

    async def seat(self, seating: SensorState) -> None:
        """Update the sensors and publish them."""
        self.seating = seating
        await self._line.mention(presence.sensors(self._about(), self.seating))

    @property
    def takes_wagers(self) -> bool:
        """Whether the link takes wagers, by the latest snapshot."""
        return self.snapshot is None or self.snapshot.takes_wagers

    @asynccontextmanager
    async def _button(self, name: str) -> AsyncIterator[None]:
        """Handle one button at a time: store earlier presses first, and this one before returning."""
        async with self._acting:
            await self._flush()
            with self._line.button(name):
                yield
                await self._flush()

    async def start(self, *, by: str, number: int = 0, seating: SensorState | None = None) -> TableRound:
        """START GAME: lock the seats and publish the round [LT-01]."""
        async with self._button("START GAME"):
            await self.ask_how_far()
            self.verify_leave()
            after, started = self._begin(number, seating or self.seating)
            wagers = started.wager * len(started.seats)
            self.contact = self.contact.took(started.round, wagers, steady_clock())
            self._say_start(after, started, by=by)
        return self.round

    async def correct(self, *, seat: int, wagered: bool, by: str, supervisor: str = "") -> TableRound:
        """Correct one locked seat before the first hand; a supervisor signs on to add one [LT-01]."""
        async with self._button("correct"):
            self.round = rules.correct(self.round, seat=seat, wagered=wagered)
            head, seats = self._next(by), self.round.seats
            fields: dict[str, Any] = {"seat": seat, "wagered": wagered, "seats": seats}
            self._say(wire.SeatCorrected(**head, **fields, supervisor=supervisor))
            self._undo.corrected[self._step] = seat
        return self.round

    async def leave_out(self, number: int, *, by: str) -> None:
        """Publish the number of a round without seats, because the link takes no wagers."""
        async with self._button("leave out"):
            link, table = self.round.link, self.round.table
            started = RoundStarted(
                link=link.id, at=self._clock(), table=table, round=number, wager=link.wager, seats=()
            )
            idle = TableRound(table=table, link=link, number=number, started=started)
            self._say_start(idle, started, by=by)

    async def fold(self, *, seat: int, folded: bool, by: str) -> TableRound:
        """Mark a seat as folded, where folded hands do not qualify."""
        async with self._button("fold"):
            self.round, _ = rules.fold(self.round, seat=seat, folded=folded, at=self._clock(), by=by)
            head, seats = self._next(by), tuple(sorted(self.round.folded))
            self._say(wire.SeatFolded(**head, seat=seat, folded=folded, seats=seats))
            self._undo.folded[self._step] = seat
        return self.round

    async def press(
        self, *, seat: int, hand: str, by: str, cards: str = "", winners: Collection[int] = ()
    ) -> TableRound:
        """Press a hand button; a hand that a meter pays makes a claim, even when cut off [LT-02]."""
        async with self._button("hand button"):
            after, facts = rules.press(
                self.round, seat=seat, hand=hand, at=self._clock(), by=by, winners=winners
            )
            # A shared hand is cleared at every seat before it is entered again.
            for fact in sorted(facts, key=lambda fact: isinstance(fact, HandPressed)):
                self._name_hand(fact, by=by, cards=cards, winners=tuple(sorted({*winners})))
            self.round = after
        return self.round

    async def turn_key(self, *, to: str, by: str) -> TableRound:
        """Turn the Aquarius key to JPH, or back to RUN [LT-03]."""
        async with self._button("key"):
            before = self.round
            turn = rules.key_to_jackpot if to == "jackpot" else rules.key_to_run
            self.round = turn(self.round)
            self._say(wire.KeyTurned(**self._next(by), to="jackpot" if to == "jackpot" else "run"))
            self._undo.before[self._step] = before
        return self.round

    async def end(self, *, by: str) -> TableRound:
        """END GAME [LT-09]."""
        async with self._button("END GAME"):
            before = self.round
            self.round, ended = rules.end(self.round, at=self._clock())
            self._say(wire.RoundEnded(**self._next(by), fixed=ended.fixed, envy=ended.envy))
            self._undo.before[self._step] = before
        return self.round

    async def misdeal(self, *, reason: str, by: str) -> TableRound:
        """MISDEAL: return the wagers."""
        async with self._button("MISDEAL"):
            before = self.round
            self.round, _ = rules.misdeal(self.round, reason=reason, at=self._clock(), by=by)
            self._say(wire.RoundVoided(**self._next(by), reason=reason))
            self._undo.before[self._step] = before
        return self.round

    # --- publishing ---

    def verify_start(self) -> None:
        """Raise if START GAME is not possible now."""
        self._begin(0, self.seating)

    def _begin(self, number: int, seating: SensorState) -> tuple[TableRound, RoundStarted]:
        """Build the next round; raise if the table is cut off."""
        before = self.round
        if before.phase == "idle":
            before = replace(before, number=(number or max(before.number, self.booked_to) + 1) - 1)
        after, started = rules.start(
            before,
            covered=seating.covered - seating.broken,
            players=seating.players,
            takes_wagers=self.takes_wagers,
            at=self._clock(),
        )
        where, wagers = f"table {self.round.table}", started.wager * len(started.seats)
        if problem := why_no_round(where, self.contact, self._policy, wagers=wagers, now=steady_clock()):
            raise ProblemsError([problem])
        return after, started

    def _say_start(self, after: TableRound, started: RoundStarted, *, by: str) -> None:
        self.round, self._step, self.claims, self._attempts = after, 0, {}, {}
        self._undo, self._refused = Undo(), 0
        self.unsent.append(wire.started(started, after.link, after.players, sign_on=by))

    async def ask_how_far(self) -> None:
        """Send a hello if the last reply is too old, and wait for the answer."""
        fresh = steady_clock() - self.contact.answered_at <= self._policy.patience
        if self.welcome is None or fresh or self.is_cut_off:
            return
        self._answered.clear()
        await self._say_hello()
        try:
            await asyncio.wait_for(self._answered.wait(), _ANSWER_SECONDS)
        except TimeoutError:
            self.contact = replace(self.contact, unanswered=True)

    def verify_leave(self) -> None:
        """Raise unless the books have accepted the table with its version."""
        verify_let_in(self.round, self.welcome, self.snapshot)

    def _name_hand(self, fact: Fact, *, by: str, cards: str, winners: tuple[int, ...]) -> None:
        """Publish one changed hand and its claim, in an order that survives a crash in between."""
        assert isinstance(fact, HandPressed | HandCleared)
        pressed = isinstance(fact, HandPressed)
        hands = {seat: hand for seat, hand in self.round.hands.items() if seat != fact.seat}
        self.round = replace(self.round, hands=hands | ({fact.seat: fact.hand} if pressed else {}))
        fields: dict[str, Any] = {"seat": fact.seat, "hand": fact.hand, "hands": dict(self.round.hands)}
        if pressed:
            self._say(wire.HandPressed(**self._next(by), **fields, cards=cards, winners=winners))
        else:
            self._say(wire.HandCleared(**self._next(by), **fields))
        self._undo.named[self._step] = (fact, self.claims.get(fact.seat, ""))
        self._claim_what_stands(by=by, cards=cards)

    def _claim_what_stands(self, *, by: str, cards: str = "") -> None:
        """Publish new claims and clear those whose hand is gone."""
        if self.round.phase == "idle":
            return
        hands, players = dict(self.round.hands), self.round.players
        for seat in [seat for seat in self.claims if seat not in self.round.claims]:
            head, award = self._next(by), self.claims.pop(seat)
            fields: dict[str, Any] = {"award": award, "players": players, "hands": hands}
            self._say(wire.ClaimCleared(**head, **fields, seat=seat, claims=dict(self.claims)))
        for seat in [seat for seat in self.round.claims if seat not in self.claims]:
            head = self._next(by)
            self._attempts[seat] = self._attempts.get(seat, 0) + 1
            self.claims[seat] = award = self._last_award(seat)
            fields = {"award": award, "players": players, "hands": hands, "hand": hands[seat], "cards": cards}
            self._say(wire.Claim(**head, **fields, seat=seat, claims=dict(self.claims)))

    def _last_award(self, seat: int) -> str:
        """The id of the seat's last claim in the round."""
        again = f":{self._attempts[seat]}" if self._attempts.get(seat, 1) > 1 else ""
        return f"{self.round.table}:{self.round.number}:{seat}{again}"

    def _say(self, message: wire.RoundMessage) -> None:
        self.unsent.append(message)

    async def _flush(self) -> None:
        """Publish pending messages; raise unless all are acknowledged."""
        while self.unsent:
            await self._line.say(self.unsent[0])
            self.unsent.pop(0)

    def _about(self) -> dict[str, Any]:
        return {"link": self.round.link.id, "table": self.round.table, "at": self._clock()}

    def _next(self, by: str) -> dict[str, Any]:
        self._step += 1
        return {**self._about(), "round": self.round.number, "step": self._step, "sign_on": by}

    # --- receiving ---

    async def _hear(self, message: AnyDownlink) -> None:
        if isinstance(message, Welcome) and message.controller != self._line.controller:
            return
        if isinstance(message, MeterSnapshot):
            self.snapshot = message
            return
        text = for_people(message)
        if isinstance(message, Welcome):
            text = "" if self.welcome is not None and text == for_people(self.welcome) else text
            self.welcome = message
            self._plays = message.accepted or (self._plays and message.requirement != _ANOTHER_PLAYS)
            if message.last_round != self._refused:
                self.booked_to = max(self.booked_to, message.last_round)
            self.contact = self.contact.answered(
                booked=message.booked, last=self.round.number, now=steady_clock()
            )
            self._answered.set()
            is_current = self.round.phase == "idle" or self.round.number > message.last_round
            if message.is_over and not is_current and not self.unsent:
                # The round was ended on a screen while this controller was down.
                self.round, self.claims = replace(self.round, phase="idle", hands={}), {}
        if isinstance(message, Refused) and message.round == self.round.number:
            self._take_back(message)
        if isinstance(message, AwardMessage):
            self._learn(message)
        if text:
            self._show(text)

    def _take_back(self, refused: Refused) -> None:
        """Undo a refused message."""
        if refused.step == 0 and self._step == 0:
            self.contact = self.contact.without(refused.round)
            self._refused, last = self.round.number, self.round.number - 1
            self.round, self.claims = replace(self.round, number=last, phase="idle"), {}
            self.booked_to = min(self.booked_to, last)
            return
        before = self.claims
        self.round, self.claims = self._undo.taken_back(refused.step, self.round, before)
        # The books do not count a refused claim: the seat's next claim reuses its id.
        for seat in [seat for seat, award in before.items() if self.claims.get(seat) != award]:
            self._attempts[seat] -= 1

    async def _catch_up(self) -> None:
        """Fetch missed messages about open claims and confirmed awards."""
        for award in [*self.claims.values(), *map(self._last_award, self.round.confirmed)]:
            message = await self._line.told(f"award.{token(award)}")
            if isinstance(message, AwardMessage):
                self._learn(message)

    async def _find_decided(self) -> None:
        """After a restart, find what became of hands that have no open claim: confirmed, perhaps reversed."""
        for seat in set(self.round.claims) - set(self.claims):
            last = None
            while True:
                self._attempts[seat] = self._attempts.get(seat, 0) + 1
                message = await self._line.told(f"award.{token(self._last_award(seat))}")
                if not isinstance(message, AwardMessage):
                    break
                last = message
            self._attempts[seat] -= 1
            if isinstance(last, AwardVoided) and last.reason != "cleared":
                self.round = rules.take_out(self.round, seats=[seat])
            elif isinstance(last, AwardConfirmed | AwardPaid):
                self._learn(last)
            elif isinstance(last, ClaimBooked):
                self._attempts[seat] -= 1  # the claim is said again under its id

    def _learn(self, message: AwardMessage) -> None:
        latest = message.award == self._last_award(message.seat)
        self.round, self.claims = after_told(self.round, self.claims, message, latest=latest)

    async def _say_hello(self) -> None:
        controller, game, last = self._line.controller, self._game, self.round.number
        await self._line.mention(
            presence.hello(self._about(), self.round.link, controller=controller, game=game, last_round=last)
        )
        await self._line.mention(presence.sensors(self._about(), self.seating))

    async def _say_health(self, phase: str = "") -> None:
        """Publish health, unless another controller may play the table: this would overwrite its health."""
        if self._plays:
            health = presence.health(
                self._about(),
                self.contact,
                controller=self._line.controller,
                phase=phase or self.round.phase,
                last_round=self.round.number,
                cut_off=self.is_cut_off,
                why="the message store does not acknowledge messages" if self.unsent else "",
            )
            await self._line.mention(health)
