"""A what-if question: a paytable, published or edited, with meter terms and the size of a floor."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from feltwork import money
from feltwork.money import DOLLAR, WHOLE_BASIS_POINTS
from feltwork.odds.pricing import Price
from feltwork.odds.returns import Crowd, Offer, Return, TableSetting, Terms, offer, returns
from feltwork.odds.sheet import BOTH, counted_bet, default_options, sheet
from feltwork.odds.title_odds import Cards
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game, Jackpot, OptionValue

#: Default contributions in basis points, the highest level first.
_USUAL_RATES = {1: (2_400,), 2: (1_400, 1_000), 3: (1_200, 800, 400)}
#: The largest part of a wager that a default seed may cost.
_USUAL_SEED_COST = Fraction(1, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorSize:
    """The size of a floor, which sets the number of wagers."""

    tables: int = 1
    seats: int = 6
    rounds_per_hour: Fraction = Fraction(50)
    #: The share of seats that bet in an average round.
    betting: Fraction = Fraction(1, 2)

    @property
    def rounds(self) -> Fraction:
        """Rounds per hour on all tables."""
        return self.tables * self.rounds_per_hour

    @property
    def bettors(self) -> Fraction:
        """Wagers in an average round."""
        return self.seats * self.betting


@dataclass(frozen=True, kw_only=True)
class Question:
    """A paytable with its options, meter terms and floor."""

    paytable: Paytable
    options: Mapping[str, str] = field(default_factory=dict)
    wager: Fraction = Fraction(1)
    terms: Mapping[str, Terms] = field(default_factory=dict)
    floor: FloorSize = FloorSize()
    #: Other bettors at the table: their hands trigger envy, and they share divided prizes. None if each other
    #: seat bets with the probability of the floor.
    others: int | None = 0
    #: All players with a hand, including those who do not bet: their hands may trigger envy, too.
    players: int = 1
    #: House options of the jackpot, such as ``share_with``; the rules' own defaults for the others.
    house: Mapping[str, OptionValue] = field(default_factory=dict)
    #: The game under the jackpot, by name; it decides which hands are folded.
    game: str = ""
    #: Current amounts on the meters, if given.
    meters: Mapping[str, Fraction] = field(default_factory=dict)
    #: An amount for each meter: how often a hit pays more.
    above: Mapping[str, Fraction] = field(default_factory=dict)
    #: Two hits within this many wagers count as back to back.
    within: int = 1_000
    #: A player's session: the bank in wagers, the rounds, and the accepted risk of ruin.
    bank: int = 100
    session: int = 500
    risk: Fraction = Fraction(1, 20)
    #: Cards that a player has seen before the bet, or their number.
    exposed: int | Cards = 0
    #: Whether to simulate figures without a closed form.
    sampled: bool = False

    @property
    def crowd(self) -> Crowd:
        """The players at the table, and how many of them bet."""
        if self.others is None:
            return Crowd(max(self.players, self.floor.seats), betting=self.floor.betting)
        return Crowd(max(self.players, 1 + self.others), 1 + self.others)

    @property
    def side(self) -> str:
        """The side of the bet, where it has one that a bettor can choose."""
        side = self.options.get("side", "")
        return "" if side == BOTH else side

    @cached_property
    def offer(self) -> Offer:
        """The jackpot as offered at a table."""
        game = registry.game(self.game) if self.game else None
        return offer(
            self.paytable,
            counting=self.options,
            options=self.house,
            wager=self.wager,
            terms=self.terms,
            at=TableSetting(game, options={option.name: option.default for option in game.options})
            if game
            else None,
        )

    @cached_property
    def returns(self) -> Return:
        """The bettor's long-run return."""
        return returns(self.offer, self.crowd, side=self.side)


def verify(question: Question) -> None:
    """Raise all problems of a question together."""
    problems = []
    paytable = question.paytable
    if set(question.terms) != set(paytable.levels):
        levels = ", ".join(paytable.levels) or "none"
        problems.append(
            Problem(
                "terms",
                f"the meters of {paytable.name} are: {levels}",
                "give seed, contribution and reserve for each",
            )
        )
    if question.wager <= 0:
        problems.append(Problem("wager", "must be above zero", "write it like 1.00"))
    for level, terms in question.terms.items():
        if min(terms.seed, terms.contribution, terms.reserve) < 0:
            problems.append(Problem(level, "a rate or the seed is negative", "choose 0 or more"))
        if terms.cap is not None and terms.cap < terms.seed:
            problems.append(Problem(level, "the cap is below the seed", "raise the cap or remove it"))
    if sum(terms.contribution + terms.reserve for terms in question.terms.values()) > 1:
        problems.append(
            Problem("terms", "contributions and reserves add up to more than the wager", "lower them to 100%")
        )
    if not 0 < question.floor.betting <= 1 or question.floor.rounds <= 0 or question.floor.seats < 1:
        what = "tables, seats, rounds and the share of seats that bet must be above zero"
        problems.append(Problem("floor", what, "write them like 10 tables, 6 seats, 50 rounds, 50%"))
    problems += [*_too_many(question), *_unused(question)]
    if question.exposed and counted_bet(paytable.title, paytable.bet).drawn is None:
        what = f"exposed cards are not counted for {paytable.title}/{paytable.bet}"
        remedy = "remove this field; for a bet dealt from a shoe, use card removal"
        problems.append(Problem("exposed", what, remedy))
    if problems:
        raise ProblemsError(problems)


