"""Jackpot pays of a round: fixed pays, shares of a meter, envy, and the order of winners."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from feltwork import money
from feltwork.money import Micros
from feltwork.titles.paytables.paytable import Odds, Push, Row, Share
from feltwork.titles.round import Round, Seat, TableJackpot
from feltwork.titles.settlement import JackpotResult, MeterChange
from feltwork.titles.title import Option, Sight

#: House options of every jackpot.
OPTIONS = (
    Option(
        "folded_hands_qualify",
        (True, False),
        "whether a folded hand is still paid by the jackpot; fixed per table before START GAME",
    ),
    Option(
        "envy_from",
        ("any_player", "bettors"),
        "whose hand triggers envy: any player's at the table, or only that of a jackpot bettor",
    ),
    Option(
        "several_winners",
        ("seat_order", "split", "each_in_full"),
        "several shares of one meter in a round: in seat order on what the one before left, "
        "one share divided among the winners of a row, or each share on the full meter",
    ),
    Option(
        "fixed_pays_from",
        ("tray", "meter"),
        "whether fixed pays come from the dealer's tray or off the meter",
    ),
)
TRAY = "tray"
HOUSE = "house"


def top_up(held: Micros, *, meter: Micros, cap: Micros | None) -> Micros:
    """Return the amount that a reserve adds to a meter at a reset: all of it, up to the cap [LT-06].

    The rest stays in the reserve for the next reset [WA-09].
    """
    return held if cap is None else max(0, min(held, cap - meter))


@dataclass(slots=True)
class _Till:
    """The meters during the payout of a round; each award sees the balance after the previous one."""

    meters: dict[str, Micros]
    reseed: dict[str, Micros]
    reserve: dict[str, Micros]
    caps: Mapping[str, Micros]
    opening: dict[str, Micros] = field(init=False)

    def __post_init__(self) -> None:
        self.opening = dict(self.meters)

    def take_share(self, share: Share) -> Micros:
        """Pay a share of the current meter in whole cents; fractions stay in the meter."""
        award = money.whole_cents(money.part(self.meters[share.level], share.basis_points))
        self.meters[share.level] -= award
        if share.is_whole:
            self.restart(share.level)
        return award

    def take_in_full(self, share: Share) -> dict[str, Micros]:
        """Pay a share of the opening meter; the house covers any shortfall."""
        award = money.whole_cents(money.part(self.opening[share.level], share.basis_points))
        paid = self.take_up_to(share.level, award)
        return _without_zeros({share.level: paid, HOUSE: award - paid})

    def take_up_to(self, level: str, amount: Micros) -> Micros:
        """Pay as much of an amount as the meter has."""
        paid = min(amount, money.whole_cents(self.meters[level]))
        self.meters[level] -= paid
        return paid

    def restart(self, level: str) -> None:
        """Reset a meter that paid 100 % to its seed plus the reserve [LT-06]."""
        self.meters[level] += self.reseed.get(level, 0)
        held = self.reserve.get(level, 0)
        topped_up = top_up(held, meter=self.meters[level], cap=self.caps.get(level))
        self.meters[level] += topped_up
        self.reserve[level] = held - topped_up


@dataclass(frozen=True, slots=True)
class _Winner:
    """A jackpot bettor with a paying hand."""

    seat: int
    row: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """The row of each seat's hand, from the cards or from the dealer's hand buttons."""

    rows: Mapping[int, Row | None]
    bettors: tuple[int, ...]
    #: The bettors who held the hand or bet on its side.
    backing: frozenset[int]


def pay_jackpot(
    round_: Round, table: TableJackpot
) -> tuple[dict[int, JackpotResult], dict[str, MeterChange]]:
    """Settle one jackpot of a dealt round."""
    return pay_hands(table, hands_of(round_, table))


def pay_hands(table: TableJackpot, hands: Hands) -> tuple[dict[int, JackpotResult], dict[str, MeterChange]]:
    """Return the result of every jackpot bettor, winners first in pay order, and the meters."""
    till = _Till(dict(table.meters), dict(table.reseed), dict(table.reserve), table.caps)
    results = dict(_awards(table, _winners(table, hands), till))
    for number in hands.bettors:
        if number not in results:
            why = _why_not(table, hands.rows.get(number))
            results[number] = JackpotResult(wager=table.wager, hand=None, why=why)
    for number, (envy, why) in _envy(table, hands).items():
        result = results[number]
        results[number] = replace(result, envy=envy, why=f"{result.why}; {why}")
    changes = {level: MeterChange(table.meters[level], till.meters[level]) for level in table.meters}
    return results, changes


def hands_of(round_: Round, table: TableJackpot) -> Hands:
    """Read the hands of a dealt round."""
    bettors = [seat for seat in round_.seats if table.jackpot.name in seat.jackpots]
    return Hands(
        rows={seat.number: row_of(round_, table, seat) for seat in round_.seats},
        bettors=tuple(seat.number for seat in bettors),
        backing=frozenset(seat.number for seat in bettors if _backs(round_, table, seat)),
    )


def in_pay_order(seats: Iterable[int]) -> list[int]:
    """Sort counterclockwise from the dealer's right, highest seat first [C4.nexus.9.c]."""
    return sorted(seats, reverse=True)


def sight_of(round_: Round, table: TableJackpot, seat: Seat) -> Sight | None:
    """Return the cards this jackpot looks at for a seat, if the game shows them."""
    for view in table.jackpot.views[table.variant]:
        if view in round_.game.views:
            return round_.game.views[view](round_, seat)
    return None


