"""The comparison: an export of the books against what the tables sent.

It reads only files and also runs the independent verifier, so the books' own code has no say in whether the
books are right.
"""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from feltwork.simulation.tally import AwardKey, RoundKey, SentRound, Tally
from feltwork.site.progressive.link import Link

Json = dict[str, Any]
_VERIFIER = Path(__file__).parents[2] / "tools" / "verify_books.py"


@dataclass
class BooksComparison:
    """The result; in correct books nothing is lost, double, changed or different."""

    rounds: dict[str, int] = field(default_factory=dict)
    wagers: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    awards: dict[str, int] = field(default_factory=dict)
    #: Booked rounds of each link.
    links: dict[str, int] = field(default_factory=dict)
    meter_differences: int = 0
    #: The first few problems of each kind.
    problems: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is lost, duplicated or different."""
        return not self.problems


class Books:
    """The rounds, facts and awards of an exported bundle."""

    def __init__(self, folder: Path) -> None:
        self.rounds: dict[RoundKey, list[SentRound]] = defaultdict(list)
        for row in _lines(folder / "rounds.jsonl"):
            round_ = SentRound(row["wager"], tuple(row["seats"]))
            self.rounds[row["link"], row["table_id"], row["number"]].append(round_)
        self.facts: dict[str, list[Json]] = defaultdict(list)
        for line in _lines(folder / "entries.jsonl"):
            fact = json.loads(line["fact"]) if isinstance(line["fact"], str) else line["fact"]
            self.facts[str(fact["kind"])].append({**fact, "link": line["link"]})

    def ends(self) -> Counter[RoundKey]:
        """Count the booked ends of each round."""
        return Counter(
            (fact["link"], table, number)
            for fact in self.facts["PaidFromTray"]
            for table, text in fact["rounds"].items()
            for number in _numbers(text)
        )

    def awards(self, kind: str) -> Counter[AwardKey]:
        """Count the events of each award."""
        return Counter((fact["link"], fact["award"]) for fact in self.facts[kind])


def compare(folder: Path, tally: Tally, links: dict[str, Link]) -> BooksComparison:
    """Compare a bundle with the tally; ``links`` are the configurations of the tables."""
    books = Books(folder)
    verdict = BooksComparison(links=dict(Counter(link for link, _, _ in sorted(books.rounds))))
    _rounds(verdict, books, tally)
    _ends(verdict, books, tally)
    _awards(verdict, books, tally)
    for link in links.values():
        _meters(verdict, books, tally, link)
    _independent(verdict, folder)
    return verdict


def _rounds(verdict: BooksComparison, books: Books, tally: Tally) -> None:
    """Check that an acknowledged round is booked once, as sent, and a round in doubt at most once."""
    booked = books.rounds
    lost = sorted(key for key in tally.kept if key not in booked)
    double = sorted(key for key, rows in booked.items() if len(rows) > 1)
    invented = sorted(key for key in booked if key not in tally.rounds)
    changed = sorted(
        key for key, rows in booked.items() if key not in invented and rows[0] != tally.rounds[key]
    )
    in_doubt = [key for key in tally.rounds if key not in tally.kept]
    arrived = {key for key in in_doubt if key in booked}
    verdict.rounds = {
        "sent": len(tally.kept | arrived),
        "booked": sum(map(len, booked.values())),
        "in_doubt": len(in_doubt),
        "lost": len(lost),
        "double": len(double) + len(invented),
        "changed": len(changed),
        "voided": len(tally.voided),
    }
    verdict.wagers = {
        "sent": _wagers(tally.rounds, tally.kept | arrived),
        "booked": sum(len(row.seats) for rows in booked.values() for row in rows),
        "lost": _wagers(tally.rounds, lost),
        "double": sum(len(row.seats) for key in double for row in booked[key][1:])
        + sum(len(row.seats) for key in invented for row in booked[key]),
    }
    differences = (("lost", lost), ("double", double), ("never sent", invented), ("changed", changed))
    for what, keys in (*differences, ("on some of its links only", _uneven(booked))):
        verdict.problems += [f"{link}, round {number} of {table}: {what}" for link, table, number in keys[:5]]


def _uneven(booked: Collection[RoundKey]) -> list[RoundKey]:
    """Return rounds that a table played on only some of its links; its last may have been cut short."""
    numbers: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for link, table, number in booked:
        numbers[table][link].add(number)
    return sorted(
        (link, table, number)
        for table, links in numbers.items()
        for link in links
        for number in set().union(*links.values()) - links[link]
        if number < max(map(max, links.values()))
    )


def _ends(verdict: BooksComparison, books: Books, tally: Tally) -> None:
    booked = books.ends()
    lost = sorted(key for key in tally.kept_ends if key not in booked)
    double = sorted(key for key, times in booked.items() if times > 1)
    verdict.ends = {
        "sent": len(tally.kept_ends),
        "booked": sum(booked.values()),
        "lost": len(lost),
        "double": len(double),
    }
    paid = sum(tally.ends.get(key, 0) for key in booked)
    held = sum(sum(fact[part].values()) for fact in books.facts["PaidFromTray"] for part in ("fixed", "envy"))
    for what, keys in (("lost", lost), ("double", double)):
        verdict.problems += [
            f"{link}, end of round {number} of {table}: {what}" for link, table, number in keys[:5]
        ]
    if paid != held:
        verdict.meter_differences += 1
        verdict.problems.append(f"trays paid {paid}, the books hold {held}")


def _awards(verdict: BooksComparison, books: Books, tally: Tally) -> None:
    claimed = books.awards("Claimed")
    lost = sorted(award for award in tally.kept_claims if award not in claimed)
    forgotten = sorted(
        (link, f"{award}, {kind}")
        for kind, answers in tally.answers.items()
        for link, award in answers - set(books.awards(kind))
    )
    verdict.awards = {
        "sent": len(tally.kept_claims),
        "booked": sum(claimed.values()),
        "lost": len(lost),
        "double": sum(
            times - 1 for kind in ("Claimed", "Confirmed", "Paid") for times in books.awards(kind).values()
        ),
        "confirmed": len(books.awards("Confirmed")),
        "paid": len(books.awards("Paid")),
        "voided": len(books.awards("Voided")),
    }
    verdict.problems += [f"{link}, claim {award}: lost" for link, award in [*lost, *forgotten][:5]]
    if verdict.awards["double"]:
        verdict.problems.append(f"{verdict.awards['double']} awards happened twice")


def _meters(verdict: BooksComparison, books: Books, tally: Tally, link: Link) -> None:
    """Recompute each level's and the house's share from the tables' wagers; a house jackpot has no meters."""
    misdealt = {(fact["link"], fact["table"], fact["round"]) for fact in books.facts["Misdealt"]}
    wagers = sum(
        len(round_.seats)
        for key, round_ in tally.rounds.items()
        if key[0] == link.id and key in books.rounds and key not in misdealt
    )
    facts = [fact for fact in books.facts["Contributed"] if fact["link"] == link.id]
    reversals = [fact for fact in books.facts["Misdealt"] if fact["link"] == link.id]
    retained = wagers * link.wager
    for level in link.levels:
        expected = wagers * link.wager * (level.contribution + level.reserve) // 10_000
        retained -= expected
        inflow = sum(
            fact[pool].get(level.name, 0) for fact in facts for pool in ("to_meter", "to_reserve", "overflow")
        )
        outflow = sum(
            fact[pool].get(level.name, 0) for fact in reversals for pool in ("from_meter", "from_reserve")
        )
        _expect(verdict, f"{link.id}, {level.name}", expected, inflow - outflow)
    to_house = sum(fact["to_house"] for fact in facts) - sum(fact["from_house"] for fact in reversals)
    _expect(verdict, f"{link.id}, retained", retained, to_house)


def _expect(verdict: BooksComparison, where: str, expected: int, booked: int) -> None:
    if booked != expected:
        verdict.meter_differences += 1
        verdict.problems.append(f"{where}: tables fed {expected}, the books took {booked}")


def _independent(verdict: BooksComparison, folder: Path) -> None:
    """Run the independent verifier in its own process."""
    command = [sys.executable, str(_VERIFIER), str(folder), "--no-signature"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        problems = result.stdout.splitlines()[:-1] or [result.stderr[-500:]]
        verdict.meter_differences += len(problems)
        verdict.problems += problems


def _wagers(
    rounds: dict[RoundKey, SentRound], keys: "Iterator[RoundKey] | set[RoundKey] | list[RoundKey]"
) -> int:
    return sum(len(rounds[key].seats) for key in keys)


def _numbers(text: str) -> Iterator[int]:
    """Parse ``1-3,5``."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _lines(path: Path) -> Iterator[Json]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
