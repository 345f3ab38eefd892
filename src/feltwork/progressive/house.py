"""House jackpots: the house's own money, a posted amount, all of it to each winner; nothing that climbs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from feltwork import money
from feltwork.ledger.accounts import Account
from feltwork.ledger.chain import Chained, Tail, append
from feltwork.ledger.entry import fold
from feltwork.money import CENT, Micros
from feltwork.progressive.facts import AmountSet, Claimed, Confirmed, Fact, Instant, Locked, Paid, Voided
from feltwork.progressive.link import HouseJackpot
from feltwork.progressive.people import Asked, Badge, verify_asked, verify_told
from feltwork.progressive.postings import entry_for
from feltwork.progressive.refusal import refuse
from feltwork.progressive.state import Award, award_of

#: Where a house jackpot's awards wait, in place of a meter's level.
POSTED = "posted"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseState:
    """A house jackpot and its posted amount."""

    jackpot: HouseJackpot
    amount: Micros = 0
    awards: Mapping[str, Award] = field(default_factory=dict)
    balances: Mapping[Account, Micros] = field(default_factory=dict)


def set_amount(state: HouseState, asked: Asked, *, amount: Micros, at: Instant) -> AmountSet:
    """Post another amount: the one way in which a house jackpot changes [WA-01]."""
    where = f"house jackpot {state.jackpot.id}"
    verify_asked(where, asked, "WA-01")
    if amount <= 0 or amount % CENT:
        raise refuse(where, f"{money.text(amount)} is no prize in whole cents", "correct it", "WA-01")
    return AmountSet(
        link=state.jackpot.id,
        at=at,
        before=state.amount,
        after=amount,
        reason=asked.reason,
        by=asked.by,
        approved_by=asked.approved_by,
    )


def claim(
    state: HouseState, *, award: str, place: tuple[str, int, int], at: Instant, by: str
) -> tuple[Fact, ...]:
    """The winning hand at a place: table, round and seat."""
    table, round_, seat = place
    where = f"house jackpot {state.jackpot.id}, table {table}, round {round_}, seat {seat}"
    if not state.amount:
        raise refuse(where, "no amount is posted", "set the amount before play", "WA-03")
    same = [other for other in state.awards.values() if (other.table, other.round, other.seat) == place]
    if award in state.awards or any(other.status != "voided" for other in same):
        raise refuse(where, "the seat has a claim", "a seat wins once in a round", "LT-02")
    return (
        Claimed(
            link=state.jackpot.id,
            at=at,
            award=award,
            table=table,
            round=round_,
            seat=seat,
            hand=state.jackpot.hand,
            by=by,
        ),
    )


def void(state: HouseState, *, award: str, reason: str, at: Instant, by: str) -> tuple[Fact, ...]:
    """A claim is refused before it is confirmed."""
    where = f"house jackpot {state.jackpot.id}, award {award}"
    _verify_status(state, award, "claimed")
    verify_told(where, "WA-08", reason=reason)
    return (Voided(link=state.jackpot.id, at=at, award=award, reason=reason, by=by),)


def confirm(
    state: HouseState, *, award: str, badges: Collection[Badge], amount: Micros, at: Instant
) -> tuple[Fact, ...]:
    """The whole posted amount, to this winner as to every other [WA-03]."""
    found = _verify_status(state, award, "claimed")
    where = f"house jackpot {state.jackpot.id}, award {award}"
    executives = [badge.person for badge in badges if badge.role == "executive"]
    if not badges or any(badge.person == found.claimed_by for badge in badges):
        raise refuse(where, "no other person's badge was shown", "ask a supervisor to confirm", "LT-03")
    people = [badge.person for badge in badges]
    if state.amount > state.jackpot.executive_above and (not executives or len(set(people)) < 2):
        raise refuse(where, "the amount needs an executive", "ask an executive to confirm as well", "LT-03")
    if amount != state.amount:
        now = money.text(state.amount)
        raise refuse(where, f"the amount is now {now}", f"check the new amount, {now}", "GEN-10")
    about = {"link": state.jackpot.id, "award": award, "level": POSTED}
    return (
        Locked(**about, at=at, from_meter=0, from_house=state.amount, restarts=False, seed=0, reserve=0),
        Confirmed(
            **about,
            at=at,
            from_meter=0,
            from_house=state.amount,
            restarts=False,
            supervisor=next((person for person in people if person not in executives), people[0]),
            executive=executives[0] if executives else "",
        ),
    )


def pay(state: HouseState, *, award: str, form: str, at: Instant, by: str) -> Paid:
    """The patron is paid."""
    found = _verify_status(state, award, "confirmed")
    if by in (found.claimed_by, found.supervisor, found.executive):
        where = f"house jackpot {state.jackpot.id}, award {award}"
        raise refuse(where, f"{by} entered or confirmed it", "ask somebody else to pay it", "WA-30")
    return Paid(
        link=state.jackpot.id, at=at, award=award, table=found.table, amount=found.amount, form=form, by=by
    )


def book_house(
    state: HouseState, tail: Tail, some: Collection[Fact]
) -> tuple[HouseState, tuple[Chained, ...]]:
    """The state after some facts, and their entries at the end of the jackpot's chain."""
    entries: list[Chained] = []
    for fact in some:
        entry = entry_for(fact)
        entries.append(append(entries[-1].tail if entries else tail, entry))
        state = _applied(replace(state, balances=fold(state.balances, entry.postings)), fact)
    return state, tuple(entries)


def _applied(state: HouseState, fact: Fact) -> HouseState:
    match fact:
        case AmountSet():
            return replace(state, amount=fact.after)
        case Claimed():
            award = award_of(fact)
        case Locked():
            award = replace(
                state.awards[fact.award], level=fact.level, from_house=fact.from_house, locked=True
            )
        case Confirmed():
            award = replace(
                state.awards[fact.award],
                status="confirmed",
                supervisor=fact.supervisor,
                executive=fact.executive,
            )
        case Voided():
            award = replace(state.awards[fact.award], status="voided")
        case Paid():
            award = replace(state.awards[fact.award], status="paid", paid_by=fact.by)
        case _:
            raise refuse(
                f"house jackpot {state.jackpot.id}",
                f"only a progressive knows {type(fact).__name__}",
                "a house jackpot has no meter, no reserve and no contributions",
                "WA-01",
            )
    return replace(state, awards={**state.awards, award.id: award})


def _verify_status(state: HouseState, award: str, status: str) -> Award:
    where = f"house jackpot {state.jackpot.id}, award {award}"
    found = state.awards.get(award)
    if found is None or found.status != status:
        raise refuse(where, f"it is {found.status if found else 'unknown'}", f"it must be {status}", "LT-03")
    return found
