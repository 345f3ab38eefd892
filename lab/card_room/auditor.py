"""The auditor of a simulated card room: the tables' messages, and plain sums over the journal."""

from collections.abc import Iterable, Iterator

from feltwork.money import DOLLAR
from feltwork.site.progressive.facts import (
    Claimed,
    Contributed,
    Fact,
    Locked,
    Misdealt,
    PaidFromTray,
    Voided,
    WagerAdded,
)
from lab.card_room.books import CONTRIBUTION, RESERVE, SEED, RoomBooks
from lab.card_room.table import JACKPOT, TableMessage
from lab.card_room.world import RoomWorld

_TO_METER, _TO_RESERVE = DOLLAR * CONTRIBUTION // 10_000, DOLLAR * RESERVE // 10_000


def audit_room(world: RoomWorld) -> list[str]:
    """Return the differences between the tables, the books and the sums."""
    return [*_said_and_booked(world), *_amounts(world.books)]


def _said_and_booked(world: RoomWorld) -> Iterator[str]:
    """Check that each message took effect once, and no message of a refused round did."""
    books = world.books
    voided = {fact.award for fact in books.facts if isinstance(fact, Voided) and fact.by == "sam"}
    claims = [fact for fact in books.facts if isinstance(fact, Claimed)]
    ends = [fact for fact in books.facts if isinstance(fact, PaidFromTray)]
    wagers, expected_ends = 0, 0
    for key, messages in _by_round(world.said).items():
        if key in books.told:
            if key in books.rounds or set(messages) - set(books.parked) - {messages[0]}:
                yield f"{key}: refused, and something of it was taken"
            continue
        last = {message.seats: message.hand for message in messages if message.kind in ("hand", "clear")}
        expected_seats = [seats[0] for seats, hand in last.items() if hand == JACKPOT]
        round_claims = [claim for claim in claims if (claim.table, claim.round) == key]
        pressed = sum(message.kind == "hand" and message.hand == JACKPOT for message in messages)
        standing = [
            claim.seat for claim in round_claims if books.state.awards[claim.award].status != "voided"
        ]
        voided_seats = [claim.seat for claim in round_claims if claim.award in voided]
        if len(round_claims) != pressed or not set(standing) <= set(expected_seats) <= {
            *standing,
            *voided_seats,
        }:
            yield f"{key}: claims of seats {standing}, said {expected_seats}"
        if messages[-1].kind == "misdeal":
            continue
        wagers += len(messages[0].seats) + sum(message.kind == "seat" for message in messages)
        expected_ends += 1
    if wagers != _wagers(books.facts) or expected_ends != len(ends):
        yield f"{_wagers(books.facts)} wagers and {len(ends)} ends, said {wagers} and {expected_ends}"
    yield from (f"{message} was parked" for message in books.parked if message.key not in books.told)


def _amounts(books: RoomBooks) -> Iterator[str]:
    """Check every award in the order of the first locks, as if voided claims had never been made."""
    voided = {fact.award for fact in books.facts if isinstance(fact, Voided)}
    locked_awards: set[str] = set()
    meter, reserve = SEED, 0
    for fact in books.facts:
        if isinstance(fact, Misdealt):
            # Money that a restart moved to the meter is taken from there, whatever happens to the claim.
            back = sum(fact.from_meter.values()), sum(fact.from_reserve.values())
            meter, reserve = meter - back[0], reserve - back[1]
            if sum(back) != fact.wagers * (_TO_METER + _TO_RESERVE):
                yield f"{fact.wagers} wagers went back with {back}"
            continue
        wagers = _wagers([fact])
        meter += wagers * _TO_METER
        reserve += wagers * _TO_RESERVE
        if isinstance(fact, Locked) and fact.award not in voided | locked_awards:
            locked_awards.add(fact.award)
            award = books.state.awards[fact.award]
            if award.from_meter + award.from_house != meter:
                yield f"award {award.id} is {award.from_meter + award.from_house}, and the meter held {meter}"
            meter, reserve = SEED + reserve, 0
    if (books.state.meter("jackpot"), books.state.reserve("jackpot")) != (meter, reserve):
        yield f"the meter ends at {books.state.meter('jackpot')}, and should hold {meter}"


def _wagers(facts: Iterable[Fact]) -> int:
    total = 0
    for fact in facts:
        match fact:
            case Contributed(wagers=wagers):
                total += sum(wagers.values())
            case WagerAdded():
                total += 1
            case Misdealt(wagers=returned):
                total -= returned
    return total


def _by_round(messages: Iterable[TableMessage]) -> dict[tuple[str, int], list[TableMessage]]:
    rounds: dict[tuple[str, int], list[TableMessage]] = {}
    for message in messages:
        rounds.setdefault(message.key, []).append(message)
    return rounds
