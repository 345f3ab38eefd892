"""Entries as the first releases wrote them: the patrons of each table were an account of their own.

What is booked is never written again, so books from then hold such entries for ever. The money goes the same
ways; only the account of the patrons, and a reference to the rounds, were others.
"""

from collections.abc import Mapping
from dataclasses import replace

from feltwork.ledger.accounts import patrons
from feltwork.ledger.entry import Entry, Posting
from feltwork.money import Micros
from feltwork.progressive.facts import Contributed, Fact, PaidFromTray


def as_written_before(fact: Fact, entry: Entry) -> Entry:
    """The entry of a fact as it was before the patrons of a link became one account."""
    together = next((one.amount for one in entry.postings if one.account == patrons(entry.link)), 0)
    others = [one for one in entry.postings if one.account != patrons(entry.link)]
    apart = [Posting(patrons(table), amount) for table, amount in _tables(fact, together).items() if amount]
    references = dict(entry.references)
    if isinstance(fact, Contributed | PaidFromTray):
        references["rounds"] = ";".join(
            f"{table}:{numbers}" for table, numbers in sorted(fact.rounds.items())
        )
    postings = tuple(sorted([*others, *apart], key=lambda one: one.account))
    return replace(entry, postings=postings, references=references)


def _tables(fact: Fact, together: Micros) -> Mapping[str, Micros]:
    """What patrons of each table give or get."""
    if isinstance(fact, Contributed):
        return {table: -count * fact.wager for table, count in fact.wagers.items()}
    if isinstance(fact, PaidFromTray):
        tables = {*fact.fixed, *fact.envy}
        return {table: fact.fixed.get(table, 0) + fact.envy.get(table, 0) for table in tables}
    return {fact.table: together} if together and hasattr(fact, "table") else {}
