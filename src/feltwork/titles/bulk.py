"""Many rounds settled at once: seats that are settled alike go through the rules once.

Rounds in the notation are grouped by their shape: game, paytables, options, jackpots, seats. The game's
`columns` turn the cards of a group into numbers; one seat with the same wagers and numbers stands for all. A
round of another form, with a hit on a jackpot, or with a problem is settled as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Any, TypeAlias

from feltwork import money
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, parse_card
from feltwork.titles.meter_pays import row_of
from feltwork.titles.notation import REMARKS, round_from
from feltwork.titles.paytables.paytable import Odds
from feltwork.titles.settle import verify
from feltwork.titles.settlement import JackpotResult, SeatResult
from feltwork.titles.title import Game

if TYPE_CHECKING:
    from feltwork.titles.hands.columns import Ints

#: Wagers of a seat: kind, name, staked, returned and outcome of each.
Lines: TypeAlias = tuple[tuple[str, str, int, int, str], ...]
Form: TypeAlias = Mapping[str, Any]
#: Jackpots whose rows follow from the five cards of a hand.
_OF_OWN_CARDS = frozenset({"five_card", "four_card"})
_FEWEST = 8


def lines_of(seat: SeatResult, *, void: bool = False) -> Lines:
    """Return one line for each wager of a seat."""
    bets = [("bet", name, bet.staked, bet.returned, str(bet.outcome)) for name, bet in seat.bets.items()]
    jackpots = []
    for name, paid in seat.jackpots.items():
        back = paid.award + paid.envy + paid.stake_returned
        outcome = "void" if void else "win" if back else "lose"
        jackpots.append(("jackpot", name, paid.wager, back, outcome))
    return (*bets, *jackpots)


@dataclass(slots=True)
class Group:
    """Rounds of one shape, by their places in the list."""

    game: Game
    places: list[int]
    forms: list[Form]
    #: For each seat of each round: the number of its wagers up to their size, and their unit.
    wagers: list[list[int]]
    units: list[list[int]]


def settled_alike(forms: Sequence[object]) -> dict[int, list[tuple[int, Lines]]]:
    """Return seats and lines by place, for the rounds that need not be settled as a whole."""
    try:
        import numpy  # noqa: F401 - only whether it is there
    except ImportError:
        return {}
    groups: dict[str, Group] = {}
    wagers: dict[str, int] = {}
    for place, form in enumerate(forms):
        if isinstance(form, dict):
            _sort(place, form, groups, wagers)
    known: dict[int, list[tuple[int, Lines]]] = {}
    for group in groups.values():
        if len(group.places) >= _FEWEST:
            known |= _settled(group)
    return known


def _sort(place: int, form: Form, groups: dict[str, Group], wagers: dict[str, int]) -> None:
    """Put a round into the group of its shape; leave out what is unusual."""
    try:
        game, keys = _games()[form["game"]]
        if not form.keys() <= keys:
            return
        numbers = [seat["seat"] for seat in form["seats"]]
        if not numbers or any(type(number) is not int for number in numbers) or not _rises(numbers):
            return
        own, units = [], []
        for seat in form["seats"]:
            if not seat.keys() <= _SEAT:
                return
            amounts = [_amount(str(value)) for value in seat["wagers"].values()]
            unit = gcd(*amounts)
            if not unit:
                return
            units.append(unit)
            made = f"{[*seat['wagers']]} {[amount // unit for amount in amounts]} {seat.get('jackpots')}"
            own.append(wagers.setdefault(made, len(wagers)))
        jackpots = [_jackpot(entry) for entry in form.get("jackpots", ())]
        sizes = [len(form[table]) for table in game.table_cards]
        shape = f"{game.name} {numbers} {sizes} {jackpots} {form.get('paytables')} {form.get('options')}"
        group = groups.get(shape)
    except (KeyError, TypeError, AttributeError, ValueError):
        return
    if group is None:
        group = groups[shape] = Group(game, [], [], [], [])
    group.places.append(place)
    group.forms.append(form)
    group.wagers.append(own)
    group.units.append(units)


def _rises(numbers: Sequence[int]) -> bool:
    return all(first < second for first, second in pairwise(numbers))


_SEAT = frozenset({"seat", "cards", "wagers", "jackpots"})
_JACKPOT = frozenset({"jackpot", "paytable", "wager", "meters", "variant", "options"})


def _jackpot(entry: Form) -> str:
    """Return what matters of a jackpot that nobody wins; its meters only need to be amounts."""
    meters = entry["meters"]
    if not entry.keys() <= _JACKPOT or entry["jackpot"] not in _OF_OWN_CARDS:
        raise ValueError(entry)
    if any(money.parse(str(value)) < 0 for value in meters.values()):
        raise ValueError(meters)
    return str({**entry, "meters": list(meters)})


@lru_cache(maxsize=1 << 16)
def _amount(text: str) -> int:
    amount = money.parse(text)
    if amount < 0 or amount % money.CENT:
        raise ValueError(text)
    return amount


@lru_cache(maxsize=1)
def _games() -> dict[str, tuple[Game, frozenset[str]]]:
    """Return the games with columns, and the keys of their rounds."""
    common = {"game", "paytables", "options", "jackpots", "seats", *REMARKS}
    return {
        game.name: (game, frozenset(common | game.table_cards.keys()))
        for game in registry.games()
        if game.columns is not None
    }


def _settled(group: Group) -> dict[int, list[tuple[int, Lines]]]:
    import numpy as np

    game, seats = group.game, len(group.wagers[0])
    assert game.columns is not None
    dealt = {place: _read([form[place] for form in group.forms]) for place in game.table_cards}
    if game.seat_cards:
        texts = [seat.get("cards") for form in group.forms for seat in form["seats"]]
        own = _read(texts)
        dealt["seats"] = None if own is None else own.reshape(len(group.forms), seats, -1)
    cards = {place: read for place, read in dealt.items() if read is not None}
    due = {**game.table_cards, "seats": game.seat_cards}
    if len(cards) < len(dealt) or any(read.shape[-1] != due[place] > 0 for place, read in cards.items()):
        return {}
    every = np.concatenate([read.reshape(len(group.forms), -1) for read in cards.values()], axis=1)
    usable = (every >= 0).all(axis=1)
    decks, ordered = _decks(group), np.sort(every, axis=1)
    usable &= (ordered[:, decks:] > ordered[:, : max(ordered.shape[1] - decks, 0)]).all(axis=1)
    cards = {place: np.where(read < 0, 0, read) for place, read in cards.items()}
    columns = list(game.columns(cards))
    if group.forms[0].get("jackpots"):
        columns += _jackpot_columns(cards)
    made = np.array(group.wagers)
    numbers = np.stack([np.broadcast_to(column, made.shape) for column in (made, *columns)], axis=-1)
    packed = _packed(numbers.reshape(-1, numbers.shape[-1]))
    _, first, alike = np.unique(packed, return_index=True, return_inverse=True)
    results = _Representatives(group, first.tolist(), seats)
    settled = {}
    numbers_of = [seat["seat"] for seat in group.forms[0]["seats"]]
    rows: Any = alike.reshape(made.shape).tolist()
    able: Any = usable.tolist()
    for place, row, units, is_usable in zip(group.places, rows, group.units, able, strict=True):
        if is_usable:
            lines = [
                line for number, unit in zip(row, units, strict=True) if (line := results.of(number, unit))
            ]
            if len(lines) == seats:
                settled[place] = list(zip(numbers_of, lines, strict=True))
    return settled


def _decks(group: Group) -> int:
    default = next(option.default for option in group.game.options if option.name == "decks")
    decks = (group.forms[0].get("options") or {}).get("decks", default)
    return int(decks) if str(decks).isdecimal() else 1


def _packed(numbers: "Ints") -> "Ints":
    """Write each row of small numbers as one."""
    packed = numbers[:, 0] * 0
    for column in numbers.T:
        packed = packed * (int(column.max()) - int(column.min()) + 1) + column - column.min()
    return packed


def _jackpot_columns(cards: "Mapping[str, Ints]") -> "list[Ints]":
    """Number the rows of the five cards that a jackpot looks at."""
    import numpy as np

    from feltwork.titles.hands.columns import kinds, values

    seats = cards["seats"]
    if "board" in cards:
        flop = np.broadcast_to(cards["board"][:, None, :3], (*seats.shape[:2], 3))
        seats = np.concatenate((seats, flop), axis=2)
    return [kinds(values(seats, 5), 5)]


class _Representatives:
    """The first seat of each kind, settled when it is needed."""

    def __init__(self, group: Group, first: list[int], seats: int) -> None:
        self._group, self._first, self._seats = group, first, seats
        self._known: dict[tuple[int, int], Lines] = {}

    def of(self, number: int, unit: int) -> Lines:
        """Return the lines of a kind of seat with this unit; none if its rounds are settled as a whole."""
        if (number, unit) not in self._known:
            place, seat = divmod(self._first[number], self._seats)
            own = self._group.units[place][seat]
            if (number, own) not in self._known:
                self._known[number, own] = self._lines(self._group.forms[place], seat)
            self._known[number, unit] = tuple(
                (kind, name, staked * unit // own, returned * unit // own, outcome)
                if kind == "bet"
                else (kind, name, staked, returned, outcome)
                for kind, name, staked, returned, outcome in self._known[number, own]
            )
        return self._known[number, unit]

    def _lines(self, form: Form, place: int) -> Lines:
        try:
            round_ = round_from(form)
            is_void = verify(round_)
        except ProblemsError:
            return ()
        seat = round_.seats[place]
        pays = [row.pays for paytable in round_.paytables.values() for row in paytable.rows]
        if any(isinstance(pay, Odds) and money.CENT % pay.per for pay in pays):
            # Such a pay may be rounded down, which depends on the size of the wager.
            return ()
        if is_void or any(row_of(round_, table, seat) is not None for table in round_.jackpots):
            return ()
        missed = {
            table.jackpot.name: JackpotResult(wager=table.wager, hand=None)
            for table in round_.jackpots
            if table.jackpot.name in seat.jackpots
        }
        return lines_of(SeatResult(seat.number, round_.game.settle(round_, seat), missed))


@lru_cache(maxsize=1)
def _places() -> "Ints":
    """Return the card of every two bytes, or -1."""
    import numpy as np

    table = np.full((256, 256), -1, dtype=np.int64)
    for card in DECK:
        rank, suit = str(card)[0], str(card)[1]
        for first in {rank, rank.lower()}:
            for second in {suit, suit.upper()}:
                table[ord(first), ord(second)] = parse_card(first + second).index
    return table


def _read(texts: list[object]) -> "Ints | None":
    """Read texts like ``Ah Kd`` of one length; a text that is not of this form has a card -1."""
    import numpy as np

    if not all(type(text) is str for text in texts):
        return None
    size = len(str(texts[0]))
    if any(len(str(text)) != size for text in texts) or size % 3 != 2:
        return None
    joined = " ".join(map(str, texts)) + " "
    if not joined.isascii():
        return None
    letters = np.frombuffer(joined.encode(), dtype=np.uint8).reshape(len(texts), -1, 3)
    cards = np.where(letters[..., 2] == ord(" "), _places()[letters[..., 0], letters[..., 1]], -1)
    return np.asarray(cards, dtype=np.int64)
