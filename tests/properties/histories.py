"""Random histories of a link: what people press, right and wrong, and what the model says to each step."""

import random
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from feltwork.rehearsal.step import Step
from tests.properties.link_rules import CARDS, CENT, Claim, Round
from tests.properties.table_model import OWED, LinkModel

STEPS = 10
_NO_BUTTON = "royal_sampler"
_SIGNED = (("sam", "eve"), ("sue", "emil"), ("eve", "sam"), ("sam",), ("sue",), ("eve",))
_WRONGLY_SIGNED = (("sam", "sue"), ("sam", "sam"), ("eve", "eve"), ("dana", "eve"), ("sam", "cara"), ("vic",))


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A step with the award that it names, and the rule that refuses it, or nothing."""

    step: Step
    award: str
    rule: str


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a link shows: the pools of each level, and its awards."""

    pools: dict[str, tuple[int, int]]
    awards: Mapping[str, tuple[object, ...]]


@dataclass
class History:
    """Steps on one link, from idle tables to idle tables."""

    model: LinkModel
    dice: random.Random
    steps: list[Planned] = field(default_factory=list)
    #: What the link shows before the open claims are settled, and the number of steps until then.
    shown: Shown = field(init=False)
    judged: int = STEPS

    def write(self) -> "History":
        """Write the whole history."""
        while len(self.steps) < self.judged:
            self._anything()
        self.shown = shown_by(self.model)
        for fields in self._settling():
            self._do(**fields)
        return self

    def _do(self, award: str = "", **fields: Any) -> None:
        step = Step(number=len(self.steps) + 1, link=self.model.rules.id, **fields)
        self.steps.append(Planned(step=step, award=award, rule=self.model.take(step, award)))

    def _settling(self) -> Iterator[dict[str, Any]]:
        """Refuse what is open, end the rounds, and take wagers again."""
        for claim in list(self.model.claims):
            if self.model.claims[claim].status == "claimed":
                yield {"do": "void", "by": ("sam",), "award": claim, "table": self._table_of(claim)}
        for table, round_ in self.model.rounds.items():
            if round_.is_open:
                yield {"do": "end", "by": ("dana",), "table": table}
        if self.model.stopped:
            yield {"do": "resume", "by": ("sam", "eve")}

    def _table_of(self, award: str) -> str:
        return self.model.claims[award].place[0]

    def _chance(self, percent: int) -> bool:
        return self.dice.randrange(100) < percent

    def _anything(self) -> None:
        table = self.dice.choice(self.model.rules.tables)
        round_ = self.model.rounds[table]
        recent = [claim for claim in self.model.claims.values() if self._is_recent(claim)]
        if self._chance(4):
            self._stop_or_resume()
        elif not round_.is_open and not self._chance(8):
            self._start(table)
        elif recent and self._chance(45):
            self._judge(recent)
        elif self._chance(70):
            self._press(table, round_)
        elif self._chance(65):
            self._do(do="end", table=table, by=("dana",))
        elif self._chance(70):
            self._misdeal(table)
        else:
            self._start(table)

    def _is_recent(self, claim: Claim) -> bool:
        return claim.place[1] == self.model.rounds[claim.place[0]].number

    def _start(self, table: str) -> None:
        seats = range(1, self.model.rules.seats + 1)
        covered = sorted(self.dice.sample(seats, self.dice.randint(1, 4)))
        players = sorted({*covered, *self.dice.sample(seats, self.dice.randint(0, 2))})
        if self._chance(10):
            players.remove(covered[0])
        if self._chance(4) and not self.model.rounds[table].is_open and not self.model.stopped:
            covered.append(len(seats) + 2)
            players.append(len(seats) + 2)
        wagers = {self.model.rules.id: tuple(covered)}
        self._do(do="start", table=table, by=("dana",), wagers=wagers, players=tuple(players))

    def _press(self, table: str, round_: Round) -> None:
        rules = self.model.rules
        seat = (
            self.dice.choice(round_.seats or (1,)) if self._chance(80) else self.dice.randint(1, rules.seats)
        )
        buttons = [hand for hand in rules.rows if rules.shares(hand) or self._chance(35)]
        hand = _NO_BUTTON if self._chance(4) else self.dice.choice(buttons)
        if round_.hands and self._chance(25):
            seat = self.dice.choice(list(round_.hands))
            hand = round_.hands[seat]
        by = self.dice.choice(["dana", "dino"])
        if self._chance(8) and not self._would_refuse(do="hand", table=table, seat=seat, hand=hand, by=(by,)):
            by = self.dice.choice(["sam", "cara", "vic"])
        self._do(do="hand", table=table, seat=seat, hand=hand, by=(by,))

    def _misdeal(self, table: str) -> None:
        by = self.dice.choice(["sam", "eve"])
        if self._chance(15) and not self._would_refuse(do="misdeal", table=table, by=(by,)):
            by = self.dice.choice(["dana", "cara"])
        self._do(do="misdeal", table=table, by=(by,), reason="a card is exposed")

    def _would_refuse(self, **fields: Any) -> str:
        """The rule that refuses a step, which is then not taken.

        A controller sees its own round before the books see the badge: only one of both is wrong at a time.
        """
        before = deepcopy(self.model)
        rule = self.model.take(Step(number=0, link=self.model.rules.id, **fields))
        self.model = before
        return rule

    def _judge(self, recent: list[Claim]) -> None:
        """Confirm, refuse or pay, mostly what is to be confirmed, refused or paid."""
        claimed = [claim for claim in recent if claim.status == "claimed"]
        confirmed = [claim for claim in recent if claim.status == "confirmed"]
        if confirmed and self._chance(40):
            self._pay(self.dice.choice(confirmed))
        elif claimed and self._chance(75):
            self._confirm(self.dice.choice(claimed))
        elif claimed and self._chance(60):
            self._void(self.dice.choice(claimed))
        else:
            self.dice.choice([self._pay, self._confirm, self._void])(self.dice.choice(recent))

    def _confirm(self, claim: Claim) -> None:
        due = self.model.look(claim.level)[1]
        amount = sum(due.get(other.id, 0) for other in self.model.hit(claim))
        amount += self.dice.choice([-CENT, CENT]) if self._chance(8) else 0
        by = self.dice.choice(_WRONGLY_SIGNED if self._chance(20) else _SIGNED)
        cards = self._cards_of(claim) if claim.status == "claimed" and self._chance(90) else ""
        self._do(do="confirm", by=by, amount=max(0, amount), cards=cards, **self._about(claim))

    def _void(self, claim: Claim) -> None:
        by = (
            self.dice.choice(["dana", "cara", "ann"])
            if self._chance(15)
            else self.dice.choice(["sam", "eve"])
        )
        self._do(do="void", by=(by,), reason="the cards do not show it", **self._about(claim))

    def _pay(self, claim: Claim) -> None:
        by = self.dice.choice(["cara", "cara", "sam", "sue", "eve", "dana", "vic"])
        how = self.dice.choice(["check", "cash", "chips"])
        cards = (self.model.cards.get(claim.id) or self._cards_of(claim)) if self._chance(80) else ""
        self._do(do="pay", by=(by,), how=how, payee="A Patron", cards=cards, **self._about(claim))

    def _cards_of(self, claim: Claim) -> str:
        """Cards that make the hand and are in no other hand of the round; a coup has one hand."""
        beside = self.model.at(claim.place, "claimed", *OWED)
        used = set() if self.model.rules.divides else {self.model.cards.get(other.id) for other in beside}
        return next((cards for cards in CARDS[claim.hand] if cards not in used), "")

    def _about(self, claim: Claim) -> dict[str, Any]:
        return {"table": claim.place[0], "seat": claim.seat, "award": claim.id}

    def _stop_or_resume(self) -> None:
        if self.model.stopped != self._chance(15):
            by = self.dice.choice([("sam", "eve"), ("sam", "sue"), ("sam", "eve"), ("sam",), ("sam", "dana")])
            self._do(do="resume", by=by, reason="the sensor is replaced")
        else:
            by = self.dice.choice([("sam",), ("eve",), ("dana",)])
            self._do(do="stop", by=by, reason="a sensor fails")


def shown_by(model: LinkModel) -> Shown:
    """What the model shows."""
    pools_and_dues = {level: model.look(level) for level in model.pools}
    due = {name: amount for _, amounts in pools_and_dues.values() for name, amount in amounts.items()}
    awards = {
        claim.id: (
            claim.seat,
            claim.hand,
            claim.status,
            due.get(claim.id, claim.amount),
            claim.by,
            frozenset(claim.signed),
        )
        for claim in model.claims.values()
    }
    pools = {level: (model.shown(level), pools[1]) for level, (pools, _) in pools_and_dues.items()}
    return Shown(pools=pools, awards=awards)
