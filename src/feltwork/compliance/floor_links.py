"""Links of a floor file: progressives with their meters, house jackpots with their posted prizes."""

from collections.abc import Collection
from typing import cast, get_args

from feltwork import money
from feltwork.compliance import floor_keys
from feltwork.compliance.approvals_register import component
from feltwork.compliance.floor import FloorLink, Meter, SignLayout, SignOptions
from feltwork.compliance.floor_tables import read_amount, read_name, read_options, tried
from feltwork.paytables.paytable import Paytable
from feltwork.progressive.link import NO_CAP, Controls, LinkKind, LockAt
from feltwork.titles import meter_pays, registry
from feltwork.titles.title import Jackpot
from feltwork.toml_locations import Section

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
    """Read when an award leaves the meter; a house jackpot has a default."""
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
