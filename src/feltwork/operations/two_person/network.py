"""Two-person commands of a network: a hub's links, sites, versions and settlements, and those of a site."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from feltwork.books.connection import Connection
from feltwork.books.links import lifecycle
from feltwork.books.links.floors import floor_in_force
from feltwork.books.network import hub_members, site_store
from feltwork.books.network.aggregator_store import open_aggregator, refuse_at_aggregator, settle_above
from feltwork.books.network.hub_store import aggregator_links, hub_links
from feltwork.books.network.sum_rows import members_of
from feltwork.books.records.alarms import clear_alarm
from feltwork.compliance.checks.network_sites import is_hub_of, network_link_of, site_problems
from feltwork.compliance.floor import link_from_floor
from feltwork.ledger.chain import Tail
from feltwork.operations.context import Operation
from feltwork.operations.fields import COMMAND, Amount, FloorText, Name, SignedAmount, Statement
from feltwork.operations.links.links import BookedView, booked_view
from feltwork.operations.network.hub import ROLLED_BACK
from feltwork.operations.network.site_views import owed_to_hub
from feltwork.operations.two_person.command import AmountChange, two_person
from feltwork.operations.two_person.floors import lawful_floor
from feltwork.operations.two_person.links import OfLink
from feltwork.problem import ProblemsError
from feltwork.progressive.link import Link
from feltwork.progressive.network.facts import Joined
from feltwork.progressive.network.terms import LONGEST_SITE
from feltwork.progressive.refusal import refuse
from feltwork.progressive.sign_offs import TwoPersonRequest

SiteName = Annotated[Name, Field(max_length=LONGEST_SITE)]
EntryNumber = Annotated[int, Field(ge=0, le=2**53, strict=True)]
EntryHash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
#: The public half of an nkey.
PublicKey = Annotated[str, Field(pattern=r"^U[A-Z2-7]{55}$")]


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class _OfHub(OfLink):
    link: Name = Field(examples=["network-aces"])

    def verify_known(self, connection: Connection) -> None:
        """Raise unless the link is a network link that was opened here."""
        super().verify_known(connection)
        if self.link not in hub_links(connection):
            remedy = "open it at the hub first"
            raise refuse(f"link {self.link}", "it is no network link of this hub", remedy, "GEN-18")


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class _OfSite(_OfHub):
    site: SiteName = Field(examples=["north"])

    @property
    def about(self) -> str:
        """The link and the site."""
        return f"{self.link}/{self.site}"

    def verify_known(self, connection: Connection) -> None:
        """Raise unless the site is a member."""
        super().verify_known(connection)
        sites = [row.site for row in members_of(connection, self.link) if not row.has_left]
        if self.site not in sites:
            remedy = f"choose from: {', '.join(sites) or 'no site has joined'}"
            raise refuse(f"link {self.link}, site {self.site}", "it is not a member", remedy, "GEN-18")


@two_person
class OpenNetworkLink(OfLink):
    """Open a network link at its hub, at the seeds of the floor in effect, or at an aggregator [GEN-03]."""

    command: Literal["open_network_link"] = "open_network_link"
    link: Name = Field(examples=["network-aces"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Open it."""
        floor = floor_in_force(op.connection)
        own = network_link_of(floor, self.link)
        if own is None or not is_hub_of(floor, self.link):
            what = "the floor file does not say that this is its hub or an aggregator"
            raise refuse(
                f"link {self.link}",
                what,
                "in the floor file, set the link's site to the name of its hub",
                "GEN-18",
            )
        if not own.aggregator:
            return booked_view(lifecycle.open_link(op.connection, self.link, request))
        if not own.owes_at_most:
            what, remedy = "the aggregator has no limit", "write owes_at_most into the floor file"
            raise refuse(f"link {self.link}", what, remedy, "GEN-18")
        opened = open_aggregator(
            op.connection,
            self.link,
            request,
            site=own.site,
            agreement=own.agreement,
            limit=own.owes_at_most,
        )
        return booked_view(opened)


