"""Two-person commands about links: meters, awards, and the life of a link."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.awards import payouts
from feltwork.site.books.awards.awards import clear_hands
from feltwork.site.books.awards.lookup import awards_named, lock_award
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Amount, Name, SignedAmount, Statement
from feltwork.site.books.floors.site import verify_link
from feltwork.site.books.journal.link_state import LinkSnapshot, lock_link, read_meters
from feltwork.site.books.journal.transaction import book_facts
from feltwork.site.books.links import lifecycle
from feltwork.site.books.links.links import BookedView, award_deeds, booked_view
from feltwork.site.books.tables.rounds import played_round
from feltwork.site.books.two_person.command import AmountChange, TwoPersonCommand, two_person
from feltwork.site.books.watch.incidents import incidents, record_incident
from feltwork.site.compliance.roles import PriorAction
from feltwork.site.progressive import award as rules
from feltwork.site.progressive.adjustment import Adjustment, change_of, held
from feltwork.site.progressive.badges import hit_with
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.link import NO_CAP
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class OfLink(TwoPersonCommand):
    """A command about a link."""

    link: Name = Field(examples=["crazy4"])

    @property
    def about(self) -> str:
        """The link."""
        return self.link

    def verify_known(self, connection: Connection) -> None:
        """Raise unless the link exists."""
        verify_link(connection, self.link)


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class _Adjusting(OfLink):
    adjustment: Name = Field(examples=["ADJ-2024-001"])
    pool: Literal["meter", "reserve"] = Field(examples=["meter"])
    level: Name = Field(examples=["jackpot"])
    evidence: Statement = Field(examples=["incident 17"])

    @abstractmethod
    def signed(self) -> int:
        """Return the amount added to the pool; a negative amount is taken from it."""

    def amount_change(self, connection: Connection) -> AmountChange:
        """The pool now and afterwards."""
        now = held(read_meters(connection, self.link).state, self.pool, self.level)
        return AmountChange(now=now, result=now + self.signed())

    def _adjustment(self, request: TwoPersonRequest, code: str) -> Adjustment:
        return Adjustment(
            id=self.adjustment,
            reason=code,
            pool=self.pool,
            level=self.level,
            change=self.signed(),
            text=request.reason,
            evidence=self.evidence,
            by=request.by,
            approved_by=request.approved_by,
        )


@two_person
class Adjust(_Adjusting):
    """Change a pool for a reason on the closed list [WA-15]."""

    command: Literal["adjust"] = "adjust"
    lawful_reason: Literal[
        "MALFUNCTION_CORRECTION",
        "CAP_CORRECTION",
        "NON_DISPLAYED_TO_GROSS_RECEIPTS",
        "SEED_RECOVERY",
        "HOUSE_ADDITION",
    ] = Field(examples=["MALFUNCTION_CORRECTION"])
    to: Amount | None = Field(
        default=None,
        description="The new amount in whole cents, as the person entered it; its change is computed when it "
        "is proposed, and play goes on from there.",
        examples=[None],
    )
    change: SignedAmount | None = Field(
        default=None,
        description="Amount added to the pool when the proposal is approved, in millionths and whole cents; "
        "a negative amount is taken from it. Instead of `to`.",
        examples=[500_000_000],
    )
    incident: Annotated[int, Field(ge=1, le=2**31, strict=True)] | None = Field(
        default=None,
        description="The open incident, where a malfunction correction lowers a meter.",
        examples=[None],
    )

    def signed(self) -> int:
        """The change."""
        return self.change or 0

    def as_proposed(self, connection: Connection) -> "Adjust":
        """The adjustment with its change; raise unless it is in whole cents, and its malfunction is known."""
        state = read_meters(connection, self.link).state
        change = change_of(state, pool=self.pool, level=self.level, to=self.to, change=self.change)
        proposed = replace(self, change=change)
        proposed.verify_incident(connection)
        return proposed

    def verify_incident(self, connection: Connection) -> None:
        """Raise if a malfunction lowers a meter without an open incident of the link [WA-32]."""
        if self.lawful_reason != "MALFUNCTION_CORRECTION" or self.pool != "meter" or self.signed() >= 0:
            return
        found = incidents(connection, self.incident) if self.incident else []
        if not any(one.closed_at is None and one.link in ("", self.link) for one in found):
            what = "a malfunction correction that lowers a meter takes an open incident"
            remedy = "report the malfunction and enter the number of its incident"
            raise ProblemsError([Problem(f"adjustment {self.adjustment}", what, remedy, "WA-32")])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Change the pool."""
        self.verify_incident(op.connection)
        return booked_view(
            lifecycle.adjust(op.connection, self.link, self._adjustment(request, self.lawful_reason))
        )


