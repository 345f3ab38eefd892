"""Audit of rounds: contributions, corrected seats, misdeals, and tray payments."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from feltwork.site.progressive.button_pays import tray_pays
from feltwork.site.progressive.contribution import given_back, taken_in, verify_misdeal
from feltwork.site.progressive.facts import (
    Claimed,
    Contributed,
    Fact,
    Misdealt,
    PaidFromTray,
    WagerAdded,
    WagerReturned,
)
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.progressive.state import LinkState


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedCorrection:
    """A booked correction, with the seats at the start of its round and the entry that booked the round."""

    entry: int
    table: str
    round: int
    seat: int
    wagered: bool
    started: list[int] | None
    booked_in: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRound:
    """A round that a claim or a misdeal names, as it started, with the entry of its end, if any."""

    table: str
    round: int
    started: list[int]
    booked_in: int
    ended_in: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayPayment:
    """The end of a round in which a hand was entered or the tray paid."""

    entry: int
    table: str
    round: int
    fixed: int
    envy: int
    #: Seat -> the hand entered for it when the round ended.
    hands: Mapping[str, str]
    #: The seats locked then, and the version of the round; None if the round is not booked.
    seats: list[int] | None
    version: str | None


class RoundRules:
    """Follows a link's rounds and raises at the first correction, misdeal or tray payment that is not due."""

    def __init__(
        self,
        corrected: Iterable[BookedCorrection],
        named_rounds: Iterable[NamedRound],
        paid: Iterable[TrayPayment],
        ends: Iterable[tuple[int, str, int, int, str]],
    ) -> None:
        self._corrected = {row.entry: row for row in corrected}
        self._named = {(row.table, row.round): row for row in named_rounds}
        self._seats: dict[tuple[str, int], set[int]] = {}
        self._paid: dict[int, list[TrayPayment]] = {}
        for row in paid:
            self._paid.setdefault(row.entry, []).append(row)
        self._ends: dict[int, dict[str, tuple[str, int, int]]] = {}
        for entry, table, fixed, envy, numbers in ends:
            self._ends.setdefault(entry, {})[table] = (numbers, fixed, envy)

    def verify(self, state: LinkState, number: int, fact: Fact) -> None:
        """Raise unless a fact about a round follows from the round and the version."""
        match fact:
            case WagerAdded() | WagerReturned():
                self._verify_corrected(state, number, fact)
            case Claimed():
                self._verify_claim(state, number, fact)
            case Misdealt():
                self._verify_misdeal(state, number, fact)
            case PaidFromTray():
                self._verify_tray(state, number, fact)

    def verify_end(self) -> None:
        """Raise if a corrected seat or the end of a round has no entry."""
        if self._corrected:
            raise ValueError(f"a corrected seat names entry {min(self._corrected)}, which did not book it")
        if self._ends:
            raise ValueError(f"ends of rounds name entry {min(self._ends)}, which did not book them")

    def _verify_corrected(self, state: LinkState, number: int, fact: WagerAdded | WagerReturned) -> None:
        """Raise unless a correction is for one seat of a booked round, and exactly one wager."""
        row = self._corrected.pop(number, None)
        adds = isinstance(fact, WagerAdded)
        place = (fact.table, fact.round, fact.seat, adds)
        if row is None or (row.table, row.round, row.seat, row.wagered) != place or row.started is None:
            raise ValueError("the corrected seat in the books is not the one that it names")
        seats = self._seats.setdefault((fact.table, fact.round), set(row.started))
        if (fact.seat in seats) == adds or row.booked_in is None or row.booked_in >= number:
            raise ValueError(f"seat {fact.seat} was locked already, or never")
        seats ^= {fact.seat}
        if fact.version != state.link.fingerprint or fact.wager != state.link.wager:
            raise ValueError("it was booked under another version than the one in force")
        if isinstance(fact, WagerReturned):
            _verify_given_back(state, fact, 1)
        else:
            verify_parts(state, fact, 1)

    def _verify_claim(self, state: LinkState, number: int, fact: Claimed) -> None:
        """Raise unless a claim is for a locked seat of a booked round."""
        place = (fact.table, fact.round)
        row = self._named.get(place)
        if row is None or row.booked_in >= number or place in state.misdealt:
            raise ValueError(f"round {fact.round} at table {fact.table} was not booked, or is void")
        if fact.seat not in self._seats.get(place, set(row.started)):
            raise ValueError(f"seat {fact.seat} had no wager in round {fact.round} at table {fact.table}")

    def _verify_misdeal(self, state: LinkState, number: int, fact: Misdealt) -> None:
        """Raise unless the wagers of one open round go back, once, to where they came from."""
        place = (fact.table, fact.round)
        row = self._named.get(place)
        if row is None or row.booked_in != fact.reverses or row.booked_in >= number:
            raise ValueError(f"round {fact.round} at table {fact.table} was not booked where it says")
        if row.ended_in is not None and row.ended_in < number:
            raise ValueError(f"round {fact.round} at table {fact.table} was over")
        seats = self._seats.get(place, set(row.started))
        if fact.wagers != len(seats):
            raise ValueError(f"it returns {fact.wagers} wagers, but the round had {len(seats)}")
        started = RoundStarted(
            link=fact.link,
            at=fact.at,
            table=fact.table,
            round=fact.round,
            wager=state.link.wager,
            seats=tuple(seats),
        )
        verify_misdeal(state, started)
        _verify_given_back(state, fact, fact.wagers)

    def _verify_tray(self, state: LinkState, number: int, fact: PaidFromTray) -> None:
        """Raise unless the ends in the books match the fact, and each tray paid what the hands pay."""
        ends = {
            table: (numbers, fact.fixed.get(table, 0), fact.envy.get(table, 0))
            for table, numbers in fact.rounds.items()
        }
        if ends != self._ends.pop(number, {}):
            raise ValueError("the ends of rounds are not those that it names")
        for row in self._paid.pop(number, []):
            if row.seats is None or row.version is None:
                raise ValueError(f"round {row.round} at table {row.table} ended and was never booked")
            hands = {int(seat): hand for seat, hand in row.hands.items()}
            if (row.table, row.round) in state.misdealt:
                hands = {}
            pays = tray_pays(state.versions[row.version], hands=hands, bettors=row.seats).values()
            fixed = sum(pay.fixed + pay.stake_returned for pay in pays)
            envy = sum(pay.envy for pay in pays)
            if (row.fixed, row.envy) != (fixed, envy):
                where = f"round {row.round} at table {row.table}"
                raise ValueError(
                    f"the tray paid {row.fixed} and {row.envy}, {where} gives {fixed} and {envy}"
                )


def _verify_given_back(state: LinkState, fact: Misdealt | WagerReturned, count: int) -> None:
    due = given_back(state, count)
    parts = (fact.from_meter, fact.from_reserve, fact.from_house)
    if parts != (due.from_meter, due.from_reserve, due.from_house):
        raise ValueError(f"it returns a different amount than {count} wagers added")


def verify_parts(state: LinkState, fact: Contributed | WagerAdded, count: int) -> None:
    """Raise unless this many wagers add the version's amounts to every level [WA-05]."""
    due = taken_in(state, count)
    for level in state.link.level_names:
        parts = (fact.to_meter[level], fact.overflow.get(level, 0), fact.to_reserve[level])
        if parts != (due.to_meter[level], due.overflow.get(level, 0), due.to_reserve[level]):
            raise ValueError(f"its contribution to {level} is not the amount set by the version")
