"""The pit of a site of a network link: its people sign, void and pay as soon as the hub has answered."""

import asyncio
import random
from dataclasses import dataclass, field

from feltwork.operations.awards.awards import (
    Confirm,
    Pay,
    ShownBadge,
    VoidClaim,
    WaitingAward,
    confirm,
    pay,
    void_claim,
    waiting,
)
from feltwork.operations.connection import UNAVAILABLE
from feltwork.operations.context import Operation, Policy, connected
from feltwork.operations.errors import RefusedError
from feltwork.problem import ProblemsError
from feltwork.simulation.staff import PIN, SimulatedCasino, badge_of
from feltwork.simulation.tally import Tally

_LOOK_SECONDS = 0.4
_POLICY = Policy(key_required=False, record_required=False)


@dataclass(kw_only=True)
class NetworkPit:
    """Everyone who signs for awards of a site; failures are retried at the next poll."""

    dsn: str
    house: SimulatedCasino
    tally: Tally
    dice: random.Random
    #: Number of upcoming claims to void, after which the dealer must press the button again.
    wrong: int = 0
    #: Number of open awards at the last poll, and refusals, newest last.
    open: int = 0
    news: list[str] = field(default_factory=list)

    async def run(self) -> None:
        """Handle claims until cancelled."""
        while True:
            try:
                await asyncio.to_thread(self._look)
            except UNAVAILABLE as error:
                self.news.append(str(error))
            await asyncio.sleep(_LOOK_SECONDS)

    def _look(self) -> None:
        with connected(self.dsn, _POLICY, place="pit") as op:
            awards = waiting(op.connection)
            self.open = len(awards)
            for award in awards:
                try:
                    if not award.waits_for:
                        self._act(op, award)
                except (ProblemsError, RefusedError) as error:  # such as a newer lock
                    self.news.append(f"{award.id}: {error}")

    def _act(self, op: Operation, award: WaitingAward) -> None:
        if award.status == "confirmed":
            pay(self._by(op, "cage"), Pay(link=award.link, award=award.id, form="check"))
            self.tally.answered("Paid", award.link, award.id)
        elif self.wrong:
            command = VoidClaim(link=award.link, award=award.id, reason="check the cards again")
            void_claim(self._by(op, "supervisor"), command)
            self.wrong -= 1
            self.tally.answered("Voided", award.link, award.id)
        else:
            badges = tuple(self._badge(role) for role in award.badges)
            told_amount = Confirm(link=award.link, award=award.id, badges=badges, amount=award.hit_amount)
            confirm(self._by(op, "dealer"), told_amount)

    def _badge(self, role: str) -> ShownBadge:
        return ShownBadge(badge=badge_of(self.house.people[role][0]), pin=PIN)

    def _by(self, op: Operation, role: str) -> Operation:
        return op.beside(badge_of(self.house.people[role][0]), PIN)