@two_person
class BuyMerchandise(_Adjusting):
    """Buy goods from the reserve instead of a fixed prize [WA-21]."""

    command: Literal["buy_merchandise"] = "buy_merchandise"
    hand: Name = Field(examples=["straight_flush"])
    value: Amount = Field(description="Millionths.", examples=[450_000_000])
    notice: Statement = Field(examples=["posted at the table since 1 March"])

    def signed(self) -> int:
        """Return the value as taken from the reserve."""
        return -self.value

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Spend the reserve."""
        bought = self._adjustment(request, "MERCHANDISE")
        return booked_view(
            lifecycle.buy_merchandise(op.connection, self.link, bought, hand=self.hand, notice=self.notice)
        )


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class _OfAward(OfLink):
    award: Name = Field(examples=["A-7f3c"])

    @property
    def about(self) -> str:
        """The award."""
        return self.award

    def deeds(self, connection: Connection) -> Sequence[PriorAction]:
        """Return who claimed, confirmed and paid its hit."""
        return award_deeds(connection, self.link, self.award)

    def locked(self, connection: Connection, adjustment: str = "") -> LinkSnapshot:
        """The link under its lock, with the award and the others of its round."""
        award = awards_named(connection, self.link, [self.award])[self.award]
        return lock_award(connection, self.link, award, adjustment=adjustment)


@two_person
class Reverse(_OfAward):
    """Reverse a confirmed award and the rest of its hit [LT-04]."""

    command: Literal["reverse"] = "reverse"
    adjustment: Name = Field(examples=["REV-2024-001"])
    evidence: Statement = Field(examples=["surveillance, camera 12"])

    def basis(self, connection: Connection) -> str:
        """Whether the awards of its hit are paid [LT-04]."""
        state = self.locked(connection).state
        award = state.awards[self.award]
        rules.verify_reversible(state, award)
        hit = sorted(hit_with(state, award), key=lambda other: other.seat)
        one = len({other.status for other in hit}) == 1
        return award.status if one else ", ".join(f"{other.status} at seat {other.seat}" for other in hit)

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Reverse it."""
        locked = self.locked(op.connection, self.adjustment)
        about = {"award": self.award, "adjustment": self.adjustment, "evidence": self.evidence}
        facts = rules.reverse(locked.state, request, **about, at=locked.at(None))
        booked = book_facts(op.connection, locked, facts)
        table, number = facts[0].table, locked.state.awards[self.award].round
        round_ = played_round(op.connection, locked.state.link, table, number).round
        if round_.phase != "idle":  # an open round loses the hands, with what the tray would pay for them
            hit = [locked.state.awards[fact.award] for fact in facts]
            clear_hands(op.connection, round_, hit, by=request.by, at=facts[0].at)
        return booked_view(booked)


@two_person
class SetAside(_OfAward):
    """Set a disputed claim aside, so that later claims are confirmed before it [GEN-10]."""

    command: Literal["set_aside"] = "set_aside"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Set it aside."""
        locked = self.locked(op.connection)
        facts = rules.set_aside(locked.state, request, award=self.award, at=locked.at(None))
        return booked_view(book_facts(op.connection, locked, facts))


@two_person
class Confiscate(_OfAward):
    """Confiscate the award of a self-excluded patron; the regulator is told in time [WA-35]."""

    command: Literal["confiscate"] = "confiscate"

    def as_proposed(self, connection: Connection) -> "Confiscate":
        """Raise unless the record names the patron, and somebody has looked the name up."""
        steps = payouts.sheet(connection, self.link, self.award).steps
        if not any(step.name == "exclusion" and step.done for step in steps):
            where, what = f"{self.link}, award {self.award}", "nobody has looked the patron up"
            raise refuse(where, what, "write the payout record and look the payee up first", "WA-35")
        return self

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Confiscate it, and open the incident whose timer runs until the regulator is told."""
        locked = self.locked(op.connection)
        fact = rules.confiscate(locked.state, request, award=self.award, at=locked.at(None))
        booked = book_facts(op.connection, locked, [fact])
        what = f"Award {self.award} of a self-excluded patron was confiscated"
        record_incident(
            op.connection, what=what, by=op.actor.id, link=self.link, table=fact.table, rule="exclusion_hours"
        )
        return booked_view(booked)


