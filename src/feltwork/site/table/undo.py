"""Undo log of a controller, for messages that the books refuse."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from feltwork.site.progressive import round as rules
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.round_facts import HandCleared, HandPressed


@dataclass(kw_only=True)
class Undo:
    """The changes in one round, by the step of their messages."""

    #: Hands entered or cleared, with the previous claim of the seat.
    named: dict[int, tuple[HandPressed | HandCleared, str]] = field(default_factory=dict)
    #: The round before the key was turned or it ended.
    before: dict[int, TableRound] = field(default_factory=dict)
    #: Corrected seats.
    corrected: dict[int, int] = field(default_factory=dict)
    #: Seats marked or unmarked as folded.
    folded: dict[int, int] = field(default_factory=dict)

    def taken_back(
        self, step: int, round_: TableRound, claims: Mapping[int, str]
    ) -> tuple[TableRound, dict[int, str]]:
        """Undo the message of a step."""
        before = self.before.pop(step, None)
        corrected = self.corrected.pop(step, None)
        folded = self.folded.pop(step, None)
        naming = self.named.pop(step, None)
        if before is not None:
            return before if round_.phase == "idle" else replace(round_, phase=before.phase), dict(claims)
        if corrected is not None:
            return rules.with_seats(round_, {corrected} ^ set(round_.seats)), dict(claims)
        if folded is not None:
            return replace(round_, folded=round_.folded ^ {folded}), dict(claims)
        if naming is not None:
            return _without_hand(round_, claims, *naming)
        return round_, dict(claims)


def _without_hand(
    round_: TableRound, claims: Mapping[int, str], fact: HandPressed | HandCleared, award: str
) -> tuple[TableRound, dict[int, str]]:
    seat, hands, open_claims = fact.seat, dict(round_.hands), dict(claims)
    cleared = isinstance(fact, HandCleared)
    if round_.phase == "idle" or seat in round_.confirmed or (not cleared and hands.get(seat) != fact.hand):
        return round_, open_claims
    open_claims.pop(seat, None)
    if cleared:
        hands[seat] = fact.hand
        open_claims |= {seat: award} if award else {}
    return rules.take_out(replace(round_, hands=hands), seats=() if cleared else [seat]), open_claims
