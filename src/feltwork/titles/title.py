"""The interface of a title: a game or a jackpot declared as data and pure functions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from feltwork.money import Micros
from feltwork.problem import Problem
from feltwork.titles.cards.card import Card
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.settlement import BetResult

if TYPE_CHECKING:
    from feltwork.titles.hands.columns import Ints
    from feltwork.titles.round import Round, Seat

OptionValue: TypeAlias = str | int | bool
#: The cards a bet looks at, in groups defined by the view: hole cards and board, player and banker.
Sight: TypeAlias = tuple[tuple[Card, ...], ...]
View: TypeAlias = "Callable[[Round, Seat], Sight | None]"


_TIMES = {Fraction(1, 2): "half the", Fraction(1): "one", Fraction(2): "two", Fraction(3): "three"}


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a wager, from ``least`` to ``most`` times another one."""

    of: str
    least: Fraction = Fraction(1)
    most: Fraction = Fraction(1)
    #: A bet whose proceeds (win and stake) may be added.
    plus_proceeds_of: str = ""

    def allows(self, amount: Micros, base: Micros) -> bool:
        """Whether an amount has this size relative to the other wager."""
        return self.least * base <= amount <= self.most * base

    def __str__(self) -> str:
        most = f"{_TIMES[self.most]} {self.of}{'s' if self.most > 1 else ''}"
        if self.least == self.most:
            return f"exactly {most}"
        return f"{_TIMES[self.least]} to {most}" if self.least else f"at most {most}"


@dataclass(frozen=True, slots=True)
class Wager:
    """A bet of a game; without a ``size`` it has limits of its own."""

    name: str
    says: str
    #: The bet whose paytable pays it, if any.
    paytable: str = ""
    size: Size | None = None
    #: Another bet that must be on offer.
    needs: str = ""
    #: The rule about its amount.
    cites: str = "public rules"

    @property
    def is_side_bet(self) -> bool:
        """Whether the floor file offers it with its own highest wager."""
        return bool(self.paytable) and self.size is None


@dataclass(frozen=True, slots=True)
class Option:
    """A house option; the first value is the default."""

    name: str
    values: tuple[OptionValue, ...]
    says: str
    #: Whether a floor file must set it; single rounds use the default.
    required: bool = False

    @property
    def default(self) -> OptionValue:
        """The value in force when none is set."""
        return self.values[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision of one player: the choices and the cards the player sees."""

    seat: int
    name: str
    choices: tuple[str, ...]
    cards: tuple[Card, ...]
    sees: Mapping[str, tuple[Card, ...]]
    options: Mapping[str, OptionValue]


Decide: TypeAlias = Callable[[Decision], str]


def never_folded(_round: "Round", _seat: "Seat") -> bool:
    """The `folded` function of games without a fold."""
    return False


def nothing_drawn(_seat: "Seat") -> Iterable[Card]:
    """The `drawn_cards` function of games that deal all cards at once."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: its wagers, deal, decisions and pays."""

    name: str
    title: str
    #: The code of the approval letter with its rules; empty for public rules.
    letter: str
    wagers: tuple[Wager, ...]
    #: The base wagers; side bets and jackpots require one of them.
    base: tuple[str, ...]
    #: Cards on the layout that belong to no seat, with the number in a valid deal (0: it varies).
    table_cards: Mapping[str, int]
    seat_cards: int
    #: Whether a wrong number of cards voids the round; otherwise it is an input error.
    voids_on_misdeal: bool
    max_seats: int
    views: Mapping[str, View]
    check: "Callable[[Round], list[Problem]]"
    settle: "Callable[[Round, Seat], dict[str, BetResult]]"
    #: Numbers for every seat of many rounds, from the cards: seats with the same wagers and numbers are
    #: settled alike. None if each round is settled as a whole.
    columns: "Callable[[Mapping[str, Ints]], Sequence[Ints]] | None" = None
    play: "Callable[[Round, Shoe, Decide], Round]"
    rule_of_thumb: Decide
    #: The row names allowed in the paytables of each bet.
    rows: Mapping[str, frozenset[str]]
    folded: "Callable[[Round, Seat], bool]" = never_folded
    #: Typical opening wagers; simulated seats rotate among them.
    openings: tuple[tuple[str, ...], ...] = ()
    #: Additions to a wager during play, such as doubles and splits.
    added_wagers: tuple[Wager, ...] = ()
    #: Bonuses paid on another wager by their own paytable, such as the Ante Bonus of 6-5-4.
    riding: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    #: ``table_cards`` that are not dealt once every player has folded.
    empty_when_all_fold: frozenset[str] = frozenset()
    #: Extra notation fields of a seat, such as how a blackjack hand was played.
    seat_fields: Mapping[str, str] = field(default_factory=dict)
    #: The cards named in those fields, drawn after the deal.
    drawn_cards: "Callable[[Seat], Iterable[Card]]" = nothing_drawn
    #: Bets whose paytable depends on the deal, not on the operator.
    chosen_by_deal: tuple[str, ...] = ()
    #: The module whose ``ODDS`` declares the counts, the solver and the strategy in words.
    odds: str = ""

    @property
    def paytable_bets(self) -> tuple[str, ...]:
        """The bets paid by a paytable."""
        bets = [wager.paytable for wager in self.wagers if wager.paytable]
        return tuple(dict.fromkeys((*bets, *self.riding)))


def backs_always(_sight: Sight, _seat: "Seat") -> bool:
    """The `backs` function of jackpots decided by a seat's own cards."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Jackpot:
    """A jackpot: the cards it looks at and the rows they match."""

    name: str
    title: str
    letter: str
    #: The views that each variant uses; the variant is ``""`` where there is only one.
    views: Mapping[str, tuple[str, ...]]
    #: Returns the row names that a sight matches.
    names: Callable[[Sight], frozenset[str]]
    #: All row names.
    rows: frozenset[str]
    #: Whether the winning hand belongs to this seat; in baccarat, to the side it bet on.
    backs: "Callable[[Sight, Seat], bool]" = backs_always
    #: Whether the winners divide one share of a meter instead of getting one each.
    divides_shares: bool = False
    #: The letter's name for the start button of an Aquarius keypad [C4.aquarius.6, TH.aquarius.6].
    aquarius_start: str = "COIN IN"
    #: The deck counts it is approved for; empty for any.
    decks: tuple[int, ...] = ()
    options: tuple[Option, ...] = ()
    #: The module whose ``ODDS`` declares the counts.
    odds: str = ""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants to choose from, the default first."""
        return tuple(self.views)
