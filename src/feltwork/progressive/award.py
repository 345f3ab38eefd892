"""Awards: claim -> confirmed -> paid | voided, and when each amount leaves its meter.

The link's policy says when: at the claim, so that other tables play on for a meter that has started again; at
the confirmation; or, with Aquarius controls, when the key is back at RUN. Whenever it is, all open claims of
the round are computed together, from the dealer's right: the order of pressing decides nothing [LT-07].
"""

from collections.abc import Collection, Iterable

from feltwork import money
from feltwork.money import Micros
from feltwork.progressive.facts import Claimed, Confirmed, Fact, Instant, Paid, Reversed, Voided
from feltwork.progressive.fold import apply
from feltwork.progressive.link import Link
from feltwork.progressive.locks import due_pays, given_back, locked, recomputed, restart_undone
from feltwork.progressive.pays import MeterPay, fixed_pay
from feltwork.progressive.people import Asked, Badge, verify_asked, verify_told
from feltwork.progressive.refusal import refuse
from feltwork.progressive.round import TableRound
from feltwork.progressive.state import Award, LinkState

FORMS = ("chips", "cash", "check")


def claim(
    state: LinkState, round_: TableRound, *, seat: int, award: str, at: Instant, by: str
) -> tuple[Fact, ...]:
    """The dealer's hand button, once the round shows it: the claims of the round as they now stand."""
    verify_claim(state, round_, seat=seat, award=award)
    claimed = Claimed(
        link=state.link.id,
        at=at,
        award=award,
        table=round_.table,
        round=round_.number,
        seat=seat,
        hand=round_.hands[seat],
        by=by,
    )
    return recomputed(state, round_, [claimed], at)


def verify_claim(state: LinkState, round_: TableRound, *, seat: int, award: str) -> None:
    """Raise where a claim cannot be made."""
    where = f"{state.link.id}, table {round_.table}, round {round_.number}, seat {seat}"
    if state.life != "open":
        raise refuse(where, f"the link is {state.life}", "open the link first", "GEN-03")
    if award in state.awards:
        raise refuse(where, f"award {award} exists", "give each award an id of its own", "GEN-10")
    if seat not in round_.claims:
        raise refuse(where, "its hand is not one that a meter pays", "press the hand button first", "LT-02")
    if (round_.table, round_.number) in state.misdealt:
        raise refuse(where, "the round is void", "nothing is paid on a void round", "LT-01")
    for other in state.awards.values():
        same = (other.table, other.round, other.seat) == (round_.table, round_.number, seat)
        if same and other.status in ("claimed", "confirmed", "paid"):
            raise refuse(where, f"the seat has claim {other.id}", "clear that one first", "LT-02")


def void(
    state: LinkState, round_: TableRound, *, award: str, reason: str, at: Instant, by: str
) -> tuple[Fact, ...]:
    """A claim is cleared by the dealer, or refused by the supervisor, before it is confirmed [LT-02]."""
    verify_void(state, award=award, reason=reason)
    voided = Voided(link=state.link.id, at=at, award=award, reason=reason, by=by)
    return recomputed(state, round_, [voided], at)


def verify_void(state: LinkState, *, award: str, reason: str) -> None:
    """Raise where a claim cannot be voided: once it is confirmed, only an adjustment reverses it [LT-04]."""
    where = f"{state.link.id}, award {award}"
    verify_told(where, "WA-08", reason=reason)
    found = _award(state, award)
    if found.status != "claimed":
        remedy = "a confirmed award is reversed by an adjustment of two people"
        raise refuse(where, f"it is {found.status}", remedy, "LT-04")


def confirm(
    state: LinkState,
    round_: TableRound,
    *,
    awards: Collection[str],
    badges: Collection[Badge],
    at: Instant,
) -> tuple[Fact, ...]:
    """The supervisor's CONFIRM with a badge: the award is owed, and by then its amount is fixed [LT-03].

    The first confirmation fixes the amounts of all claims of the round. J-POT takes all of them at once.
    """
    pays = _pays_at_confirm(state, round_, awards)
    for award in awards:
        verify_badges(state.link, state.awards[award], pays[award], badges)
    told: list[Fact] = []
    after = state
    if state.link.lock_at != "run":
        for name, pay in pays.items():
            if not after.awards[name].locked:
                told.append(locked(after, name, pay, at))
                after = apply(after, told[-1])
    told += [_confirmed(state.link, name, pays[name], badges, at) for name in pays if name in awards]
    return tuple(told)


def verify_badges(link: Link, award: Award, pay: MeterPay, badges: Collection[Badge]) -> None:
    """Raise unless the right people have shown a badge, and none of them entered the win [LT-03, WA-30]."""
    where = f"{link.id}, award {award.id} of {money.text(pay.amount)}"
    if not badges:
        raise refuse(where, "no badge was shown", "ask a supervisor to confirm", "LT-03")
    if any(badge.person == award.claimed_by for badge in badges):
        raise refuse(where, f"{award.claimed_by} entered the win", "ask somebody else to confirm", "WA-30")
    if needs_executive(link, level=pay.level, amount=pay.amount) and _executive(badges) is None:
        over = f"it is above {money.text(link.executive_above)}, or of a level that needs an executive"
        raise refuse(where, over, "ask an executive to confirm", "LT-03")


