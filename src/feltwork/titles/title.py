"""The contract of a title: what a game and a jackpot declare, as data and pure functions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from feltwork.cards.card import Card
from feltwork.cards.shoe import Shoe
from feltwork.problem import Problem
from feltwork.titles.settlement import BetResult

if TYPE_CHECKING:
    from feltwork.titles.round import Round, Seat

OptionValue: TypeAlias = str | int | bool
#: The cards a bet looks at, in groups that the view's name tells: hole cards and board, player and banker.
Sight: TypeAlias = tuple[tuple[Card, ...], ...]
View: TypeAlias = "Callable[[Round, Seat], Sight | None]"


@dataclass(frozen=True, slots=True)
class Wager:
    """A place on the layout for chips; ``paytable`` names the bet whose paytable pays it, if one does."""

    name: str
    says: str
    paytable: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that the rules leave to the operator; the first value is the default."""

    name: str
    values: tuple[OptionValue, ...]
    says: str
    #: Whether a floor file must choose; the default then serves a single round that is written down.
    required: bool = False

    @property
    def default(self) -> OptionValue:
        """What holds where the house says nothing."""
        return self.values[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A question to one player: which of these choices, seeing these cards."""

    seat: int
    name: str
    choices: tuple[str, ...]
    cards: tuple[Card, ...]
    sees: Mapping[str, tuple[Card, ...]]
    options: Mapping[str, OptionValue]


Decide: TypeAlias = Callable[[Decision], str]


def never_folded(_round: "Round", _seat: "Seat") -> bool:
    """The answer of games in which nobody folds."""
    return False


def nothing_drawn(_seat: "Seat") -> Iterable[Card]:
    """The answer of games in which a seat's cards are all dealt at once."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: what is wagered, dealt, decided and paid."""

    name: str
    title: str
    #: The code of the letter that holds its rules; empty where no letter does.
    letter: str
    wagers: tuple[Wager, ...]
    #: Any one of these is the regular wager that side bets and jackpots ask for.
    base: tuple[str, ...]
    #: Cards on the layout that belong to nobody's seat, with how many make a lawful deal (0: it varies).
    table_cards: Mapping[str, int]
    seat_cards: int
    #: A wrong number of cards voids the round; else it is an error in what was written down.
    voids_on_misdeal: bool
    max_seats: int
    views: Mapping[str, View]
    check: "Callable[[Round], list[Problem]]"
    settle: "Callable[[Round, Seat], dict[str, BetResult]]"
    play: "Callable[[Round, Shoe, Decide], Round]"
    rule_of_thumb: Decide
    #: The row names that each bet's paytables may use.
    rows: Mapping[str, frozenset[str]]
    folded: "Callable[[Round, Seat], bool]" = never_folded
    #: The sets of wagers that players usually open a round with; simulated seats take turns among them.
    openings: tuple[tuple[str, ...], ...] = ()
    #: Bets that pay on another wager and need a paytable of their own (the Ante Bonus of 6-5-4).
    riding: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    #: Places of ``table_cards`` that stay empty when every player has folded before their cards come.
    empty_when_all_fold: frozenset[str] = frozenset()
    #: What a seat may say besides cards and wagers (how a blackjack hand was played).
    seat_fields: Mapping[str, str] = field(default_factory=dict)
    #: The cards that those fields tell of, which left the shoe after the deal.
    drawn_cards: "Callable[[Seat], Iterable[Card]]" = nothing_drawn
    #: Bets whose paytable the deal itself chooses, not the house.
    chosen_by_deal: tuple[str, ...] = ()
    #: The module whose ``ODDS`` declares what is counted, how the game is solved and its strategy in words.
    odds: str = ""

    @property
    def paytable_bets(self) -> tuple[str, ...]:
        """The bets that are paid by a paytable."""
        bets = [wager.paytable for wager in self.wagers if wager.paytable]
        return tuple(dict.fromkeys((*bets, *self.riding)))


def backs_always(_sight: Sight, _seat: "Seat") -> bool:
    """The answer of jackpots where a seat's own cards decide."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Jackpot:
    """A jackpot: which cards it looks at and what it calls them."""

    name: str
    title: str
    letter: str
    #: For each variant (``""`` where there is one way only) the views that serve it.
    views: Mapping[str, tuple[str, ...]]
    #: The row names that a sight answers to.
    names: Callable[[Sight], frozenset[str]]
    #: Every row name it knows.
    rows: frozenset[str]
    #: Whether the hand that wins is this seat's: at baccarat it is that of the side it backed.
    backs: "Callable[[Sight, Seat], bool]" = backs_always
    #: One share of a meter is divided among the winners, instead of one share each.
    divides_shares: bool = False
    #: The numbers of decks it may be dealt from; empty where the game alone decides.
    decks: tuple[int, ...] = ()
    options: tuple[Option, ...] = ()
    #: The module whose ``ODDS`` declares what is counted.
    odds: str = ""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants to choose from, the default first."""
        return tuple(self.views)
