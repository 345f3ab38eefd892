"""Sums: a site's counters since it joined, and the effect of their growth on the hub's pools."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Literal, TypeAlias

from feltwork.ledger.chain import GENESIS, Tail
from feltwork.money import Micros
from feltwork.progressive.facts import Instant
from feltwork.progressive.link import Link
from feltwork.progressive.network.aggregator_facts import SumsRelayed
from feltwork.progressive.network.facts import Summed
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.state import Counters, LinkState

#: newer: book the difference; known: nothing to do; rolled_back: the site's books contradict ours.
Verdict: TypeAlias = Literal["newer", "known", "rolled_back"]
_Pools: TypeAlias = dict[str, Micros]
_NOTHING = Counters()


def sum_of(
    state: LinkState, tail: Tail, *, site: str, base: Mapping[str, Counters], hub_tail: Tail
) -> SiteSum:
    """Return the site's sum: its counters, which never decrease, less their values when it joined."""
    accrued, reserved, returned = {}, {}, {}
    for level, now in state.counters.items():
        first = base.get(level, _NOTHING)
        accrued[level] = now.accrued - first.accrued
        reserved[level] = now.reserved - first.reserved
        returned[level] = now.returned - first.returned
    highest = state.link.level_names[0]
    return SiteSum(
        link=state.link.id,
        site=site,
        entry=tail.number,
        hash=tail.hash,
        version=state.link.fingerprint,
        wagers=state.counters[highest].wagers - base.get(highest, _NOTHING).wagers,
        accrued=accrued,
        reserved=reserved,
        returned=returned,
        seen=hub_tail.number,
        seen_hash=hub_tail.hash,
    )


def no_sum(state: LinkState, site: str, tail: Tail) -> SiteSum:
    """The sum of a site that has just joined, at the end of its chain."""
    nothing = dict.fromkeys(state.link.level_names, 0)
    return SiteSum(
        link=state.link.id,
        site=site,
        entry=tail.number,
        hash=tail.hash,
        version=state.link.fingerprint,
        wagers=0,
        accrued=nothing,
        reserved=nothing,
        returned=nothing,
        seen_hash=GENESIS,
    )


def judge(booked: SiteSum, new: SiteSum) -> Verdict:
    """Compare a sum with the booked one; late and duplicate sums are harmless, contradictory ones are not."""
    if new.entry < booked.entry:
        return "known"
    if new.entry == booked.entry:
        return "known" if new.hash == booked.hash else "rolled_back"
    lower = (
        new.wagers < booked.wagers
        or _is_lower(new.accrued, booked.accrued)
        or _is_lower(new.reserved, booked.reserved)
        or (new.returned != booked.returned and _is_lower(new.returned, booked.returned))
    )
    return "rolled_back" if lower else "newer"


def _is_lower(new: Mapping[str, Micros], booked: Mapping[str, Micros]) -> bool:
    for level, amount in booked.items():  # noqa: SIM110 - of every sum that is heard, and three times as quick
        if new.get(level, 0) < amount:
            return True
    return False


def counters_of(row: SiteSum, levels: Sequence[str]) -> list[Micros]:
    """Return accrued, reserved and returned, each by level."""
    return [pool[level] for pool in (row.accrued, row.reserved, row.returned) for level in levels]


