"""Simulated dealers: the buttons of a round, and mistakes."""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from feltwork.site.progressive.link import Link
from feltwork.titles.meter_pays import hands_of
from feltwork.titles.paytables.paytable import Share
from feltwork.titles.round import Round, TableJackpot

#: The rates of wrong hands and of misdeals.
SLIPS, MISDEALS = 0.01, 0.002


@dataclass(frozen=True, slots=True)
class Press:
    """A hand button; a second press clears it."""

    seat: int
    hand: str


def on_table(link: Link) -> TableJackpot:
    """A link with its meters at their seeds, which do not affect the winning hands."""
    return TableJackpot(
        jackpot=link.title,
        paytable=link.paytable,
        wager=link.wager,
        meters={level.name: level.seed for level in link.levels},
        options=link.options,
        variant=link.variant,
        reseed={level.name: level.seed for level in link.levels},
    )


def hands_to_name(round_: Round, jackpot: TableJackpot) -> dict[int, str]:
    """The seats whose hand the dealer enters: winners, and hands that trigger envy."""
    hands = hands_of(round_, jackpot)
    everyone = jackpot.options["envy_from"] == "any_player"
    shared = bool(hands.backing) and jackpot.options.get("share_with") == "all_bettors"
    return {
        seat: row.hand
        for seat, row in hands.rows.items()
        if row is not None
        and (
            seat in hands.backing
            or (seat in hands.bettors and shared and isinstance(row.pays, Share))
            or (seat not in hands.bettors and everyone and row.envy > 0)
        )
    }


def presses(
    hands: Mapping[int, str], jackpot: TableJackpot, bettors: Collection[int], dice: random.Random
) -> tuple[Press, ...]:
    """Return the button presses in order, sometimes with a wrong one that is cleared.

    Beside other hands, the books may refuse a wrong one that no deal gives with them.
    """
    pressed: list[Press] = []
    fixed = [row for row in jackpot.paytable.rows if not isinstance(row.pays, Share)]
    for seat, hand in sorted(hands.items(), reverse=True):
        # A seat without a wager has buttons only for hands that trigger envy.
        answering = [row.hand for row in fixed if seat in bettors or row.envy > 0]
        slips = len(hands) == 1 and answering and dice.random() < SLIPS
        wrong = dice.choice(answering) if slips else hand
        if wrong != hand:
            pressed += [Press(seat, wrong), Press(seat, wrong)]
        pressed.append(Press(seat, hand))
    return tuple(pressed)
