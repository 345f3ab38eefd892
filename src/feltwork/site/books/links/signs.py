"""Signs: the public display of a link."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from feltwork import money
from feltwork.site.books.awards.lookup import last_decrease, last_wins
from feltwork.site.books.connection import Connection
from feltwork.site.books.errors import unknown
from feltwork.site.books.floors.site import floor_in_force, links_at, site_name
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.compliance.floor import SignOptions
from feltwork.site.progressive.badges import hit_of
from feltwork.site.progressive.link import DISCLOSURES, Link
from feltwork.site.progressive.state import Award
from feltwork.titles.hand_names import hand_name
from feltwork.titles.paytables.paytable import Odds, Row, Share
from feltwork.titles.title import never_folded

NO_WAGERS = "This jackpot is not taking wagers now."
#: Notices to players about folded hands, by whether these win.
FOLDED_HANDS = {True: "Folded hands qualify.", False: "Folded hands do not qualify."}
#: Sign texts for the reasons why a meter shows less than before.
_DECREASES = {
    **dict.fromkeys(("Locked", "Confirmed", "MeterMoved"), "a hit took it"),
    "Released": "a claim was taken back",
    "Misdealt": "the wagers of a voided round were returned",
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
    """A hit that a sign announces, with every seat that shares it; pending until a badge has confirmed it."""

    hit: str
    table: str
    seats: tuple[int, ...]
    hand: str
    level: str
    #: Rank of its level, highest first.
    rank: int
    #: Total amount, and the amount for each seat if all get the same.
    amount: int
    each: int
    pending: bool
    #: Time of the confirmation, or of the claim while it is pending.
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterDecrease:
    """The last entry after which a meter showed less, and why."""

    entry: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignView:
    """The amounts, the last wins and the notices of a link."""

    link: str
    kind: str
    title: str
    open: bool
    levels: tuple[SignLevel, ...]
    wins: tuple[WinAnnouncement, ...]
    decrease: MeterDecrease | None
    notices: tuple[str, ...]
    entry: int
    as_of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableLine:
    """A row of a paytable in money, as players read it."""

    hand: str
    #: The approved name of the hand.
    name: str
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
    options: SignOptions
    #: Posted notice of who cannot win.
    cannot_win: str
    #: Other jackpots of the table, on a table's sign.
    also: tuple[SignView, ...] = ()


def signs(connection: Connection) -> SignsView:
    """Return every sign of the site."""
    views = tuple(sign(connection, link) for link in link_kinds(connection))
    return SignsView(site=site_name(connection), signs=views)


def verify_sign(connection: Connection, link: str) -> str:
    """Return the kind of a link that has a sign; raise if there is none."""
    kind = link_kinds(connection).get(link)
    if kind is None:
        raise unknown(f"link {link}")
    return kind


def sign(connection: Connection, link: str) -> SignView:
    """Return the sign of a link; for a house jackpot it has both disclosures [GEN-12, WA-02]."""
    kind = verify_sign(connection, link)
    snapshot = read_meters(connection, link)
    state = snapshot.state
    decrease = last_decrease(connection, link)
    closed = () if state.takes_wagers else (NO_WAGERS,)
    return SignView(
        link=link,
        kind=kind,
        title=state.link.title.title,
        open=state.takes_wagers,
        levels=tuple(
            SignLevel(
                level=level.name,
                amount=state.shown(level.name),
                wins=state.counters[level.name].hits,
                base=level.seed,
            )
            for level in sorted(
                state.link.levels, key=lambda level: state.link.paytable.levels.index(level.name)
            )
        ),
        wins=hits_of(state.link, last_wins(connection, link)),
        decrease=MeterDecrease(entry=decrease[0], why=_DECREASES.get(decrease[1], "")) if decrease else None,
        notices=(
            *(DISCLOSURES if state.link.is_house else ()),
            *folded_hands_notice(connection, state.link),
            *closed,
        ),
        entry=snapshot.tail.number,
        as_of=snapshot.now,
    )


def folded_hands_notice(connection: Connection, link: Link) -> tuple[str, ...]:
    """Return the notice whether folded hands win, for a link of games with folding [LT-10]."""
    floor = floor_in_force(connection)
    links = [floor_link for floor_link in floor.links if floor_link.id == link.id] if floor else []
    tables = [floor.table_by_id[name] for floor_link in links for name in floor_link.tables] if floor else []
    if all(table.game.folded is never_folded for table in tables):
        return ()
    return (FOLDED_HANDS[link.folded_hands_qualify],)


def sign_page(connection: Connection, link: str) -> SignPage:
    """The sign of a link, with its paytable."""
    floor, config = floor_in_force(connection), read_meters(connection, link).state.link
    in_floor = (
        next((floor_link for floor_link in floor.links if floor_link.id == link), None) if floor else None
    )
    return SignPage(
        site=site_name(connection),
        sign=sign(connection, link),
        jackpot=config.jackpot,
        paytable=paytable_of(config),
        wager=config.wager,
        options=in_floor.sign if in_floor else SignOptions(),
        cannot_win=floor.cannot_win if floor else "",
    )


def table_sign(connection: Connection, table: str) -> SignPage:
    """Return the sign of a table: all its jackpots, highest first; one jackpot comes with its paytable."""
    links = links_at(connection, table)
    if not links:
        raise unknown(f"table {table}")
    pages = [sign_page(connection, link) for link in links]
    first, *others = sorted(pages, key=lambda page: -max(level.amount for level in page.sign.levels))
    return replace(first, paytable=(), also=tuple(page.sign for page in others)) if others else first


def paytable_of(link: Link) -> tuple[PaytableLine, ...]:
    """The rows of a link's paytable in money [LT-13]."""
    return tuple(
        PaytableLine(
            hand=row.hand,
            name=hand_name(link.paytable, row.hand),
            level=row.pays.level if isinstance(row.pays, Share) else "",
            pays=pays_text(link, row),
            envy=row.envy_for(link.wager),
        )
        for row in link.paytable.rows
    )


