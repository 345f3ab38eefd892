"""Awards: claim -> confirmed -> paid | voided, at the amount that is fixed when the dealer presses the hand.

All open claims of a round are computed together, from the dealer's right, regardless of the order in which
they were pressed [LT-07]. The link's policy decides only when signs and screens show the meter without the
amount: at confirmation, as in the letters; at the claim; or, with Aquarius controls, when the key returns to
RUN.
"""

from collections.abc import Collection, Mapping

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Sentence, listed
from feltwork.site.progressive.badges import (
    executive_among,
    hit_with,
    hits,
    verify_badges,
    verify_cards_entered,
)
from feltwork.site.progressive.button_pays import MeterPay, fixed_pay, verify_cards
from feltwork.site.progressive.facts import (
    CardsEntered,
    Claimed,
    Confirmed,
    Confiscated,
    Fact,
    Instant,
    MeterMoved,
    Paid,
    Reversed,
    SetAside,
    Voided,
)
from feltwork.site.progressive.fold import apply, remaining_share_of
from feltwork.site.progressive.layout import LaidHand, Layout
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.meter_locks import given_back, relock, restart_undone
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.sign_offs import Badge, TwoPersonRequest, verify_asked, verify_told
from feltwork.site.progressive.state import SETTLED, Award, LinkState

FORMS = ("chips", "cash", "check")


def claim(
    state: LinkState,
    round_: TableRound,
    *,
    awards: Mapping[int, str],
    at: Instant,
    by: str,
    cards: str = "",
) -> tuple[Fact, ...]:
    """Claim the awards of a hand button that the round has: seat -> award, for every seat it names."""
    for seat, award in awards.items():
        verify_claim(state, round_, seat=seat, award=award)
    claimed = [
        Claimed(
            link=state.link.id,
            at=at,
            award=award,
            table=round_.table,
            round=round_.number,
            seat=seat,
            hand=round_.hands[seat],
            by=by,
            cards=cards,
        )
        for seat, award in awards.items()
    ]
    return relock(state, (round_.table, round_.number), claimed, at)


def verify_claim(state: LinkState, round_: TableRound, *, seat: int, award: str) -> None:
    """Raise if a claim cannot be made."""
    where = f"{state.link.id}, table {round_.table}, round {round_.number}, seat {seat}"
    if state.life != "open":
        raise refuse(
            where,
            Sentence("the link is %(life)s", life=Sentence(state.life)),
            "open the link first",
            "GEN-03",
        )
    if award in state.awards:
        raise refuse(where, Sentence("award %(award)s exists", award=award), "use a new award id", "GEN-10")
    if seat not in round_.claims:
        raise refuse(where, "the hand does not win a meter", "press the hand button first", "LT-02")
    if (round_.table, round_.number) in state.misdealt:
        raise refuse(where, "the round is void", "void rounds are not paid", "LT-01")
    aside = [other for other in state.open_claims(round_.table, round_.number) if other.id in state.aside]
    for other in aside:
        what = Sentence("the claim of seat %(seat)s in this round is set aside", seat=other.seat)
        raise refuse(where, what, "confirm or void that claim first", "GEN-10")
    for other in state.awards.values():
        same = (other.table, other.round, other.seat) == (round_.table, round_.number, seat)
        if same and other.status in ("claimed", *SETTLED):
            raise refuse(
                where,
                Sentence("the seat has claim %(claim)s", claim=other.id),
                "clear that claim first",
                "LT-02",
            )


def enter_cards(
    state: LinkState, *, award: str, cards: str, at: Instant, by: str, layout: Layout | None = None
) -> tuple[Fact, ...]:
    """Enter the winning cards, once, after the claim; the settlement evaluator checks them [LT-02].

    The cards of a coup belong to every award that divides its prize.
    """
    where = f"{state.link.id}, award {award}"
    claim = state.awards.get(award)
    if claim is None or claim.status not in ("claimed", "confirmed"):
        what = _is(claim) if claim else "it does not exist"
        raise refuse(where, what, "enter cards before the award is paid", "LT-02")
    if claim.cards:
        raise refuse(
            where,
            Sentence("its cards are entered: %(cards)s", cards=claim.cards),
            "void the claim if they are wrong",
            "LT-02",
        )
    verify_cards(state.link, hand=claim.hand, cards=cards)
    if layout is not None:
        layout.verify([LaidHand(link=state.link, seat=claim.seat, hand=claim.hand, cards=cards)])
    same = [
        other.id
        for other in state.awards.values()
        if (other.table, other.round, other.hand) == (claim.table, claim.round, claim.hand)
        and other.status in ("claimed", *SETTLED)
        and state.link.title.divides_shares
        and not other.cards
    ]
    return tuple(
        CardsEntered(link=state.link.id, at=at, award=name, cards=cards, by=by)
        for name in dict.fromkeys([award, *same])
    )


