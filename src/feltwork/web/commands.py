"""Commands of two people: what each consists of, and what it books once it is approved."""

from abc import abstractmethod
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from feltwork.books import adjustments, awards, house, life
from feltwork.books.connection import Connection
from feltwork.operations.errors import unknown
from feltwork.problem import Problem, ProblemsError
from feltwork.progressive.adjustment import Adjustment
from feltwork.progressive.link import NO_CAP
from feltwork.progressive.people import Asked
from feltwork.web import told
from feltwork.web.floors import apply_floor
from feltwork.web.people_commands import ManagePeople
from feltwork.web.words import Amount, Body, Name, Said


class TwoPeople(Body):
    """What every such command has: a link and a reason."""

    link: Name = Field(examples=["crazy4"])
    reason: Said = Field(examples=["as agreed on Monday"])

    @property
    def about(self) -> str:
        """What it is done to."""
        return self.link

    def verify_known(self, connection: Connection) -> None:
        """Raise where it is about nothing that the books know."""
        told.verify_link(connection, self.link)

    @abstractmethod
    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Do it, now that a second person has approved exactly this."""


class _Adjusting(TwoPeople):
    adjustment: Name = Field(examples=["ADJ-2024-001"])
    pool: Literal["meter", "reserve"] = Field(examples=["meter"])
    level: Name = Field(examples=["jackpot"])
    after: Amount = Field(
        description="What the pool shall hold afterwards, millionths.", examples=[12_000_000_000]
    )
    evidence: Said = Field(examples=["incident 17"])

    def _adjustment(self, asked: Asked, code: str) -> Adjustment:
        return Adjustment(
            id=self.adjustment,
            reason=code,
            pool=self.pool,
            level=self.level,
            after=self.after,
            text=asked.reason,
            evidence=self.evidence,
            by=asked.by,
            approved_by=asked.approved_by,
        )


class Adjust(_Adjusting):
    """Change a pool for a reason of the closed list [WA-15]."""

    command: Literal["adjust"]
    lawful_reason: Literal[
        "MALFUNCTION_CORRECTION",
        "CAP_CORRECTION",
        "NON_DISPLAYED_TO_GROSS_RECEIPTS",
        "SEED_RECOVERY",
        "HOUSE_ADDITION",
    ] = Field(examples=["MALFUNCTION_CORRECTION"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Change the pool."""
        return told.done(
            adjustments.adjust(connection, self.link, self._adjustment(asked, self.lawful_reason))
        )


