"""A simulated card room in virtual time: controllers retry, the log reorders, the bookkeeper crashes."""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from lab.card_room.books import RoomBooks, opened_books
from lab.card_room.table import TableMessage, evening

_SECOND = 1_000_000
_OPENED = 1_800_000_000 * _SECOND
#: Time between two rounds of a table, and between two messages of a round.
_ROUND, _STEP = 40 * _SECOND, 2 * _SECOND
#: How long a sender or the log waits for an acknowledgment, and the longest wait before a retry.
_AGAIN, _SLOWEST = _SECOND, 5 * _SECOND
#: The longest cut: a message waits for an earlier one for about fifty seconds.
_CUT = 20 * _SECOND
_BATCH = 20_000


@dataclass(frozen=True, slots=True)
class RoomFaults:
    """The probability of each fault at every opportunity."""

    lost: float = 0.05
    unacknowledged: float = 0.05
    crash: float = 0.02
    cut: float = 0.01
    stop: float = 0.03


@dataclass(frozen=True, slots=True)
class Delivered:
    """A stored message on its way to the bookkeeper."""

    message: TableMessage
    deliveries: int


@dataclass
class RoomWorld:
    """The complete state for one seed; time is in microseconds."""

    seed: int
    tables: int
    minutes: int
    faults: RoomFaults = field(default_factory=RoomFaults)
    now: int = _OPENED
    messages: int = 0
    crashes: int = 0

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.books: RoomBooks = opened_books(self.now)
        self.said: list[TableMessage] = []
        #: Messages that a sender or the log may still have to repeat.
        self.unsettled: set[tuple[str, int, int]] = set()
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()
        self._waiting: list[Delivered] = []
        self._cut_until: dict[str, int] = {}
        self._ends = self.now + self.minutes * 60 * _SECOND

    @property
    def is_calm(self) -> bool:
        """Whether play is over, after which no faults occur."""
        return self.now >= self._ends

    def run(self) -> None:
        """Play to the end, then let everything arrive."""
        for number in range(1, self.tables + 1):
            self._deal(f"T{number}")
        self._in(_BATCH, self._keep)
        self._in(_SECOND, self._pit)
        while self._events:
            self.now, _, act = heapq.heappop(self._events)
            act()

    def _deal(self, table: str) -> None:
        rounds = self.minutes * 60 * _SECOND // _ROUND
        offset = self.dice.randrange(_ROUND)
        for message in evening(table, rounds, self.dice):
            self.said.append(message)
            self.unsettled.add((message.table, message.round, message.step))
            after = (message.round - 1) * _ROUND + message.step * _STEP + offset
            self._in(after, partial(self._send, message))

    def _send(self, message: TableMessage) -> None:
        """Send a message until the log acknowledges it; a table that is cut off sends later."""
        self.messages += 1
        if self._happens(self.faults.cut):
            self._cut_until[message.table] = self.now + self.dice.randrange(_CUT)
        cut = self._cut_until.get(message.table, 0)
        if not self.is_calm and (cut > self.now or self._happens(self.faults.lost)):
            self._in(max(cut - self.now, _AGAIN), partial(self._send, message))
            return
        self._in(self.dice.randrange(50_000), partial(self._arrive, Delivered(message, 1)))
        if self._happens(self.faults.unacknowledged):
            self._in(_AGAIN, partial(self._send, message))

    def _arrive(self, delivered: Delivered) -> None:
        self._waiting.append(delivered)

    def _keep(self) -> None:
        """Run the bookkeeper once: take messages, commit, acknowledge, and possibly crash in between."""
        self.dice.shuffle(self._waiting)
        size = self.dice.randint(0, len(self._waiting))
        some, self._waiting = self._waiting[:size], self._waiting[size:]
        books, dies = self.books.duplicate() if some else self.books, self._happens(self.faults.crash)
        settled = [
            books.take(delivery.message, deliveries=delivery.deliveries, at=self.now) for delivery in some
        ]
        committed = not dies or self.dice.random() < 0.5
        self.crashes += dies
        if committed:
            self.books = books
        for delivery, is_settled in zip(some, settled, strict=True):
            if committed and is_settled:
                self.unsettled.discard(
                    (delivery.message.table, delivery.message.round, delivery.message.step)
                )
            if dies or not is_settled or self._happens(self.faults.unacknowledged):
                again = Delivered(delivery.message, delivery.deliveries + 1)
                self._in(min(_AGAIN * delivery.deliveries // 4, _SLOWEST), partial(self._arrive, again))
        if not self.is_calm or self._events or self._waiting:
            self._in(_BATCH if self._waiting else _SECOND // 4, self._keep)

    def _pit(self) -> None:
        """Occasionally decide a claim as the supervisor, and stop or resume the link."""
        claims = [award.id for award in self.books.state.awards.values() if award.status == "claimed"]
        if claims and self._happens(0.3):
            books = self.books.duplicate()
            books.decide(self.dice.choice(claims), confirm=self.dice.random() < 0.7, at=self.now)
            self.books = books
        resumes = not self.books.state.takes_wagers and self.dice.random() < 0.3
        if resumes or self._happens(self.faults.stop):
            self.books = self.books.duplicate()
            self.books.stop(at=self.now)
        if not self.is_calm:
            self._in(_SECOND, self._pit)

    def _happens(self, chance: float) -> bool:
        return not self.is_calm and self.dice.random() < chance

    def _in(self, delay: int, act: Callable[[], None]) -> None:
        heapq.heappush(self._events, (self.now + delay, next(self._numbers), act))
