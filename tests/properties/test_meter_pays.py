"""Jackpot pays: what holds for every paytable, every table and every policy.

The game here is a toy: each seat is dealt one card, whose rank names the paytable row it answers to. So
Hypothesis can put any hands side by side, which no single deck would.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from feltwork import money
from feltwork.money import CENT, DOLLAR, Micros
from feltwork.titles.cards.card import DECK, RANKS, Card
from feltwork.titles.meter_pays import HOUSE, OPTIONS, TRAY, pay_jackpot
from feltwork.titles.paytables.paytable import Odds, Pay, Paytable, Row, Share
from feltwork.titles.round import Round, Seat, TableJackpot
from feltwork.titles.settlement import JackpotResult
from feltwork.titles.title import Game, Jackpot, OptionValue, Sight

LEVELS = ("mega", "minor")
NOTHING = len(RANKS) - 1

GAME = Game(
    name="toy",
    title="Toy",
    letter="C4",
    wagers=(),
    base=("ante",),
    table_cards={"dealer": 1},
    seat_cards=1,
    voids_on_misdeal=True,
    max_seats=9,
    views={"one_card": lambda _, seat: (seat.cards,)},
    check=lambda _: [],
    settle=lambda _, __: {},
    play=lambda round_, _, __: round_,
    rule_of_thumb=lambda decision: decision.choices[0],
    rows={},
    folded=lambda _, seat: not seat.wager("play"),
)


def row_of(sight: Sight) -> frozenset[str]:
    return frozenset({f"row_{sight[0][0].rank - 2}"})


JACKPOT = Jackpot(
    name="toy_jackpot",
    title="Toy",
    letter="C4",
    views={"": ("one_card",)},
    names=row_of,
    rows=frozenset(f"row_{place}" for place in range(len(RANKS))),
)

#: Jackpots pay so much for 1 or to 1, so that wagers in whole cents win whole cents.
odds = st.builds(Odds, st.integers(1, 1000), st.just(1), stake_returned=st.booleans())
shares = st.builds(Share, st.one_of(st.just(10_000), st.integers(1, 10_000)), st.sampled_from(LEVELS))
envies = st.one_of(st.just(0), st.integers(1, 1000).map(lambda dollars: dollars * DOLLAR))
cents = st.integers(1, 10_000).map(lambda count: count * CENT)
options = st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in OPTIONS})
levels_of = st.fixed_dictionaries({level: st.integers(0, 10**12) for level in LEVELS})


@st.composite
def paytables(draw: st.DrawFn) -> Paytable:
    pays: list[Pay] = [draw(shares), *draw(st.lists(st.one_of(odds, shares), max_size=5))]
    rows = tuple(Row(f"row_{place}", pay, "toy", draw(envies)) for place, pay in enumerate(pays))
    return Paytable("1", "toy_jackpot", "jackpot", rows)


def a_seat(number: int, place: int, *, bets: bool = True, plays: bool = True) -> Seat:
    wagers = {"ante": DOLLAR} | ({"play": DOLLAR} if plays else {})
    return Seat(number, wagers, (DECK[4 * place],), frozenset({JACKPOT.name} if bets else ()))


@st.composite
def tables(draw: st.DrawFn, /, **fixed: OptionValue) -> tuple[Round, TableJackpot]:
    """A table of up to seven seats in front of a jackpot; named options are fixed."""
    paytable = draw(paytables())
    places = st.one_of(st.integers(0, len(paytable.rows) - 1), st.just(NOTHING))
    numbers = draw(st.sets(st.integers(1, 9), min_size=1, max_size=7))
    seats = tuple(
        a_seat(number, draw(places), bets=draw(st.booleans()), plays=draw(st.booleans()))
        for number in sorted(numbers)
    )
    table = TableJackpot(
        jackpot=JACKPOT,
        paytable=paytable,
        wager=draw(cents),
        meters={level: amount for level, amount in draw(levels_of).items() if level in paytable.levels},
        options={**draw(options), **fixed},
        reseed=draw(st.one_of(st.just({}), levels_of)),
    )
    dealer = {"dealer": (DECK[4 * draw(places)],)}
    return Round(game=GAME, seats=seats, paytables={}, options={}, table_cards=dealer), table


def row_at(table: TableJackpot, seat: Seat) -> Row | None:
    """The row that a seat's hand answers to, a folded hand only where the house lets it."""
    if not seat.wager("play") and not table.options["folded_hands_qualify"]:
        return None
    return table.paytable.row_for(row_of((seat.cards,)))


def awards(round_: Round, table: TableJackpot) -> dict[int, JackpotResult]:
    return pay_jackpot(round_, table)[0]


def mirrored(round_: Round) -> Round:
    """The same players, seated the other way round."""
    seats = sorted(
        (replace(seat, number=10 - seat.number) for seat in round_.seats), key=lambda seat: seat.number
    )
    return replace(round_, seats=tuple(seats))


