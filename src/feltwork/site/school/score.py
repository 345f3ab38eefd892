"""A trainee's score, weakest subjects first."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer; the subject is the bet that was settled, or the decision."""

    game: str
    subject: str
    right: bool
    #: The expected loss of a player's mistake, in units of the first wager.
    cost: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class WeakSpot:
    """All attempts at one subject."""

    game: str
    subject: str
    asked: int
    wrong: int
    cost: Fraction

    @property
    def share_wrong(self) -> Fraction:
        """The share of wrong answers."""
        return Fraction(self.wrong, self.asked)


@dataclass(frozen=True, slots=True)
class Score:
    """All attempts, and the subjects with mistakes, weakest first."""

    asked: int
    right: int
    cost: Fraction
    weak_spots: tuple[WeakSpot, ...]


def score(attempts: Iterable[Attempt]) -> Score:
    """Score attempts."""
    by_subject: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_subject[attempt.game, attempt.subject].append(attempt)
    spots = [_spot(*subject, group) for subject, group in by_subject.items()]
    weak = sorted(
        (spot for spot in spots if spot.wrong),
        key=lambda spot: (-spot.share_wrong, -spot.wrong, spot.game, spot.subject),
    )
    total = sum(spot.asked for spot in spots)
    wrong = sum(spot.wrong for spot in spots)
    return Score(total, total - wrong, sum((spot.cost for spot in spots), Fraction(0)), tuple(weak))


def _spot(game: str, subject: str, attempts: list[Attempt]) -> WeakSpot:
    wrong = sum(not attempt.right for attempt in attempts)
    return WeakSpot(
        game, subject, len(attempts), wrong, sum((attempt.cost for attempt in attempts), Fraction(0))
    )
