"""Signs: a link as it hangs on the wall, for everybody in the room, and nothing else."""

from dataclasses import dataclass

from feltwork import money
from feltwork.books import house
from feltwork.books.award_lookup import last_drop, last_wins
from feltwork.books.connection import Connection
from feltwork.books.links import link_kinds
from feltwork.books.standing import look_at_meters
from feltwork.operations.errors import unknown
from feltwork.operations.site import site_name
from feltwork.paytables.paytable import Odds, Row, Share
from feltwork.progressive.link import Link

#: Why a meter may show less than before, as a sign says it.
_DROPS = {
    "Locked": "won",
    "Released": "a claim was taken back",
    "Misdealt": "wagers of a void round were given back",
    "WagerReturned": "the wager of a corrected seat was given back",
    "Adjusted": "corrected by two people",
    "Reversed": "an award was reversed",
    "CapSet": "a cap was set",
    "Removed": "the jackpot was removed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SignLevel:
    """A meter on a sign."""

    level: str
    amount: int
    wins: int
    base: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WinAnnouncement:
    """A win that a sign announces."""

    award: str
    table: str
    seat: int
    hand: str
    level: str
    amount: int
    status: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterDrop:
    """The last entry after which a meter showed less, and why."""

    entry: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignView:
    """The amounts, the last wins and the notices of a link or a house jackpot."""

    link: str
    kind: str
    title: str
    open: bool
    #: The one hand of a house jackpot.
    hand: str = ""
    levels: tuple[SignLevel, ...]
    wins: tuple[WinAnnouncement, ...]
    drop: MeterDrop | None
    notices: tuple[str, ...]
    entry: int
    as_of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableLine:
    """A row of a paytable in money, as players read it."""

    hand: str
    says: str
    level: str
    pays: str
    envy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SignsView:
    """Every sign of the site."""

    site: str
    signs: tuple[SignView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignPage:
    """A sign with the paytable beside it."""

    site: str
    sign: SignView
    jackpot: str
    paytable: tuple[PaytableLine, ...]
    wager: int


def signs(connection: Connection) -> SignsView:
    """Every link that has a sign."""
    shown = tuple(sign(connection, link) for link in link_kinds(connection))
    return SignsView(site=site_name(connection), signs=shown)


def verify_sign(connection: Connection, link: str) -> str:
    """The kind of a link that has a sign; raises where there is none."""
    kind = link_kinds(connection).get(link)
    if kind is None:
        raise unknown(f"link {link}")
    return kind


def sign(connection: Connection, link: str) -> SignView:
    """The sign of a link or a house jackpot [GEN-12, WA-02]."""
    kind = verify_sign(connection, link)
    return _house(connection, link) if kind == "house" else _progressive(connection, link)


def sign_page(connection: Connection, link: str) -> SignPage:
    """The sign of a link, with its paytable where it has one."""
    shown, site = sign(connection, link), site_name(connection)
    if shown.kind == "house":
        return SignPage(site=site, sign=shown, jackpot="", paytable=(), wager=0)
    config = look_at_meters(connection, link).state.link
    return SignPage(
        site=site, sign=shown, jackpot=config.jackpot, paytable=paytable_of(config), wager=config.wager
    )


def paytable_of(link: Link) -> tuple[PaytableLine, ...]:
    """The rows of a link's paytable in money [LT-13]."""
    return tuple(
        PaytableLine(
            hand=row.hand,
            says=row.hand.replace("_", " "),
            level=row.pays.level if isinstance(row.pays, Share) else "",
            pays=pays_text(link, row),
            envy=row.envy_for(link.wager),
        )
        for row in link.paytable.rows
    )


def pays_text(link: Link, row: Row) -> str:
    """What a row pays at the link's wager."""
    if isinstance(row.pays, Odds):
        return money.dollars(row.pays.pay(link.wager), cents=row.pays.pay(link.wager) % money.DOLLAR != 0)
    if isinstance(row.pays, Share) and row.pays.is_whole:
        return row.pays.level.capitalize()
    return str(row.pays)


def _progressive(connection: Connection, name: str) -> SignView:
    taken = look_at_meters(connection, name)
    state = taken.state
    drop = last_drop(connection, name)
    return SignView(
        link=name,
        kind="progressive",
        title=state.link.title.title,
        open=state.takes_wagers,
        levels=tuple(
            SignLevel(
                level=level.name,
                amount=state.meter(level.name),
                wins=state.counters[level.name].hits,
                base=level.seed,
            )
            for level in state.link.levels
        ),
        wins=_wins(connection, name),
        drop=MeterDrop(entry=drop[0], why=_DROPS.get(drop[1], "")) if drop else None,
        notices=() if state.takes_wagers else ("No wagers are taken on this jackpot now.",),
        entry=taken.tail.number,
        as_of=taken.now,
    )


def _house(connection: Connection, name: str) -> SignView:
    """A house jackpot has one posted amount and both disclosures [WA-02]."""
    state, tail, now = house.look_at_amount(connection, name)
    return SignView(
        link=name,
        kind="house",
        title="House jackpot",
        open=state.amount > 0,
        hand=state.jackpot.hand,
        levels=(SignLevel(level="posted", amount=state.amount, wins=0, base=state.amount),),
        wins=_wins(connection, name),
        drop=None,
        notices=tuple(state.jackpot.disclosures),
        entry=tail.number,
        as_of=now,
    )


def _wins(connection: Connection, link: str) -> tuple[WinAnnouncement, ...]:
    names = tuple(WinAnnouncement.__dataclass_fields__)
    rows = last_wins(connection, link)
    return tuple(WinAnnouncement(**dict(zip(names, row, strict=True))) for row in rows)