def games_of(paytable: Paytable) -> tuple[Game, ...]:
    """Return the games at whose table a paytable can be played."""
    title = registry.title(paytable.title)
    if isinstance(title, Game):
        return (title,)
    return tuple(game for game in registry.games() if title in registry.fitting(game))


def _too_many(question: Question) -> list[Problem]:
    """Refuse more players than a table of the game seats."""
    games = [registry.game(question.game)] if question.game else games_of(question.paytable)
    most = max((game.max_seats for game in games), default=question.crowd.players)
    crowded = {"seats": question.floor.seats, "players": question.crowd.players}
    return [
        Problem(name, f"a table has at most {most} seats, not {count}", f"write a number up to {most}")
        for name, count in crowded.items()
        if count > most
    ]


def _unused(question: Question) -> list[Problem]:
    """Refuse options that would change nothing as the question stands."""
    house, problems = question.house, []
    if house.get("folded_hands_qualify") is False and not question.game:
        what = "which hands are folded depends on the game"
        problems.append(Problem("folded_hands_qualify", what, "name the game as well, as in game=crazy_4"))
    if house.get("envy_from") == "bettors" and not any(row.envy for row in question.paytable.rows):
        problems.append(Problem("envy_from", f"{question.paytable.name} pays no envy", "leave it out"))
    if house.get("several_winners", "seat_order") != "seat_order":
        if divides(question.paytable):
            what, remedy = "this jackpot always divides a share", "leave it out"
            problems.append(Problem("several_winners", what, remedy))
        elif question.crowd.mean_bettors == 1:
            what, remedy = "nobody else bets at the table", "say how many do, as in others=5"
            problems.append(Problem("several_winners", what, remedy))
    return problems


def settings_of(question: Question) -> dict[str, str]:
    """Return the terms and house options in effect as what-if fields; a bet without meters has none."""
    if not question.terms:
        return {}
    fields = {"wager": _amount(question.wager)}
    for level, terms in question.terms.items():
        fields[f"seed.{level}"] = _amount(terms.seed)
        fields[f"contribution.{level}"] = _rate(terms.contribution)
        fields[f"reserve.{level}"] = _rate(terms.reserve)
        fields[f"cap.{level}"] = "none" if terms.cap is None else _amount(terms.cap)
    fields |= {f"meter.{level}": _amount(amount) for level, amount in question.meters.items()}
    fields["seats"], fields["betting"] = str(question.floor.seats), _rate(question.floor.betting)
    fields |= {"players": str(question.players)} if question.others is not None else {}
    fields |= {"others": str(question.others)} if question.others is not None else {}
    fields |= {name: str(value).lower() for name, value in question.offer.options.items()}
    return fields | ({"game": question.game} if question.game else {})


def _amount(amount: Fraction) -> str:
    return money.text(int(amount * money.DOLLAR))


def _rate(rate: Fraction) -> str:
    return money.rate_text(int(rate * money.WHOLE_BASIS_POINTS))


def terms_of(question: Question) -> dict[str, str]:
    """Return all terms of an answer: those of the meters, and the floor on which times depend."""
    floor = {"tables": str(question.floor.tables), "rounds_per_hour": str(question.floor.rounds_per_hour)}
    return {**settings_of(question), **floor, "hours_a_day": "24"} if question.terms else {}


def usual(paytable: Paytable) -> Question:
    """Return the question about a paytable with its recommended terms, and defaults for the rest."""
    wager = _recommended(paytable, "wager", money.parse, Fraction(1), DOLLAR)
    options = default_options(paytable)
    if not paytable.levels:
        return Question(paytable=paytable, options=options, wager=wager)
    priced = sheet(paytable, options).price
    rates = _USUAL_RATES.get(len(paytable.levels), (100,) * len(paytable.levels))
    terms = {
        level: Terms(
            seed=_recommended(paytable, "seed", money.parse, _seed(priced, level), DOLLAR),
            contribution=Fraction(rate, WHOLE_BASIS_POINTS),
            reserve=_recommended(paytable, "reserve", money.parse_rate, Fraction(0), WHOLE_BASIS_POINTS),
        )
        for level, rate in zip(paytable.levels, rates, strict=True)
    }
    others = None if divides(paytable) else 0
    return Question(paytable=paytable, options=options, wager=wager, terms=terms, others=others)


def divides(paytable: Paytable) -> bool:
    """Whether a share is divided among the bettors of a round, so a round is one trial."""
    title = registry.title(paytable.title)
    return isinstance(title, Jackpot) and title.divides_shares


def _recommended(
    paytable: Paytable, name: str, parse: Callable[[str], int], default: Fraction, unit: int
) -> Fraction:
    """Read a term that the source of a paytable recommends."""
    if name not in paytable.recommended:
        return default
    text = str(paytable.recommended[name])
    try:
        return Fraction(parse(text), unit)
    except ValueError:
        problem = Problem(f"recommended.{name}", f"{text!r} is not valid", "write it like 1.00 or 5%")
        raise ProblemsError([problem]) from None


def _seed(priced: Price, level: str) -> Fraction:
    """Return the highest of 1, 2, 5, 10, 20 ... dollars within the default seed cost."""
    chance = priced.whole_share_probability(level)
    most = _USUAL_SEED_COST / chance if chance else Fraction(1)
    steps = [Fraction(first * 10**zeros) for zeros in range(9) for first in (1, 2, 5)]
    return max((step for step in steps if step <= most), default=Fraction(1))
