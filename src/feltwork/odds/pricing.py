"""Prices: the return of a paytable on counted deals, in exact fractions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from feltwork.money import DOLLAR
from feltwork.odds.atoms import Atoms
from feltwork.titles.paytables.paytable import Odds, Paytable, Push, Row, Share


@dataclass(frozen=True, slots=True)
class RowReturn:
    """A row's probability, and its average return as a share of the wager."""

    hand: str
    pays: str
    probability: Fraction
    #: None where the row pays a share of a meter whose mean is unknown.
    returns: Fraction | None
    deals: int = 0


@dataclass(frozen=True)
class Price:
    """A paytable on counted deals. All amounts are for a wager of one unit."""

    paytable: Paytable
    #: Deals by the index of the row that pays them; None counts the deals that no row pays.
    deals: Mapping[int | None, int]
    #: Earlier rows that pay all hands of a never-paid row, by the index of that row.
    shadows: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def total(self) -> int:
        """The number of deals."""
        return sum(self.deals.values())

    def probability(self, place: int | None) -> Fraction:
        """Return the probability of a row."""
        return Fraction(self.deals.get(place, 0), self.total)

    @cached_property
    def hit_frequency(self) -> Fraction:
        """The probability of any pay; a push is not a hit."""
        return sum((self.probability(place) for place, row in self._rows() if not _is_push(row)), Fraction(0))

    @cached_property
    def fixed_return(self) -> Fraction:
        """The return of all rows that do not pay a share of a meter, returned stakes included."""
        return sum((self.probability(place) * returned(row) for place, row in self._rows()), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """The house edge of a bet without a meter."""
        assert not self.paytable.levels, "a bet with a meter has no fixed edge"
        return 1 - self.fixed_return

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the fixed pays on one unit."""
        squares = sum(
            (self.probability(place) * returned(row) ** 2 for place, row in self._rows()), Fraction(0)
        )
        return squares - self.fixed_return**2

    @property
    def top_odds(self) -> Fraction:
        """The number of deals per hit of the top row."""
        return 1 / self.probability(0)

    @cached_property
    def envy_per_bettor(self) -> Fraction:
        """The envy return from one other hand at the table, for a one-dollar wager."""
        return sum(
            (self.probability(place) * Fraction(row.envy, DOLLAR) for place, row in self._rows()), Fraction(0)
        )

    def whole_share_probability(self, level: str) -> Fraction:
        """Return the probability that a meter is paid in full."""
        return sum(
            (self.probability(place) for place, row in self._rows() if row.pays == Share(10_000, level)),
            Fraction(0),
        )

    def mean_share(self, level: str) -> Fraction:
        """Return the mean share of a meter that a deal pays."""
        shares = (
            self.probability(place) * Fraction(row.pays.basis_points, 10_000)
            for place, row in self._rows()
            if isinstance(row.pays, Share) and row.pays.level == level
        )
        return sum(shares, Fraction(0))

    def break_even_meter(self, *, other_bettors: int = 0) -> Fraction:
        """Return the meter at which one dollar returns exactly one dollar, growth ignored."""
        (level,) = self.paytable.levels
        missing = 1 - self.fixed_return - other_bettors * self.envy_per_bettor
        return missing / self.mean_share(level)

    def row_returns(self) -> tuple[RowReturn, ...]:
        """List the rows with their probability and return; a share of a meter counts as zero."""
        return tuple(
            RowReturn(
                row.hand,
                str(row.pays),
                self.probability(place),
                self.probability(place) * returned(row),
                self.deals[place],
            )
            for place, row in self._rows()
        )

    def _rows(self) -> list[tuple[int, Row]]:
        return list(enumerate(self.paytable.rows))


def price(paytable: Paytable, atoms: Atoms) -> Price:
    """Assign every counted deal to the first row that pays it."""
    deals: dict[int | None, int] = dict.fromkeys((*range(len(paytable.rows)), None), 0)
    paid_instead: dict[int, dict[str, None]] = {}
    for names, count in atoms.items():
        places = [place for place, row in enumerate(paytable.rows) if row.hand in names]
        deals[places[0] if places else None] += count
        for place in places[1:]:
            paid_instead.setdefault(place, {})[paytable.rows[places[0]].hand] = None
    shadows = {place: tuple(rows) for place, rows in paid_instead.items() if not deals[place]}
    return Price(paytable, deals, shadows)


def returned(row: Row) -> Fraction:
    """Return a row's pay on one unit, including a returned stake; a share counts as zero."""
    if isinstance(row.pays, Odds):
        return Fraction(row.pays.wins, row.pays.per) + (1 if row.pays.stake_returned else 0)
    return Fraction(1 if _is_push(row) else 0)


def net_pay(row: Row) -> Fraction:
    """Return a row's net win on one unit: "3 for 1" and "2 to 1" win two, a push nothing."""
    return returned(row) - 1


def _is_push(row: Row) -> bool:
    return isinstance(row.pays, Push)
