"""Tables of a floor file, and the readers that tables and links share."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar, cast

from feltwork import money
from feltwork.compliance import floor_keys
from feltwork.compliance.floor import Entry, FloorTable
from feltwork.ledger.accounts import verify_name
from feltwork.money import CENT, Micros
from feltwork.paytables.paytable import Paytable
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.bet_limits import TableLimits
from feltwork.titles.title import Game, Option, OptionValue
from feltwork.toml_locations import Section

T = TypeVar("T")
#: A round every six seconds: twice a dealer's pace with a single player.
ROUNDS_PER_HOUR = 600
HOW_AMOUNT = 'write it like "300.00"'


def read_table(section: Section, *, location: str, approvals: Mapping[str, str]) -> FloorTable | None:
    """Read a table; None if its game is unknown, because nothing else can be checked then."""
    section.refuse_unknown(floor_keys.TABLE)
    identifier = read_name(section)
    game = tried(section, "game", lambda: registry.game(section.text("game")))
    if game is None:
        return None
    entry = section.choice("entry", ("sensors", "dealer"))
    seats = section.whole("seats", least=1)
    if seats > game.max_seats:
        section.problem("seats", f"{game.name} seats at most {game.max_seats}", "take seats away")
    section.section("equipment").refuse_unknown(floor_keys.EQUIPMENT)
    chosen = read_options(section.section("options"), game.options)
    side_bets = _side_bets(section.section("side_bets"), game)
    return FloorTable(
        place=section.place,
        id=identifier,
        game=game,
        known_as=section.text("known_as", default=""),
        location=section.text("location", default=location),
        seats=seats,
        rounds_per_hour=section.whole("rounds_per_hour", least=1, default=ROUNDS_PER_HOUR),
        dealers=section.texts("dealers"),
        entry=cast(Entry, entry),
        sensors=section.whole("sensors", least=0, default=0 if entry == "dealer" else None),
        shows_meter=section.flag("shows_meter", default=True),
        manufacturer=section.text("manufacturer"),
        options={option.name: chosen.get(option.name, option.default) for option in game.options},
        limits=TableLimits(
            highest=read_amount(section, "highest_wager"),
            lowest=_bound(section, "lowest_wager"),
            lowest_side_bet=_bound(section, "lowest_side_bet"),
            side_bets=side_bets,
        ),
        paytables=_paytables(section.section("paytables"), game, side_bets),
        smallest_chip=_bound(section, "smallest_chip") or CENT,
        table_aggregate=_bound(section, "table_aggregate"),
        player_aggregate=_bound(section, "player_aggregate"),
        approvals={**approvals, **read_texts(section.section("approvals"))},
        equipment=read_texts(section.section("equipment")),
    )


def read_texts(section: Section) -> dict[str, str]:
    """Read a section of texts."""
    return {key: section.text(key) for key in section.data}


def _bound(section: Section, key: str) -> Micros | None:
    return read_amount(section, key) if section.has(key) else None


def _paytables(section: Section, game: Game, side_bets: Iterable[str]) -> dict[str, Paytable]:
    """Return the paytable of each bet: the chosen one, or the only one."""
    section.refuse_unknown(game.paytable_bets)
    optional = {wager.paytable for wager in game.wagers if wager.is_side_bet}
    paytables: dict[str, Paytable] = {}
    for bet in game.paytable_bets:
        ids = registry.library(game.name).ids_of(bet)
        chosen = str(section.data.get(bet, ids[0] if len(ids) == 1 else ""))
        if chosen:
            paytable = tried(section, bet, partial(registry.paytable, game.name, bet, chosen))
            paytables |= {bet: paytable} if paytable else {}
        elif bet not in game.chosen_by_deal and (bet in side_bets or bet not in optional):
            section.problem(bet, f"{bet} is on offer without a paytable", f"choose from: {', '.join(ids)}")
    return paytables


def _side_bets(section: Section, game: Game) -> dict[str, Micros]:
    bets = {wager.paytable for wager in game.wagers if wager.is_side_bet}
    section.refuse_unknown(bets)
    return {bet: read_amount(section, bet) for bet in section.data if bet in bets}


def read_name(section: Section) -> str:
    """Read an id, which must be valid in account paths."""
    name = section.text("id")
    try:
        verify_name(name)
    except ValueError as error:
        if name:
            section.problem("id", str(error), "choose another id")
    return name


def read_amount(section: Section, key: str) -> Micros:
    """Read a required amount, which must not be negative."""
    if not section.has(key):
        section.problem(key, f"{key} is missing", HOW_AMOUNT)
    amount = section.read(key, money.parse, 0, remedy=HOW_AMOUNT)
    if amount < 0:
        section.problem(key, "is below zero", HOW_AMOUNT)
    return amount


def read_options(section: Section, known: Iterable[Option]) -> dict[str, OptionValue]:
    """Read the house's choices; a value that an option does not have is a problem."""
    by_name = {option.name: option for option in known}
    section.refuse_unknown(by_name)
    chosen: dict[str, OptionValue] = {}
    for name in section.data.keys() & by_name.keys():
        choice, allowed = section.data[name], by_name[name].values
        matches = [value for value in allowed if value == choice and type(value) is type(choice)]
        if matches:
            chosen[name] = matches[0]
        else:
            remedy = f"choose from: {', '.join(str(value) for value in allowed)}"
            section.problem(name, f"{choice!r} is not an allowed value", remedy)
    return chosen


def tried(section: Section, key: str, find: Callable[[], T]) -> T | None:
    """Run a registry lookup, and turn its errors into problems of this line."""
    try:
        return find()
    except ProblemsError as error:
        for problem in error.problems:
            section.problem(key, problem.what, problem.remedy)
        return None
