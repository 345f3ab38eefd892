"""A round as data: the cards, wagers and jackpots of one table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from feltwork.money import Micros
from feltwork.titles.bet_limits import TableLimits
from feltwork.titles.cards.card import Card
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Decide, Decision, Game, Jackpot, OptionValue


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's seat, numbered from the dealer's left."""

    number: int
    wagers: Mapping[str, Micros]
    cards: tuple[Card, ...] = ()
    #: The jackpots this seat has bet on.
    jackpots: frozenset[str] = frozenset()
    #: The game's extra notation fields, as text.
    said: Mapping[str, str] = field(default_factory=dict)

    def wager(self, name: str) -> Micros:
        """Return the amount of a wager, or 0."""
        return self.wagers.get(name, 0)

    def adding(self, name: str, amount: Micros) -> "Seat":
        """Return the seat with one more wager."""
        return replace(self, wagers={**self.wagers, name: amount})


@dataclass(frozen=True, slots=True, kw_only=True)
class TableJackpot:
    """A jackpot on this table: paytable, wager, meters and house options."""

    jackpot: Jackpot
    paytable: Paytable
    wager: Micros
    meters: Mapping[str, Micros]
    options: Mapping[str, OptionValue]
    variant: str = ""
    #: The reset amount after a 100 % award; without it the meter stays empty.
    reseed: Mapping[str, Micros] = field(default_factory=dict)
    #: The reserves that top up these seeds, within the caps.
    reserve: Mapping[str, Micros] = field(default_factory=dict)
    #: The maximum of each meter, if any.
    caps: Mapping[str, Micros] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Everything that determines the pays of a round."""

    game: Game
    seats: tuple[Seat, ...]
    paytables: Mapping[str, Paytable]
    options: Mapping[str, OptionValue]
    jackpots: tuple[TableJackpot, ...] = ()
    table_cards: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)
    #: The aggregate limits on wins, for the table and per player; None without a limit.
    table_aggregate: Micros | None = None
    player_aggregate: Micros | None = None
    #: The posted limits for its wagers; None if they are not known.
    limits: TableLimits | None = None

    def cards(self, place: str) -> tuple[Card, ...]:
        """Return the cards at a spot on the layout, such as the dealer's."""
        return self.table_cards.get(place, ())

    def lawfully_empty(self) -> frozenset[str]:
        """Return the spots that are validly empty because every player folded first."""
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
        """Return a seat's decision; ``sees`` are the exposed cards."""
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
        """Ask a seat to fold or to wager a number of Antes."""
        choice = decide(self.decision(seat, wager, ("fold", wager), sees=sees))
        return seat if choice == "fold" else seat.adding(wager, antes * seat.wager("ante"))

    def option(self, name: str) -> OptionValue:
        """Return the value of a house option."""
        return self.options[name]

    def all_cards(self) -> Iterator[Card]:
        """Yield every card on the layout."""
        for cards in self.table_cards.values():
            yield from cards
        for seat in self.seats:
            yield from seat.cards
            yield from self.game.drawn_cards(seat)

    def with_cards(self, seats: tuple[Seat, ...], **table_cards: tuple[Card, ...]) -> "Round":
        """Return the round with the cards and seats after play."""
        return replace(self, seats=seats, table_cards=table_cards)
