"""Commands of people and tables at a site of a network link."""

from collections.abc import Collection

from feltwork.ledger.chain import Tail
from feltwork.money import Micros
from feltwork.progressive import award as awards
from feltwork.progressive.badges import executive_among, verify_badges
from feltwork.progressive.button_pays import MeterPay
from feltwork.progressive.facts import Claimed, Fact, Instant, Paid, Voided
from feltwork.progressive.network.aggregator import AggregatorBooks
from feltwork.progressive.network.facts import (
    Halted,
    Joined,
    ReversalPassedOn,
    Settled,
    SignAtClaim,
    SignedOff,
)
from feltwork.progressive.network.site_books import OpenAward, SiteBooks
from feltwork.progressive.network.terms import award_name
from feltwork.progressive.refusal import refuse
from feltwork.progressive.round import TableRound
from feltwork.progressive.sign_offs import Badge, TwoPersonRequest, verify_asked


def claim(  # noqa: PLR0913 - what a claim consists of
    books: SiteBooks, round_: TableRound, *, seat: int, hub_tail: Tail, at: Instant, by: str, cards: str = ""
) -> tuple[Fact, ...]:
    """Book a claim, which waits for the hub's grant; ``hub_tail`` is the hub's entry on the signs."""
    seat_awards = [
        award
        for award in books.state.awards.values()
        if (award.table, award.round, award.seat) == (round_.table, round_.number, seat)
    ]
    name = award_name(books.site, round_.table, round_.number, seat, len(seat_awards))
    awards.verify_claim(books.state, round_, seat=seat, award=name)
    claimed = Claimed(
        link=books.state.link.id,
        at=at,
        award=name,
        table=round_.table,
        round=round_.number,
        seat=seat,
        hand=round_.hands[seat],
        by=by,
        cards=cards,
    )
    sign = SignAtClaim(link=claimed.link, at=at, award=name, entry=hub_tail.number, hash=hub_tail.hash)
    return claimed, sign


def clear(books: SiteBooks, *, award: str, reason: str, at: Instant, by: str) -> Voided:
    """Clear a claim that nobody has signed [LT-02]."""
    awards.verify_void(books.state, award=award, reason=reason)
    if _open(books, award).stage == "signed":
        where = f"{books.state.link.id}, award {award}"
        raise refuse(where, "it is signed and on its way to the hub", "wait for the hub's answer", "LT-04")
    return Voided(link=books.state.link.id, at=at, award=award, reason=reason, by=by)


def sign_off(
    books: SiteBooks, *, award: str, badges: Collection[Badge], amount: Micros, at: Instant
) -> SignedOff:
    """Sign an award with CONFIRM and badges; it is owed when the hub confirms this amount too [LT-03]."""
    open_award = _open(books, award)
    where = f"{books.state.link.id}, award {award}"
    if open_award.stage != "granted":
        raise refuse(where, f"it is {open_award.stage}", "wait for the amount from the network", "LT-03")
    if amount != open_award.amount:
        raise refuse(where, "the amount has changed", "check the new amount and confirm that", "GEN-10")
    pay = MeterPay(level=open_award.level, from_meter=open_award.amount, from_house=0, restarts=False)
    verify_badges(books.state.link, [books.state.awards[award]], [pay], badges)
    executive = executive_among(badges) or ""
    others = [badge.person for badge in badges if badge.person != executive]
    return SignedOff(
        link=books.state.link.id,
        at=at,
        award=award,
        grant=open_award.grant,
        amount=amount,
        supervisor=others[0] if others else executive,
        executive=executive,
    )


def pay(books: SiteBooks, *, award: str, form: str, at: Instant, by: str, witness: str = "") -> Paid:
    """Pay the patron for the network."""
    return awards.pay(books.state, award=award, form=form, at=at, by=by, witness=witness)


def reverse(
    books: SiteBooks, request: TwoPersonRequest, *, award: str, adjustment: str, evidence: str, at: Instant
) -> tuple[Fact, ...]:
    """Reverse a confirmed award; the hub puts it back on the shared meter, and the site owes it [LT-04]."""
    where = f"{books.state.link.id}, award {award}"
    if not books.joined or "leave" in books.state.stops:
        what = "this site is not a member of the network, or is leaving it"
        raise refuse(
            where, what, "only the site that confirmed an award can reverse it, while it is a member", "LT-04"
        )
    if award in books.open and books.open[award].stage == "paid":
        raise refuse(where, "the hub has not booked its payment", "wait for the hub's answer", "LT-04")
    facts: list[Fact] = []
    back = awards.reverse(books.state, request, award=award, adjustment=adjustment, evidence=evidence, at=at)
    for reversal in back:
        amount = reversal.to_meter
        facts += [
            reversal,
            ReversalPassedOn(
                link=reversal.link, at=at, award=reversal.award, level=reversal.level, amount=amount
            ),
        ]
    return tuple(facts)


def join(
    books: SiteBooks, request: TwoPersonRequest, *, agreement: str, limit: Micros, hub: Tail, at: Instant
) -> Joined:
    """Join the network link; ``hub`` is the end of the hub's chain."""
    where = f"link {books.state.link.id}"
    verify_asked(where, request, "GEN-19")
    if books.joined or books.state.link.network is None:
        raise refuse(where, "it has joined, or has no network terms", "check the floor file", "GEN-18")
    return Joined(
        link=books.state.link.id,
        at=at,
        site=books.site,
        agreement=agreement,
        limit=limit,
        entry=hub.number,
        hash=hub.hash,
        by=request.by,
        approved_by=request.approved_by,
    )


def ask_to_leave(books: SiteBooks, request: TwoPersonRequest, *, hub: Tail, at: Instant) -> Halted:
    """Stop play for good; once everything is paid and settled, the hub releases the site."""
    where = f"link {books.state.link.id}"
    verify_asked(where, request, "GEN-19")
    if not books.joined or "leave" in books.state.stops:
        raise refuse(where, "the site is not a member, or is already leaving", "nothing to do", "GEN-18")
    return Halted(
        link=books.state.link.id,
        at=at,
        entry=hub.number,
        hash=hub.hash,
        cause="leave",
        reason=request.reason,
    )


def settle(
    books: SiteBooks | AggregatorBooks, request: TwoPersonRequest, *, amount: Micros, at: Instant
) -> Settled:
    """Pay the trust or, below zero, record what it paid; one settlement at a time."""
    where = f"link {books.state.link.id}"
    verify_asked(where, request, "GEN-19")
    if books.settling is not None:
        what = f"settlement {books.settling.number} is on its way"
        raise refuse(where, what, "wait until the hub has booked it", "GEN-18")
    if not amount:
        raise refuse(where, "there is nothing to settle", "enter an amount", "GEN-18")
    return Settled(
        link=books.state.link.id,
        at=at,
        number=books.settlements + 1,
        amount=amount,
        by=request.by,
        approved_by=request.approved_by,
    )


def _open(books: SiteBooks, award: str) -> OpenAward:
    open_award = books.open.get(award)
    if open_award is None:
        where = f"{books.state.link.id}, award {award}"
        raise refuse(where, "it is not open", "check the list of open claims", "LT-03")
    return open_award