def row_of(round_: Round, table: TableJackpot, seat: Seat) -> Row | None:
    """Return the row that a seat's cards match, if any."""
    if round_.game.folded(round_, seat) and not table.options["folded_hands_qualify"]:
        return None
    sight = sight_of(round_, table, seat)
    return None if sight is None else table.paytable.row_for(table.jackpot.names(sight))


def _why_not(table: TableJackpot, row: Row | None) -> str:
    """Explain why a bettor gets nothing; a row that pays others is on a side this seat did not bet."""
    if row is None:
        return f"nothing on {table.paytable.name}"
    return f"{row.hand} was not on a side this seat bet on [{row.cites}]"


def _winners(table: TableJackpot, hands: Hands) -> list[_Winner]:
    """Return the bettors that a row pays, in pay order."""
    paid = [
        _Winner(number, row)
        for number in in_pay_order(hands.bettors)
        if (row := hands.rows.get(number)) is not None
    ]
    backing = [winner for winner in paid if winner.seat in hands.backing]
    if backing and table.options.get("share_with") == "all_bettors":
        return [winner for winner in paid if winner in backing or isinstance(winner.row.pays, Share)]
    return backing


def _backs(round_: Round, table: TableJackpot, seat: Seat) -> bool:
    sight = sight_of(round_, table, seat)
    return sight is not None and table.jackpot.backs(sight, seat)


def _awards(table: TableJackpot, winners: list[_Winner], till: _Till) -> Iterator[tuple[int, JackpotResult]]:
    """Yield each winner's award under the policy for shares of a meter [C4.nexus.9.c, DB.nexus.7.b]."""
    policy = "split" if table.jackpot.divides_shares else table.options["several_winners"]
    divided: set[str] = set()
    for winner in winners:
        pays = winner.row.pays
        if isinstance(pays, Odds):
            yield winner.seat, _fixed_pay(table, winner, pays, till)
        elif isinstance(pays, Push):
            result = _award(table, winner, {}, "the wager comes back")
            yield winner.seat, replace(result, stake_returned=table.wager)
        elif policy == "seat_order":
            sources = {pays.level: till.take_share(pays)}
            result = _award(table, winner, sources, "of the meter as it stood")
            yield winner.seat, replace(result, restarts=pays.is_whole)
        elif policy == "split" and winner.row.hand not in divided:
            divided.add(winner.row.hand)
            sharing = [other for other in winners if other.row is winner.row]
            yield from _divided(table, sharing, till.take_share(pays), pays)
    if policy == "each_in_full":
        yield from _each_in_full(table, winners, till)


def _fixed_pay(table: TableJackpot, winner: _Winner, pays: Odds, till: _Till) -> JackpotResult:
    """Pay a fixed award, scaled by the wager, from the tray or the meter [C4.nexus.9.b, DB.nexus.7.a]."""
    award = pays.pay(table.wager)
    sources = {TRAY: award}
    if table.options["fixed_pays_from"] == "meter":
        level = table.paytable.levels[-1]
        paid = till.take_up_to(level, award)
        sources = _without_zeros({level: paid, TRAY: award - paid})
    result = _award(table, winner, sources, f"on {money.text(table.wager)}")
    return replace(result, stake_returned=table.wager if pays.stake_returned else 0)


def _divided(
    table: TableJackpot, sharing: list[_Winner], amount: Micros, share: Share
) -> Iterator[tuple[int, JackpotResult]]:
    """Divide one share among the winners of a row; odd cents go in pay order."""
    for winner, part in zip(sharing, money.split(amount, len(sharing)), strict=True):
        result = _award(table, winner, {share.level: part}, f"divided among {len(sharing)}")
        yield winner.seat, replace(result, restarts=share.is_whole and winner is sharing[-1])


def _each_in_full(
    table: TableJackpot, winners: list[_Winner], till: _Till
) -> Iterator[tuple[int, JackpotResult]]:
    """Pay every winner the full share; a meter that paid 100 % resets once."""
    last = {
        winner.row.pays.level: winner
        for winner in winners
        if isinstance(winner.row.pays, Share) and winner.row.pays.is_whole
    }
    for winner in winners:
        if isinstance(share := winner.row.pays, Share):
            result = _award(table, winner, till.take_in_full(share), "in full to each")
            yield winner.seat, replace(result, restarts=last.get(share.level) is winner)
    for level in sorted(last):
        till.restart(level)


def _award(table: TableJackpot, winner: _Winner, sources: dict[str, Micros], manner: str) -> JackpotResult:
    why = f"{winner.row.hand} pays {winner.row.pays}, {manner} [{winner.row.cites}]"
    award = sum(sources.values())
    return JackpotResult(wager=table.wager, hand=winner.row.hand, award=award, sources=sources, why=why)


def _without_zeros(sources: dict[str, Micros]) -> dict[str, Micros]:
    return {source: amount for source, amount in sources.items() if amount}


def _envy(table: TableJackpot, hands: Hands) -> dict[int, tuple[Micros, str]]:
    """Pay envy to every other bettor once per qualifying hand [C4.nexus.10]."""
    everyone = table.options["envy_from"] == "any_player"
    triggers = [
        (number, row)
        for number, row in hands.rows.items()
        if row is not None and row.envy and (everyone or number in hands.bettors)
    ]
    paid = {}
    for bettor in hands.bettors:
        others = [(number, row) for number, row in triggers if number != bettor]
        if others:
            amount = sum(row.envy_for(table.wager) for _, row in others)
            hand_names = ", ".join(f"{row.hand} of seat {number}" for number, row in others)
            paid[bettor] = (amount, f"envy for {hand_names}")
    return paid