class SumRows(tuple[SiteSum, ...]):
    """The sums of one entry, with their texts cached for the entry, its check and the database."""

    @classmethod
    def of(cls, rows: Iterable[SiteSum]) -> "SumRows":
        """Return sums as ``SumRows``; rows that already are keep their cached texts."""
        return rows if isinstance(rows, cls) else cls(rows)

    @cached_property
    def counters(self) -> list[str]:
        """For each row accrued, reserved, returned, each by level in alphabetical order, with commas."""
        levels = sorted(self[0].accrued) if self else []
        pick: Callable[[Mapping[str, Micros]], tuple[Micros, ...]] = (
            itemgetter(*levels) if len(levels) > 1 else lambda pool: tuple(pool.values())
        )
        form = ",".join(["%d"] * (3 * len(levels)))
        return [form % (pick(row.accrued) + pick(row.reserved) + pick(row.returned)) for row in self]

    @cached_property
    def digest(self) -> str:
        """SHA-256 over one line per row, sorted by site: entry, hash, version, wagers, and the counters."""
        lines = [
            f"{row.site} {row.entry} {row.hash} {row.version} {row.wagers} {counters}"
            for row, counters in sorted(zip(self, self.counters, strict=True), key=_site_of)
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _site_of(pair: tuple[SiteSum, str]) -> str:
    return pair[0].site


@dataclass(slots=True)
class _Growth:
    wagers: int = 0
    wagered: Micros = 0
    accrued: _Pools = field(default_factory=dict)
    reserved: _Pools = field(default_factory=dict)
    #: Returned wagers, by the pool that they had fed.
    from_accrued: _Pools = field(default_factory=dict)
    from_reserved: _Pools = field(default_factory=dict)

    def add(self, state: LinkState, booked: Mapping[str, SiteSum], rows: Sequence[SiteSum]) -> None:
        known = [booked[row.site] for row in rows]
        for row, before in zip(rows, known, strict=True):
            link = state.versions.get(row.version, state.link)
            wagers = row.wagers - before.wagers
            self.wagers += wagers
            self.wagered += wagers * link.wager
            if row.returned != before.returned:
                self._give_back(link, before, row)
        for name in state.link.level_names:
            accrued = sum([row.accrued[name] for row in rows]) - sum([row.accrued[name] for row in known])
            reserved = sum([row.reserved[name] for row in rows]) - sum([row.reserved[name] for row in known])
            _add(self.accrued, name, accrued)
            _add(self.reserved, name, reserved)

    def _give_back(self, link: Link, before: SiteSum, row: SiteSum) -> None:
        for level in link.levels:
            if back := row.returned[level.name] - before.returned[level.name]:
                reserve_part = back * level.reserve // (level.reserve + level.contribution)
                _add(self.from_reserved, level.name, reserve_part)
                _add(self.from_accrued, level.name, back - reserve_part)


def summed(state: LinkState, booked: Mapping[str, SiteSum], rows: Sequence[SiteSum], at: Instant) -> Summed:
    """Book the growth of the sums; caps apply, and the sponsor adds what the pools lack for returns."""
    growth = _Growth()
    growth.add(state, booked, rows)
    to_meter: _Pools = {}
    overflow: _Pools = {}
    back: dict[str, _Pools] = {"meter": {}, "reserve": {}, "overflow": {}, "house": {}}
    for level in state.link.level_names:
        accrued, room = growth.accrued.get(level, 0), state.room(level)
        fits = accrued if room is None else min(accrued, room)
        _add(to_meter, level, fits)
        _add(overflow, level, accrued - fits)
        _give_back(state, level, growth, back, fits=fits, over=accrued - fits)
    return Summed(
        link=state.link.id,
        at=at,
        digest=SumRows.of(rows).digest,
        sites=len(rows),
        wagers=growth.wagers,
        wagered=growth.wagered,
        to_meter=to_meter,
        to_reserve=growth.reserved,
        overflow=overflow,
        from_meter=back["meter"],
        from_reserve=back["reserve"],
        from_overflow=back["overflow"],
        from_house=back["house"],
    )


def relayed(
    state: LinkState, booked: Mapping[str, SiteSum], rows: Sequence[SiteSum], at: Instant
) -> SumsRelayed:
    """Book the growth of the sums at an aggregator, which has no pools."""
    growth = _Growth()
    growth.add(state, booked, rows)
    returned: _Pools = {}
    for row in rows:
        for level, amount in row.returned.items():
            _add(returned, level, amount - booked[row.site].returned[level])
    return SumsRelayed(
        link=state.link.id,
        at=at,
        digest=SumRows.of(rows).digest,
        sites=len(rows),
        wagers=growth.wagers,
        wagered=growth.wagered,
        accrued=growth.accrued,
        reserved=growth.reserved,
        returned=returned,
    )


def _give_back(
    state: LinkState, level: str, growth: _Growth, back: dict[str, _Pools], *, fits: Micros, over: Micros
) -> None:
    """Take returned wagers out of the pools that they fed, in the same order as a misdeal on other links."""
    accrued, reserved = growth.from_accrued.get(level, 0), growth.from_reserved.get(level, 0)
    if not accrued + reserved:
        return
    in_meter = state.meter(level) + fits
    in_reserve = state.reserve(level) + growth.reserved.get(level, 0) + over
    overflowed = min(accrued, state.overflow.get(level, 0) + over)
    first = min(in_reserve, reserved + overflowed)
    from_meter = min(in_meter, reserved + accrued - first)
    rest = reserved + accrued - first - from_meter
    from_reserve = first + min(in_reserve - first, rest)
    _add(back["meter"], level, from_meter)
    _add(back["reserve"], level, from_reserve)
    _add(back["overflow"], level, min(state.overflow.get(level, 0) + over, max(0, from_reserve - reserved)))
    _add(back["house"], level, reserved + accrued - from_meter - from_reserve)


def _add(pool: _Pools, level: str, amount: Micros) -> None:
    if amount:
        pool[level] = pool.get(level, 0) + amount
