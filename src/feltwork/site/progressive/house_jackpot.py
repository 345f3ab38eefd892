"""House jackpots: prizes that two people post and the operator pays in full to each winner.

Wagers do not feed them. A claim gets the amount posted when the dealer entered it, even if another amount is
posted before confirmation.
"""

from feltwork import money
from feltwork.money import CENT, Micros
from feltwork.site.progressive.facts import AmountSet, Instant
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest, verify_asked
from feltwork.site.progressive.state import LinkState


def set_amount(
    state: LinkState, request: TwoPersonRequest, *, level: str, amount: Micros, at: Instant
) -> AmountSet:
    """Post another amount, the only way a house jackpot changes [WA-01]."""
    where = f"house jackpot {state.link.id}, {level}"
    verify_asked(where, request, "WA-01")
    if not state.link.is_house:
        remedy = "adjust its meter for a lawful reason"
        raise refuse(
            f"link {state.link.id}", "it is a progressive: its meters grow with wagers", remedy, "WA-01"
        )
    if level not in state.link.level_names:
        remedy = f"choose from: {', '.join(state.link.level_names)}"
        raise refuse(where, f"there is no level {level}", remedy, "WA-01")
    if state.life != "open":
        raise refuse(where, f"the link is {state.life}", "open it first", "WA-01")
    if amount <= 0 or amount % CENT:
        raise refuse(where, f"{money.text(amount)} is not a prize in whole cents", "correct it", "WA-01")
    return _amount_set(state, request, level, amount, at)


def opening_amounts(state: LinkState, request: TwoPersonRequest, *, at: Instant) -> tuple[AmountSet, ...]:
    """The amounts a house jackpot posts when it opens; none for a progressive."""
    levels = state.link.levels if state.link.is_house else ()
    return tuple(_amount_set(state, request, level.name, level.amount, at) for level in levels)


def changed_amounts(
    state: LinkState, new: Link, request: TwoPersonRequest, *, at: Instant
) -> tuple[AmountSet, ...]:
    """The posted amounts that a new version changes."""
    changed = [level for level in new.levels if level.amount != state.link.level(level.name).amount]
    return tuple(_amount_set(state, request, level.name, level.amount, at) for level in changed)


def verify_progressive(state: LinkState, where: str) -> None:
    """Raise if a command about meters names a house jackpot, which has none [WA-01]."""
    if state.link.is_house:
        remedy = "two people can post another amount"
        raise refuse(where, "a house jackpot has posted amounts and no meter", remedy, "WA-01")


def _amount_set(
    state: LinkState, request: TwoPersonRequest, level: str, amount: Micros, at: Instant
) -> AmountSet:
    return AmountSet(
        link=state.link.id,
        at=at,
        level=level,
        before=state.amounts.get(level, 0),
        after=amount,
        reason=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )
