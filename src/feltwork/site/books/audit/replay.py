"""The audit: replays every link from its first fact, or checks a period inside the database."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from psycopg.rows import class_row, dict_row

from feltwork.money import Micros
from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.approval_rules import ApprovalRules, ApprovedCommand
from feltwork.site.books.audit.award_rules import AwardRules, verify_locked_again
from feltwork.site.books.audit.round_rules import (
    BookedCorrection,
    NamedRound,
    RoundRules,
    TrayPayment,
    verify_parts,
)
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.journal.link_state import award_from, kept_part, player_funds_after
from feltwork.site.books.links.versions import link_from
from feltwork.site.books.pg_arrays import ranges_text
from feltwork.site.books.queries import statement
from feltwork.site.progressive.accounts import kind_of
from feltwork.site.progressive.chain import GENESIS, Tail
from feltwork.site.progressive.fact_serializer import from_plain
from feltwork.site.progressive.facts import Contributed, Fact, FundsCounted, Opened, PaidFromTray
from feltwork.site.progressive.fold import book
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.state import LinkState, new_state

Row = TypeVar("Row")
_CHECKS = ("audit_chain", "audit_postings", "audit_rounds", "audit_balances")
_RESTORE = "compare with the last export and restore it"
_RESTORE_LINK = f"{_RESTORE}; stop the link meanwhile"


@dataclass(slots=True)
class ReplayResult:
    """The result of an audit: how much was replayed, and the first error of each link."""

    links: int = 0
    entries: int = 0
    rounds: int = 0
    #: Records of the evidence chain.
    records: int = 0
    problems: list[Problem] = field(default_factory=list)


class _BadError(Exception):
    """The first error in a link."""


def audit(connection: Connection) -> ReplayResult:
    """Replay every link in one snapshot of the books."""
    verdict = ReplayResult()
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        for link, _ in connection.execute(statement("links")).fetchall():
            verdict.links += 1
            replayed = _Replay(connection, link, verdict)
            try:
                replayed.run()
            except (_BadError, ProblemsError, AssertionError, ValueError, KeyError, TypeError) as error:
                where = f"{link}, entry {replayed.number}"
                verdict.problems.append(Problem(where, str(error) or repr(error), _RESTORE_LINK, "GEN-09"))
        verdict.records, problems = _evidence_problems(connection)
        verdict.problems += problems
    return verdict


def audit_period(connection: Connection, period: Period) -> ReplayResult:
    """Check the entries of a period and the records joined to them; ``audit`` replays everything."""
    verdict = ReplayResult()
    about = {"since": period.since, "until": period.until}
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        connection.execute("SET LOCAL work_mem = '128MB'")
        row = connection.execute(statement("audit_size"), about).fetchone()
        assert row is not None
        verdict.links, verdict.entries, verdict.rounds = row
        first_problems: dict[str, tuple[int, str]] = {}
        for check in _CHECKS:
            for link, number, what in connection.execute(statement(check), about):
                if link not in first_problems or number < first_problems[link][0]:
                    first_problems[link] = (number, what)
    verdict.problems += [
        Problem(f"{link}, entry {number}", what, _RESTORE_LINK, "GEN-09")
        for link, (number, what) in sorted(first_problems.items())
    ]
    return verdict


def _evidence_problems(connection: Connection) -> tuple[int, list[Problem]]:
    """Count the chained records and find the first wrong one; requires an open transaction."""
    connection.execute("SET LOCAL timezone = 'UTC'")
    size = connection.execute(statement("evidence_size")).fetchone()
    assert size is not None
    row = connection.execute(statement("evidence_chain_problem")).fetchone()
    if row is not None:
        what = "its content differs from what was hashed, or it does not follow the record before it"
        return size[0], [Problem(f"evidence, record {row[0]}", what, _RESTORE, "GEN-09")]
    row = connection.execute(statement("evidence_problem")).fetchone()
    if row is not None:
        number, kind, key, what = row
        where = f"evidence, record {number}, {kind} {key}" if number else f"evidence, {kind} {key}"
        return size[0], [Problem(where, what, _RESTORE, "GEN-09")]
    return size[0], []


class _Replay:
    """Replays one link, fact by fact."""

    def __init__(self, connection: Connection, link: str, verdict: ReplayResult) -> None:
        self.connection = connection
        self.link = link
        self.verdict = verdict
        self.number = 1
        self.tail = Tail(0, GENESIS)
        self.all_accounts: dict[str, Micros] = {}

    def run(self) -> None:
        versions: dict[str, str] = dict(
            self.connection.execute(statement("versions_of"), (self.link,)).fetchall()
        )
        rounds = self._rounds()
        digests: dict[int, str] = dict(
            self.connection.execute(statement("round_digests"), {"link": self.link}).fetchall()
        )
        state = self._first_state(versions)
        rules = AwardRules()
        played = RoundRules(
            self._read(BookedCorrection, "corrections_of"),
            self._read(NamedRound, "named_rounds_of"),
            self._read(TrayPayment, "tray_payments_of"),
            [
                (entry, table, fixed, envy, ranges_text(numbers))
                for entry, table, fixed, envy, numbers in self.connection.execute(
                    statement("ends_of_entries"), (self.link,)
                )
            ],
        )
        approvals = ApprovalRules(self._read(ApprovedCommand, "approved_adjustments_of"))
        checkpoints: dict[int, dict[str, Micros]] = dict(
            self.connection.execute(statement("checkpoints_of"), (self.link,)).fetchall()
        )
        for row in self._entries():
            self.number = self.tail.number + 1
            fact = self._checked(row)
            if isinstance(fact, Contributed):
                _verify_contribution(state, fact, rounds.pop(self.number, {}))
                self.verdict.rounds += sum(map(_count, fact.rounds.values()))
            self._verify_fact(fact, digests)
            played.verify(state, self.number, fact)
            rules.verify(state, fact)
            approvals.verify(state, fact, row["booked_at"])
            state, entries = book(state, self.tail, [fact])
            if row["body"] != entries[0].body:
                raise _BadError("its postings do not match its fact")
            self.tail = Tail(self.number, row["hash"])
            self.verdict.entries += 1
            if self.number in checkpoints and checkpoints.pop(self.number) != folded(state.balances):
                raise _BadError("the balances saved after it are not the totals of the entries")
        self.number = self.tail.number + 1
        if checkpoints:
            raise _BadError(f"balances were saved for entry {min(checkpoints)}, which does not exist")
        if rounds:
            raise _BadError(f"rounds name entry {min(rounds)}, which did not book them")
        played.verify_end()
        verify_locked_again(state)
        self._compare(state)

    def _verify_fact(self, fact: Fact, digests: dict[int, str]) -> None:
        digest = digests.get(self.number)
        if isinstance(fact, Contributed | PaidFromTray) and fact.digest != digest:
            raise _BadError("its rounds are not those that were hashed")
        if isinstance(fact, FundsCounted):
            self._verify_count(fact)

    def _verify_count(self, fact: FundsCounted) -> None:
        """Verify a bank count; the checkpoints it is computed from are verified with their own entries."""
        held = sum(player_funds_after(self.connection, self.link, fact.entry).values())
        if fact.entry >= self.number or fact.required != held:
            raise _BadError("the funds counted are not what was held for players at the cutoff")

    def _read(self, kind: type[Row], name: str) -> list[Row]:
        with self.connection.cursor(row_factory=class_row(kind)) as cursor:
            return cursor.execute(statement(name), {"link": self.link}).fetchall()

    def _entries(self) -> Iterator[dict[str, Any]]:
        with self.connection.cursor("chain", row_factory=dict_row) as cursor:
            cursor.itersize = 500
            cursor.execute(statement("entries_of"), (self.link,))
            yield from cursor

    def _checked(self, row: dict[str, Any]) -> Fact:
        """Check the position and hash of an entry, and return its fact."""
        if row["number"] != self.number:
            raise _BadError(f"it is missing; entry {row['number']} stands in its place")
        if row["previous"] != self.tail.hash:
            raise _BadError("it does not follow the entry before it")
        if row["hash"] != hashlib.sha256(row["body"].encode()).hexdigest():
            raise _BadError("its content is not what was hashed")
        body = json.loads(row["body"])
        for name in ("number", "previous", "at", "kind"):
            if body[name] != row[name]:
                raise _BadError(f"its {name} is not the one that was hashed")
        if body["references"]["fact"] != hashlib.sha256(row["fact"].encode()).hexdigest():
            raise _BadError("its fact is not the one that was hashed")
        return from_plain(json.loads(row["fact"]))

    def _first_state(self, versions: dict[str, str]) -> LinkState:
        known = {fingerprint: link_from(text, fingerprint) for fingerprint, text in versions.items()}
        return replace(new_state(self._first_version(known)), versions=known)

    def _first_version(self, known: dict[str, Link]) -> Link:
        for row in self._entries():
            fact = from_plain(json.loads(row["fact"]))
            if isinstance(fact, Opened):
                return known[fact.version]
        row_ = self.connection.execute(statement("tail_and_link_state"), (self.link,)).fetchone()
        if row_ is None:
            raise _BadError("its chain is gone")
        return known[row_[3]]

    def _rounds(self) -> dict[int, dict[str, tuple[int, int, int, str]]]:
        rows = self.connection.execute(statement("rounds_of_entries"), (self.link,))
        rounds: dict[int, dict[str, tuple[int, int, int, str]]] = {}
        for entry, table, wagers, least, most, numbers in rows:
            rounds.setdefault(entry, {})[table] = (wagers, least, most, numbers)
        return rounds

    def _compare(self, state: LinkState) -> None:
        """Compare all derived data with the fold of the facts."""
        row = self.connection.execute(statement("tail_and_link_state"), (self.link,)).fetchone()
        if row is None or (row[0], row[1]) != (self.tail.number, self.tail.hash):
            raise _BadError(f"the chain ends before entry {row[0] if row else 0}, its known end")
        if row[2] != self.tail.number or json.loads(json.dumps(kept_part(state))) != row[4]:
            raise _BadError("the saved state is not the one computed from the facts")
        if row[3] != state.link.fingerprint:
            raise _BadError("the version in force is not the one that the facts name")
        held: dict[str, Micros] = dict(
            self.connection.execute(statement("balances_of"), (self.link,)).fetchall()
        )
        if held != folded(state.balances):
            wrong = sorted(set(held.items()) ^ set(folded(state.balances).items()))[0][0]
            raise _BadError(f"the balance of {wrong} is not the total of its entries")
        with self.connection.cursor(row_factory=dict_row) as cursor:
            rows = cursor.execute(statement("all_awards"), (self.link,)).fetchall()
        awards = {row["id"]: award_from(row) for row in rows}
        for name in sorted({*awards, *state.awards}):
            if awards.get(name) != state.awards.get(name):
                raise _BadError(f"the saved award {name} does not match its facts")


def folded(balances: Any) -> dict[str, Micros]:
    """Balances with the trays of all tables summed."""
    together: dict[str, Micros] = {}
    for account, amount in balances.items():
        name = "tray" if kind_of(account) == "tray" else account
        together[name] = together.get(name, 0) + amount
    return {account: amount for account, amount in together.items() if amount}


def _verify_contribution(
    state: LinkState, fact: Contributed, rounds: dict[str, tuple[int, int, int, str]]
) -> None:
    """Raise unless the rounds in the books match the fact, and its parts match the plan [WA-05]."""
    if fact.version != state.link.fingerprint or fact.paytable != state.link.paytable.fingerprint:
        raise _BadError("it was booked under another version or paytable than the one in force")
    contributions = {table: (fact.wagers.get(table, 0), numbers) for table, numbers in fact.rounds.items()}
    for table in sorted({*contributions, *rounds}):
        wagers, least, most, numbers = rounds.get(table, (0, 0, 0, "{}"))
        if contributions.get(table) != (wagers, ranges_text(numbers)) or {least, most} != {fact.wager}:
            raise _BadError(f"the rounds of table {table} are not those that were contributed")
    verify_parts(state, fact, sum(fact.wagers.values()))


def _count(numbers: str) -> int:
    """Count the numbers in a text such as ``1-3,5``."""
    total = 0
    for part in numbers.split(","):
        first, _, last = part.partition("-")
        total += int(last or first) - int(first) + 1
    return total
