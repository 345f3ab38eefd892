"""A long run of a floor: its own play and the rules of the books, with no wire and no database between them.

Players, deals, dealers and their buttons are those of any simulated floor; contributions and awards are those
of `progressive`. Only what carries them is left out, so that years of a floor pass in minutes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from feltwork.money import DOLLAR, WHOLE_BASIS_POINTS, Micros
from feltwork.odds.meters.sampling import BATCHES, Sampled, over_batches
from feltwork.odds.returns import Terms
from feltwork.odds.sheet import default_options
from feltwork.odds.what_if.answer import ComputedFigure
from feltwork.odds.what_if.question import FloorSize, Question
from feltwork.odds.what_if.what_if import what_if
from feltwork.simulation import players
from feltwork.simulation.simulated_table import SimulatedTable
from feltwork.site.compliance.floor import Floor, FloorTable, link_from_floor
from feltwork.site.progressive import award as awards
from feltwork.site.progressive import contribution, life_cycle
from feltwork.site.progressive import round as rounds
from feltwork.site.progressive.facts import Fact
from feltwork.site.progressive.fold import apply_all
from feltwork.site.progressive.link import NO_CAP, Link
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.round_facts import RoundEnded, RoundStarted
from feltwork.site.progressive.sign_offs import Badge, TwoPersonRequest
from feltwork.site.progressive.state import Award, new_state

ROUNDS_PER_HOUR = 50
#: So many rounds are booked at once where no award comes before.
_BATCH = 1_000
_DEALER, _CAGE = "dana", "cara"
_BADGES = (Badge("sam", "supervisor"), Badge("eve", "executive"))


@dataclass(frozen=True, slots=True)
class TakenMeter:
    """A meter that was taken whole."""

    amount: Micros
    #: What the reserve held.
    reserve: Micros
    #: Wagers and rounds of the whole link since the one before.
    wagers: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of what-if beside the same of a long run."""

    name: str
    told: ComputedFigure
    seen: Sampled

    @property
    def agrees(self) -> bool:
        """Whether what-if lies within the interval of the run."""
        return abs(float(self.told.value) - self.seen.value) <= self.seen.within + float(self.told.error)