def void(state: LinkState, *, awards: Collection[str], reason: str, at: Instant, by: str) -> tuple[Fact, ...]:
    """Void unconfirmed claims of a round that the dealer clears or the supervisor refuses [LT-02]."""
    for award in awards:
        verify_void(state, award=award, reason=reason)
    places = {(state.awards[award].table, state.awards[award].round) for award in awards}
    if len(places) != 1:
        raise refuse(
            state.link.id, "the claims belong to several rounds", "void one round at a time", "LT-02"
        )
    voided = [Voided(link=state.link.id, at=at, award=award, reason=reason, by=by) for award in awards]
    return relock(state, places.pop(), voided, at)


def verify_void(state: LinkState, *, award: str, reason: str) -> None:
    """Raise if a claim cannot be voided: once it is confirmed, only an adjustment reverses it [LT-04]."""
    where = f"{state.link.id}, award {award}"
    verify_told(where, "WA-08", reason=reason)
    record = _award(state, award)
    if record.status != "claimed":
        remedy = "two people can reverse a confirmed award"
        raise refuse(where, _is(record), remedy, "LT-04")


def set_aside(state: LinkState, request: TwoPersonRequest, *, award: str, at: Instant) -> tuple[Fact, ...]:
    """Set a disputed claim and the rest of its hit aside: later claims are confirmed before it [GEN-10]."""
    where = f"{state.link.id}, award {award}"
    verify_asked(where, request, "GEN-10")
    record = _award(state, award)
    if record.status != "claimed":
        raise refuse(where, _is(record), "set aside claims that are not confirmed", "GEN-10")
    hit = hit_with(state, record)
    entered = {claim.claimed_by for claim in hit} & {request.by, request.approved_by}
    if entered:
        what = Sentence("%(person)s entered the win", person=entered.pop())
        raise refuse(where, what, "ask someone else to set it aside", "WA-30")
    if award in state.aside:
        raise refuse(where, "it is set aside already", "confirm or void it once it is settled", "GEN-10")
    terms = {"reason": request.reason, "by": request.by, "approved_by": request.approved_by}
    return tuple(
        SetAside(link=state.link.id, at=at, award=claim.id, **terms)
        for claim in hit
        if claim.id not in state.aside
    )


def confirm(
    state: LinkState,
    round_: TableRound,
    *,
    awards: Collection[str],
    badges: Collection[Badge],
    amount: Micros,
    at: Instant,
) -> tuple[Fact, ...]:
    """Confirm awards with a supervisor's badge: they are owed [LT-03].

    ``amount`` is the confirmed sum of the named awards. J-POT confirms all claims of a round together.
    """
    _verify_named(state, round_, awards)
    _verify_turn(state, awards)
    _verify_amount(state, awards, amount)
    pays = {name: fixed_pay(state.awards[name]) for name in awards}
    for hit in hits(state, awards):
        claims = [state.awards[name] for name in hit]
        verify_badges(state.link, claims, [pays[name] for name in hit], badges)
        verify_cards_entered(state.link, claims)
    in_order = sorted(pays, key=lambda name: state.awards[name].lock_number)
    return tuple(_confirmed(state.link, name, pays[name], badges, at) for name in in_order)


def move_meter(state: LinkState, round_: TableRound, *, at: Instant) -> tuple[Fact, ...]:
    """Show the meters without the awards that J-POT logged: the key is back at RUN [C4.aquarius.9.g]."""
    logged = [
        award
        for award in state.awards.values()
        if award.status == "confirmed"
        and _is_shown(state, award)
        and (award.table, award.round) == (round_.table, round_.number)
    ]
    return tuple(
        MeterMoved(link=state.link.id, at=at, award=award.id, level=award.level)
        for award in sorted(logged, key=lambda award: award.lock_number)
    )


def verify_moved(state: LinkState, award: Award) -> None:
    """Raise while J-POT has logged an award and its key is not back at RUN [LT-03]."""
    if _is_shown(state, award):
        where = f"{state.link.id}, award {award.id}"
        raise refuse(where, "the amount has not left the meter", "turn the key back to RUN first", "LT-03")


def _is_shown(state: LinkState, award: Award) -> bool:
    return award.id in state.unmoved.get(award.level, {})


