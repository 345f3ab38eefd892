"""The what-if form fields: ``pays.flush``, ``seed.major``, ``decks``, ``tables``."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from typing import TypeVar

from feltwork import money
from feltwork.money import DOLLAR, WHOLE_BASIS_POINTS
from feltwork.odds.returns import Terms
from feltwork.odds.sheet import chosen_options, default_options, offered, options_of
from feltwork.odds.title_odds import Cards
from feltwork.odds.what_if.draft import edited
from feltwork.odds.what_if.question import FloorSize, Question, games_of, usual
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import parse_cards
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Jackpot, OptionValue

T = TypeVar("T")
_MOST = 1_000_000
#: Upper bound on the seats of any table.
MOST_AT_TABLE = 30
#: Most exposed cards: those of a full table and the dealer, without one hand.
MOST_EXPOSED = 40


def question_from(paytable: Paytable, fields: Mapping[str, str]) -> Question:
    """Parse the fields into a question; missing and empty fields take defaults; refuse unknown fields."""
    values = {name: value.strip() for name, value in fields.items() if value.strip()}
    pays = {name.removeprefix("pays."): value for name, value in values.items() if name.startswith("pays.")}
    problems: list[Problem] = []
    meters = paytable.levels
    try:
        paytable = edited(paytable, pays)
    except ProblemsError as error:
        problems += error.problems
    start = usual(paytable)
    problems += _unknown(paytable, fields, {*meters, *paytable.levels})
    reader = _Reader(values, problems)
    question = replace(
        start,
        options=_options(start, values, problems),
        wager=reader.read("wager", _dollars, start.wager),
        terms={level: _terms(reader, level, terms) for level, terms in start.terms.items()},
        floor=FloorSize(
            tables=reader.read("tables", _count, start.floor.tables),
            seats=reader.read("seats", _at_table, start.floor.seats),
            rounds_per_hour=Fraction(
                reader.read("rounds_per_hour", _count, int(start.floor.rounds_per_hour))
            ),
            betting=reader.read("betting", _rate, start.floor.betting),
        ),
        others=reader.read("others", _none_or_more, start.others),
        players=reader.read("players", _at_table, start.players),
        house=_house(values, problems, paytable),
        game=_game(values, problems, paytable),
        meters={
            level: reader.read(f"meter.{level}", _dollars, Fraction(0))
            for level in start.terms
            if f"meter.{level}" in values
        },
        above={
            level: reader.read(f"above.{level}", _dollars, Fraction(0))
            for level in start.terms
            if f"above.{level}" in values
        },
        within=reader.read("within", _count, start.within),
        bank=reader.read("bank", _count, start.bank),
        session=reader.read("session", _count, start.session),
        risk=reader.read("risk", _rate, start.risk),
        exposed=reader.read("exposed", _exposed, start.exposed),
        sampled=reader.read("sampled", _yes_or_no, default=False),
    )
    if problems:
        raise ProblemsError(problems)
    return question


_SESSION = ("bank", "session", "risk")
_AT_TABLE = ("wager", "tables", "seats", "rounds_per_hour", "betting", "others", "players", "within")
_FLOOR = (*_AT_TABLE, *_SESSION, "exposed", "sampled")
_TERMS = ("seed", "contribution", "reserve", "cap", "meter", "above")


def _unknown(paytable: Paytable, fields: Mapping[str, str], meters: Iterable[str]) -> list[Problem]:
    """List the fields that do not apply to this paytable; a meter may have lost all its rows."""
    options = [option.name for option in options_of(paytable.title)]
    terms = [f"{term}.{level}" for level in meters for term in _TERMS]
    known = dict.fromkeys([*_FLOOR, *_offered(paytable), *options, *terms, *(["game"] if terms else [])])
    problems = []
    for name in fields:
        if name not in known and not name.startswith("pays."):
            near = get_close_matches(name, known, n=1)
            guess = f"did you mean {near[0]}? " if near else ""
            what = f"this field does not apply to {paytable.name}"
            problems.append(Problem(name, what, f"{guess}use: {', '.join(known)}"))
    return problems


def _options(start: Question, values: Mapping[str, str], problems: list[Problem]) -> dict[str, str]:
    """Read the options that are priced; `_house` reads the house options of a jackpot."""
    title, names = start.paytable.title, [*_offered(start.paytable)]
    if _jackpot(start.paytable) is None:
        names += [option.name for option in options_of(title) if option.name not in names]
    given_options = {name: values[name] for name in names if name in values}
    try:
        return {**start.options, **chosen_options(title, _offered(start.paytable), given_options)}
    except ProblemsError as error:
        problems += error.problems
        return dict(start.options)


#: Fields of the question itself, which are no change of the table or its terms.
_COMMON = ("meter.", "above.", "game", "side", *_SESSION, "within", "exposed", "sampled")


def before_and_after(
    paytable: Paytable, fields: Mapping[str, str], *, other: Paytable | None = None
) -> tuple[Question, Question]:
    """Return the questions without and with the changes, or another paytable and this one on equal terms."""
    after = question_from(paytable, fields)
    if other is not None:
        return question_from(other, fields_for(paytable, fields, other)), after
    around = {name: value for name, value in fields.items() if name.startswith(_COMMON)}
    return question_from(paytable, around), after


def fields_for(paytable: Paytable, fields: Mapping[str, str], other: Paytable) -> dict[str, str]:
    """Keep the fields that both paytables have; each keeps the options it is designed for."""
    designed = default_options(paytable)
    levels = set(paytable.levels) - set(other.levels)
    return {
        name: value
        for name, value in fields.items()
        if not name.startswith("pays.")
        and name.rpartition(".")[2] not in levels
        and designed.get(name) != value
    }


def _offered(paytable: Paytable) -> Mapping[str, tuple[str, ...]]:
    return offered(paytable.title, paytable.bet)


class _Reader:
    """Parses fields and collects a problem for each malformed field."""

    def __init__(self, values: Mapping[str, str], problems: list[Problem]) -> None:
        self._values = values
        self._problems = problems

    def read(self, name: str, parse: Callable[[str], T], default: T) -> T:
        """Parse one field, or return its default."""
        if name not in self._values:
            return default
        try:
            return parse(self._values[name])
        except (ValueError, KeyError):
            self._problems.append(Problem(name, f"{self._values[name]!r} is not valid", _HOW[parse]))
            return default


def _terms(reader: _Reader, level: str, start: Terms) -> Terms:
    return Terms(
        seed=reader.read(f"seed.{level}", _dollars, start.seed),
        contribution=reader.read(f"contribution.{level}", _rate, start.contribution),
        reserve=reader.read(f"reserve.{level}", _rate, start.reserve),
        cap=reader.read(f"cap.{level}", _cap, start.cap),
    )


def _jackpot(paytable: Paytable) -> Jackpot | None:
    title = registry.title(paytable.title) if paytable.title in registry.names() else None
    return title if isinstance(title, Jackpot) else None


def _house(values: Mapping[str, str], problems: list[Problem], paytable: Paytable) -> dict[str, OptionValue]:
    """Read the house options; yes and no are written as in a floor file."""
    chosen: dict[str, OptionValue] = {}
    for option in options_of(paytable.title) if _jackpot(paytable) else ():
        known = {str(value).lower(): value for value in option.values}
        if option.name in values and values[option.name] not in known:
            what, remedy = f"{values[option.name]!r} is not an option", f"use one of: {', '.join(known)}"
            problems.append(Problem(option.name, what, remedy))
        elif option.name in values:
            chosen[option.name] = known[values[option.name]]
    return chosen


def games(paytable: Paytable) -> tuple[str, ...]:
    """Return the games on which a jackpot can be played."""
    return tuple(game.name for game in games_of(paytable)) if _jackpot(paytable) else ()


def _game(values: Mapping[str, str], problems: list[Problem], paytable: Paytable) -> str:
    known = games(paytable)
    if values.get("game") and values["game"] not in known:
        what, remedy = f"the jackpot cannot run on {values['game']!r}", f"use one of: {', '.join(known)}"
        problems.append(Problem("game", what, remedy))
        return ""
    return values.get("game", "")


def _dollars(text: str) -> Fraction:
    amount = money.parse(text)
    if not 0 <= amount <= 10**9 * DOLLAR:
        raise ValueError(text)
    return Fraction(amount, DOLLAR)


def _cap(text: str) -> Fraction | None:
    return None if text == "none" else _dollars(text)


def _rate(text: str) -> Fraction:
    if not text.endswith("%") and 0 < float(text) < 1:
        # A part of one, or less than one percent: only the percent sign says which.
        raise ValueError(text)
    return Fraction(money.parse_rate(text if text.endswith("%") else f"{text}%"), WHOLE_BASIS_POINTS)


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= _MOST:
        raise ValueError(text)
    return number


def _at_table(text: str) -> int:
    number = _count(text)
    if number > MOST_AT_TABLE:
        raise ValueError(text)
    return number


def _none_or_more(text: str) -> int:
    return 0 if text == "0" else _at_table(text)


def _exposed(text: str) -> int | Cards:
    """Parse the number of exposed cards, or the cards."""
    exposed = int(text) if text.isdecimal() else parse_cards(text)
    many = exposed if isinstance(exposed, int) else len(set(exposed))
    if many > MOST_EXPOSED or (not isinstance(exposed, int) and many != len(exposed)):
        raise ValueError(text)
    return exposed


def _yes_or_no(text: str) -> bool:
    return {"1": True, "on": True, "yes": True, "0": False, "off": False, "no": False}[text]


_HOW: Mapping[Callable[[str], object], str] = {
    _dollars: "write it like 10000 or 10000.00",
    _cap: "write it like 50000, or none",
    _rate: "write it like 24%, 12.5%, or 0.5%",
    _count: f"write a whole number from 1 to {_MOST:,}",
    _at_table: f"write a whole number from 1 to {MOST_AT_TABLE}",
    _none_or_more: f"write a whole number from 0 to {MOST_AT_TABLE}",
    _exposed: f"write a number from 0 to {MOST_EXPOSED}, or cards like 'As Td 2c'",
    _yes_or_no: "write yes or no",
}
