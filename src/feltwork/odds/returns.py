"""The long-run return of a jackpot wager to the bettor, computed only here.

Contributions to a meter are eventually paid out, and each restart adds a seed. So the meter's part of the
return follows from how often it restarts and who is paid, which depends on the house options and on the other
bettors.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb

from feltwork.money import WHOLE_BASIS_POINTS
from feltwork.odds.atoms import Atoms
from feltwork.odds.pricing import Price, price, returned
from feltwork.odds.sheet import BOTH, sheet, sides
from feltwork.odds.title_odds import odds_of
from feltwork.odds.two_winners import Pairs, is_counted, two_winners
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import meter_pays, registry
from feltwork.titles.paytables.paytable import Odds, Paytable, Row, Share
from feltwork.titles.title import Game, Jackpot, Option, OptionValue, never_folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The operator's terms for one meter: amounts in dollars, rates as fractions of the wager."""

    seed: Fraction = Fraction(0)
    contribution: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    cap: Fraction | None = None
    #: The posted amount of a house jackpot, which has no meter.
    posted: Fraction | None = None


@dataclass(frozen=True, slots=True)
class TableSetting:
    """The game under a jackpot, the variant played on it, and the table's options."""

    game: Game
    variant: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Crowd:
    """The players at a table: the bettor and others with a hand, some of whom bet on the jackpot."""

    players: int = 1
    #: Number of bettors, including the bettor; unused if ``betting`` is given.
    bettors: int = 1
    #: The chance that each of the others bets.
    betting: Fraction | None = None

    def others(self) -> Iterator[tuple[int, Fraction]]:
        """Yield each possible number of other bettors with its probability."""
        if self.betting is None:
            yield self.bettors - 1, Fraction(1)
            return
        most = self.players - 1
        for count in range(most + 1):
            yield count, comb(most, count) * self.betting**count * (1 - self.betting) ** (most - count)

    @property
    def mean_bettors(self) -> Fraction:
        """The mean number of bettors, including the bettor."""
        return 1 + sum((count * chance for count, chance in self.others()), Fraction(0))

    @property
    def mean_pairs(self) -> Fraction:
        """The mean number of pairs of bettors."""
        return sum((comb(1 + count, 2) * chance for count, chance in self.others()), Fraction(0))

    @property
    def mean_triples(self) -> Fraction:
        """The mean number of sets of three bettors."""
        return sum((comb(1 + count, 3) * chance for count, chance in self.others()), Fraction(0))


ALONE = Crowd()


def crowds(seats: int) -> dict[str, Crowd]:
    """Return the crowds for which a return is stated."""
    half = (seats + 1) // 2
    return {
        "alone at the table": ALONE,
        f"with {half} of {seats} players betting": Crowd(seats, half),
        f"with all {seats} players betting": Crowd(seats, seats),
    }


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A jackpot as offered at a table."""

    jackpot: Jackpot | None
    paytable: Paytable
    #: Prices by side of the bet; the side is empty for a bet without sides.
    prices: Mapping[str, Price]
    wager: Fraction
    terms: Mapping[str, Terms] = field(default_factory=dict)
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    view: str = ""
    decks: int = 1

    @property
    def divides(self) -> bool:
        """Whether a share is divided among the bettors of a round."""
        return self.jackpot is not None and self.jackpot.divides_shares

    @cached_property
    def pairs(self) -> Pairs:
        """How often two given players both take a share."""
        pairs = two_winners(self.jackpot, self.paytable, self.view, self.decks) if self.jackpot else {}
        if pairs is None:
            what = f"the chance that two players share {self.view or 'a round'} is not computed"
            raise ProblemsError([Problem("several_winners", what, "pay several winners in seat order")])
        return pairs


@dataclass(frozen=True, slots=True)
class Return:
    """The long-run return of each unit wagered."""

    fixed: Fraction
    #: Return from a meter, by row.
    rows: Mapping[str, Fraction]
    envy: Fraction
    #: Mean 100% prize by level, before it is divided.
    mean_award: Mapping[str, Fraction]
    #: Mean hits per round of this crowd, by level and share; a divided share counts once.
    hits: Mapping[str, Mapping[Fraction, Fraction]]
    #: The error of the mean prize, from three or more winners in one round.
    award_error: Mapping[str, Fraction]
    #: Return per dollar on the row's meter, by row.
    per_dollar: Mapping[str, Fraction]

    @property
    def total(self) -> Fraction:
        """The total return."""
        return self.fixed + sum(self.rows.values(), Fraction(0)) + self.envy

    @property
    def kept(self) -> Fraction:
        """The part of the wager that is not returned."""
        return 1 - self.total


@dataclass(frozen=True, slots=True)
class _Mix:
    """The number of bettors on each side, and the probability."""

    chance: Fraction
    bettors: Mapping[str, int]


def offer(
    paytable: Paytable,
    *,
    counting: Mapping[str, str],
    options: Mapping[str, OptionValue],
    wager: Fraction,
    terms: Mapping[str, Terms],
    at: TableSetting | None = None,
) -> Offer:
    """Describe a jackpot at a table; ``counting`` holds the options of its counts."""
    title = registry.title(paytable.title) if paytable.title in registry.names() else None
    jackpot = title if isinstance(title, Jackpot) else None
    if not sides(paytable) or counting.get("side") == BOTH:
        prices = {"": sheet(paytable, counting).price}
    else:
        prices = {side: sheet(paytable, {**counting, "side": side}).price for side in sides(paytable)}
    if at and at.game.folded is not never_folded and options.get("folded_hands_qualify") is False:
        folded = _folded(paytable, at)
        prices = {side: _without(priced, folded) for side, priced in prices.items()}
    return Offer(
        jackpot=jackpot,
        paytable=paytable,
        prices=prices,
        wager=wager,
        terms=terms,
        options={option.name: options.get(option.name, option.default) for option in house_options(jackpot)},
        view=_view(jackpot, at) if jackpot else "",
        decks=int(counting.get("decks", 1)),
    )


def house_options(jackpot: Jackpot | None) -> tuple[Option, ...]:
    """Return the options that change the return of a jackpot."""
    return (*meter_pays.OPTIONS, *(jackpot.options if jackpot else ()))


def _view(jackpot: Jackpot, at: TableSetting | None) -> str:
    """Return the jackpot's view on a game, if one is given; prefer a counted view."""
    variants = (at.variant,) if at and at.variant in jackpot.views else jackpot.variants
    views = [
        view for variant in variants for view in jackpot.views[variant] if not at or view in at.game.views
    ]
    return next((view for view in views if is_counted(view)), views[0] if views else "")