def pay(state: LinkState, *, award: str, form: str, at: Instant, by: str, witness: str = "") -> Paid:
    """Pay the patron in full: at the cage, or in chips by the dealer who entered the win.

    Nobody pays an award that they confirmed. At the table, a person who confirmed it watches [WA-30].
    """
    record = _award(state, award)
    where = f"{state.link.id}, award {award}"
    if record.status != "confirmed":
        raise refuse(where, _is(record), "an award is paid once, after it is confirmed", "LT-03")
    verify_moved(state, record)
    if form not in FORMS:
        raise refuse(
            where,
            Sentence("%(form)s is not a form of payment", form=f"{form!r}"),
            Sentence("choose from: %(choices)s", choices=listed(FORMS)),
            "WA-24",
        )
    signed = {record.supervisor, record.executive} - {""}
    if by in signed:
        raise refuse(
            where, Sentence("%(person)s confirmed it", person=by), "ask someone else to pay it", "WA-30"
        )
    if by == record.claimed_by and (form != "chips" or witness not in signed):
        remedy = "pay chips at the table while the person who confirmed it watches, or pay at the cage"
        raise refuse(where, Sentence("%(person)s entered the win", person=by), remedy, "WA-30")
    return Paid(
        link=state.link.id,
        at=at,
        award=award,
        table=record.table,
        amount=record.amount,
        form=form,
        by=by,
        witness=witness,
    )


def confiscate(state: LinkState, request: TwoPersonRequest, *, award: str, at: Instant) -> Confiscated:
    """Confiscate the award of a self-excluded patron, by two people who did not enter it [WA-35]."""
    record = _award(state, award)
    where = f"{state.link.id}, award {award}"
    verify_asked(where, request, "WA-35")
    if record.status != "confirmed":
        raise refuse(where, _is(record), "confiscate an award that is confirmed and not paid", "WA-35")
    verify_moved(state, record)
    verify_cards_entered(state.link, hit_with(state, record))
    if record.claimed_by in (request.by, request.approved_by):
        what = Sentence("%(person)s entered the win", person=record.claimed_by)
        raise refuse(where, what, "ask two other people", "WA-30")
    return Confiscated(
        link=state.link.id,
        at=at,
        award=award,
        table=record.table,
        amount=record.amount,
        reason=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )


def reverse(
    state: LinkState, request: TwoPersonRequest, *, award: str, adjustment: str, evidence: str, at: Instant
) -> tuple[Reversed, ...]:
    """Reverse a confirmed award and the rest of its hit, once, by two people who did not confirm it [LT-04].

    The award gets the id of the adjustment; awards reversed with it get that id and a number.
    """
    record = _award(state, award)
    where = f"{state.link.id}, award {award}"
    verify_asked(where, request, "LT-04")
    verify_told(where, "WA-15", evidence=evidence, adjustment=adjustment)
    verify_reversible(state, record)
    if adjustment in state.adjustments:
        raise refuse(
            where,
            Sentence("adjustment %(adjustment)s exists", adjustment=adjustment),
            "use a new id",
            "LT-04",
        )
    hit = sorted(hit_with(state, record), key=lambda other: -other.lock_number)
    for hit_award in hit:
        verify_reversible(state, hit_award)
        verify_moved(state, hit_award)
    if {request.by, request.approved_by} & {
        name for hit_award in hit for name in (hit_award.supervisor, hit_award.executive)
    }:
        raise refuse(where, "a person who confirmed a win may not adjust it", "ask two other people", "WA-30")
    reversals: list[Reversed] = []
    names = {hit_award.id: f"{adjustment}-{number}" for number, hit_award in enumerate(hit, 1)} | {
        award: adjustment
    }
    for hit_award in hit:
        seed, reserve = restart_returned(state, state.awards[hit_award.id])
        reversals.append(
            Reversed(
                link=state.link.id,
                at=at,
                adjustment=names[hit_award.id],
                table=hit_award.table,
                **given_back(hit_award, seed=seed, reserve=reserve),
                was_paid=hit_award.status == "paid",
                reason=request.reason,
                evidence=evidence,
                by=request.by,
                approved_by=request.approved_by,
            )
        )
        state = apply(state, reversals[-1])
    return tuple(reversals)


def verify_reversible(state: LinkState, award: Award) -> None:
    """Raise unless an award is confirmed or paid [LT-04]."""
    if award.status not in ("confirmed", "paid"):
        remedy = "void an open claim instead; an award can be reversed only once"
        if award.status == "confiscated":
            remedy = "ask the regulator: the money is the state's"
        raise refuse(f"{state.link.id}, award {award.id}", _is(award), remedy, "LT-04")


def _award(state: LinkState, award: str) -> Award:
    record = state.awards.get(award)
    if record is None:
        raise refuse(
            f"{state.link.id}, award {award}", "it does not exist", "check the list of open claims", "LT-03"
        )
    return record


