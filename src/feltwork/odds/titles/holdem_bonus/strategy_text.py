"""Hold'em Bonus strategy in words. The fold rule is exact; the Turn and River rules are summaries."""

from feltwork.odds.titles.holdem_bonus.solve import HoldemSolution

EXACT_RULE = (
    "A Turn or River bet pays even money on the showdown alone, so make it exactly when you win more of the "
    "remaining deals than you lose, whatever the criterion of the Ante."
)
ON_THE_TURN = (
    "Bet with a pair or better that uses a hole card, but not with a pair of fours or lower under the flop.",
    "Bet with four to a flush and a hole card of nine or higher.",
    "Bet with an open straight draw and a jack or higher, or an inside straight draw and a king or ace.",
    "Bet with an ace if the other hole card is a jack or higher, or if the flop is paired.",
    "Otherwise check.",
)
ON_THE_RIVER = (
    "Bet with a pair or better that uses a hole card, but not a pocket pair up to sevens under the board.",
    "Bet with an ace if the board is paired, and with an ace or king if it shows three of a kind.",
    "Bet with four to a flush and an ace; a king is enough if the board is paired or you draw to a straight.",
    "Otherwise check.",
)


def in_words(solution: HoldemSolution) -> tuple[str, ...]:
    """Describe optimal play, street by street."""
    return (
        before_the_flop(solution),
        EXACT_RULE,
        *(f"Turn: {rule}" for rule in ON_THE_TURN),
        *(f"River: {rule}" for rule in ON_THE_RIVER),
    )


def before_the_flop(solution: HoldemSolution) -> str:
    """List the hands to fold."""
    if not solution.folds:
        return "Never fold; always make the Flop bet."
    names = ", ".join(_spoken(name) for name in solution.folds)
    return f"Fold {names}; make the Flop bet with everything else."


def _spoken(name: str) -> str:
    """32o -> 3-2 offsuit."""
    suits = {"o": " offsuit", "s": " suited"}.get(name[2:], "")
    return "-".join(name[:2].replace("T", "X")).replace("X", "10") + suits