@two_person
class AdmitSite(_OfHub):
    """Let a site join: its floor file is checked, and its chances are compared as fractions [GEN-18]."""

    command: Literal["admit_site"] = "admit_site"
    site: SiteName = Field(examples=["north"])
    agreement: Statement = Field(examples=["AG-2026-04"])
    key: PublicKey = Field(
        description="The public key of the site at the hub's NATS server.", examples=["U" + "A" * 55]
    )
    limit: Amount = Field(description="The most it may owe, millionths.", examples=[50_000_000_000])
    floor: FloorText = Field(description="The floor file of the site, word for word.")
    entry: EntryNumber = Field(description="The end of the site's chain of this link.", examples=[0])
    hash: EntryHash = Field(description="Its hash.", examples=["0" * 64])

    @property
    def about(self) -> str:
        """The link and the site."""
        return f"{self.link}/{self.site}"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Check the site's floor, and book the agreement."""
        site_floor = lawful_floor(self.floor, on=datetime.now(tz=UTC).date())
        problems = site_problems(floor_in_force(op.connection), site_floor, self.link, self.site)
        if problems:
            raise ProblemsError(problems)
        own = network_link_of(site_floor, self.link)
        assert own is not None, "the check has found it"
        if own.aggregator and self.link in aggregator_links(op.connection):
            what = "an aggregator cannot be below another one"
            raise refuse(f"link {self.link}, site {self.site}", what, "let it join the hub", "GEN-18")
        membership = Joined(
            link=self.link,
            at=0,
            site=self.site,
            agreement=self.agreement,
            limit=self.limit,
            entry=0,
            hash="",
            by=request.by,
            approved_by=request.approved_by,
        )
        version = link_from_floor(site_floor, own).fingerprint
        end = Tail(self.entry, self.hash)
        return booked_view(hub_members.admit(op.connection, membership, request, version=version, tail=end))


@two_person
class LetSiteLeave(_OfSite):
    """Release a site that has no open award and owes nothing; remove its key from the server afterwards."""

    command: Literal["let_site_leave"] = "let_site_leave"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Book that it has left."""
        return booked_view(hub_members.release(op.connection, self.link, request, site=self.site))


@two_person
class ChangeSiteLimit(_OfSite):
    """Change the debt limit at which the hub stops a site."""

    command: Literal["change_site_limit"] = "change_site_limit"
    limit: Amount = Field(description="Millionths.", examples=[80_000_000_000])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Change it."""
        return booked_view(
            hub_members.change_limit(op.connection, self.link, request, site=self.site, limit=self.limit)
        )


@two_person
class SettleSite(_OfSite):
    """Book a settlement that the trust's bank shows, under the number that the site gave it."""

    command: Literal["settle_site"] = "settle_site"
    number: Annotated[int, Field(ge=1, le=2**31, strict=True)] = Field(examples=[7])
    amount: SignedAmount = Field(
        description="What the site paid the trust, millionths; below zero, what it received.",
        examples=[12_500_000_000],
    )

    def amount_change(self, connection: Connection) -> AmountChange | None:
        """Return the site's debt now and afterwards."""
        rows = [row for row in members_of(connection, self.link) if row.site == self.site]
        owes = sum(row.passed - row.paid - row.settled for row in rows)
        return AmountChange(now=owes, result=owes - self.amount)

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Book it."""
        return booked_view(
            hub_members.receive_settlement(
                op.connection, self.link, request, site=self.site, number=self.number, amount=self.amount
            )
        )


@two_person
class ProposeVersion(_OfHub):
    """Propose the version of the floor in effect to all sites; play stops until they are ready [GEN-06]."""

    command: Literal["propose_version"] = "propose_version"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Propose it."""
        return booked_view(hub_members.propose_change(op.connection, self._new(op.connection), request))

    def _new(self, connection: Connection) -> Link:
        floor = floor_in_force(connection)
        floor_link = network_link_of(floor, self.link)
        if floor_link is None:
            what = "the floor in effect does not have it"
            raise refuse(f"link {self.link}", what, "apply a floor file with it first", "GEN-06")
        return link_from_floor(floor, floor_link)


