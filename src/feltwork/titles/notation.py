"""Parser of the round notation, TOML or JSON; every problem has a location."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from feltwork import money
from feltwork.money import CENT, Micros
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import meter_pays, registry
from feltwork.titles.cards.card import Card, parse_cards
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round, Seat, TableJackpot
from feltwork.titles.title import Game, Option, OptionValue

T = TypeVar("T")
#: Keys that do not affect the settlement.
REMARKS = frozenset({"name", "proves", "expect"})
#: Aggregate limits on wins, for the table and per player.
LIMITS = ("table_aggregate", "player_aggregate")


def read_round(text: str) -> Round:
    """Read a round from TOML or JSON."""
    text = text.removeprefix("\ufeff")
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        remedy = (
            "see the round notation in the documentation, or `feltwork dev deal GAME --json` for an example"
        )
        raise ProblemsError([Problem("round", f"neither JSON nor TOML: {error}", remedy)]) from error
    return round_from(data)


def round_from(data: Mapping[str, object]) -> Round:
    """Build a round from parsed notation; all problems are raised together."""
    return _Reader(_without_nulls(data)).read()


def _words(value: object) -> str:
    """Join a list of words; pass text through."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _without_nulls(value: Any) -> Any:
    """Drop keys with null values, which many programs write for missing ones."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict | Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


@lru_cache(maxsize=4096)
def _parse_amount(text: str) -> Micros:
    return money.parse(text)


class _Reader:
    """Parses one round and collects its problems."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self._data = data
        self._problems: list[Problem] = []

    def read(self) -> Round:
        name = self._data.get("game")
        if not isinstance(name, str):
            remedy = f"choose from: {', '.join(game.name for game in registry.games())}"
            raise ProblemsError([Problem("game", "there is no game", f'write "game": "NAME"; {remedy}')])
        game = registry.game(name)
        known = {"game", "paytables", "options", "jackpots", "seats", *LIMITS, *game.table_cards, *REMARKS}
        self._refuse_unknown(self._data, known, "")
        options = self._options(self._data.get("options", {}), game.options, "options")
        jackpots = self._jackpots(game)
        seats = self._seats(game, self._named_jackpots())
        paytables = self._paytables(game, seats)
        table, player = (self._amount(self._data[key], key) if key in self._data else None for key in LIMITS)
        round_ = Round(
            game=game,
            seats=seats,
            paytables=paytables,
            options=options,
            jackpots=jackpots,
            table_aggregate=table,
            player_aggregate=player,
        )
        left_out = round_.lawfully_empty() - set(self._data)
        places = [place for place in game.table_cards if place not in left_out]
        table_cards = {place: self._cards(self._data, place, "") for place in places}
        if self._problems:
            raise ProblemsError(self._problems)
        return replace(round_, table_cards=table_cards)

    def _paytables(self, game: Game, seats: Iterable[Seat]) -> dict[str, Paytable]:
        chosen = self._table(self._data.get("paytables", {}), "paytables")
        self._refuse_unknown(chosen, set(game.paytable_bets), "paytables.")
        wagered = {wager.paytable for seat in seats for wager in game.wagers if seat.wager(wager.name)}
        paytables: dict[str, Paytable] = {}
        for bet in game.paytable_bets:
            ids = registry.library(game.name).ids_of(bet)
            if bet in game.chosen_by_deal:
                paytables |= {
                    f"{bet}-{identifier}": registry.paytable(game.name, bet, identifier) for identifier in ids
                }
            elif bet in chosen:
                paytable = self._paytable(game.name, bet, chosen[bet], f"paytables.{bet}")
                paytables |= {bet: paytable} if paytable else {}
            elif len(ids) == 1:
                paytables[bet] = registry.paytable(game.name, bet, ids[0])
            elif bet in wagered or bet in game.riding:
                self._problem(f"paytables.{bet}", "no paytable is chosen", f"choose from: {', '.join(ids)}")
        return paytables

    def _paytable(self, title: str, bet: str, identifier: object, where: str) -> Paytable | None:
        return self._try(where, lambda: registry.paytable(title, bet, str(identifier)))

    def _jackpots(self, game: Game) -> tuple[TableJackpot, ...]:
        entries = self._list(self._data.get("jackpots", []), "jackpots")
        read = [self._jackpot(game, entry, f"jackpots[{place}]") for place, entry in enumerate(entries)]
        tables = tuple(table for table in read if table is not None)
        names = [table.jackpot.name for table in tables]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self._problem("jackpots", f"{name} is on the table twice", "keep one of them")
        return tables

    def _named_jackpots(self) -> frozenset[str]:
        """Return the jackpots named by the table, including those with problems of their own."""
        entries = self._data.get("jackpots", [])
        tables = entries if isinstance(entries, list) else []
        return frozenset(str(entry.get("jackpot")) for entry in tables if isinstance(entry, Mapping))

    def _jackpot(self, game: Game, entry: object, where: str) -> TableJackpot | None:
        data = self._table(entry, where)
        self._refuse_unknown(
            data, {"jackpot", "paytable", "wager", "meters", "variant", "options", "reseed"}, f"{where}."
        )
        jackpot = self._try(f"{where}.jackpot", lambda: registry.jackpot(str(data.get("jackpot"))))
        if jackpot is None:
            return None
        paytable = self._paytable(jackpot.name, "jackpot", data.get("paytable"), f"{where}.paytable")
        variant = str(data.get("variant", jackpot.variants[0]))
        if variant not in jackpot.variants:
            self._problem(
                f"{where}.variant",
                f"{variant!r} is not a variant",
                f"choose from: {', '.join(jackpot.variants)}",
            )
        elif not registry.fits(jackpot, variant, game):
            fitting = ", ".join(fit.name for fit in registry.fitting(game))
            remedy = f"on {game.name} use one of: {fitting or 'none'}"
            self._problem(where, f"{jackpot.name} cannot be played on {game.name}", remedy)
        if paytable is None:
            return None
        meters = self._amounts(data.get("meters", {}), paytable.levels, f"{where}.meters", required=True)
        wager = self._amount(data.get("wager", paytable.recommended.get("wager", "1.00")), f"{where}.wager")
        if not wager:
            self._problem(f"{where}.wager", "a jackpot needs a wager", 'write "wager": "1.00"')
        return TableJackpot(
            jackpot=jackpot,
            paytable=paytable,
            wager=wager,
            meters=meters,
            options=self._options(
                data.get("options", {}), (*meter_pays.OPTIONS, *jackpot.options), f"{where}.options"
            ),
            variant=variant,
            reseed=self._amounts(data.get("reseed", {}), paytable.levels, f"{where}.reseed", required=False),
        )

    def _seats(self, game: Game, jackpots: frozenset[str]) -> tuple[Seat, ...]:
        entries = self._list(self._data.get("seats", []), "seats")
        if not entries:
            self._problem("seats", "there are no seats", "add a seat with its cards and wagers")
        seats = [self._seat(game, entry, f"seats[{place}]", jackpots) for place, entry in enumerate(entries)]
        numbers = [seat.number for seat in seats]
        for number in sorted({number for number in numbers if numbers.count(number) > 1}):
            self._problem("seats", f"seat {number} appears twice", "number the seats from the dealer's left")
        return tuple(sorted(seats, key=lambda seat: seat.number))

    def _seat(self, game: Game, entry: object, where: str, jackpots: frozenset[str]) -> Seat:
        data = self._table(entry, where)
        own_cards = {"cards"} if game.seat_cards else set()
        self._refuse_unknown(data, {"seat", "wagers", "jackpots", *own_cards, *game.seat_fields}, f"{where}.")
        number = self._seat_number(game, data.get("seat", ""), f"{where}.seat")
        wagered = self._table(data.get("wagers", {}), f"{where}.wagers")
        self._refuse_unknown(wagered, {wager.name for wager in game.wagers}, f"{where}.wagers.")
        covered = frozenset(str(name) for name in self._list(data.get("jackpots", []), f"{where}.jackpots"))
        for name in sorted(covered - jackpots):
            remedy = f"add it to the table's jackpots, or use one of: {', '.join(sorted(jackpots)) or 'none'}"
            self._problem(f"{where}.jackpots", f"{name!r} is not on this table", remedy)
        return Seat(
            number=number,
            wagers={
                name: amount
                for name, value in wagered.items()
                if (amount := self._amount(value, f"{where}.wagers.{name}"))
            },
            cards=self._cards(data, "cards", f"{where}.") if own_cards else (),
            jackpots=covered,
            said={name: _words(data[name]) for name in game.seat_fields if name in data},
        )

    def _seat_number(self, game: Game, value: object, where: str) -> int:
        written = str(value)
        number = int(written) if written.isascii() and written.isdigit() else 0
        if not 1 <= number <= game.max_seats:
            what = f"{written} is not a seat" if written else "the number is missing"
            self._problem(where, what, f"use a number from 1 to {game.max_seats}")
        return number

    def _options(self, entry: object, declared: tuple[Option, ...], where: str) -> dict[str, OptionValue]:
        data = self._table(entry, where)
        self._refuse_unknown(data, {option.name for option in declared}, f"{where}.")
        chosen: dict[str, OptionValue] = {}
        for option in declared:
            if option.name not in data:
                chosen[option.name] = option.default
                continue
            value = data[option.name]
            allowed = [choice for choice in option.values if str(choice).lower() == str(value).lower()]
            if not allowed:
                remedy = f"choose from: {', '.join(str(choice).lower() for choice in option.values)}"
                self._problem(f"{where}.{option.name}", f"{value!r} is not allowed", remedy)
            chosen[option.name] = allowed[0] if allowed else option.default
        return chosen

    def _amounts(
        self, entry: object, levels: tuple[str, ...], where: str, *, required: bool
    ) -> dict[str, Micros]:
        data = self._table(entry, where)
        self._refuse_unknown(data, set(levels), f"{where}.")
        for level in levels:
            if required and level not in data:
                self._problem(
                    f"{where}.{level}", "the meter's amount is missing", f'add "{level}": "25000.00"'
                )
        return {
            level: self._amount(data[level], f"{where}.{level}", unit=1) for level in levels if level in data
        }

    def _amount(self, value: object, where: str, *, unit: Micros = CENT) -> Micros:
        amount = self._try(where, lambda: _parse_amount(str(value)))
        if amount is None:
            return 0
        if amount < 0 or amount % unit:
            self._problem(
                where, f"{value} is not an amount that can be paid", "use whole cents, zero or more"
            )
        return amount

    def _cards(self, data: Mapping[str, object], key: str, where: str) -> tuple[Card, ...]:
        if key not in data:
            self._problem(f"{where}{key}", "the cards are missing", f'write "{key}": "Ah Kd ..."')
            return ()
        value = data[key]
        words = value if isinstance(value, str) else " ".join(map(str, self._list(value, f"{where}{key}")))
        return self._try(f"{where}{key}", lambda: parse_cards(words)) or ()

    def _try(self, where: str, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except ProblemsError as error:
            self._problems += [Problem(where, problem.what, problem.remedy) for problem in error.problems]
        except ValueError as error:
            what, _, remedy = str(error).partition("; ")
            self._problem(where, what, remedy or "correct it")
        return None

    def _table(self, value: object, where: str) -> Mapping[str, object]:
        if isinstance(value, dict | Mapping):
            return value
        self._problem(where, "is not a table of keys and values", "write { key = value }")
        return {}

    def _list(self, value: object, where: str) -> list[object]:
        if isinstance(value, list):
            return value
        self._problem(where, "is not a list", "write [ ... ]")
        return []

    def _refuse_unknown(self, data: Mapping[str, object], known: set[str], where: str) -> None:
        for key in sorted(data.keys() - known):
            self._problem(f"{where}{key}", "is not a known key", f"use one of: {', '.join(sorted(known))}")

    def _problem(self, where: str, what: str, remedy: str) -> None:
        self._problems.append(Problem(where, what, remedy))