def _verify_named(state: LinkState, round_: TableRound, awards: Collection[str]) -> None:
    claims = {award.id: award for award in state.open_claims(round_.table, round_.number)}
    where = f"{state.link.id}, table {round_.table}, round {round_.number}"
    unknown = [name for name in awards if name not in claims]
    if unknown or not awards:
        what: str = Sentence(
            "no open claim there matches: %(claims)s", claims=", ".join(unknown) or "none is named"
        )
        raise refuse(
            where, what, Sentence("choose from: %(choices)s", choices=", ".join(claims) or "none"), "LT-03"
        )
    if any(set(hit) & set(awards) and not set(hit) <= set(awards) for hit in hits(state, claims)):
        what = "claims that J-POT logs, or that share a prize, are confirmed together"
        raise refuse(where, what, "clear those that are wrong, then confirm all", "LT-08")


def _is(award: Award) -> Sentence:
    return Sentence("the award is %(status)s", status=Sentence(award.status))


def _verify_turn(state: LinkState, awards: Collection[str]) -> None:
    """Raise while an earlier claim on the same level is open, because voiding it would change this one."""
    found = earlier_claim(state, awards)
    if found is None:
        return
    claim, first = found
    ahead = first.lock_number < claim.lock_number
    what = Sentence(
        "table %(table)s, seat %(seat)s claimed the %(level)s before it",
        table=first.table,
        seat=first.seat,
        level=Sentence(first.level),
    )
    remedy = (
        "confirm or void that claim first, or have two people set it aside"
        if ahead
        else "confirm both together, or void that one"
    )
    raise refuse(f"{state.link.id}, award {claim.id}", what, remedy, "GEN-10")


def earlier_claim(state: LinkState, awards: Collection[str]) -> tuple[Award, Award] | None:
    """Return the first of some claims that waits for another, and the claim that is confirmed before it.

    That claim is ahead in the queue, or at another seat of the round and this one depends on its turn. Claims
    on a house jackpot do not wait, and nothing waits for a claim that is set aside.
    """
    if state.link.is_house:
        return None
    for claim in (state.awards[name] for name in awards):
        queue = [
            other
            for other in state.awards.values()
            if other.status == "claimed" and other.locked and other.level == claim.level
        ]
        others = [other for other in queue if other.id not in awards and other.id not in state.aside]
        ahead = [other for other in others if other.lock_number < claim.lock_number]
        beside = [other for other in others if _rests_on(claim, other, queue)]
        if ahead or beside:
            return claim, min(ahead or beside, key=lambda other: other.lock_number)
    return None


def _rests_on(claim: Award, other: Award, queue: Collection[Award]) -> bool:
    """Whether a claim got its turn or its cutoff from an earlier claim at another seat of its round."""
    place = (claim.table, claim.round)
    if (other.table, other.round) != place or other.first_lock > claim.first_lock:
        return False
    overtakes = any(
        (award.table, award.round) != place
        and award.first_lock < claim.first_lock
        and award.lock_number > claim.lock_number
        for award in queue
    )
    cutoff = (claim.meter_inflow, claim.reserve_inflow)
    return overtakes or (other.meter_inflow, other.reserve_inflow) != cutoff


def _verify_amount(state: LinkState, awards: Collection[str], amount: Micros) -> None:
    """Raise unless the confirmed amount is the amount due; the refusal names the event that changed it."""
    claims = [state.awards[name] for name in awards]
    due = sum(claim.amount for claim in claims)
    if amount == due:
        return
    amounts = {"amount": money.dollars(amount), "due": money.dollars(due)}
    what = Sentence("the amount to confirm was %(amount)s; it is now %(due)s", **amounts)
    events = [state.awards[claim.changed_by] for claim in claims if claim.changed_by in state.awards]
    for event in events[-1:]:
        why = (
            Sentence(
                "the claim of table %(table)s, seat %(seat)s was cleared", table=event.table, seat=event.seat
            )
            if event.status == "voided"
            else Sentence("table %(table)s, seat %(seat)s was pressed", table=event.table, seat=event.seat)
        )
        what = Sentence("%(what)s, because %(why)s", what=what, why=why)
    raise refuse(
        f"{state.link.id}, award {', '.join(awards)}",
        what,
        Sentence("check the new amount, %(amount)s, and confirm that", amount=money.dollars(due)),
        "GEN-10",
    )


def _confirmed(link: Link, award: str, pay: MeterPay, badges: Collection[Badge], at: Instant) -> Confirmed:
    executive = executive_among(badges)
    others = [badge.person for badge in badges if badge.person != executive]
    return Confirmed(
        link=link.id,
        at=at,
        award=award,
        level=pay.level,
        from_meter=pay.from_meter,
        from_house=pay.from_house,
        restarts=pay.restarts,
        supervisor=others[0] if others else executive or "",
        executive=executive or "",
    )


def restart_returned(state: LinkState, award: Award) -> tuple[Micros, Micros]:
    """Return the seed and reserve to give back with an award: none while others of its round keep a share."""
    return (0, 0) if remaining_share_of(state, award) else restart_undone(state, award)