def pays_text(link: Link, row: Row) -> str:
    """Return the pay of a paytable row at the link's wager."""
    if isinstance(row.pays, Odds):
        return money.dollars(row.pays.pay(link.wager), cents=row.pays.pay(link.wager) % money.DOLLAR != 0)
    if isinstance(row.pays, Share) and row.pays.is_whole:
        return row.pays.level.capitalize()
    return str(row.pays)


def hits_of(link: Link, wins: Sequence[tuple[Award, int]]) -> tuple[WinAnnouncement, ...]:
    """Group awards by hit, in order; awards of one hand that are confirmed together are one hit."""
    awards_by_hit: dict[str, list[tuple[Award, int]]] = {}
    for award, confirmed_at in wins:
        hit = f"{award.table}:{award.round}:{hit_of(link, award)}:{award.hand}:{award.level}"
        awards_by_hit.setdefault(hit, []).append((award, confirmed_at))
    return tuple(_announcement(link, hit, awards) for hit, awards in awards_by_hit.items())


def _announcement(link: Link, hit: str, awards: list[tuple[Award, int]]) -> WinAnnouncement:
    first, amounts = awards[0][0], {award.amount for award, _ in awards}
    pending = any(award.status == "claimed" for award, _ in awards)
    return WinAnnouncement(
        hit=hit,
        table=first.table,
        seats=tuple(sorted(award.seat for award, _ in awards)),
        hand=hand_name(link.paytable, first.hand),
        level=first.level,
        rank=link.paytable.levels.index(first.level),
        amount=sum(award.amount for award, _ in awards),
        each=amounts.pop() if len(awards) > 1 and len(amounts) == 1 else 0,
        pending=pending,
        at=first.claimed_at if pending else max(at for _, at in awards),
    )