def without(round_: Round, unwanted: Callable[[Seat], bool]) -> Round:
    """The same table, some hands swapped for worthless ones."""
    worthless = (DECK[4 * NOTHING],)
    return replace(
        round_,
        seats=tuple(replace(seat, cards=worthless) if unwanted(seat) else seat for seat in round_.seats),
    )


def where_no_shares_meet(round_: Round, table: TableJackpot) -> Round:
    """The same table with no more than one share of each meter won."""
    won: set[str] = set()

    def one_too_many(seat: Seat) -> bool:
        row = row_at(table, seat)
        if JACKPOT.name not in seat.jackpots or row is None or not isinstance(row.pays, Share):
            return False
        level, again = row.pays.level, row.pays.level in won
        won.add(level)
        return again

    return without(round_, one_too_many)


@given(tables())
def test_only_bettors_are_paid_and_only_for_a_row(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    results = awards(round_, table)
    assert set(results) == {seat.number for seat in round_.seats if seat.jackpots}
    for seat in round_.seats:
        if seat.jackpots:
            row = row_at(table, seat)
            assert results[seat.number].hand == (row.hand if row else None)
            assert row or results[seat.number].award == 0


@given(tables(), st.data())
def test_envy_is_never_from_oneself(dealt: tuple[Round, TableJackpot], data: st.DataObject) -> None:
    """Whatever a bettor holds, the own envy stays the same."""
    round_, table = dealt
    me = data.draw(st.sampled_from(round_.seats))
    other_hand = without(round_, lambda seat: seat is me)
    own_result, result_after = (awards(deal, table).get(me.number) for deal in (round_, other_hand))
    assert (own_result and own_result.envy) == (result_after and result_after.envy)


@given(tables(), st.sampled_from(DECK))
def test_nothing_comes_from_the_dealers_hand(dealt: tuple[Round, TableJackpot], card: Card) -> None:
    round_, table = dealt
    other_dealer = replace(round_, table_cards={"dealer": (card,)})
    assert pay_jackpot(round_, table) == pay_jackpot(other_dealer, table)


@given(tables())
def test_envy_is_paid_once_for_each_other_qualifying_hand(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    due: Counter[int] = Counter()
    for holder in round_.seats:
        row = row_at(table, holder)
        if row is not None and (holder.jackpots or table.options["envy_from"] == "any_player"):
            due.update(
                {seat.number: row.envy_for(table.wager) for seat in round_.seats if seat is not holder}
            )
    for number, result in awards(round_, table).items():
        assert result.envy == due[number]


@given(tables())
def test_a_meter_loses_what_was_taken_and_gains_its_reseeds(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    results, meters = pay_jackpot(round_, table)
    assert set(meters) == set(table.meters)
    for level, change in meters.items():
        total = sum(result.sources.get(level, 0) for result in results.values())
        restarts = restarts_of(level, round_, table)
        assert change.before == table.meters[level]
        assert change.after == change.before - total + restarts * table.reseed.get(level, 0)
        assert change.after >= 0


def restarts_of(level: str, round_: Round, table: TableJackpot) -> int:
    """How often a meter starts again: per 100% award, per divided row, or once where each is in full."""
    whole = [
        row.hand
        for seat in round_.seats
        if seat.jackpots and (row := row_at(table, seat)) and row.pays == Share(10_000, level)
    ]
    counts = {"seat_order": len(whole), "split": len(set(whole)), "each_in_full": min(1, len(whole))}
    return counts[str(table.options["several_winners"])]


@given(tables())
def test_an_award_is_the_sum_of_its_sources(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    for result in awards(round_, table).values():
        assert result.award == sum(result.sources.values())
        assert set(result.sources) <= {*table.meters, TRAY, HOUSE}
        assert all(amount >= 0 for amount in result.sources.values())
        assert all(result.sources.get(level, 0) % CENT == 0 for level in table.meters)


@given(tables())
def test_no_award_is_above_the_paytable(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    for seat in round_.seats:
        row = row_at(table, seat)
        if seat.jackpots and row is not None:
            assert awards(round_, table)[seat.number].award <= most(table, row.pays)


def most(table: TableJackpot, pays: Pay) -> Micros:
    """A fixed pay, or the share of the fuller of the meter as it stood and as it starts again."""
    if isinstance(pays, Share):
        restarted = table.reseed.get(pays.level, 0) + CENT  # a fraction of a cent may be left beside the seed
        return money.part(max(table.meters[pays.level], restarted), pays.basis_points)
    assert isinstance(pays, Odds)
    return pays.pay(table.wager)


@given(tables())
def test_a_fixed_pay_is_paid_in_full_by_the_tray_or_the_lowest_meter(
    dealt: tuple[Round, TableJackpot],
) -> None:
    round_, table = dealt
    payers = {TRAY, table.paytable.levels[-1]} if table.options["fixed_pays_from"] == "meter" else {TRAY}
    results = awards(round_, table)
    for seat in round_.seats:
        row = row_at(table, seat)
        if seat.jackpots and row is not None and isinstance(row.pays, Odds):
            result = results[seat.number]
            assert result.award == row.pays.pay(table.wager)
            assert set(result.sources) <= payers
            assert result.stake_returned == (table.wager if row.pays.stake_returned else 0)


@given(tables(fixed_pays_from="tray"), st.integers(2, 100))
def test_fixed_pays_and_envy_scale_with_the_wager(dealt: tuple[Round, TableJackpot], times: int) -> None:
    round_, table = dealt
    larger = awards(round_, replace(table, wager=times * table.wager))
    for number, result in awards(round_, table).items():
        scaled = {
            source: times * amount if source == TRAY else amount for source, amount in result.sources.items()
        }
        assert larger[number].sources == scaled
        assert larger[number].envy == times * result.envy
        assert larger[number].stake_returned == times * result.stake_returned


@given(tables(several_winners="split", fixed_pays_from="tray"))
def test_a_split_conserves_one_share_to_the_cent(dealt: tuple[Round, TableJackpot]) -> None:
    """One row of the table at a time, so that what is divided is a share of the meter as it stood."""
    round_, table = dealt
    for row in table.paytable.rows:
        if not isinstance(row.pays, Share):
            continue
        alone = without(round_, lambda seat, row=row: row_at(table, seat) != row)  # type: ignore[misc]
        winners = [seat.number for seat in alone.seats if seat.jackpots and row_at(table, seat) == row]
        results = awards(alone, table)
        parts = [results[number].award for number in sorted(winners, reverse=True)]
        if parts:
            assert sum(parts) == money.whole_cents(
                money.part(table.meters[row.pays.level], row.pays.basis_points)
            )
            assert parts == sorted(parts, reverse=True), "odd cents go to the dealer's right first"
            assert parts[0] - parts[-1] in (0, CENT)


@given(tables(fixed_pays_from="tray"))
def test_seats_may_be_swapped_where_no_shares_of_one_meter_meet(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    apart = where_no_shares_meet(round_, table)
    assert by_player(awards(mirrored(apart), table)) == amounts(awards(apart, table))


@given(tables(several_winners="each_in_full"))
def test_in_full_is_a_share_of_the_meter_as_it_stood(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    results = awards(round_, table)
    for seat in round_.seats:
        row = row_at(table, seat)
        if seat.jackpots and row is not None and isinstance(row.pays, Share):
            share = money.part(table.meters[row.pays.level], row.pays.basis_points)
            assert results[seat.number].award == money.whole_cents(share)


@given(tables(fixed_pays_from="tray", several_winners="each_in_full"))
def test_seats_may_be_swapped_where_each_is_paid_in_full(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    assert by_player(awards(mirrored(round_), table)) == amounts(awards(round_, table))


@given(tables(fixed_pays_from="tray"))
def test_the_policy_matters_only_where_shares_of_one_meter_meet(dealt: tuple[Round, TableJackpot]) -> None:
    round_, table = dealt
    apart = where_no_shares_meet(round_, table)
    settled = [
        (amounts(results), meters)
        for policy in ("seat_order", "split", "each_in_full")
        for results, meters in [
            pay_jackpot(apart, replace(table, options={**table.options, "several_winners": policy}))
        ]
    ]
    assert settled[0] == settled[1] == settled[2]


@given(tables(several_winners="seat_order"))
def test_a_lone_share_is_divided_among_one(dealt: tuple[Round, TableJackpot]) -> None:
    """Split and seat order agree there even where fixed pays come off the same meter."""
    round_, table = dealt
    apart = where_no_shares_meet(round_, table)
    split = replace(table, options={**table.options, "several_winners": "split"})
    assert amounts(awards(apart, table)) == amounts(awards(apart, split))


def amounts(results: Mapping[int, JackpotResult]) -> dict[int, tuple[Micros, Micros, Micros]]:
    return {number: (result.award, result.envy, result.stake_returned) for number, result in results.items()}


def by_player(results: Mapping[int, JackpotResult]) -> dict[int, tuple[Micros, Micros, Micros]]:
    """The amounts of a mirrored table under the seats its players had before."""
    return {10 - number: amount for number, amount in amounts(results).items()}


def test_seat_order_matters_where_shares_of_one_meter_meet() -> None:
    """[C4.nexus.9.c]: 10% on the right is taken first; on the left it is of a meter that starts again."""
    rows = (Row("row_0", Share(10_000, "mega"), "toy"), Row("row_1", Share(1_000, "mega"), "toy"))
    table = TableJackpot(
        jackpot=JACKPOT,
        paytable=Paytable("1", "toy_jackpot", "jackpot", rows),
        wager=DOLLAR,
        meters={"mega": 1000 * DOLLAR},
        options={option.name: option.default for option in OPTIONS},
        reseed={"mega": 100 * DOLLAR},
    )
    seats = (a_seat(1, 0), a_seat(9, 1))
    round_ = Round(game=GAME, seats=seats, paytables={}, options={})
    assert [awards(round_, table)[number].award for number in (1, 9)] == [900 * DOLLAR, 100 * DOLLAR]
    assert [awards(mirrored(round_), table)[number].award for number in (9, 1)] == [
        1000 * DOLLAR,
        10 * DOLLAR,
    ]