def _folded(paytable: Paytable, at: TableSetting) -> Atoms:
    count = odds_of(at.game.name).folded.get(paytable.title)
    if count is None:
        what = f"folded hands of {at.game.name} are not counted for {paytable.title}"
        raise ProblemsError([Problem("folded_hands_qualify", what, "let folded hands qualify")])
    return count(at.options)


def _without(priced: Price, folded: Atoms) -> Price:
    """Return the price with folded deals unpaid; folded deals are counted by hole cards and board."""
    if not folded:
        return priced
    unpaid = price(priced.paytable, folded)
    scale = _HOLES_AND_FLOPS // _FIVE_CARDS if priced.total == _FIVE_CARDS else 1
    deals = {
        place: count * scale - (unpaid.deals.get(place, 0) if place is not None else 0)
        for place, count in priced.deals.items()
    }
    deals[None] = priced.total * scale - sum(count for place, count in deals.items() if place is not None)
    return Price(priced.paytable, deals)


_FIVE_CARDS = comb(52, 5)
_HOLES_AND_FLOPS = comb(52, 2) * comb(50, 3)


def returns(offered: Offer, crowd: Crowd = ALONE, *, side: str = "") -> Return:
    """Compute the return to a bettor, on a side if the bet has sides.

    The other bettors choose either side with equal probability. With ``split`` and ``each_in_full``, three or
    more shares of one meter in one round are the error of the mean prize.
    """
    priced = offered.prices[side]
    from_anybody = offered.options.get("envy_from") == "any_player"
    others = (crowd.players if from_anybody else crowd.mean_bettors) - 1
    mixes = list(_mixes(offered, crowd, side))
    meters = {level: _Meter(offered, crowd, mixes, level) for level in offered.paytable.levels}
    per_dollar = {
        row.hand: sum(
            (mix.chance * _part(offered, mix, at, place, side) for mix in mixes for at in offered.prices),
            Fraction(0),
        )
        * _share(row)
        / offered.wager
        for place, row in enumerate(offered.paytable.rows)
        if isinstance(row.pays, Share)
    }
    awards = {level: meter.award for level, meter in meters.items()}
    return Return(
        fixed=priced.fixed_return,
        rows={
            row.hand: per_dollar[row.hand] * awards[_level(row)]
            for row in offered.paytable.rows
            if row.hand in per_dollar
        },
        envy=others * priced.envy_per_bettor,
        mean_award=awards,
        award_error={level: meter.error for level, meter in meters.items()},
        hits={level: meter.hits for level, meter in meters.items()},
        per_dollar=per_dollar,
    )


def _mixes(offered: Offer, crowd: Crowd, side: str) -> Iterator[_Mix]:
    """Yield the ways to choose sides: one bettor is on ``side``, the others choose with equal probability."""
    for others, chance in crowd.others():
        if len(offered.prices) == 1:
            yield _Mix(chance, {side: 1 + others})
            continue
        (other,) = set(offered.prices) - {side}
        for along in range(others + 1):
            evenly = Fraction(comb(others, along), 2**others)
            yield _Mix(chance * evenly, {side: 1 + along, other: others - along})