@two_person
class DropVersion(_OfHub):
    """Withdraw a proposed version; the version in effect stays."""

    command: Literal["drop_version"] = "drop_version"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Drop it."""
        return booked_view(hub_members.drop_change(op.connection, self.link, request))


@two_person
class ProceedWithout(_OfHub):
    """Let a proposed version take effect without the sites that are not ready; they stay stopped."""

    command: Literal["proceed_without"] = "proceed_without"
    sites: Annotated[list[SiteName], Field(min_length=1, max_length=10_000)] = Field(examples=[["north"]])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Proceed."""
        return booked_view(hub_members.proceed_without(op.connection, self.link, self.sites, request))


@two_person
class ReadmitSite(_OfSite):
    """Readmit a site that was stopped because its books rolled back, once they have every round again."""

    command: Literal["readmit_site"] = "readmit_site"
    entry: EntryNumber = Field(description="The end of the site's chain now.", examples=[1_204])
    hash: EntryHash = Field(description="Its hash.", examples=["0" * 64])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Readmit it."""
        end = Tail(self.entry, self.hash)
        booked = hub_members.readmit_site(op.connection, self.link, request, site=self.site, end=end)
        clear_alarm(op.connection, ROLLED_BACK, self.about, by=request.by, why=request.reason)
        return booked_view(booked)


@two_person
class ReopenHub(_OfHub):
    """Serve sites again after the hub's books rolled back, once they have the entry that a site has seen."""

    command: Literal["reopen_hub"] = "reopen_hub"
    entry: EntryNumber = Field(description="The entry that the alarm names.", examples=[8_417])
    hash: EntryHash = Field(description="Its hash, as the alarm names it.", examples=["0" * 64])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Reopen it."""
        tail = Tail(self.entry, self.hash)
        booked = hub_members.reopen_hub(op.connection, self.link, request, seen_tail=tail)
        clear_alarm(op.connection, ROLLED_BACK, self.about, by=request.by, why=request.reason)
        return booked_view(booked)


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class _AtSite(OfLink):
    link: Name = Field(examples=["network-aces"])

    def verify_known(self, connection: Connection) -> None:
        """Raise unless these books have joined the link, as a site or as an aggregator."""
        super().verify_known(connection)
        if self.link not in {*site_store.site_links(connection), *aggregator_links(connection)}:
            remedy = "open the link first; at the hub, use settle_site and let_site_leave"
            raise refuse(f"link {self.link}", "this site has not joined its network", remedy, "GEN-18")


@two_person
class SettleWithHub(_AtSite):
    """Book a payment between this site and the trust of a network link; the hub books the same number."""

    command: Literal["settle_with_hub"] = "settle_with_hub"
    amount: SignedAmount = Field(
        description="What this site paid the trust, millionths; below zero, what it received.",
        examples=[12_500_000_000],
    )

    def amount_change(self, connection: Connection) -> AmountChange | None:
        """Return this site's debt now and afterwards."""
        owes = owed_to_hub(connection, self.link)
        return AmountChange(now=owes, result=owes - self.amount)

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Book it; the bookkeeper or the aggregator notifies the hub until it answers."""
        if self.link in aggregator_links(op.connection):
            return booked_view(settle_above(op.connection, self.link, request, amount=self.amount))
        return booked_view(site_store.settle(op.connection, self.link, request, amount=self.amount))


@two_person
class LeaveNetwork(_AtSite):
    """Stop play on a network link for good; the hub lets the site go once nothing is open or owed."""

    command: Literal["leave_network"] = "leave_network"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Stop it."""
        what = "an aggregator cannot leave: its sites would play on"
        refuse_at_aggregator(op.connection, self.link, what, "let the hub's people stop it")
        return booked_view(site_store.ask_to_leave(op.connection, self.link, request))


@two_person
class ReopenSite(_AtSite):
    """Take wagers again after a restore, when every round is booked; the hub compares the books again."""

    command: Literal["reopen_site"] = "reopen_site"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> BookedView:
        """Reopen it."""
        view = booked_view(lifecycle.reopen_site(op.connection, self.link, request))
        clear_alarm(op.connection, ROLLED_BACK, self.link, by=request.by, why=request.reason)
        return view
