"""A dealt round as data: the cards, the wagers and the jackpots of one table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from feltwork.cards.card import Card
from feltwork.money import Micros
from feltwork.paytables.paytable import Paytable
from feltwork.titles.title import Decide, Decision, Game, Jackpot, OptionValue


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place, numbered from the dealer's left."""

    number: int
    wagers: Mapping[str, Micros]
    cards: tuple[Card, ...] = ()
    #: The jackpots whose sensor this seat has covered.
    jackpots: frozenset[str] = frozenset()
    #: What else the game lets a seat say, as text.
    said: Mapping[str, str] = field(default_factory=dict)

    def wager(self, name: str) -> Micros:
        """The chips on one place of the layout, 0 where there are none."""
        return self.wagers.get(name, 0)

    def adding(self, name: str, amount: Micros) -> "Seat":
        """The same seat with one more wager."""
        return replace(self, wagers={**self.wagers, name: amount})


@dataclass(frozen=True, slots=True, kw_only=True)
class TableJackpot:
    """A jackpot as it stands on this table: paytable, wager, meters and the house's choices."""

    jackpot: Jackpot
    paytable: Paytable
    wager: Micros
    meters: Mapping[str, Micros]
    options: Mapping[str, OptionValue]
    variant: str = ""
    #: Where a meter starts again after a 100 % award; without it the meter stays empty.
    reseed: Mapping[str, Micros] = field(default_factory=dict)
    #: What tops up these seeds, as far as the caps leave room.
    reserve: Mapping[str, Micros] = field(default_factory=dict)
    #: Where a meter stops growing; without one it never does.
    caps: Mapping[str, Micros] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Everything that decides who is paid what."""

    game: Game
    seats: tuple[Seat, ...]
    paytables: Mapping[str, Paytable]
    options: Mapping[str, OptionValue]
    jackpots: tuple[TableJackpot, ...] = ()
    table_cards: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)
    #: The most that the round's wins may come to, for all players and for one; none where it is not limited.
    table_aggregate: Micros | None = None
    player_aggregate: Micros | None = None

    def cards(self, place: str) -> tuple[Card, ...]:
        """The cards that lie at a place of the layout, such as the dealer's."""
        return self.table_cards.get(place, ())

    def lawfully_empty(self) -> frozenset[str]:
        """Places without cards that need none, because everybody had folded before they came."""
        empty = frozenset(place for place in self.game.empty_when_all_fold if not self.cards(place))
        return empty if empty and all(self.game.folded(self, seat) for seat in self.seats) else frozenset()

    def decision(
        self,
        seat: Seat,
        name: str,
        choices: tuple[str, ...],
        *,
        sees: Mapping[str, tuple[Card, ...]] | None = None,
    ) -> Decision:
        """Make the question that a table asks a seat; ``sees`` are the exposed cards."""
        return Decision(
            seat=seat.number,
            name=name,
            choices=choices,
            cards=seat.cards,
            sees=sees or {},
            options=self.options,
        )

    def fold_or_bet(
        self,
        seat: Seat,
        decide: Decide,
        wager: str,
        *,
        antes: int = 1,
        sees: Mapping[str, tuple[Card, ...]] | None = None,
    ) -> Seat:
        """Ask a seat to fold or to make a wager of so many Antes."""
        choice = decide(self.decision(seat, wager, ("fold", wager), sees=sees))
        return seat if choice == "fold" else seat.adding(wager, antes * seat.wager("ante"))

    def option(self, name: str) -> OptionValue:
        """What the house chose."""
        return self.options[name]

    def all_cards(self) -> Iterator[Card]:
        """Every card that is on the layout."""
        for cards in self.table_cards.values():
            yield from cards
        for seat in self.seats:
            yield from seat.cards
            yield from self.game.drawn_cards(seat)

    def with_cards(self, seats: tuple[Seat, ...], **table_cards: tuple[Card, ...]) -> "Round":
        """The round once it has been dealt and played."""
        return replace(self, seats=seats, table_cards=table_cards)