def _part(offered: Offer, mix: _Mix, at: str, place: int, side: str) -> Fraction:
    """Return the chance that a row on a side pays the bettor, times the bettor's part of the share."""
    chance = offered.prices[at].probability(place)
    if not offered.divides:
        return chance if at == side else Fraction(0)
    if not mix.bettors[at]:
        return Fraction(0)
    if offered.options.get("share_with") == "all_bettors":
        return chance / sum(mix.bettors.values())
    return chance / mix.bettors[at] if at == side else Fraction(0)


def _often(offered: Offer, mixes: list[_Mix], place: int) -> Fraction:
    """Return how often a row is hit in a round, once for all bettors if they divide one share."""
    return sum(
        (
            mix.chance * offered.prices[at].probability(place) * (1 if offered.divides else mix.bettors[at])
            for mix in mixes
            for at in offered.prices
            if mix.bettors[at]
        ),
        Fraction(0),
    )


class _Meter:
    """One meter in the long run, per round of a crowd."""

    def __init__(self, offered: Offer, crowd: Crowd, mixes: list[_Mix], level: str) -> None:
        self.hits: dict[Fraction, Fraction] = {}
        self.error = Fraction(0)
        bettors = crowd.mean_bettors
        shares = [(place, row) for place, row in enumerate(offered.paytable.rows) if _level(row) == level]
        for place, row in shares:
            often = _often(offered, mixes, place)
            self.hits[_share(row)] = self.hits.get(_share(row), Fraction(0)) + often
        terms = offered.terms[level]
        if terms.posted is not None:
            self.award = terms.posted
            return
        paid = sum((share * often for share, often in self.hits.items()), Fraction(0))
        several = _several(offered, crowd, [row for _, row in shares])
        restarts, from_house = self.hits.get(Fraction(1), Fraction(0)) - several.restarts, several.from_house
        inflow = bettors * offered.wager * (terms.contribution + terms.reserve) + terms.seed * restarts
        if offered.options.get("fixed_pays_from") == "meter" and level == offered.paytable.levels[-1]:
            inflow -= offered.wager * sum(
                (
                    mix.chance * mix.bettors[at] * _fixed_awards(offered.prices[at])
                    for mix in mixes
                    for at in offered.prices
                ),
                Fraction(0),
            )
        # A meter that pays out more than it takes in is empty, and the tray pays.
        self.award = max(inflow, Fraction(0)) / (paid - from_house) if paid else Fraction(0)
        if several.lost_restarts or several.lost_pays:
            more = several.lost_restarts * terms.seed + several.lost_pays * self.award
            self.error = more / (paid - from_house - several.lost_pays)


@dataclass(frozen=True, slots=True)
class _Several:
    """What several winners in one round change, per round, from pairs of them; and what triples may add."""

    restarts: Fraction = Fraction(0)
    from_house: Fraction = Fraction(0)
    lost_restarts: Fraction = Fraction(0)
    lost_pays: Fraction = Fraction(0)


def _several(offered: Offer, crowd: Crowd, rows: list[Row]) -> _Several:
    """Count the pairs of winners; by Bonferroni, they alone are wrong by at most the triples."""
    policy = offered.options.get("several_winners", "seat_order")
    if offered.divides or policy == "seat_order" or crowd.mean_bettors <= 1:
        return _Several()
    both = [
        (
            _share(row) + _share(other),
            offered.pairs.get((row.hand, other.hand), Fraction(0)) * crowd.mean_pairs,
        )
        for row in rows
        for other in rows
    ]
    # Two shares come to 200% only if both are whole.
    whole = sum((often for size, often in both if size == 2), Fraction(0))
    triples = crowd.mean_triples / crowd.mean_pairs
    if policy == "split":
        return _Several(restarts=whole, lost_restarts=whole * triples)
    return _Several(
        restarts=whole,
        from_house=sum((often * max(size - 1, Fraction(0)) for size, often in both), Fraction(0)),
        lost_restarts=whole * triples,
        lost_pays=sum((often for _, often in both), Fraction(0)) * triples,
    )


def _level(row: Row) -> str:
    return row.pays.level if isinstance(row.pays, Share) else ""


def _share(row: Row) -> Fraction:
    assert isinstance(row.pays, Share)
    return Fraction(row.pays.basis_points, WHOLE_BASIS_POINTS)


def _fixed_awards(priced: Price) -> Fraction:
    """The mean fixed pay without the returned stake, which never comes off a meter."""
    rows = enumerate(priced.paytable.rows)
    return sum(
        (
            priced.probability(place) * (returned(row) - (1 if row.pays.stake_returned else 0))
            for place, row in rows
            if isinstance(row.pays, Odds)
        ),
        Fraction(0),
    )
