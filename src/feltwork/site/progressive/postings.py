"""The only place where a fact becomes movements of money.

The functions read like a table: for each kind of fact, the source and target accounts and the amount.
``LAWFUL`` lists the same moves by kind of account, and an entry with any other move is refused, so players'
money has no other way to the house [WA-06, WA-15].
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from feltwork.money import Micros
from feltwork.site.progressive import accounts, facts
from feltwork.site.progressive.accounts import Account, kind_of
from feltwork.site.progressive.entry import Entry, Move, postings_of
from feltwork.site.progressive.fact_serializer import canonical_text, fingerprint_of
from feltwork.site.progressive.facts import Fact

MoneyMovement: TypeAlias = tuple[Account, Account, Micros]


def _contributed(fact: facts.Contributed | facts.WagerAdded) -> Iterator[MoneyMovement]:
    """Move the wagers to meters, reserves and the house [WA-05].

    The excess over a cap goes to the reserve [WA-09].
    """
    link, patrons = fact.link, accounts.patrons(fact.link)
    for level, amount in fact.to_meter.items():
        yield patrons, accounts.meter(link, level), amount
    for level, amount in fact.to_reserve.items():
        yield patrons, accounts.reserve(link, level), amount
    for level, amount in fact.overflow.items():
        yield patrons, accounts.reserve(link, level), amount
    yield patrons, accounts.retention(link), fact.to_house


def _given_back(fact: facts.Misdealt | facts.WagerReturned) -> Iterator[MoneyMovement]:
    """Return the wagers from the pools."""
    patrons = accounts.patrons(fact.link)
    for level, amount in fact.from_meter.items():
        yield accounts.meter(fact.link, level), patrons, amount
    for level, amount in fact.from_reserve.items():
        yield accounts.reserve(fact.link, level), patrons, amount
    yield accounts.retention(fact.link), patrons, fact.from_house


def _paid_from_tray(fact: facts.PaidFromTray) -> Iterator[MoneyMovement]:
    """Pay fixed pays and envy from the tray, not from the meter [LT-05, LT-09]."""
    for paid in (fact.fixed, fact.envy):
        for table, amount in paid.items():
            yield accounts.tray(table), accounts.patrons(fact.link), amount


def _locked(fact: facts.Locked) -> Iterator[MoneyMovement]:
    """Take the award off the meter, which restarts at seed + reserve [LT-06]."""
    link, level = fact.link, fact.level
    yield accounts.meter(link, level), accounts.pending(link, level), fact.from_meter
    yield accounts.house_pays(link), accounts.pending(link, level), fact.from_house
    yield accounts.seed_advanced(link, level), accounts.meter(link, level), fact.seed
    yield accounts.reserve(link, level), accounts.meter(link, level), fact.reserve


def _released(fact: facts.Released) -> Iterator[MoneyMovement]:
    """Reverse a lock."""
    link, level = fact.link, fact.level
    yield accounts.pending(link, level), accounts.meter(link, level), fact.to_meter
    yield accounts.pending(link, level), accounts.house_pays(link), fact.to_house
    yield accounts.meter(link, level), accounts.seed_advanced(link, level), fact.seed
    yield accounts.meter(link, level), accounts.reserve(link, level), fact.reserve


def _overflowed(fact: facts.Overflowed) -> Iterator[MoneyMovement]:
    """Move the excess over a cap to the reserve [WA-09]."""
    yield accounts.meter(fact.link, fact.level), accounts.reserve(fact.link, fact.level), fact.amount


def _confirmed(fact: facts.Confirmed) -> Iterator[MoneyMovement]:
    """Make the pending amount payable."""
    amount = fact.from_meter + fact.from_house
    yield accounts.pending(fact.link, fact.level), accounts.payable(fact.link, fact.award), amount


def _paid(fact: facts.Paid) -> Iterator[MoneyMovement]:
    """Pay the patron."""
    yield accounts.payable(fact.link, fact.award), accounts.patrons(fact.link), fact.amount


def _confiscated(fact: facts.Confiscated) -> Iterator[MoneyMovement]:
    """Set the award of a self-excluded patron aside for the state [WA-36]."""
    yield accounts.payable(fact.link, fact.award), accounts.problem_gambling(fact.link), fact.amount


def _reversed(fact: facts.Reversed) -> Iterator[MoneyMovement]:
    """Return a confirmed award to its sources [LT-04]."""
    link, level = fact.link, fact.level
    held_by = accounts.patrons(link) if fact.was_paid else accounts.payable(link, fact.award)
    yield held_by, accounts.meter(link, level), fact.to_meter
    yield held_by, accounts.house_pays(link), fact.to_house
    yield accounts.meter(link, level), accounts.seed_advanced(link, level), fact.seed
    yield accounts.meter(link, level), accounts.reserve(link, level), fact.reserve


def _adjusted(fact: facts.Adjusted) -> Iterator[MoneyMovement]:
    """Post an adjustment against the account of its reason [WA-15, WA-16, WA-17, WA-21]."""
    pool = f"{fact.pool}/{fact.link}/{fact.level}"
    other = {
        "MALFUNCTION_CORRECTION": accounts.correction(fact.link),
        "CAP_CORRECTION": accounts.reserve(fact.link, fact.level),
        "NON_DISPLAYED_TO_GROSS_RECEIPTS": accounts.gross_receipts(fact.link),
        "SEED_RECOVERY": accounts.seed_advanced(fact.link, fact.level),
        "MERCHANDISE": accounts.merchandise(fact.link),
        "HOUSE_ADDITION": accounts.house_pays(fact.link),
    }[fact.reason]
    if fact.after < fact.before:
        yield pool, other, fact.before - fact.after
    else:
        yield other, pool, fact.after - fact.before


def _opened(fact: facts.Opened) -> Iterator[MoneyMovement]:
    """Put in the seed from the house, which may recover it."""
    for level, amount in fact.opening.items():
        yield accounts.seed_advanced(fact.link, level), accounts.meter(fact.link, level), amount


def _removed(fact: facts.Removed) -> Iterator[MoneyMovement]:
    """Move all player money to the target, none to the house [WA-22]."""
    clearing = accounts.clearing(fact.link, fact.target)
    for level, amount in fact.from_meter.items():
        yield accounts.meter(fact.link, level), clearing, amount
    for level, amount in fact.from_reserve.items():
        yield accounts.reserve(fact.link, level), clearing, amount


def _received(fact: facts.Received) -> Iterator[MoneyMovement]:
    """Receive the money of a removed link [GEN-16]."""
    clearing = accounts.clearing(fact.source, fact.link)
    for level, amount in fact.to_meter.items():
        yield clearing, accounts.meter(fact.link, level), amount
    for level, amount in fact.to_reserve.items():
        yield clearing, accounts.reserve(fact.link, level), amount


MOVES: Mapping[type[Fact], Callable[[Any], Iterator[MoneyMovement]]] = {
    facts.Contributed: _contributed,
    facts.Misdealt: _given_back,
    facts.WagerAdded: _contributed,
    facts.WagerReturned: _given_back,
    facts.PaidFromTray: _paid_from_tray,
    facts.Locked: _locked,
    facts.Released: _released,
    facts.Overflowed: _overflowed,
    facts.Confirmed: _confirmed,
    facts.Paid: _paid,
    facts.Confiscated: _confiscated,
    facts.Reversed: _reversed,
    facts.Adjusted: _adjusted,
    facts.Opened: _opened,
    facts.Removed: _removed,
    facts.Received: _received,
}
#: For each kind of entry, the moves allowed between kinds of accounts.
LAWFUL: Mapping[str, frozenset[str]] = {
    "Contributed": frozenset({"patrons>meter", "patrons>reserve", "patrons>retention"}),
    "Misdealt": frozenset({"meter>patrons", "reserve>patrons", "retention>patrons"}),
    "WagerAdded": frozenset({"patrons>meter", "patrons>reserve", "patrons>retention"}),
    "WagerReturned": frozenset({"meter>patrons", "reserve>patrons", "retention>patrons"}),
    "PaidFromTray": frozenset({"tray>patrons"}),
    "Locked": frozenset({"meter>pending", "house_pays>pending", "seed_advanced>meter", "reserve>meter"}),
    "Released": frozenset({"pending>meter", "pending>house_pays", "meter>seed_advanced", "meter>reserve"}),
    "Overflowed": frozenset({"meter>reserve"}),
    "Confirmed": frozenset({"pending>payable"}),
    "Paid": frozenset({"payable>patrons"}),
    "Confiscated": frozenset({"payable>problem_gambling"}),
    "Reversed": frozenset(
        {"payable>meter", "payable>house_pays", "patrons>meter", "patrons>house_pays"}
        | {"meter>seed_advanced", "meter>reserve"}
    ),
    "Adjusted.MALFUNCTION_CORRECTION": frozenset(
        {"meter>correction", "reserve>correction", "correction>meter", "correction>reserve"}
    ),
    "Adjusted.CAP_CORRECTION": frozenset({"meter>reserve"}),
    "Adjusted.NON_DISPLAYED_TO_GROSS_RECEIPTS": frozenset({"reserve>gross_receipts"}),
    "Adjusted.SEED_RECOVERY": frozenset({"meter>seed_advanced", "reserve>seed_advanced"}),
    "Adjusted.MERCHANDISE": frozenset({"reserve>merchandise"}),
    "Adjusted.HOUSE_ADDITION": frozenset({"house_pays>meter", "house_pays>reserve"}),
    "Opened": frozenset({"seed_advanced>meter"}),
    "Removed": frozenset({"meter>clearing", "reserve>clearing"}),
    "Received": frozenset({"clearing>meter", "clearing>reserve"}),
}


def entry_for(fact: Fact) -> Entry:
    """Return the journal entry of a fact; it references the fact by fingerprint."""
    kind = kind_of_entry(fact)
    moves = [Move(source, target, amount) for source, target, amount in _lines(fact) if amount]
    verify_lawful(kind, moves)
    text = canonical_text(fact)
    references = {"fact": fingerprint_of(text), **_named(fact)}
    return Entry(
        link=fact.link,
        at=fact.at,
        kind=kind,
        postings=postings_of(moves),
        references=references,
        fact=text,
    )


def kind_of_entry(fact: Fact) -> str:
    """Return the name of the fact, with the reason for an adjustment."""
    return f"Adjusted.{fact.reason}" if isinstance(fact, facts.Adjusted) else type(fact).__name__


def verify_lawful(kind: str, moves: Iterable[Move]) -> None:
    """Raise if a move is not allowed for its kind of entry."""
    lawful = LAWFUL.get(kind, frozenset())
    for move in moves:
        way = _way(move.source, move.target)
        if way not in lawful:
            raise ValueError(f"{kind} may not move money {way} [WA-15]")


@lru_cache(maxsize=65_536)
def _way(source: Account, target: Account) -> str:
    return f"{kind_of(source)}>{kind_of(target)}"


def _lines(fact: Fact) -> Iterable[MoneyMovement]:
    moves = MOVES.get(type(fact))
    return moves(fact) if moves else ()


def _named(fact: Fact) -> dict[str, str]:
    """The references by which entries are looked up."""
    return {
        name: str(value)
        for name in ("award", "adjustment", "paytable", "version", "reverses", "table", "round")
        if (value := getattr(fact, name, None)) is not None
    }
