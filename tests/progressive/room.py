"""A room for tests: tables of one link, and people who press its buttons through the public functions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from feltwork.money import DOLLAR, Micros
from feltwork.site.progressive import award as awards
from feltwork.site.progressive import contribution, life_cycle
from feltwork.site.progressive import house_jackpot as house
from feltwork.site.progressive import round as rounds
from feltwork.site.progressive.chain import Chained, Tail
from feltwork.site.progressive.fact_serializer import as_plain
from feltwork.site.progressive.facts import Fact, Instant
from feltwork.site.progressive.fold import book
from feltwork.site.progressive.life_cycle import BankCount
from feltwork.site.progressive.link import HOUSE_OPTIONS, Level, Link, LockAt, options_of
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.round_facts import RoundEnded, RoundStarted
from feltwork.site.progressive.sign_offs import Badge, TwoPersonRequest
from feltwork.site.progressive.state import Award, LinkState, new_state
from feltwork.titles import registry
from feltwork.titles.title import OptionValue
from tests.ledger.chains import verify_chain

SAM = Badge("sam", "supervisor")
EVE = Badge("eve", "executive")
DEALER = "dana"
SECOND: Instant = 1_000_000


def asked(reason: str = "as agreed", by: str = "ann", approved_by: str = "bob") -> TwoPersonRequest:
    return TwoPersonRequest(by=by, approved_by=approved_by, reason=reason)


def bank_count(state: LinkState, bank_balance: int) -> BankCount:
    """A count of the bank as of now."""
    return BankCount(bank_balance=bank_balance, entry=0, required=state.player_funds)


def level(
    name: str = "jackpot",
    *,
    seed: int = 10_000,
    contribution: int = 2_400,
    reserve: int = 500,
    cap: Micros = -1,
) -> Level:
    """A level with amounts in dollars and rates in basis points; the cap is in micros."""
    return Level(
        name=name,
        seed=seed * DOLLAR,
        contribution=contribution,
        reserve=reserve,
        unreasonable=100 * DOLLAR,
        cap=cap,
    )


def link_of(
    jackpot: str,
    paytable: str,
    levels: Sequence[Level],
    *,
    name: str = "L1",
    wager: Micros = DOLLAR,
    lock_at: LockAt = "confirm",
    executive_above: Micros = 1_000 * DOLLAR,
    variant: str = "",
    **options: OptionValue,
) -> Link:
    return Link(
        id=name,
        jackpot=jackpot,
        paytable=registry.paytable(jackpot, "jackpot", paytable),
        wager=wager,
        levels=tuple(levels),
        controls="aquarius" if lock_at == "run" else "nexus",
        lock_at=lock_at,
        executive_above=executive_above,
        options=options_of(registry.jackpot(jackpot), **options),
        variant=variant,
    )


def four_card(**changes: object) -> Link:
    """Four Card, column 3: four aces take the meter, 5% go to the reserve."""
    return link_of("four_card", "3", [level()], **changes)  # type: ignore[arg-type]


def five_card(**changes: object) -> Link:
    """The five-card jackpot, where one deal may give two wins of the meter: straight flushes take 10%."""
    return link_of("five_card", "01", [level()], **changes)  # type: ignore[arg-type]


def house_jackpot(
    jackpot: str = "five_card",
    paytable: str = "01",
    amounts: Mapping[str, int] = MappingProxyType({"jackpot": 500}),
    **changes: object,
) -> Link:
    """A house jackpot that posts these dollars."""
    levels = [
        Level(name=name, seed=0, contribution=0, reserve=0, unreasonable=0, amount=amount * DOLLAR)
        for name, amount in amounts.items()
    ]
    about = {"name": "H1", "lock_at": "claim", **HOUSE_OPTIONS, **changes}
    return replace(link_of(jackpot, paytable, levels, **about), kind="house")  # type: ignore[arg-type]


def verify_whole(fact: Fact) -> None:
    """A fact says everything: when, of which link, and who, wherever a person is behind it."""
    for name, value in as_plain(fact).items():
        assert value is not None, name
        assert value != "" or name in ("executive", "cards", "witness", "target"), name
    assert fact.at > 0


class Room:
    """Everything that happens to one link, booked as it happens."""

    def __init__(self, link: Link, tables: Iterable[str] = ("T1", "T2")) -> None:
        self.first = link
        self.state: LinkState = new_state(link)
        self.facts: list[Fact] = []
        self.entries: list[Chained] = []
        self.rounds = {table: TableRound(table=table, link=link) for table in tables}
        self.booked_in: dict[tuple[str, int], int] = {}
        self.now: Instant = 1_800_000_000 * SECOND

    @property
    def tail(self) -> Tail:
        return self.entries[-1].tail if self.entries else Tail()

    def later(self) -> Instant:
        self.now += SECOND
        return self.now

    def book(self, *facts: Fact) -> None:
        for fact in facts:
            verify_whole(fact)
        self.state, entries = book(self.state, self.tail, facts)
        self.facts += facts
        self.entries += entries

    def open(self) -> "Room":
        at = self.later()
        posted = house.opening_amounts(self.state, asked(), at=at)
        self.book(life_cycle.open_link(self.state, asked(), at=at), *posted)
        return self

    def post(self, level: str, amount: Micros) -> None:
        """Two people post another amount of a house jackpot."""
        self.book(house.set_amount(self.state, asked(), level=level, amount=amount, at=self.later()))

    def start(self, table: str, seats: Iterable[int] = range(1, 8), *, booked: bool = True) -> RoundStarted:
        seats = tuple(seats)
        self.rounds[table], started = rounds.start(
            self.rounds[table],
            covered=seats,
            players=range(1, 8),
            takes_wagers=self.state.takes_wagers,
            at=self.later(),
        )
        if booked:
            self.contribute([started])
        return started

    def contribute(self, started: Sequence[RoundStarted]) -> tuple[contribution.RefusedRound, ...]:
        batch = contribution.fold_rounds(self.state, started, at=self.later())
        if batch.fact is not None:
            self.book(batch.fact)
            for fact in started:
                self.booked_in[fact.table, fact.round] = self.tail.number
        return batch.refused

    def press(self, table: str, seat: int, hand: str, *, by: str = DEALER, cards: str = "as dealt") -> str:
        """Press a hand button and book what it does to claims; the id of a claim it made, or nothing."""
        before, at = self.rounds[table], self.later()
        self.rounds[table], facts = rounds.press(before, seat=seat, hand=hand, at=at, by=by)
        for fact in facts:
            verify_whole(fact)
        round_ = self.rounds[table]
        for claim in self.claims(table):
            if claim.seat == seat:
                self.book(
                    *awards.void(self.state, awards=[claim.id], reason="cleared", at=self.later(), by=by)
                )
        if seat not in round_.claims:
            return ""
        name = f"A{len(self.state.awards) + 1}"
        self.book(*awards.claim(self.state, round_, awards={seat: name}, at=self.later(), by=by, cards=cards))
        return name

    def claims(self, table: str) -> tuple[Award, ...]:
        return self.state.open_claims(table, self.rounds[table].number)

    def void(self, award: str, reason: str = "not the hand") -> None:
        claim = self.state.awards[award]
        round_ = rounds.take_out(self.rounds[claim.table], seats=[claim.seat])
        facts = awards.void(self.state, awards=[award], reason=reason, at=self.later(), by="sam")
        self.rounds[claim.table] = round_
        self.book(*facts)

    def set_aside(self, award: str, **people: str) -> None:
        request = asked("a card was exposed", **people)
        self.book(*awards.set_aside(self.state, request, award=award, at=self.later()))

    def due(self, *names: str) -> Micros:
        """What the pit's screen shows for some claims of a round."""
        return sum(self.state.awards[name].amount for name in names)

    def confirm(
        self, *names: str, badges: Sequence[Badge] = (SAM, EVE), amount: Micros | None = None
    ) -> None:
        claims = [self.state.awards[name] for name in names]
        amount = self.due(*names) if amount is None else amount
        round_ = self.rounds[claims[0].table]
        after = rounds.confirm(round_, seats=[award.seat for award in claims])
        facts = awards.confirm(
            self.state, round_, awards=names, badges=badges, amount=amount, at=self.later()
        )
        self.rounds[claims[0].table] = after
        self.book(*facts)

    def turn_key(self, table: str, to: str) -> None:
        if to == "JPH":
            self.rounds[table] = rounds.key_to_jackpot(self.rounds[table])
            return
        self.rounds[table] = rounds.key_to_run(self.rounds[table])
        self.book(*awards.move_meter(self.state, self.rounds[table], at=self.later()))

    def pay(self, award: str) -> Micros:
        paid = awards.pay(self.state, award=award, form="check", at=self.later(), by="cara")
        self.book(paid)
        return paid.amount

    def end(self, table: str) -> RoundEnded:
        self.rounds[table], ended = rounds.end(self.rounds[table], at=self.later())
        self.book(contribution.fold_ends(self.state.link.id, [ended], at=self.later()))
        return ended

    def misdeal(self, table: str) -> None:
        started = self.rounds[table].started
        assert started is not None
        after, _ = rounds.misdeal(self.rounds[table], reason="a card short", at=self.later(), by=DEALER)
        fact = contribution.misdeal(
            self.state,
            started,
            booked_in=self.booked_in[started.table, started.round],
            at=self.later(),
            by="sam",
        )
        self.rounds[table] = after
        self.book(fact)

    def correct(self, table: str, seat: int, *, wagered: bool) -> None:
        started = self.rounds[table].started
        assert started is not None
        after = rounds.correct(self.rounds[table], seat=seat, wagered=wagered)
        add = partial(contribution.add_wager, approved_by="sam")
        act = add if wagered else contribution.return_wager
        self.book(act(self.state, started, seat=seat, at=self.later(), by=DEALER))
        self.rounds[table] = after

    def hit(self, table: str, seat: int, hand: str) -> Micros:
        """One whole win: press, confirm, pay."""
        award = self.press(table, seat, hand)
        self.confirm(award)
        return self.pay(award)

    def reconfigure(self, new: Link) -> None:
        at = self.later()
        posted = house.changed_amounts(self.state, new, asked(), at=at)
        self.state, fact = life_cycle.reconfigure(
            self.state, new, asked(), rounds=self.rounds.values(), at=at
        )
        self.book(fact, *posted)
        self.rounds = {table: replace(round_, link=new) for table, round_ in self.rounds.items()}

    def check(self) -> None:
        """The chain holds, nothing was lost, and a replay gives the same."""
        verify_chain(self.state.link.id, self.entries, end=self.tail)
        assert sum(self.state.balances.values()) == 0