class BuyMerchandise(_Adjusting):
    """Buy goods out of the reserve in place of a fixed prize [WA-21]."""

    command: Literal["buy_merchandise"]
    hand: Name = Field(examples=["straight_flush"])
    value: Amount = Field(description="Millionths.", examples=[450_000_000])
    notice: Said = Field(examples=["posted at the table since 1 March"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Spend the reserve."""
        bought = self._adjustment(asked, "MERCHANDISE")
        return told.done(
            adjustments.buy_merchandise(
                connection, self.link, bought, hand=self.hand, value=self.value, notice=self.notice
            )
        )


class Reverse(TwoPeople):
    """Take a confirmed award back [LT-04]."""

    command: Literal["reverse"]
    award: Name = Field(examples=["A-7f3c"])
    adjustment: Name = Field(examples=["REV-2024-001"])
    evidence: Said = Field(examples=["surveillance, camera 12"])

    @property
    def about(self) -> str:
        """The award."""
        return self.award

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Reverse it."""
        return told.done(
            awards.reverse(
                connection,
                self.link,
                asked,
                award=self.award,
                adjustment=self.adjustment,
                evidence=self.evidence,
            )
        )


class SetAmount(TwoPeople):
    """Post another amount of a house jackpot [WA-01]."""

    command: Literal["set_amount"]
    amount: Amount = Field(description="Millionths.", examples=[5_000_000_000])

    def verify_known(self, connection: Connection) -> None:
        """Raise unless it is a house jackpot."""
        told.verify_link(connection, self.link, "house")

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Post it."""
        return {"amount": house.set_amount(connection, self.link, asked, amount=self.amount).amount}


class OpenLink(TwoPeople):
    """Open a link at its seeds [GEN-03]."""

    command: Literal["open_link"]

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Open it."""
        return told.done(life.open_link(connection, self.link, asked))


class Resume(TwoPeople):
    """Take wagers again after a suspension."""

    command: Literal["resume"]

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Resume."""
        return told.done(life.resume(connection, self.link, asked))


class RestoreSeized(TwoPeople):
    """Restart after a seizure, once the posted amounts are back in the bank [WA-20]."""

    command: Literal["restore_seized"]
    replaced: Amount = Field(description="Millionths.", examples=[10_000_000_000])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Restart."""
        return told.done(life.restore_seized(connection, self.link, asked, replaced=self.replaced))


class SetCap(TwoPeople):
    """Set a cap, or lift it with null [WA-09, GEN-15]."""

    command: Literal["set_cap"]
    level: Name = Field(examples=["jackpot"])
    cap: Amount | None = Field(description="Millionths, or null.", examples=[50_000_000_000])
    rule: Literal["at_least", "above"] = "at_least"

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Set it."""
        if self.level not in told.levels_of(connection, self.link):
            raise unknown(f"{self.link}, level {self.level}")
        cap = NO_CAP if self.cap is None else self.cap
        return told.done(
            life.set_cap(connection, self.link, asked, level=self.level, cap=cap, rule=self.rule)
        )


class PlanRemoval(TwoPeople):
    """Announce the removal of a link [WA-22]."""

    command: Literal["plan_removal"]
    remove_at: Annotated[int, Field(ge=0, le=2**53, strict=True)] = Field(
        description="Microseconds since 1970 in UTC.", examples=[1_800_000_000_000_000]
    )
    notice_days: Annotated[int, Field(ge=0, le=3_650, strict=True)] = Field(examples=[30])
    target: Name = Field(examples=["crazy4-new"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Announce it."""
        return told.done(
            life.plan_removal(
                connection,
                self.link,
                asked,
                remove_at=self.remove_at,
                notice_days=self.notice_days,
                target=self.target,
            )
        )


class Remove(TwoPeople):
    """Remove a link whose notice has run [WA-22]."""

    command: Literal["remove"]

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Remove it."""
        return told.done(life.remove(connection, self.link, asked))


class Receive(TwoPeople):
    """Take in the money of a removed link [GEN-16]."""

    command: Literal["receive"]
    source: Name = Field(examples=["crazy4-old"])
    levels: dict[Name, Name] = Field(max_length=8, examples=[{"jackpot": "jackpot"}])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Receive it."""
        told.verify_link(connection, self.source)
        theirs, ours = told.levels_of(connection, self.source), told.levels_of(connection, self.link)
        if set(self.levels) != set(theirs) or not set(self.levels.values()) <= set(ours):
            what, remedy = "the levels do not match", f"say for each of {', '.join(theirs)} where it goes"
            raise ProblemsError([Problem(f"link {self.link}", what, remedy, "GEN-16")])
        return told.done(life.receive(connection, self.link, asked, source=self.source, levels=self.levels))


class Reconfigure(Body):
    """Let a floor file take effect: new links are planned, changed ones must be suspended [GEN-06]."""

    command: Literal["reconfigure"]
    floor: str = Field(
        max_length=500_000,
        pattern=r"^[^\x00]*$",
        description="The floor file, word for word.",
        examples=['site = "Evergreen Card Room"'],
    )
    day: date | None = Field(default=None, description="By the rules of this day; today without it.")
    reason: Said = Field(examples=["two tables more"])

    @property
    def about(self) -> str:
        """The floor of the site."""
        return "floor"

    def verify_known(self, connection: Connection) -> None:
        """A floor is about itself."""

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Apply it."""
        return apply_floor(connection, self.floor, asked, on=self.day or datetime.now(tz=UTC).date())


_OfLinks: TypeAlias = Annotated[
    Adjust
    | BuyMerchandise
    | Reverse
    | SetAmount
    | OpenLink
    | Resume
    | RestoreSeized
    | SetCap
    | PlanRemoval
    | Remove
    | Receive
    | Reconfigure,
    Field(discriminator="command"),
]
#: Two lists, each with its own discriminator: OpenAPI has none that lies within another.
AnyCommand: TypeAlias = _OfLinks | ManagePeople
COMMAND: TypeAdapter[AnyCommand] = TypeAdapter(AnyCommand)
