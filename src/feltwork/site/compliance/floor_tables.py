"""Tables and links of a floor file."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TypeVar, cast, get_args

from feltwork import money
from feltwork.money import CENT, Micros
from feltwork.problem import ProblemsError
from feltwork.site.compliance import floor_keys
from feltwork.site.compliance.approvals_register import component
from feltwork.site.compliance.floor import Entry, FloorLink, FloorTable, Meter, SignLayout, SignOptions
from feltwork.site.progressive.accounts import verify_name
from feltwork.site.progressive.link import NO_CAP, Controls, LinkKind, LockAt
from feltwork.titles import meter_pays, registry
from feltwork.titles.bet_limits import TableLimits
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game, Jackpot, Option, OptionValue
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


HOW_RATE = 'write it like "24%"'


def read_link(section: Section, *, tables: Collection[str]) -> FloorLink | None:
    """Read a link; None if its jackpot or paytable is unknown, because nothing else can be checked then."""
    section.refuse_unknown(floor_keys.LINK)
    _verify_tables(section, tables)
    jackpot = tried(section, "jackpot", lambda: registry.jackpot(section.text("jackpot")))
    return None if jackpot is None else _link(section, jackpot)


def _verify_tables(section: Section, tables: Collection[str]) -> None:
    names = section.texts("tables")
    for name in dict.fromkeys(names):
        if name not in tables:
            section.problem("tables", f"there is no table {name!r}", f"choose from: {', '.join(tables)}")
        if names.count(name) > 1:
            section.problem("tables", f"{name!r} is used twice", "name each table once")
    if not names:
        section.problem("tables", "has no tables", "name at least one")


def _link(section: Section, jackpot: Jackpot) -> FloorLink | None:
    paytable = tried(
        section, "paytable", lambda: registry.paytable(jackpot.name, "jackpot", section.text("paytable"))
    )
    if paytable is None:
        return None
    for level in section.texts("executive_levels"):
        if level not in paytable.levels:
            remedy = f"choose from: {', '.join(paytable.levels)}"
            section.problem("executive_levels", f"there is no level {level!r}", remedy)
    for option in jackpot.options:
        if option.required and not section.section("options").has(option.name):
            remedy = f'write options = {{ {option.name} = "..." }}: {" or ".join(map(str, option.values))}'
            section.problem("options", f"{option.name} is not chosen: {option.says}", remedy)
    kind = cast(LinkKind, section.choice("kind", ("progressive", "house")))
    controls = cast(Controls, section.choice("controls", ("nexus", "aquarius")))
    return FloorLink(
        place=section.place,
        id=read_name(section),
        kind=kind,
        jackpot=jackpot,
        variant=_variant(section, jackpot),
        wager=read_amount(section, "wager"),
        tables=section.texts("tables"),
        executive_above=read_amount(section, "executive_above"),
        manufacturer=section.text("manufacturer"),
        interoperability_approval=section.text("interoperability_approval", default=""),
        access_plan=section.text("access_plan", default=""),
        paytable=paytable,
        meters=_meters(section, paytable, kind),
        controls=controls,
        lock_at=_lock_at(section, kind, controls),
        options=read_options(section.section("options"), (*meter_pays.OPTIONS, *jackpot.options)),
        executive_levels=section.texts("executive_levels"),
        cut_off=section.choice("cut_off", ("stop", "store_and_forward")),
        overflow=section.text("overflow", default="reserve"),
        notice_days=section.whole("notice_days", least=0) if section.has("notice_days") else None,
        internal_controls=section.text("internal_controls", default=""),
        system=tuple(map(component, section.texts("system"))),
        approval=section.text("approval", default=""),
        sign=_sign(section.section("sign")),
    )


def _sign(section: Section) -> SignOptions:
    section.refuse_unknown(floor_keys.SIGN)
    layout = section.choice("layout", get_args(SignLayout), default="paytable")
    return SignOptions(layout=cast(SignLayout, layout), sound=section.flag("sound", default=False))


def _lock_at(section: Section, kind: LinkKind, controls: Controls) -> LockAt:
    """Read when signs show the meter without an award; a house jackpot has a default."""
    usual = ("run" if controls == "aquarius" else "claim") if kind == "house" else None
    return cast(LockAt, section.choice("lock_at", ("claim", "confirm", "run"), default=usual))


def _variant(section: Section, jackpot: Jackpot) -> str:
    default = jackpot.variants[0] if len(jackpot.variants) == 1 else None
    return section.choice("variant", jackpot.variants, default=default)


def _meters(section: Section, paytable: Paytable, kind: LinkKind) -> tuple[Meter, ...]:
    meters = tuple(_meter(meter_section, paytable, kind) for meter_section in section.sections("meter"))
    levels = sorted(meter.level for meter in meters)
    if levels != sorted(paytable.levels):
        what = f"{', '.join(levels) or 'none'} are not the levels of {paytable.name}"
        section.problem("meter", what, f"give one [[link.meter]] each: {', '.join(paytable.levels)}")
    return meters


def _meter(section: Section, paytable: Paytable, kind: LinkKind) -> Meter:
    """Read a level. A house jackpot posts an amount; the check refuses a seed or a rate with it."""
    posted, has = kind == "house", section.has
    section.refuse_unknown({**floor_keys.METER, **floor_keys.POSTED} if posted else floor_keys.METER)
    for key in ("contribution", "reserve"):
        if not posted and not has(key):
            section.problem(key, f"{key} is missing", HOW_RATE)
    return Meter(
        place=section.place,
        level=section.choice("level", paytable.levels),
        seed=read_amount(section, "seed") if has("seed") or not posted else 0,
        contribution=section.read("contribution", money.parse_rate, 0, remedy=HOW_RATE),
        reserve=section.read("reserve", money.parse_rate, 0, remedy=HOW_RATE),
        amount=read_amount(section, "amount") if posted else 0,
        cap=read_amount(section, "cap") if has("cap") else NO_CAP,
        now=read_amount(section, "now") if has("now") else None,
        unreasonable=read_amount(section, "unreasonable") if has("unreasonable") else None,
    )
