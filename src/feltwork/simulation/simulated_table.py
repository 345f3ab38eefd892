"""A simulated table; the same seed deals the same rounds."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from feltwork.simulation import players
from feltwork.simulation.dealers import MISDEALS, Press, hands_to_name, on_table, presses
from feltwork.simulation.players import Player
from feltwork.simulation.stacked_shoe import stacked_round
from feltwork.site.compliance.floor import Floor, FloorTable, link_from_floor
from feltwork.site.progressive.link import Link
from feltwork.titles import registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round, Seat, TableJackpot
from feltwork.titles.title import Decide

#: The remaining fraction of a shoe at which it is reshuffled.
CUT_CARD = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtRound:
    """A dealt round and the buttons that the dealer presses."""

    table: str
    round: Round
    misdealt: bool
    #: Link -> buttons in order.
    presses: Mapping[str, tuple[Press, ...]]

    def covered(self, jackpot: str) -> tuple[int, ...]:
        """The seats with a jackpot wager."""
        return tuple(seat.number for seat in self.round.seats if jackpot in seat.jackpots)

    @property
    def players(self) -> tuple[int, ...]:
        """The seats with a base game wager."""
        return tuple(seat.number for seat in self.round.seats)


class SimulatedTable:
    """A table with its players, shoe and dealer."""

    def __init__(
        self, floor: Floor, table: FloorTable, *, seed: object, busy: float = 0.6, best: Decide | None = None
    ) -> None:
        """Make a table; ``best`` decides for optimal players."""
        self.table = table
        self.links: dict[str, Link] = {
            link.id: link_from_floor(floor, link) for link in floor.links_of(table)
        }
        self._jackpots: dict[str, TableJackpot] = {name: on_table(link) for name, link in self.links.items()}
        self._dice = random.Random(f"{seed}/{table.id}")
        self._paytables = {**table.paytables, **_chosen_by_deal(table)}
        self._party: dict[int, Player] = {}
        for seat in range(1, table.seats + 1):
            if self._dice.random() < busy:
                self._party[seat] = players.new_player(table, self._dice)
        self._shoe = Shoe(())
        self._best = best or players.best_play(table)

    def next(self, *, force: tuple[str, str] | None = None) -> DealtRound:
        """Deal and play the next round; ``force`` is a link and level to hit."""
        self._come_and_go()
        decide = players.decides(self.table, self._party, self._dice, self._best)
        opened = self._opened(must_bet=self._jackpots[force[0]] if force else None)
        dealt = self._stacked(opened, decide, *force) if force else self._dealt(opened, decide)
        misdealt = not force and self.table.game.voids_on_misdeal and self._dice.random() < MISDEALS
        return DealtRound(
            table=self.table.id,
            round=dealt,
            misdealt=misdealt,
            presses={}
            if misdealt
            else {link: self._pressed(dealt, jackpot) for link, jackpot in self._jackpots.items()},
        )

    def _pressed(self, dealt: Round, known: TableJackpot) -> tuple[Press, ...]:
        bettors = [seat.number for seat in dealt.seats if known.jackpot.name in seat.jackpots]
        return presses(hands_to_name(dealt, known), known, bettors, self._dice)

    def _dealt(self, opened: Round, decide: Decide) -> Round:
        decks = self.table.decks
        if decks == 1 or self._shoe.remaining < decks * 52 * CUT_CARD:
            cards = list(decks_of(decks))
            self._dice.shuffle(cards)
            self._shoe = Shoe(cards)
        return self.table.game.play(opened, self._shoe, decide)

    def _stacked(self, opened: Round, decide: Decide, link: str, level: str) -> Round:
        self._shoe = Shoe(())  # discard the rest of a stacked shoe

        def play(round_: Round, shoe: Shoe) -> Round:
            return self.table.game.play(round_, shoe, decide)

        return stacked_round(opened, self._jackpots[link], level, play=play, dice=self._dice)

    def _opened(self, *, must_bet: TableJackpot | None) -> Round:
        """The wagers before the deal."""
        seats = tuple(
            Seat(
                number=seat,
                wagers=players.wagers_of(player, self.table),
                jackpots=frozenset(
                    known.jackpot.name
                    for known in self._jackpots.values()
                    if self._dice.random() < player.likes_jackpots or known is must_bet
                ),
            )
            for seat, player in sorted(self._party.items())
        )
        return Round(
            game=self.table.game,
            seats=seats,
            paytables=self._paytables,
            options=self.table.options,
            jackpots=tuple(self._jackpots.values()),
            limits=self.table.limits,
        )

    def _come_and_go(self) -> None:
        """Let players leave and sit down; a table is never empty."""
        for seat in range(1, self.table.seats + 1):
            if seat in self._party:
                if self._dice.random() < players.LEAVES:
                    del self._party[seat]
            elif self._dice.random() < players.SITS_DOWN:
                self._party[seat] = players.new_player(self.table, self._dice)
        if not self._party:
            self._party[1] = players.new_player(self.table, self._dice)


def tables_of(floor: Floor, *, seed: object) -> dict[str, SimulatedTable]:
    """Make every table of a floor, each with its own random numbers."""
    return {table.id: SimulatedTable(floor, table, seed=seed) for table in floor.tables}


def _chosen_by_deal(table: FloorTable) -> dict[str, Paytable]:
    library = registry.library(table.game.name)
    return {
        f"{bet}-{paytable}": library[bet, paytable]
        for bet in table.game.chosen_by_deal
        for paytable in library.ids_of(bet)
    }