def needs_executive(link: Link, *, level: str, amount: Micros) -> bool:
    """Whether an award needs an executive's badge, by its amount or its level [LT-03]."""
    return amount > link.executive_above or level in link.executive_levels


def move_meter(state: LinkState, round_: TableRound, *, at: Instant) -> tuple[Fact, ...]:
    """Aquarius: the key is back at RUN, and what J-POT logged leaves the meter [C4.aquarius.9.g]."""
    logged = [
        award
        for award in state.awards.values()
        if award.status == "confirmed"
        and not award.locked
        and (award.table, award.round) == (round_.table, round_.number)
    ]
    told: list[Fact] = []
    for award in sorted(logged, key=lambda award: state.hits.index(award.id)):
        told.append(locked(state, award.id, fixed_pay(award), at))
        state = apply(state, told[-1])
    return tuple(told)


def pay(state: LinkState, *, award: str, form: str, at: Instant, by: str) -> Paid:
    """The patron is paid, all at once."""
    found = _award(state, award)
    where = f"{state.link.id}, award {award}"
    if found.status != "confirmed":
        raise refuse(where, f"it is {found.status}", "only a confirmed award is paid, once", "LT-03")
    if not found.locked:
        raise refuse(where, "it has not left the meter", "turn the key back to RUN first", "LT-03")
    if form not in FORMS:
        raise refuse(where, f"{form!r} is no form of payment", f"choose from: {', '.join(FORMS)}", "WA-24")
    return Paid(
        link=state.link.id, at=at, award=award, table=found.table, amount=found.amount, form=form, by=by
    )


def reverse(
    state: LinkState, asked: Asked, *, award: str, adjustment: str, evidence: str, at: Instant
) -> Reversed:
    """Take a confirmed award back: an adjustment of its own, once, by two who did not confirm it [LT-04]."""
    found = _award(state, award)
    where = f"{state.link.id}, award {award}"
    verify_asked(where, asked, "LT-04")
    verify_told(where, "WA-15", evidence=evidence, adjustment=adjustment)
    if found.status not in ("confirmed", "paid"):
        remedy = "void an open claim; a reversal cannot be repeated"
        raise refuse(where, f"it is {found.status}", remedy, "LT-04")
    if not found.locked:
        raise refuse(where, "it has not left the meter", "turn the key back to RUN first", "LT-03")
    if adjustment in state.adjustments:
        raise refuse(where, f"adjustment {adjustment} exists", "give it an id of its own", "LT-04")
    if {asked.by, asked.approved_by} & {found.supervisor, found.executive}:
        raise refuse(where, "who confirmed a win may not adjust it", "ask two other people", "WA-30")
    seed, reserve = (0, 0) if _shared(state, found) else restart_undone(state, found)
    return Reversed(
        link=state.link.id,
        at=at,
        adjustment=adjustment,
        table=found.table,
        **given_back(found, seed=seed, reserve=reserve),
        was_paid=found.status == "paid",
        reason=asked.reason,
        evidence=evidence,
        by=asked.by,
        approved_by=asked.approved_by,
    )


def _award(state: LinkState, award: str) -> Award:
    found = state.awards.get(award)
    if found is None:
        raise refuse(
            f"{state.link.id}, award {award}", "it is unknown", "look at the claims waiting", "LT-03"
        )
    return found


def _pays_at_confirm(state: LinkState, round_: TableRound, awards: Collection[str]) -> dict[str, MeterPay]:
    claims = {award.id: award for award in state.open_claims(round_.table, round_.number)}
    where = f"{state.link.id}, table {round_.table}, round {round_.number}"
    unknown = [name for name in awards if name not in claims]
    if unknown or not awards:
        what = f"no claim waits there as {', '.join(unknown) or 'none is named'}"
        raise refuse(where, what, f"choose from: {', '.join(claims) or 'none'}", "LT-03")
    if set(awards) != set(claims) and (state.link.lock_at == "run" or state.link.shares_prizes):
        what = "claims that J-POT logs, or that share a prize, are confirmed together"
        raise refuse(where, what, "clear those that are wrong, then confirm all", "LT-08")
    if any(state.pending(level) < 0 for level in state.link.level_names):
        what = "the meter has not moved for the award before"
        raise refuse(where, what, "turn the other table's key back to RUN first", "GEN-10")
    if all(award.locked for award in claims.values()):
        return {name: fixed_pay(award) for name, award in claims.items()}
    return due_pays(state, round_)


def _confirmed(link: Link, award: str, pay: MeterPay, badges: Collection[Badge], at: Instant) -> Confirmed:
    executive = _executive(badges)
    supervisors = [badge.person for badge in badges if badge.role == "supervisor"]
    return Confirmed(
        link=link.id,
        at=at,
        award=award,
        level=pay.level,
        from_meter=pay.from_meter,
        from_house=pay.from_house,
        restarts=pay.restarts,
        supervisor=supervisors[0] if supervisors else executive or "",
        executive=executive or "",
    )


def _shared(state: LinkState, award: Award) -> bool:
    """Whether others of the round won from the same meter with it, so that its restart is theirs too."""
    return state.link.shares_prizes and any(
        (other.table, other.round, other.level) == (award.table, award.round, award.level)
        for other in state.awards.values()
        if other.id != award.id and other.supervisor
    )


def _executive(badges: Iterable[Badge]) -> str | None:
    return next((badge.person for badge in badges if badge.role == "executive"), None)