class LongRun:
    """One link of a floor, with the tables that feed it."""

    def __init__(self, floor: Floor, link: str, *, seed: object) -> None:
        known = next(floor_link for floor_link in floor.links if floor_link.id == link)
        self.link = link_from_floor(floor, known)
        assert self.link.controls == "nexus", "a key changes when a meter moves, not by how much"
        self.tables = floor.tables_of(known)
        #: Every meter taken whole, by level.
        self.taken: dict[str, list[TakenMeter]] = {level: [] for level in self.link.level_names}
        #: Those that no misdeal gave back.
        self.wagers = self.rounds = 0
        self._simulated = [SimulatedTable(floor, table, seed=seed) for table in self.tables]
        self._at_table = {table.id: TableRound(table=table.id, link=self.link) for table in self.tables}
        self._since = dict.fromkeys(self.link.level_names, (0, 0))
        self._started: list[RoundStarted] = []
        self._ended: list[RoundEnded] = []
        self._now = 0
        request = TwoPersonRequest(by="ann", approved_by="bob", reason="opening day")
        self.state = new_state(self.link)
        self._book(life_cycle.open_link(self.state, request, at=self._later()))

    def play(self, count: int) -> None:
        """Play so many rounds at each table, all at the same pace."""
        for _ in range(count):
            for table in self._simulated:
                self._play(table)
        self._book_rounds()

    def _play(self, table: SimulatedTable) -> None:
        dealt, name = table.next(), table.table.id
        round_, started = rounds.start(
            self._at_table[name],
            covered=dealt.covered(self.link.jackpot),
            players=dealt.players,
            takes_wagers=self.state.takes_wagers,
            at=self._later(),
        )
        self._started.append(started)
        if dealt.misdealt:
            self._at_table[name] = self._misdealt(round_, started)
            return
        self.rounds += 1
        self.wagers += len(started.seats)
        for press in dealt.presses[self.link.id]:
            round_, _ = rounds.press(round_, seat=press.seat, hand=press.hand, at=self._later(), by=_DEALER)
        if round_.claims:
            round_ = self._awarded(round_)
        self._at_table[name], ended = rounds.end(round_, at=self._later())
        self._ended.append(ended)
        if len(self._started) >= _BATCH:
            self._book_rounds()

    def _misdealt(self, round_: TableRound, started: RoundStarted) -> TableRound:
        self._book_rounds()
        void, _ = rounds.misdeal(round_, reason="a wrong number of cards", at=self._later(), by=_DEALER)
        # No chain is kept here, so that there is no entry to name.
        self._book(contribution.misdeal(self.state, started, booked_in=0, at=self._later(), by="sam"))
        return void

    def _awarded(self, round_: TableRound) -> TableRound:
        """Claim, confirm and pay every award of a round."""
        self._book_rounds()
        names = {f"{round_.table}-{round_.number}-{seat}": seat for seat in round_.claims}
        by_seat = {seat: name for name, seat in names.items()}
        self._book(
            *awards.claim(self.state, round_, awards=by_seat, at=self._later(), by=_DEALER, cards="as dealt")
        )
        due = sum(self.state.awards[name].amount for name in names)
        self._book(
            *awards.confirm(self.state, round_, awards=names, badges=_BADGES, amount=due, at=self._later())
        )
        confirmed = rounds.confirm(round_, seats=names.values())
        for award in sorted((self.state.awards[name] for name in names), key=lambda award: award.lock_number):
            self._keep(award)
            self._book(awards.pay(self.state, award=award.id, form="check", at=self._later(), by=_CAGE))
        # What is paid or void is history, which no later decision asks for.
        self.state = replace(self.state, awards={}, misdealt=frozenset())
        return confirmed

    def _keep(self, award: Award) -> None:
        if award.restarts:
            wagers, started = self._since[award.level]
            self._since[award.level] = (self.wagers, self.rounds)
            hit = TakenMeter(award.amount, award.reserve, self.wagers - wagers, self.rounds - started)
            self.taken[award.level].append(hit)

    def _book_rounds(self) -> None:
        if self._started:
            batch = contribution.fold_rounds(self.state, self._started, at=self._later())
            assert batch.fact is not None, "an open link takes wagers"
            assert not batch.refused, batch.refused[0].problem
            self._book(batch.fact)
        if self._ended:
            self._book(contribution.fold_ends(self.link.id, self._ended, at=self._later()))
        self._started, self._ended = [], []

    def _book(self, *facts: Fact) -> None:
        self.state = apply_all(self.state, facts)

    def _later(self) -> int:
        self._now += 1
        return self._now

    def seen(self, level: str) -> dict[str, Sampled]:
        """The figures of a meter as the run saw them, each with its interval of 99.9%.

        The first hit is left out: no hit was before it, so that the opening's empty reserve fed it.
        """
        hits, seed = self.taken[level][1:], self.link.level(level).seed
        per_hour = len(self.tables) * ROUNDS_PER_HOUR
        return {
            "mean_jackpot": _mean([hit.amount / DOLLAR for hit in hits]),
            "wagers_to_hit": _mean([hit.wagers for hit in hits]),
            "hours_to_hit": _mean([hit.rounds / per_hour for hit in hits]),
            "shortfall_risk": _mean([hit.reserve < seed for hit in hits]),
            "mean_shortfall": _mean([max(0, seed - hit.reserve) / DOLLAR for hit in hits]),
        }

    def compared(self, level: str) -> list[Compared]:
        """What-if beside what was seen; there must be enough hits for an interval."""
        answers = what_if(question_of(self.link, self.tables)).meters[level]
        return [Compared(name, answers[name], sample) for name, sample in self.seen(level).items()]


def question_of(link: Link, tables: Sequence[FloorTable]) -> Question:
    """A link of a simulated floor as it is put to what-if, before a card is dealt."""
    options = default_options(link.paytable)
    seats = max(table.seats for table in tables)
    filled = Fraction(sum(table.seats for table in tables), seats * len(tables))
    return Question(
        paytable=link.paytable,
        options={**options, **({"decks": str(tables[0].decks)} if "decks" in options else {})},
        wager=Fraction(link.wager, DOLLAR),
        terms={
            level.name: Terms(
                seed=Fraction(level.seed, DOLLAR),
                contribution=Fraction(level.contribution, WHOLE_BASIS_POINTS),
                reserve=Fraction(level.reserve, WHOLE_BASIS_POINTS),
                cap=None if level.cap == NO_CAP else Fraction(level.cap, DOLLAR),
            )
            for level in link.levels
        },
        floor=FloorSize(
            tables=len(tables),
            seats=seats,
            rounds_per_hour=Fraction(ROUNDS_PER_HOUR),
            betting=Fraction(players.BETTING) * filled,
        ),
    )


def _mean(values: Sequence[float]) -> Sampled:
    assert len(values) >= BATCHES, f"{len(values)} hits are too few for an interval: play on"
    return over_batches([float(part.mean()) for part in np.array_split(np.array(values, float), BATCHES)])