@two_person
class SetAmount(OfLink):
    """Post another house jackpot amount; open claims keep theirs [WA-01]."""

    command: Literal["set_amount"] = "set_amount"
    level: Name = Field(examples=["jackpot"])
    amount: Amount = Field(description="Millionths.", examples=[5_000_000_000])

    def amount_change(self, connection: Connection) -> AmountChange:
        """The posted amount now and afterwards."""
        return AmountChange(
            now=read_meters(connection, self.link).state.meter(self.level), result=self.amount
        )

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Post it."""
        return booked_view(
            lifecycle.set_amount(op.connection, self.link, request, level=self.level, amount=self.amount)
        )


@two_person
class OpenLink(OfLink):
    """Open a link at its seeds, or at its posted amounts [GEN-03]."""

    command: Literal["open_link"] = "open_link"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Open it."""
        return booked_view(lifecycle.open_link(op.connection, self.link, request))


@two_person
class Resume(OfLink):
    """Take wagers again after a suspension."""

    command: Literal["resume"] = "resume"

    def basis(self, connection: Connection) -> str:
        """The suspension: a later one needs a proposal of its own."""
        return _stop(connection, self.link, "suspended")

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Resume."""
        return booked_view(lifecycle.resume(op.connection, self.link, request))


@two_person
class RestoreSeized(OfLink):
    """Restart after a seizure, once the posted amounts are back in the bank [WA-20]."""

    command: Literal["restore_seized"] = "restore_seized"
    replaced: Amount = Field(description="Millionths.", examples=[10_000_000_000])

    def basis(self, connection: Connection) -> str:
        """The seizure."""
        return _stop(connection, self.link, "seized")

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Restart."""
        return booked_view(
            lifecycle.restore_seized(op.connection, self.link, request, replaced=self.replaced)
        )


@two_person
class SetCap(OfLink):
    """Set a cap, or lift it with null [WA-09, GEN-15]."""

    command: Literal["set_cap"] = "set_cap"
    level: Name = Field(examples=["jackpot"])
    cap: Amount | None = Field(description="Millionths, or null.", examples=[50_000_000_000])
    rule: Literal["at_least", "above"] = "at_least"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Set it."""
        if self.level not in _levels(op.connection, self.link):
            raise unknown(f"{self.link}, level {self.level}")
        cap = NO_CAP if self.cap is None else self.cap
        return booked_view(
            lifecycle.set_cap(op.connection, self.link, request, level=self.level, cap=cap, rule=self.rule)
        )


@two_person
class PlanRemoval(OfLink):
    """Announce the removal of a link [WA-22]."""

    command: Literal["plan_removal"] = "plan_removal"
    remove_at: Annotated[int, Field(ge=0, le=2**53, strict=True)] = Field(
        description="Microseconds since 1970 in UTC.", examples=[1_800_000_000_000_000]
    )
    notice_days: Annotated[int, Field(ge=0, le=3_650, strict=True)] = Field(examples=[30])
    target: Name = Field(examples=["crazy4-new"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Announce it."""
        return booked_view(
            lifecycle.plan_removal(
                op.connection,
                self.link,
                request,
                remove_at=self.remove_at,
                notice_days=self.notice_days,
                target=self.target,
            )
        )


@two_person
class Remove(OfLink):
    """Remove a link whose notice has run [WA-22]."""

    command: Literal["remove"] = "remove"

    def basis(self, connection: Connection) -> str:
        """The announcement: where the money goes, and when."""
        state = lock_link(connection, self.link).state
        return (
            f"announced for {_moment(state.remove_at)} to {state.target}" if state.target else "unannounced"
        )

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Remove it."""
        return booked_view(lifecycle.remove(op.connection, self.link, request))


@two_person
class Receive(OfLink):
    """Receive the money of a removed link [GEN-16]."""

    command: Literal["receive"] = "receive"
    source: Name = Field(examples=["crazy4-old"])
    levels: dict[Name, Name] = Field(max_length=8, examples=[{"jackpot": "jackpot"}])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Receive it."""
        verify_link(op.connection, self.source)
        source_levels, own_levels = _levels(op.connection, self.source), _levels(op.connection, self.link)
        if set(self.levels) != set(source_levels) or not set(self.levels.values()) <= set(own_levels):
            what, remedy = (
                "the levels of the two links do not match",
                f"name a target level for each of {', '.join(source_levels)}",
            )
            raise ProblemsError([Problem(f"link {self.link}", what, remedy, "GEN-16")])
        return booked_view(
            lifecycle.receive(op.connection, self.link, request, source=self.source, levels=self.levels)
        )


def _stop(connection: Connection, link: str, cause: str) -> str:
    stopped_at = lock_link(connection, link).state.stops.get(cause)
    return f"not {cause}" if stopped_at is None else f"{cause} since {_moment(stopped_at)}"


def _moment(at: Instant) -> str:
    return str(datetime.fromtimestamp(0, UTC) + timedelta(microseconds=at))


def _levels(connection: Connection, link: str) -> tuple[str, ...]:
    return read_meters(connection, link).state.link.level_names
