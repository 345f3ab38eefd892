"""What people and tables do at a site of a network link."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from feltwork.ledger.chain import Tail
from feltwork.money import Micros
from feltwork.progressive import award as awards
from feltwork.progressive.badges import executive_among, verify_badges
from feltwork.progressive.button_pays import MeterPay
from feltwork.progressive.contribution import (
    RefusedRound,
    fold_rounds,
    plan_of,
    verify_correction,
    verify_misdeal,
)
from feltwork.progressive.facts import Claimed, Fact, Instant, Paid, Voided
from feltwork.progressive.network.facts import (
    Halted,
    Joined,
    PassedBack,
    PassedOn,
    SeatPassedOn,
    Settled,
    SignAtClaim,
    SignedOff,
)
from feltwork.progressive.network.site_books import OpenAward, SiteBooks
from feltwork.progressive.network.terms import award_name
from feltwork.progressive.refusal import refuse
from feltwork.progressive.round import TableRound
from feltwork.progressive.round_facts import RoundStarted
from feltwork.progressive.sign_offs import Badge, TwoPersonRequest, verify_asked


@dataclass(frozen=True, slots=True)
class PassedRounds:
    """The result of passing on a batch of rounds; no fact where every round was refused."""

    fact: PassedOn | None
    refused: tuple[RefusedRound, ...]


def pass_on(books: SiteBooks, rounds: Sequence[RoundStarted], *, at: Instant) -> PassedRounds:
    """Book a batch of rounds: the same rules as in one room, but the pools are the hub's."""
    batch = fold_rounds(books.state, rounds, at=at)
    fact = batch.fact
    if fact is None:
        return PassedRounds(None, batch.refused)
    passed = PassedOn(
        link=fact.link,
        at=at,
        paytable=fact.paytable,
        version=fact.version,
        wager=fact.wager,
        rounds=fact.rounds,
        wagers=fact.wagers,
        digest=fact.digest,
        to_meter={level: amount + fact.overflow.get(level, 0) for level, amount in fact.to_meter.items()},
        to_reserve=fact.to_reserve,
        to_house=fact.to_house,
    )
    return PassedRounds(passed, batch.refused)


def add_seat(books: SiteBooks, started: RoundStarted, *, seat: int, at: Instant, by: str) -> SeatPassedOn:
    """Book the wager of a seat that START GAME missed."""
    verify_correction(books.state, started)
    plan, link = plan_of(books.state.link), books.state.link
    return SeatPassedOn(
        link=link.id,
        at=at,
        table=started.table,
        round=started.round,
        seat=seat,
        version=link.fingerprint,
        wager=link.wager,
        to_meter=plan.to_meter,
        to_reserve=plan.to_reserve,
        to_house=plan.to_house,
        by=by,
    )


def return_seat(books: SiteBooks, started: RoundStarted, *, seat: int, at: Instant, by: str) -> PassedBack:
    """Return the wager of one seat before the first card."""
    verify_correction(books.state, started)
    return _passed_back(books, started, (seat,), misdeal=False, at=at, by=by)


def misdeal(books: SiteBooks, started: RoundStarted, *, at: Instant, by: str) -> PassedBack:
    """Return the wagers of a void round; the hub takes them out of its pools."""
    verify_misdeal(books.state, started)
    return _passed_back(books, started, started.seats, misdeal=True, at=at, by=by)


def _passed_back(
    books: SiteBooks, started: RoundStarted, seats: Sequence[int], *, misdeal: bool, at: Instant, by: str
) -> PassedBack:
    plan, count = plan_of(books.state.link), len(seats)
    return PassedBack(
        link=books.state.link.id,
        at=at,
        table=started.table,
        round=started.round,
        seats=",".join(map(str, seats)),
        misdeal=misdeal,
        version=books.state.link.fingerprint,
        wagers=count,
        from_meter={level: each * count for level, each in plan.to_meter.items()},
        from_reserve={level: each * count for level, each in plan.to_reserve.items()},
        from_house=plan.to_house * count,
        by=by,
    )


def claim(
    books: SiteBooks, round_: TableRound, *, seat: int, shown: Tail, at: Instant, by: str
) -> tuple[Fact, ...]:
    """The hand button: the claim waits for the hub's grant. ``shown`` is the hub's entry on the signs."""
    made = [
        one
        for one in books.state.awards.values()
        if (one.table, one.round, one.seat) == (round_.table, round_.number, seat)
    ]
    name = award_name(books.site, round_.table, round_.number, seat, len(made))
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
    )
    sign = SignAtClaim(link=claimed.link, at=at, award=name, entry=shown.number, hash=shown.hash)
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
    """CONFIRM with badges: it is owed when the hub confirms this amount too [LT-03]."""
    found = _open(books, award)
    where = f"{books.state.link.id}, award {award}"
    if found.stage != "granted":
        raise refuse(where, f"it is {found.stage}", "wait for the amount from the network", "LT-03")
    if amount != found.amount:
        raise refuse(where, "the amount has changed", "check the new amount and confirm that", "GEN-10")
    pay = MeterPay(level=found.level, from_meter=found.amount, from_house=0, restarts=False)
    verify_badges(books.state.link, [books.state.awards[award]], [pay], badges)
    executive = executive_among(badges) or ""
    others = [badge.person for badge in badges if badge.person != executive]
    return SignedOff(
        link=books.state.link.id,
        at=at,
        award=award,
        grant=found.grant,
        amount=amount,
        supervisor=others[0] if others else executive,
        executive=executive,
    )


def pay(books: SiteBooks, *, award: str, form: str, at: Instant, by: str) -> Paid:
    """Pay the patron for the network."""
    return awards.pay(books.state, award=award, form=form, at=at, by=by)


def join(
    books: SiteBooks, request: TwoPersonRequest, *, agreement: str, limit: Micros, hub: Tail, at: Instant
) -> Joined:
    """Share the link from here on; ``hub`` is the end of the hub's chain."""
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
    """Stop play for good: pay and settle what is open, then the hub lets the site go."""
    where = f"link {books.state.link.id}"
    verify_asked(where, request, "GEN-19")
    if not books.joined or "leave" in books.state.stops:
        raise refuse(where, "the site is not a member, or leaves already", "nothing to do", "GEN-18")
    return Halted(
        link=books.state.link.id,
        at=at,
        entry=hub.number,
        hash=hub.hash,
        cause="leave",
        reason=request.reason,
    )


def settle(books: SiteBooks, request: TwoPersonRequest, *, amount: Micros, at: Instant) -> Settled:
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
    found = books.open.get(award)
    if found is None:
        where = f"{books.state.link.id}, award {award}"
        raise refuse(where, "it is not open", "check the list of open claims", "LT-03")
    return found
