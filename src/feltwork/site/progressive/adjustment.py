"""Adjustments: two people change a pool for a reason on the closed list, with evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from feltwork import money
from feltwork.money import Micros
from feltwork.site.progressive.facts import Adjusted, Instant
from feltwork.site.progressive.house_jackpot import verify_progressive
from feltwork.site.progressive.link import NO_CAP
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import verify_told, verify_two_people
from feltwork.site.progressive.state import LinkState
from feltwork.titles.paytables.paytable import Odds

Pool: TypeAlias = Literal["meter", "reserve"]


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason on the closed list: pools it may change, directions, and the requirement that allows it."""

    pools: tuple[Pool, ...]
    requirement: str
    ways: tuple[Literal["lower", "raise"], ...] = ("lower",)


REASONS: Mapping[str, Reason] = {
    "MALFUNCTION_CORRECTION": Reason(("meter", "reserve"), "WA-15", ("lower", "raise")),
    "CAP_CORRECTION": Reason(("meter",), "WA-15"),
    "NON_DISPLAYED_TO_GROSS_RECEIPTS": Reason(("reserve",), "WA-16"),
    "SEED_RECOVERY": Reason(("meter", "reserve"), "WA-17"),
    "MERCHANDISE": Reason(("reserve",), "WA-21"),
    "HOUSE_ADDITION": Reason(("meter", "reserve"), "WA-08", ("raise",)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """A manual adjustment by two people."""

    id: str
    reason: str
    pool: Pool
    level: str
    #: Added to the pool's amount at approval, so rounds booked since the proposal stay on the meter.
    change: Micros
    text: str
    evidence: str
    by: str
    approved_by: str


def change_of(state: LinkState, *, pool: str, level: str, to: Micros | None, change: Micros | None) -> Micros:
    """Return what is added to a pool: the change that was asked for, or the way to a new amount [WA-15]."""
    where = f"{state.link.id}, {level}, {pool}"
    if (to is None) == (change is None):
        raise refuse(where, "enter the new amount or the change, one of them", "enter one of them", "WA-15")
    asked = to if to is not None else change or 0
    if asked % money.CENT:
        raise refuse(where, "it is not in whole cents", "enter dollars and cents", "WA-15")
    if level not in state.link.level_names:
        remedy = f"choose from: {', '.join(state.link.level_names)}"
        raise refuse(where, f"there is no level {level}", remedy, "WA-15")
    return asked if to is None else to - held(state, pool, level)


def adjust(state: LinkState, adjustment: Adjustment, *, at: Instant) -> Adjusted:
    """Change a pool [WA-08, WA-15]."""
    verify_adjustment(state, adjustment)
    return _adjusted(state, adjustment, at)


def buy_merchandise(
    state: LinkState, adjustment: Adjustment, *, hand: str, notice: str, at: Instant
) -> Adjusted:
    """Buy goods from the reserve instead of a fixed prize; the invoice is the evidence [WA-21]."""
    where = f"{state.link.id}, merchandise for {hand}"
    row = state.link.row(hand)
    if row is None or not isinstance(row.pays, Odds):
        raise refuse(
            where, "merchandise may replace only a fixed prize", "choose a row that pays odds", "WA-21"
        )
    prize = row.pays.pay(state.link.wager)
    if -adjustment.change < prize:
        raise refuse(where, f"it is worth less than {money.dollars(prize)}", "choose better goods", "WA-21")
    verify_told(where, "WA-21", notice=notice)
    if adjustment.reason != "MERCHANDISE":
        raise refuse(where, f"the reason is {adjustment.reason}", "use MERCHANDISE", "WA-21")
    verify_lawful_adjustment(state, adjustment)
    return _adjusted(state, adjustment, at)


def verify_adjustment(state: LinkState, adjustment: Adjustment) -> None:
    """Raise if an adjustment is not lawful."""
    where = f"{state.link.id}, adjustment {adjustment.id}"
    if adjustment.reason == "WIN":
        raise refuse(where, "a win cannot be booked as an adjustment", "claim and confirm an award", "WA-15")
    if adjustment.reason == "MERCHANDISE":
        raise refuse(where, "merchandise replaces a prize", "enter the prize and its notice", "WA-21")
    verify_lawful_adjustment(state, adjustment)


def verify_lawful_adjustment(state: LinkState, adjustment: Adjustment) -> None:
    """Raise if an adjustment breaks the rules common to all reasons."""
    where = f"{state.link.id}, adjustment {adjustment.id}"
    verify_progressive(state, where)
    reason = REASONS.get(adjustment.reason)
    if reason is None:
        raise refuse(
            where,
            f"{adjustment.reason!r} is not an allowed reason",
            f"choose from: {', '.join(REASONS)}",
            "WA-15",
        )
    verify_two_people(where, adjustment.by, adjustment.approved_by, "WA-15")
    verify_told(where, "WA-08", id=adjustment.id, text=adjustment.text, evidence=adjustment.evidence)
    if adjustment.id in state.adjustments:
        raise refuse(where, "this adjustment is already booked", "use a new adjustment id", "WA-15")
    if state.life != "open":
        raise refuse(where, f"the link is {state.life}", "open the link before adjusting it", "WA-15")
    if adjustment.level not in state.link.level_names:
        remedy = f"choose from: {', '.join(state.link.level_names)}"
        raise refuse(where, f"there is no level {adjustment.level}", remedy, "WA-15")
    if adjustment.pool not in reason.pools:
        what = f"{adjustment.reason} may not touch the {adjustment.pool}"
        raise refuse(where, what, f"choose from: {', '.join(reason.pools)}", reason.requirement)
    _verify_amount(state, adjustment, reason, where)


def _verify_amount(state: LinkState, adjustment: Adjustment, reason: Reason, where: str) -> None:
    before, change = held(state, adjustment.pool, adjustment.level), adjustment.change
    after = before + change
    if change == 0:
        raise refuse(where, "the adjustment changes nothing", "enter another amount", "WA-15")
    way = "lower" if change < 0 else "raise"
    if way not in reason.ways:
        raise refuse(
            where, f"{adjustment.reason} may not {way} a pool", "choose another reason", reason.requirement
        )
    if after < 0:
        what = f"it takes {money.dollars(-change)}, and the {adjustment.pool} holds {money.dollars(before)}"
        raise refuse(where, what, f"propose to take {money.dollars(before)} or less", "WA-15")
    cap = state.cap(adjustment.level)
    if change > 0 and adjustment.pool == "meter" and cap != NO_CAP and after > cap:
        raise refuse(where, f"the cap is {money.dollars(cap)}", "raise the cap first", "WA-09")
    unrecovered = state.unrecovered_seed(adjustment.level)
    if adjustment.reason == "SEED_RECOVERY" and -change > unrecovered:
        what = f"only {money.dollars(unrecovered)} of the seed is unrecovered"
        raise refuse(where, what, "recover that amount or less", "WA-17")
    if adjustment.reason == "CAP_CORRECTION" and (cap == NO_CAP or after != cap):
        cap_text = "none" if cap == NO_CAP else money.dollars(cap)
        raise refuse(
            where, f"the meter must end at the preset cap, {cap_text}", "correct the amount", "WA-15"
        )


def _adjusted(state: LinkState, adjustment: Adjustment, at: Instant) -> Adjusted:
    before = held(state, adjustment.pool, adjustment.level)
    return Adjusted(
        link=state.link.id,
        at=at,
        adjustment=adjustment.id,
        reason=adjustment.reason,
        pool=adjustment.pool,
        level=adjustment.level,
        before=before,
        after=before + adjustment.change,
        text=adjustment.text,
        evidence=adjustment.evidence,
        by=adjustment.by,
        approved_by=adjustment.approved_by,
    )


def held(state: LinkState, pool: str, level: str) -> Micros:
    """Return the amount in a pool."""
    return state.meter(level) if pool == "meter" else state.reserve(level)
