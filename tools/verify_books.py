"""Checks an exported bundle of the books, with standard library and openssl; no code is shared.

Usage: python verify_books.py BUNDLE [BUNDLE ...] [--key KEY] [--tails FILE] [--tail LINK=NUMBER:HASH ...]

BUNDLE is a folder or a .tar: all of the books, or a day of them. For every link it follows the hash chain,
recomputes every account from the opening amounts, and checks that contributions are those of the rounds, that
awards are those of the paytable, and that nothing happened twice. The opening of a day names the entry before
it, which must hash to the end that the chain had then; given the bundle of the day before as well, each link
must open exactly as it closed there. The manifest names every file and link, and the key of the site signs
it. A tail that you know from elsewhere, an earlier export or a printed report, shows whether the end was cut
off or the chain was written anew. It names the first bad entry of each link; the exit code is then 1.
"""

import argparse
import base64
import filecmp
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

Json = dict[str, Any]
NEVER_BELOW_ZERO = ("meter", "reserve", "payable")
PLAYERS = ("meter", "reserve", "pending", "payable")
#: What a link is, besides its place in the chain, at either end of a bundle.
STATE = ("balances", "version", "caps", "amounts", "awards", "inflow")
#: For each kind of entry, the kinds of accounts that may give (-) and get (+).
WAYS = {
    "Contributed": "-patrons +meter +reserve +retention",
    "Misdealt": "-meter -reserve -retention +patrons",
    "WagerAdded": "-patrons +meter +reserve +retention",
    "WagerReturned": "-meter -reserve -retention +patrons",
    "PaidFromTray": "-tray +patrons",
    "Locked": "-meter -house_pays -seed_advanced -reserve +pending +meter",
    "Released": "-pending -meter +meter +house_pays +seed_advanced +reserve",
    "Overflowed": "-meter +reserve",
    "Confirmed": "-pending +payable",
    "Paid": "-payable +patrons",
    "Confiscated": "-payable +problem_gambling",
    "Reversed": "-payable -patrons -meter +meter +house_pays +seed_advanced +reserve",
    "Adjusted.MALFUNCTION_CORRECTION": "-meter -reserve -correction +correction +meter +reserve",
    "Adjusted.CAP_CORRECTION": "-meter +reserve",
    "Adjusted.NON_DISPLAYED_TO_GROSS_RECEIPTS": "-reserve +gross_receipts",
    "Adjusted.SEED_RECOVERY": "-meter -reserve +seed_advanced",
    "Adjusted.MERCHANDISE": "-reserve +merchandise",
    "Adjusted.HOUSE_ADDITION": "-house_pays +meter +reserve",
    "Opened": "-seed_advanced +meter",
    "Removed": "-meter -reserve +clearing",
    "Received": "-clearing +meter +reserve",
}
NO_WAY: frozenset[str] = frozenset()
MAY = {kind: frozenset(ways.split()) for kind, ways in WAYS.items()}
#: An award that has left its meter for good, unless it is reversed.
SETTLED = ("confirmed", "paid", "confiscated")
ONCE = {
    "Claimed": "claim",
    "CardsEntered": "cards",
    "Confirmed": "settlement",
    "Voided": "settlement",
    "Paid": "payment",
    "Confiscated": "payment",
    "Reversed": "reversal",
}


NOTHING_LOCKED = {"amount": None, "locked": False, "from_meter": 0, "from_house": 0, "seed": 0, "reserve": 0}
#: The audit log may be deleted, month by month, after this many years at the earliest.
RETENTION = timedelta(days=5 * 365)
#: What locks the claims of a queue again after one of them changed.
OF_QUEUES = ("Claimed", "Voided", "Released", "Locked", "Overflowed")
Place = tuple[str, int]


class BadError(Exception):
    """The first thing that is wrong."""


class UnreadableError(Exception):
    """A bundle cannot be read at all; the text names it."""


class KnownError(BadError):
    """An entry is not the one that is known from elsewhere; the text names it."""


#: What reading a changed file can raise.
UNREADABLE = (BadError, OSError, KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration)


def told(error: Exception) -> str:
    """What is wrong, in words; Python's own errors come from a record that lacks something."""
    if isinstance(error, BadError | argparse.ArgumentTypeError):
        return str(error)
    if isinstance(error, KeyError):
        return f"the record lacks {error.args[0]!r}"
    return "the record cannot be read"


canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def expect(truth: bool, what: str) -> None:  # noqa: FBT001
    if not truth:
        raise BadError(what)


def lines(path: Path) -> Iterator[Json]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def numbers(text: str) -> list[int]:
    """``1-3,5`` as numbers."""
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


class Versions:
    """The configurations of the links, each checked against its fingerprint, and their paytables."""

    def __init__(self, folder: Path) -> None:
        self.paytables: dict[str, Json] = {}
        for line in lines(folder / "paytables.jsonl"):
            expect(sha256(canonical(line["body"])) == line["fingerprint"], "a paytable is not the locked one")
            self.paytables[line["fingerprint"]] = line["body"]
        self.bodies: dict[tuple[str, str], Json] = {}
        #: Versions whose title divides one share among the winners of a round.
        self.dividing: set[str] = set()
        for line in lines(folder / "versions.jsonl"):
            body = json.loads(line["body"])
            expect(sha256(canonical(hashed(body))) == line["fingerprint"], "a version is not what was hashed")
            expect(body["paytable"]["fingerprint"] in self.paytables, "a version's paytable is missing")
            self.bodies[line["link"], line["fingerprint"]] = body
            if line["divides_shares"]:
                self.dividing.add(line["fingerprint"])


def hashed(body: Json) -> Json:
    """What the fingerprint of a version is made from."""
    order = ("name", "seed", "contribution", "reserve", "unreasonable", "cap", "amount")
    levels = [[level[name] for name in order] for level in body["levels"]]
    return {**body, "paytable": body["paytable"]["fingerprint"], "levels": levels}


class Approvals:
    """The proposals that a second person approved, by the adjustment that they are about."""

    def __init__(self, folder: Path) -> None:
        proposals: dict[str, Json] = {}
        approvals: dict[str, Json] = {}
        for name in ("earlier_proposals.jsonl", "evidence.jsonl"):
            for line in lines(folder / name):
                if line["kind"] == "proposal":
                    proposals[line["key"]] = json.loads(line["contents"])
                elif line["kind"] == "approval" and json.loads(line["contents"])["approved"]:
                    approvals[line["key"]] = json.loads(line["contents"])
        self.found: dict[tuple[str, str], tuple[Json, Json]] = {
            (proposal["body"]["link"], proposal["body"]["adjustment"]): (proposal, approvals[name])
            for name, proposal in proposals.items()
            if name in approvals and proposal["command"] in ("adjust", "buy_merchandise", "reverse")
        }

    def check(self, fact: Json, terms: Json, adjustment: str, booked_at: str) -> None:
        """Raise unless two people approved exactly this before it was booked."""
        pair = self.found.get((fact["link"], adjustment))
        expect(pair is not None, f"adjustment {fact['adjustment']} has no approved proposal")
        assert pair is not None
        proposal, approval = pair
        command = {"name": proposal["command"], "about": proposal["about"]}
        exact = sha256(canonical({**command, "body": {"proposal": proposal["id"], **proposal["body"]}}))
        same = proposal["fingerprint"] == approval["fingerprint"] == exact
        expect(same, f"proposal {proposal['id']} is not the command that was approved")
        same = all(proposal["body"].get(name) == value for name, value in terms.items())
        expect(same, f"it is not what proposal {proposal['id']} says")
        two = (proposal["proposed_by"], approval["answered_by"])
        right = two == (fact["by"], fact["approved_by"]) and two[0] != two[1]
        expect(right, "the two people that it names did not approve it")
        when = [
            datetime.fromisoformat(t) for t in (approval["answered_at"], proposal["lapses_at"], booked_at)
        ]
        expect(when[0] <= min(when[1:]), "it was approved after it was booked, or too late")


class Rounds:
    """The rounds of a bundle and their ends by link and entry; rounds before it that its entries name."""

    def __init__(self, folder: Path) -> None:
        self.approvals = Approvals(folder)
        self.booked = self.read(folder / "rounds.jsonl")
        self.ends = self.read(folder / "round_ends.jsonl")
        self.earlier: defaultdict[str, list[Json]] = defaultdict(list)
        for row in lines(folder / "earlier_rounds.jsonl"):
            self.earlier[row["link"]].append(row)

    def read(self, path: Path) -> defaultdict[str, defaultdict[int, list[Json]]]:
        rows: defaultdict[str, defaultdict[int, list[Json]]] = defaultdict(lambda: defaultdict(list))
        for row in lines(path):
            rows[row["link"]][row["entry"]].append(row)
        return rows


def waits(award: Json) -> bool:
    """Whether a claim must be locked, or was released and must be locked again."""
    return bool(award["status"] == "claimed" and not award["locked"])


def sum_for_players(amounts: Mapping[str, int]) -> int:
    """What the bank must hold: all that is held for players."""
    return sum(amount for account, amount in amounts.items() if account.partition("/")[0] in PLAYERS)


class Link:
    """One link, entry by entry."""

    def __init__(self, name: str, opening: Json, versions: Versions, rounds: Rounds) -> None:
        self.name = name
        self.number: int = opening["number"]
        self.hash: str = opening["hash"]
        self.balances: defaultdict[str, int] = defaultdict(int, opening["balances"])
        self.versions = versions
        self.approvals = rounds.approvals
        self.rounds = rounds.booked[name]
        self.ends = rounds.ends[name]
        #: The version and the locked seats of each round, as they were corrected since.
        self.seats: dict[Place, tuple[str, frozenset[int]]] = {}
        self.over: set[Place] = set()
        self.void: set[Place] = set()
        for row in rounds.earlier[name]:
            place = (row["table_id"], row["number"])
            self.seats[place] = (row["version"], frozenset(row["seats"]))
            self.over |= {place} if row["is_over"] else set()
            self.void |= {place} if row["is_void"] else set()
        self.version: Json = {}
        self.version_name = ""
        self.caps: dict[str, int] = dict(opening["caps"])
        #: What each level of a house jackpot posts.
        self.amounts: dict[str, int] = dict(opening["amounts"])
        self.awards: dict[str, Json] = {
            name: dict(award) for name, award in {**opening["awards"], **opening["settled"]}.items()
        }
        #: Claims that were released and must be locked again.
        self.unlocked = {name for name, award in self.awards.items() if waits(award)}
        #: What each meter and reserve has taken in, locks left out: a claim takes only what came before it.
        self.inflow: defaultdict[str, int] = defaultdict(int, opening["inflow"])
        self.booked_at = ""
        #: What was held for players after each entry.
        self.funds = {self.number: sum_for_players(self.balances)}
        self.once = {("claim", name) for name in self.awards} | {
            ("settlement", name) for name, award in self.awards.items() if award["status"] != "claimed"
        }

    def open(self, opening: Json) -> None:
        """A bundle of a day begins after an entry; what the link held then can be told from nothing else."""
        if opening["number"] == 0:
            empty = not any(opening[name] for name in (*STATE, "settled", "body"))
            expect(empty and self.hash == "0" * 64, "something stands before the first entry")
            return
        expect(sha256(opening["body"]) == self.hash, "the entry before the day is not the end of its chain")
        head = json.loads(opening["body"])
        expect((head["link"], head["number"]) == (self.name, self.number), "another entry stands before it")
        expect(sum(self.balances.values()) == 0, "the opening amounts do not balance")
        held = [
            a for a, amount in self.balances.items() if a.partition("/")[0] in NEVER_BELOW_ZERO and amount < 0
        ]
        expect(not held, f"the day opens below zero: {held}")
        if opening["version"]:
            self.take_version(opening["version"])

    def follow(self, line: Json) -> None:
        """Check one entry and take it in."""
        body, fact = self.place(line)
        kind = body["kind"].partition(".")[0]
        if kind in ONCE:
            key = (ONCE[kind], fact["award"])
            expect(key not in self.once, f"{kind.lower()} once more: award {fact['award']}")
            self.once.add(key)
        before = dict(self.balances)
        self.post(body)
        if kind not in OF_QUEUES:
            self.check_locked_again()
        self.booked_at = line["booked_at"]
        check = getattr(self, f"check_{kind.lower()}", None)
        if check is not None:
            check(fact, before)
        self.number, self.hash = body["number"], line["hash"]
        self.funds[self.number] = self.funds[self.number - 1] + sum_for_players(dict(body["postings"]))

    def place(self, line: Json) -> tuple[Json, Json]:
        expect(line["number"] == self.number + 1, f"entry {line['number']} stands in its place")
        expect(line["previous"] == self.hash, "it does not follow the entry before it")
        expect(sha256(line["body"]) == line["hash"], "its content is not what was hashed")
        body: Json = json.loads(line["body"])
        expect(canonical(body) == line["body"], "its text is not canonical")
        expect(body["link"] == self.name and body["number"] == line["number"], "it belongs elsewhere")
        expect(body["previous"] == line["previous"], "it does not follow the entry before it")
        expect(sha256(line["fact"]) == body["references"]["fact"], "its fact is not the one that was hashed")
        fact: Json = json.loads(line["fact"])
        expect(fact["at"] == body["at"] and fact["link"] == self.name, "fact and entry disagree")
        kind = f"Adjusted.{fact['reason']}" if fact["kind"] == "Adjusted" else fact["kind"]
        expect(kind == body["kind"], "fact and entry are of different kinds")
        return body, fact

    def post(self, body: Json) -> None:
        accounts = [account for account, _ in body["postings"]]
        expect(accounts == sorted(set(accounts)), "it posts twice to an account")
        expect(sum(amount for _, amount in body["postings"]) == 0, "its postings do not balance")
        ways = MAY.get(body["kind"], NO_WAY)
        for account, amount in body["postings"]:
            kind = account.partition("/")[0]
            expect(("-" if amount < 0 else "+") + kind in ways, f"{body['kind']} may not move {account}")
            self.balances[account] += amount
            if kind in ("meter", "reserve") and body["kind"] not in ("Locked", "Released"):
                self.inflow[account] += amount
            below = kind in NEVER_BELOW_ZERO and self.balances[account] < 0
            expect(not below, f"{account} falls below zero")

    def is_house(self) -> bool:
        return self.version.get("kind") == "house"

    def level(self, name: str) -> Json:
        return next(level for level in self.version["levels"] if level["name"] == name)

    def moved(self, before: Json, account: str) -> int:
        return self.balances[account] - int(before.get(account, 0))

    def take_version(self, fingerprint: str) -> None:
        expect((self.name, fingerprint) in self.versions.bodies, "its version is not registered")
        self.version = self.versions.bodies[self.name, fingerprint]
        self.version_name = fingerprint

    # --- the kinds of facts, each by its own rule ---

    def check_opened(self, fact: Json, before: Json) -> None:
        expect(self.number == 0, "a link opens with its first entry")
        self.take_version(fact["version"])
        for level in self.version["levels"]:
            name = level["name"]
            expect(fact["opening"][name] == level["seed"], f"{name} does not open at its seed")
            held = self.balances[f"meter/{self.name}/{name}"]
            expect(held == fact["opening"][name], f"{name} opens at another amount")
            if level["cap"] != -1:
                self.caps[name] = level["cap"]

    def check_contributed(self, fact: Json, before: Json) -> None:
        expect(bool(self.version), "the link was never opened")
        expect(fact["version"] == self.version_name, "it was booked under another version")
        expect(fact["paytable"] == self.version["paytable"]["fingerprint"], "it names another paytable")
        expect(fact["wager"] == self.version["wager"], "its wager is not the link's")
        self.cover(fact)
        self.add(fact, sum(fact["wagers"].values()), before)

    def add(self, fact: Json, count: int, before: Json) -> None:
        """So many wagers go to meters, reserves and the house as the version says."""
        to_house = count * fact["wager"]
        for level in self.version["levels"]:
            name = level["name"]
            accrued = fact["wager"] * level["contribution"] // 10_000 * count
            reserved = fact["wager"] * level["reserve"] // 10_000 * count
            meter = self.moved(before, f"meter/{self.name}/{name}")
            to_meter = accrued
            if name in self.caps:
                room = self.caps[name] - int(before.get(f"meter/{self.name}/{name}", 0))
                to_meter = min(accrued, max(0, room))
            reserve = self.moved(before, f"reserve/{self.name}/{name}")
            expect(meter == to_meter, f"it adds {meter} to {name}, the version says {to_meter}")
            expect(reserve == reserved + accrued - to_meter, f"it adds another reserve to {name}")
            to_house -= meter + reserve
        expect(self.moved(before, f"retention/{self.name}") == to_house, "the retention is not the rest")

    def cover(self, fact: Json) -> None:
        """The rounds are those that the fact names."""
        booked: defaultdict[str, list[Json]] = defaultdict(list)
        for row in self.rounds.pop(self.number + 1, []):
            booked[row["table_id"]].append(row)
        for table in sorted({*booked, *fact["rounds"]}):
            rows = booked.get(table, [])
            for row in rows:
                place = (table, row["number"])
                expect(place not in self.seats, f"round {row['number']} of {table} is booked once more")
                self.seats[place] = (self.version_name, frozenset(row["seats"]))
            same = sorted(row["number"] for row in rows) == numbers(fact["rounds"].get(table, "0"))
            wagers = sum(len(row["seats"]) for row in rows)
            right = all(row["wager"] == fact["wager"] for row in rows)
            expect(same and right and wagers == fact["wagers"].get(table, 0), f"the rounds of {table} differ")
        texts = [
            f"{table} {row['number']} {row['started_at']} {','.join(map(str, row['seats']))}"
            for table in sorted(booked)
            for row in sorted(booked[table], key=lambda row: int(row["number"]))
        ]
        expect(sha256("\n".join(texts)) == fact["digest"], "its rounds are not those that were hashed")

    def correct(self, fact: Json) -> None:
        """One seat of a round whose cards are not out."""
        place = (fact["table"], fact["round"])
        right = fact["version"] == self.version_name and fact["wager"] == self.version["wager"]
        expect(right, "it was booked under another version")
        claimed = [award for award in self.awards.values() if (award["table"], award["round"]) == place]
        expect(not claimed, "a seat is corrected after a hand was claimed")
        version, seats = self.played(place)
        adds = fact["kind"] == "WagerAdded"
        expect((fact["seat"] in seats) != adds, f"seat {fact['seat']} is locked, or is not")
        self.seats[place] = (version, seats ^ {fact["seat"]})

    def played(self, place: Place) -> tuple[str, frozenset[int]]:
        """The version and the locked seats of a round that is not over."""
        expect(place in self.seats, f"round {place[1]} of {place[0]} was never booked")
        over = place in self.over or place in self.void
        expect(not over, f"round {place[1]} of {place[0]} was over")
        return self.seats[place]

    def check_wageradded(self, fact: Json, before: Json) -> None:
        self.correct(fact)
        self.add(fact, 1, before)

    def check_wagerreturned(self, fact: Json, before: Json) -> None:
        self.correct(fact)
        self.give_back(fact, 1, before)

    def check_misdealt(self, fact: Json, before: Json) -> None:
        place = (fact["table"], fact["round"])
        _, seats = self.played(place)
        expect(
            len(seats) == fact["wagers"],
            f"it gives {fact['wagers']} wagers back; the round brought {len(seats)}",
        )
        claims = [award for award in self.awards.values() if (award["table"], award["round"]) == place]
        open_claims = [award for award in claims if award["status"] in ("claimed", *SETTLED)]
        expect(not open_claims, "a hand of the round was claimed")
        self.void.add(place)
        self.give_back(fact, fact["wagers"], before)

    def check_paidfromtray(self, fact: Json, before: Json) -> None:
        """The rounds ended, and each tray paid what the entered hands give."""
        ended: defaultdict[str, list[Json]] = defaultdict(list)
        for row in self.ends.pop(self.number + 1, []):
            ended[row["table_id"]].append(row)
        texts = [
            f"{table} {row['number']} {row['ended_at']} {row['fixed']} {row['envy']}"
            for table in sorted(ended)
            for row in sorted(ended[table], key=lambda row: int(row["number"]))
        ]
        expect(
            sha256("\n".join(texts)) == fact["digest"], "the ends of rounds are not those that were hashed"
        )
        for table in sorted({*ended, *fact["rounds"]}):
            rows = ended.get(table, [])
            same = sorted(row["number"] for row in rows) == numbers(fact["rounds"].get(table, "0"))
            for kind in ("fixed", "envy"):
                same = same and sum(row[kind] for row in rows) == fact[kind].get(table, 0)
            expect(same, f"the ends of rounds of {table} differ")
            for row in rows:
                place = (table, row["number"])
                expect(place in self.seats, f"round {row['number']} of {table} was never booked")
                expect(place not in self.over, f"round {row['number']} of {table} ends once more")
                self.over.add(place)
                due = (0, 0) if place in self.void else self.tray(place, row["hands"])
                right = (row["fixed"], row["envy"]) == due
                expect(right, f"round {row['number']} of {table} pays {due} out of the tray")

    def tray(self, place: Place, hands: Json) -> tuple[int, int]:
        """Fixed pays with the stakes returned, and envy, for the hands of the seats."""
        if not hands:
            return 0, 0
        fingerprint, seats = self.seats[place]
        version = self.versions.bodies[self.name, fingerprint]
        rows = {
            row["hand"]: row for row in self.versions.paytables[version["paytable"]["fingerprint"]]["rows"]
        }
        wager = version["wager"]
        by_claim = version["options"]["fixed_pays_from"] == "meter"
        everyone = version["options"]["envy_from"] == "any_player"
        fixed = envy = 0
        for seat, hand in ((int(seat), hand) for seat, hand in hands.items()):
            pays = rows[hand]["pays"]
            if seat in seats and "%" not in pays:
                wins, word, per = pays.split() if " " in pays else ("0", "to", "1")
                fixed += (0 if by_claim else wager * int(wins) // int(per)) + (wager if word == "to" else 0)
            if rows[hand]["envy"] and (everyone or seat in seats):
                envy += rows[hand]["envy"] * wager // 1_000_000 * len(seats - {seat})
        return fixed, envy

    def give_back(self, fact: Json, count: int, before: Json) -> None:
        """So many wagers come back from the pools that they fed, and from the house what is gone there."""
        wager = self.version["wager"]
        expect(self.moved(before, f"patrons/{self.name}") == count * wager, "it gives other wagers back")
        for level in self.version["levels"]:
            pools = [f"{pool}/{self.name}/{level['name']}" for pool in ("meter", "reserve")]
            fed = sum(wager * level[share] // 10_000 * count for share in ("contribution", "reserve"))
            total = -sum(self.moved(before, pool) for pool in pools)
            due = min(fed, sum(int(before.get(pool, 0)) for pool in pools))
            expect(total == due, f"it takes {total} from {level['name']}, the version says {due}")

    def check_claimed(self, fact: Json, before: Json) -> None:
        place = (fact["table"], fact["round"])
        expect(place in self.seats and place not in self.void, "its round was never booked, or is void")
        expect(fact["seat"] in self.seats[place][1], f"seat {fact['seat']} had no wager in its round")
        self.awards[fact["award"]] = {
            **fact,
            **NOTHING_LOCKED,
            "status": "claimed",
            "level": "",
            "turn": 0,
            "lock": 0,
            "inflow": [],
            "signed": [],
            "aside": False,
        }
        self.unlocked.add(fact["award"])

    def known(self, fact: Json) -> Json:
        expect(fact["award"] in self.awards, f"award {fact['award']} was never claimed, or is settled")
        return self.awards[fact["award"]]

    def check_locked(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        amount = fact["from_meter"] + fact["from_house"]
        expect(award["amount"] in (None, amount), f"award {fact['award']} leaves with another amount")
        held = {name: fact[name] for name in ("from_meter", "from_house", "seed", "reserve")}
        award.update(amount=amount, locked=True, level=fact["level"], lock=self.number + 1, **held)
        self.unlocked.discard(fact["award"])
        pools = [f"{pool}/{self.name}/{fact['level']}" for pool in ("meter", "reserve")]
        if not award["turn"]:
            award.update(turn=self.number + 1, inflow=[self.inflow[pool] for pool in pools])
        if self.is_house():
            expect(
                fact["from_meter"] == fact["seed"] == fact["reserve"] == 0,
                "player money pays a house jackpot",
            )
            self.check_share(award, fact, self.amounts[fact["level"]])
            return
        meter, reserve = self.held_at_turn(award, pools, before)
        self.check_share(award, fact, meter)
        if fact["restarts"]:
            expect(fact["seed"] == self.level(fact["level"])["seed"], "it starts again at another seed")
            if fact["level"] not in self.caps:
                expect(fact["reserve"] == reserve, "the restart does not take the whole reserve")

    def queue(self, level: str) -> list[Json]:
        """The claims that hold an amount of a level and are not confirmed."""
        return [
            award
            for award in self.awards.values()
            if award["locked"] and award["status"] == "claimed" and award["level"] == level
        ]

    def first_of_round(self, award: Json) -> Json:
        """The award that gave its round the place in the queue of the level."""
        beside = [
            other
            for other in self.awards.values()
            if other["turn"]
            and other["status"] not in ("voided", "reversed")
            and all(other[name] == award[name] for name in ("table", "round", "level"))
        ]
        return min(beside, key=lambda other: int(other["turn"]))

    def held_at_turn(self, award: Json, pools: list[str], before: Json) -> list[int]:
        """What meter and reserve held when the first award of the round on this level was locked."""
        first = self.first_of_round(award)
        now = [int(before.get(pool, 0)) for pool in pools]
        since = [self.inflow[pool] - then for pool, then in zip(pools, first["inflow"], strict=True)]
        # What stood above the cap at its turn has gone to the reserve since.
        meter = min(now[0] - since[0], self.caps.get(award["level"], now[0] - since[0]))
        return [max(0, meter), max(0, min(now[1], now[1] - since[1]))]

    def check_share(self, award: Json, fact: Json, meter: int) -> None:
        """What a row gives of a meter, in whole cents; alone in its round it gets exactly that."""
        rows = self.versions.paytables[self.version["paytable"]["fingerprint"]]["rows"]
        pays = next((row["pays"] for row in rows if row["hand"] == award["hand"]), None)
        expect(pays is not None, f"{award['hand']} is on no row of the paytable")
        percent, of, level = str(pays).partition("% of ")
        if not of:
            return
        whole, _, rest = percent.partition(".")
        due = meter * (int(whole) * 100 + int(rest or 0)) // 10_000
        due -= due % 10_000
        place = ("table", "round")
        others = [
            other
            for other in self.awards.values()
            if other is not award
            and other["status"] == "claimed"
            and [other[name] for name in place] == [award[name] for name in place]
        ]
        alone = self.is_house() or not others
        gives = fact["from_meter"] + fact["from_house"]
        right = gives == due if alone else fact["from_meter"] <= due
        expect(level == fact["level"] and right, f"award {fact['award']} is not what its row gives")

    def check_released(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        expect(award["locked"] and award["status"] == "claimed", "it was not locked")
        self.check_back(award, fact, self.restart_undone(award, before))
        award.update(NOTHING_LOCKED)
        self.unlocked.add(fact["award"])

    def check_back(self, award: Json, fact: Json, restart: tuple[int, int]) -> None:
        """An amount goes back to where it came from, and the restart with it."""
        had = (award["level"], award["from_meter"], award["from_house"], *restart)
        values = tuple(fact[name] for name in ("level", "to_meter", "to_house", "seed", "reserve"))
        expect(values == had, f"award {fact['award']} gives back something else than it had locked")

    def restart_undone(self, award: Json, before: Json) -> tuple[int, int]:
        """Seed and reserve that go back, as far as the meter holds them and the seed is unrecovered."""
        meter, seed = (
            int(before.get(f"{pool}/{self.name}/{award['level']}", 0)) for pool in ("meter", "seed_advanced")
        )
        posted = self.amounts.get(award["level"], 0) if self.is_house() else meter
        held = posted + award["from_meter"]
        reserve = min(award["reserve"], held)
        return min(award["seed"], held - reserve, -seed), reserve

    def check_locked_again(self) -> None:
        expect(
            not self.unlocked,
            f"award {min(self.unlocked, default='')} was claimed or released, and not locked again",
        )

    def check_confirmed(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        amount = fact["from_meter"] + fact["from_house"]
        expect(self.moved(before, f"payable/{self.name}/{fact['award']}") == amount, "another amount is owed")
        expect(award["locked"] and award["amount"] == amount, "it is confirmed with another amount")
        signed = {fact["supervisor"], fact["executive"]} - {""}
        expect(award["by"] not in signed, "who claimed it confirmed it")
        queue = [other for other in self.queue(fact["level"]) if not other["aside"]]
        ahead = [other for other in queue if other["lock"] < award["lock"]]
        expect(self.is_house() or not ahead, "an earlier claim on its level is open")
        above = amount > self.version["executive_above"] or fact["level"] in self.version["executive_levels"]
        alone = self.version["executive_alone"]
        badges = bool(fact["executive"]) and (alone or len(signed) > 1)
        expect(badges or not above, "its amount needs an executive and a second person")
        fixed = {name: fact[name] for name in ("from_meter", "from_house", "level")}
        award.update(status="confirmed", amount=amount, signed=sorted(signed), **fixed)
        self.unlocked.discard(fact["award"])

    def check_metermoved(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        expect(award["status"] == "confirmed", "the meter moves for an award that is not confirmed")

    def check_setaside(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        two = {fact["by"], fact["approved_by"]} - {"", award["by"]}
        right = award["status"] == "claimed" and bool(fact["reason"]) and len(two) > 1
        expect(right, f"award {fact['award']} is set aside without two people and a reason")
        award["aside"] = True

    def check_voided(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        expect(award["status"] == "claimed", f"award {fact['award']} cannot be voided any more")
        is_locked = award["locked"]
        if award["turn"] and not self.is_house():
            own = self.first_of_round(award)["turn"]
            queue = [other for other in self.queue(award["level"]) if not other["aside"]]
            is_locked = is_locked or any(self.first_of_round(other)["turn"] >= own for other in queue)
        expect(not is_locked, "it was voided, and later claims kept the amounts that it left them")
        award["status"] = "voided"
        self.unlocked.discard(fact["award"])

    def check_paid(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        right = award["status"] == "confirmed" and award["amount"] == fact["amount"]
        expect(right, f"award {fact['award']} is paid another amount, or unconfirmed")
        watched = fact["by"] != award["by"] or fact["witness"] in award["signed"]
        expect(fact["by"] not in award["signed"] and watched, "who entered or confirmed it paid it")
        award["status"] = "paid"
        expect(self.balances[f"payable/{self.name}/{fact['award']}"] == 0, "something is still owed")

    def check_confiscated(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        right = award["status"] == "confirmed" and award["amount"] == fact["amount"] and fact["reason"]
        expect(bool(right), f"award {fact['award']} is confiscated in part, unconfirmed, or without a reason")
        two = {fact["by"], fact["approved_by"]} - {"", award["by"]}
        expect(len(two) > 1, f"award {fact['award']} is confiscated without two people")
        award["status"] = "confiscated"
        expect(self.balances[f"payable/{self.name}/{fact['award']}"] == 0, "something is still owed")

    def check_reversed(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        right = award["status"] in ("confirmed", "paid") and award["locked"]
        expect(right and fact["was_paid"] == (award["status"] == "paid"), f"it was {award['status']} then")
        other = self.remaining_share(award)
        self.check_back(award, fact, (0, 0) if other else self.restart_undone(award, before))
        two = {fact["by"], fact["approved_by"]}
        expect(not two & set(award["signed"]), "who confirmed it reversed it")
        terms = {name: fact[name] for name in ("link", "reason", "evidence")} | {"command": "reverse"}
        adjustment = fact["adjustment"]
        if (self.name, adjustment) not in self.approvals.found:  # it went back with the award of the proposal
            adjustment = adjustment.rpartition("-")[0]
            proposal, _ = self.approvals.found.get((self.name, adjustment), ({"body": {"award": ""}}, None))
            first = self.awards.get(proposal["body"]["award"])
            beside = first and all(first[name] == award[name] for name in ("table", "round"))
            expect(bool(beside), f"adjustment {fact['adjustment']} has no approved proposal")
        else:
            terms |= {"award": fact["award"], "adjustment": adjustment}
        self.approvals.check(fact, terms, adjustment, self.booked_at)
        if other:
            other.update({name: other[name] + award[name] for name in ("seed", "reserve")})
        award["status"] = "reversed"

    def remaining_share(self, award: Json) -> Json | None:
        """Another award of the round that keeps its share of the prize."""
        divides = self.version_name in self.versions.dividing
        shares = divides or self.version["options"]["several_winners"] != "seat_order"
        if self.is_house() or not shares:
            return None
        for other in self.awards.values():
            same = all(other[name] == award[name] for name in ("table", "round", "level"))
            if other is not award and same and other["status"] in SETTLED:
                return other
        return None

    def check_adjusted(self, fact: Json, before: Json) -> None:
        account = f"{fact['pool']}/{self.name}/{fact['level']}"
        expect(int(before.get(account, 0)) == fact["before"], "it was made from another amount")
        expect(self.balances[account] == fact["after"], "it was adjusted to another amount")
        explanation = fact["text"] and fact["evidence"] and fact["by"] and fact["approved_by"]
        expect(bool(explanation) and fact["by"] != fact["approved_by"], "it takes two people and a reason")
        terms = {name: fact[name] for name in ("link", "adjustment", "pool", "level", "evidence")}
        if fact["reason"] == "MERCHANDISE":
            terms |= {"command": "buy_merchandise", "value": fact["before"] - fact["after"]}
        else:
            change = fact["after"] - fact["before"]
            terms |= {"command": "adjust", "lawful_reason": fact["reason"], "change": change}
        self.approvals.check(fact, {**terms, "reason": fact["text"]}, fact["adjustment"], self.booked_at)

    def check_capset(self, fact: Json, before: Json) -> None:
        self.caps[fact["level"]] = fact["after"]
        if fact["after"] == -1:
            del self.caps[fact["level"]]

    def check_amountset(self, fact: Json, before: Json) -> None:
        expect(self.is_house(), "only a house jackpot posts amounts")
        right = fact["before"] == self.amounts.get(fact["level"], 0) and fact["after"] > 0
        expect(right, "it replaces another posted amount")
        two = fact["by"] and fact["approved_by"] and fact["by"] != fact["approved_by"]
        expect(bool(two and fact["reason"]), "it takes two people and a reason")
        self.amounts[fact["level"]] = fact["after"]

    def check_reconfigured(self, fact: Json, before: Json) -> None:
        expect(fact["before"] == self.version_name, "it replaces another version")
        self.take_version(fact["version"])

    def check_fundscounted(self, fact: Json, before: Json) -> None:
        entry = fact["entry"]
        expect(entry <= self.number, "it counts entries that were booked later")
        if entry >= min(self.funds):  # otherwise the cutoff is before the bundle
            right = self.funds[entry] == fact["required"]
            expect(right, "the funds counted are not what is held for players")

    def close(self, closing: Json) -> None:
        """The end that the bundle names, and everything that its accounts hold there."""
        end = (closing["number"], closing["hash"])
        expect((self.number, self.hash) == end, f"the chain ends before entry {closing['number']}")
        held = {account: amount for account, amount in self.balances.items() if amount}
        expect(held == closing["balances"], "the accounts do not hold what the entries come to")
        self.check_locked_again()
        waiting = {
            n: award for n, award in self.awards.items() if award["status"] in ("claimed", "confirmed")
        }
        inflow = {account: amount for account, amount in self.inflow.items() if amount}
        state = {"version": self.version_name, "caps": self.caps, "amounts": self.amounts}
        state |= {"awards": waiting, "inflow": inflow}
        for name, value in state.items():
            expect(value == closing[name], f"its {name} at the end are not what the entries say")
        for what, left in (("rounds", self.rounds), ("ends of rounds", self.ends)):
            expect(not left, f"{what} name entry {min(left, default=0)}, which did not book them")


def verify(folder: Path, tails: "Tails | None" = None, *, last: bool = True) -> tuple[int, list[str]]:
    """The number of entries followed, and the first thing wrong of each link."""
    tails = tails or Tails(())
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    problems = [
        f"{name}: it is not the file that was exported"
        for name, digest in manifest["files"].items()
        if not (folder / name).exists() or hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest
    ]
    try:
        versions = Versions(folder)
    except UNREADABLE as error:
        return 0, [*problems, f"versions: {told(error)}"]
    try:
        rounds = Rounds(folder)
        links = {
            name: Link(name, about["opening"], versions, rounds) for name, about in manifest["links"].items()
        }
        entries = list(lines(folder / "entries.jsonl"))
    except UNREADABLE as error:
        return 0, [*problems, f"entries, records and rounds: {told(error)}"]
    bad: dict[str, str] = {}
    count = 0
    for name, link in links.items():
        attempt(bad, link, partial(link.open, manifest["links"][name]["opening"]))
        attempt(bad, link, partial(tails.compare, name, link.number, link.hash))
    for line in entries:
        name = line.get("link", "")
        if name not in links:
            bad.setdefault(name, f"{name}: the bundle has entries of a link that it does not name")
        elif name not in bad:
            count += 1
            attempt(bad, links[name], partial(links[name].follow, line))
            attempt(bad, links[name], partial(tails.compare, name, links[name].number, links[name].hash))
    for name, link in links.items():
        attempt(bad, link, partial(link.close, manifest["links"][name]["closing"]))
    problems += [*bad.values(), *check_evidence(folder, manifest, tails)]
    return count, problems + (tails.left(bad) if last else [])


class Tails:
    """Ends of chains that somebody kept elsewhere: each must be in the bundles."""

    def __init__(self, known: Iterable[tuple[str, int, str]]) -> None:
        self.known: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        #: The chains of which you know an end; the others could be cut off or written anew.
        self.yours: set[str] = set()
        for name, number, digest in known:
            self.add(name, number, digest, is_yours=True)
        self.seen: dict[str, int] = {}

    def add(self, name: str, number: int, digest: str, *, is_yours: bool) -> None:
        """One end more, which you or the bundle know; a chain without entries has none."""
        if number:
            self.known[name, number].add(digest)
        if is_yours:
            self.yours.add(name)

    def compare(self, name: str, number: int, digest: str) -> None:
        """Compare an entry with what is known of it."""
        self.seen[name] = number
        if self.known.pop((name, number), {digest}) != {digest}:
            raise KnownError(f"{name}, entry {number}: it is not the one you know")

    def not_compared(self) -> list[str]:
        """The links with entries of which you know no end."""
        return sorted(name for name, number in self.seen.items() if number and name not in self.yours)

    def left(self, bad: Container[str]) -> list[str]:
        """What is known and was not in the bundles."""
        problems = []
        for name, number in sorted(self.known):
            if name not in self.seen:
                problems.append(f"{name}: you know entry {number}, and the bundle has no such link")
            elif number > self.seen[name] and name not in bad:
                what = f"the end is cut off; you know {number}"
                problems.append(f"{name}, entry {self.seen[name] + 1}: {what}")
            elif name not in bad:
                problems.append(f"{name}, entry {number}: you know it, and it lies before the bundle")
        return problems


def check_evidence(folder: Path, manifest: Json, tails: Tails) -> list[str]:
    """The chain of the records: each follows the one before, and is what its digest says."""
    number, previous = (manifest["evidence"]["opening"][name] for name in ("number", "hash"))
    gone = 0
    try:
        records = list(lines(folder / "evidence.jsonl"))
        latest = {(line["kind"], line["key"]): line["number"] for line in records}
        tails.compare("evidence", number, previous)
        for line in records:
            expect(line["number"] == number + 1, "it is missing, or another one stands in its place")
            expect(line["previous"] == previous, "it does not follow the record before it")
            parts = (str(line["number"]), line["kind"], line["key"], line["digest"], line["previous"])
            expect(sha256("\n".join(parts)) == line["hash"], "its place in the chain is not what was hashed")
            if line["contents"] is not None:
                right = sha256(line["contents"]) == line["digest"]
                expect(right, f"{line['kind']} {line['key']} is not what was chained")
            else:
                check_gone(line, latest, manifest)
                gone += 1
            number, previous = line["number"], line["hash"]
            tails.compare("evidence", number, previous)
        closing = manifest["evidence"]["closing"]
        expect(
            (number, previous) == (closing["number"], closing["hash"]), "the chain ends before its known end"
        )
        for line in lines(folder / "earlier_proposals.jsonl"):
            number = line["number"] - 1
            parts = (str(line["number"]), line["kind"], line["key"], line["digest"], line["previous"])
            right = sha256("\n".join(parts)) == line["hash"] and sha256(line["contents"]) == line["digest"]
            expect(right, f"{line['kind']} {line['key']} is not what was chained")
    except KnownError as error:
        return [str(error)]
    except UNREADABLE as error:
        return [f"evidence, record {number + 1}: {told(error)}"]
    if gone:
        print(f"{gone} records have no contents: people who changed since, and old lines of the log")
    return []


def check_gone(line: Json, latest: Mapping[tuple[str, str], int], manifest: Json) -> None:
    """A record without its contents: a person who has a later one, or a line older than the retention."""
    what = f"{line['kind']} {line['key']}"
    if line["kind"] == "person":
        # The later record of a person may lie after the day of a bundle.
        is_later = latest[line["kind"], line["key"]] > line["number"] or manifest["period"] != "ALL"
        expect(is_later, f"{what} is not what was chained")
        return
    expect(line["kind"] == "audit", f"{what} is gone")
    age = datetime.now(UTC) - datetime.fromisoformat(line["booked_at"])
    expect(age >= RETENTION, f"{what} is gone before its retention ends")


def attempt(bad: dict[str, str], link: Link, check: Callable[[], None]) -> None:
    if link.name in bad:
        return
    try:
        check()
    except KnownError as error:
        bad[link.name] = str(error)
    except UNREADABLE as error:
        bad[link.name] = f"{link.name}, entry {link.number + 1}: {told(error)}"


def follows(before: Json, after: Json) -> list[str]:
    """Every link opens exactly as it closed in the bundle before, or is new."""
    problems = []
    for name, about in after["links"].items():
        place = f"{name}, entry {about['opening']['number']}"
        if name not in before["links"]:
            if about["opening"]["number"]:
                problems.append(f"{place}: the bundle before does not know this link")
            continue
        closed = before["links"][name]["closing"]
        wrong = [field for field in ("number", "hash", *STATE) if closed[field] != about["opening"][field]]
        if wrong:
            problems.append(f"{place}: it does not open as it closed before: {', '.join(wrong)}")
    if before["evidence"]["closing"] != after["evidence"]["opening"]:
        place = after["evidence"]["opening"]["number"]
        problems.append(f"evidence, record {place}: it does not open as it closed before")
    gone = sorted(set(before["links"]) - set(after["links"]))
    return problems + [f"{name}: the link is gone from the bundle after" for name in gone]


#: How the encoding of an Ed25519 key begins (RFC 8410); its 32 bytes follow.
ED25519 = bytes.fromhex("302a300506032b6570032100")


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is that of a message by a key."""
    with TemporaryDirectory() as folder:
        files = {"-inkey": ED25519 + public, "-in": message, "-sigfile": signature}
        arguments = ["pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin"]
        for option, content in files.items():
            (path := Path(folder, option)).write_bytes(content)
            arguments += [option, str(path)]
        return openssl(*arguments).returncode == 0


# --- the signature, in the format of minisign ---

#: A timestamp that came later than this after the close of its day proves nothing about that day.
STAMPED_WITHIN = timedelta(days=3)
#: A gambling day ends at some hour of the next day, in some time zone, after its date begins in UTC.
ENDS_AFTER = (timedelta(hours=10), timedelta(hours=60))
#: Heads are signed once a day: entries that came this much later than the last one prove that one is missing.
SIGNED_WITHIN = timedelta(days=3)
SIGNED_BY = "untrusted comment: signature by the key of a site"


def public_key(text: str) -> bytes:
    """A public key, given as text or as a file of minisign."""
    if Path(text).is_file():
        text = Path(text).read_text(encoding="utf-8").splitlines()[-1]
    try:
        key = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no public key of minisign") from error
    if len(key) != 42 or key[:2] != b"Ed":
        raise argparse.ArgumentTypeError(f"{text!r} is no public key of minisign")
    return key


def check_signature(content: bytes, signature: str, key: bytes) -> None:
    """Raise unless a key has signed exactly this."""
    comment, first, trusted, second, *rest = signature.split("\n")
    expect(comment == SIGNED_BY and rest == [""], "the signature is not in its format")
    expect(trusted.startswith("trusted comment: "), "the signature is not in its format")
    parts = [base64.b64decode(text, validate=True) for text in (first, second)]
    same = [base64.b64encode(part).decode() for part in parts] == [first, second]
    expect(same and parts[0][:2] == b"ED" and len(parts[0]) == 74, "the signature is not in its format")
    expect(parts[0][2:10] == key[2:10], "another key signed it")
    right = is_signed(key[10:], hashlib.blake2b(content).digest(), parts[0][10:])
    trusted_comment = trusted.removeprefix("trusted comment: ").encode()
    expect(right and is_signed(key[10:], parts[0][10:] + trusted_comment, parts[1]), "the signature is wrong")


def check_signed(folder: Path, manifest: Json, known: bytes | None) -> list[str]:
    """The manifest is signed, by the key that you know, and names every file of the bundle."""
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    names = {*manifest["files"], "manifest.json", "manifest.json.minisig"}
    problems = [f"{name}: the manifest does not name this file" for name in sorted(there - names)]
    if "manifest.json.minisig" not in there:
        return [*problems, "manifest.json: it is not signed; --no-signature checks it all the same"]
    try:
        key = known or public_key(manifest["site_key"])
        signature = (folder / "manifest.json.minisig").read_bytes().decode("ascii")
        check_signature((folder / "manifest.json").read_bytes(), signature, key)
    except (*UNREADABLE, argparse.ArgumentTypeError) as error:
        return [*problems, f"manifest.json: {told(error)}"]
    return problems


def check_heads(
    path: Path,
    key: bytes | None,
    tails: Tails,
    authority: Path | None,
    *,
    is_yours: bool,
    times: Mapping[Place, datetime],
) -> list[str]:
    """Signed ends of all chains at the close of days; each becomes an end that you know."""
    place, previous, last = path.name, None, None
    try:
        for line in lines(path):
            head = json.loads(line["body"])
            place = f"day {head['day']}"
            if key is not None:
                check_signature(line["body"].encode(), line["signature"], key)
            follows_on = previous is None or head["previous"] == sha256(previous)
            expect(follows_on, "its head does not follow that of the day before")
            day, ended_at = date.fromisoformat(head["day"]), datetime.fromisoformat(head["ended_at"])
            expect(last is None or day == last + timedelta(days=1), "the day before it has no head")
            after = ended_at - datetime(day.year, day.month, day.day, tzinfo=UTC)
            expect(ENDS_AFTER[0] <= after <= ENDS_AFTER[1], "its head names an end on another day")
            if authority is not None:
                check_anchors(line, ended_at, authority)
            for name, end in {**head["links"], "evidence": head["evidence"]}.items():
                check_end(name, end["number"], ended_at, times)
                tails.add(name, end["number"], end["hash"], is_yours=is_yours)
            previous, last = line["body"], day
    except UNREADABLE as error:
        return [f"{place}: {told(error)}"]
    return []


def check_end(name: str, number: int, ended_at: datetime, times: Mapping[Place, datetime]) -> None:
    """The last record of a day was booked before its end, and the next one was not."""
    what = f"{name}, entry {number}"
    expect(times.get((name, number), ended_at) <= ended_at, f"{what} was booked after its end")
    expect(times.get((name, number + 1), ended_at) >= ended_at, f"{what} is not the last before its end")


def booked(folder: Path) -> dict[Place, datetime]:
    """When each entry and each record was booked; what cannot be read is told elsewhere."""
    times: dict[Place, datetime] = {}
    try:
        for name in ("entries", "evidence"):
            for line in lines(folder / f"{name}.jsonl"):
                times[line.get("link", name), line["number"]] = datetime.fromisoformat(line["booked_at"])
    except UNREADABLE:
        return {}
    return times


def unsigned_days(folder: Path, times: Mapping[Place, datetime]) -> list[str]:
    """Days that were over long ago and that no head closes: whoever removes heads leaves this."""
    heads = [json.loads(line["body"]) for line in lines(folder / "day_heads.jsonl")]
    first, newest = min(times.values(), default=None), max(times.values(), default=None)
    if first is None or newest is None:
        return []
    signed_until = max((datetime.fromisoformat(head["ended_at"]) for head in heads), default=first)
    if newest - signed_until <= SIGNED_WITHIN:
        return []
    return [f"day heads: no head is signed for the days after {signed_until:%Y-%m-%d %H:%M} UTC"]


def check_anchors(line: Json, ended_at: datetime, authority: Path) -> None:
    """An authority that you trust stamped the head within days of its close; others may have, too."""
    expect(bool(line.get("anchors")), "its head has no timestamp")
    wrong = []
    for token in line["anchors"].values():
        try:
            check_anchor(line, token, ended_at, authority)
        except BadError as error:
            wrong.append(error)
    if len(wrong) == len(line["anchors"]):
        raise wrong[0]


def check_anchor(line: Json, token: str, ended_at: datetime, authority: Path) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "token"
        file.write_bytes(base64.b64decode(token))
        source = ["-in", str(file), "-token_in"]
        digest = ["-digest", sha256(line["body"])]
        ran = openssl("ts", "-verify", *digest, *source, "-CAfile", str(authority))
        expect(ran.returncode == 0, "its timestamp is not one of the authority, or of another head")
        reply = openssl("ts", "-reply", *source, "-text").stdout
        stamp = re.search(r"Time stamp: (\w+ +\d+ [\d:]+)(?:\.\d+)? (\d+) GMT", reply)
    assert stamp is not None
    stamped = datetime.strptime(f"{stamp[1]} {stamp[2]} +0000", "%b %d %H:%M:%S %Y %z")
    expect(stamped <= ended_at + STAMPED_WITHIN, f"its head was stamped only on {stamped:%Y-%m-%d}")


def openssl(*arguments: str) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        what = "the openssl command is not here: install it, or leave the signature out with --no-signature"
        raise UnreadableError(what) from error


def tail(text: str) -> tuple[str, int, str]:
    link, _, rest = text.partition("=")
    number, _, digest = rest.partition(":")
    if not (link and number.isdecimal() and digest):
        raise argparse.ArgumentTypeError(f"{text!r} is not LINK=NUMBER:HASH, as the export printed it")
    return link, int(number), digest


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Check exported bundles of the books from scratch.",
        epilog="Ends with 0 when all is right, with 1 when not, with 2 when a bundle cannot be read.",
    )
    parser.add_argument(
        "bundle", type=Path, nargs="+", help="folders or .tar files, in the order of their days"
    )
    parser.add_argument(
        "--tail",
        type=tail,
        action="append",
        default=[],
        metavar="LINK=NUMBER:HASH",
        help="the end of a chain, as it was written down elsewhere: it must be in the bundles",
    )
    parser.add_argument(
        "--tails",
        type=Path,
        metavar="FILE",
        help="a file with such ends, one on a line, as they were published",
    )
    parser.add_argument(
        "--key",
        type=public_key,
        help="the public key of the site, or its file, as you know it from elsewhere",
    )
    parser.add_argument(
        "--heads",
        type=Path,
        metavar="FILE",
        help="signed ends of days, as `feltwork export --heads` printed them",
    )
    parser.add_argument(
        "--authority",
        type=Path,
        metavar="FILE",
        help="the certificate of the authority that stamped the days; needs the openssl command",
    )
    parser.add_argument(
        "--no-signature", action="store_true", help="do not check the signature, and say so in the result"
    )
    options = parser.parse_args(arguments)
    published = options.tails.read_text(encoding="utf-8") if options.tails else ""
    tails = Tails([*options.tail, *map(tail, re.findall(r"\S+=\d+:[0-9a-f]{64}", published))])
    count, problems, manifest = 0, list[str](), None
    try:
        for bundle in options.bundle:
            followed, wrong, manifest = check_bundle(options, bundle, tails, manifest)
            count += followed
            problems += wrong
    except UnreadableError as error:
        print(error, file=sys.stderr)
        return 2
    not_compared = [name for name in tails.not_compared() if name != "evidence"]
    if options.tail or options.tails or options.heads:
        problems += [f"{name}: you know no end of it, so nothing was compared" for name in not_compared]
    elif not problems:
        print("no end was compared: pass ends that you know with --tails or --heads")
    for problem in problems:
        print(problem)
    if manifest and not (problems or options.key or options.no_signature):
        advice = "compare it with the key that you know, or pass it with --key"
        print(f"signed by {manifest['site_key']}: {advice}")
    unchecked = " (the signature was not checked)" if options.no_signature else ""
    print(f"{count} entries followed: {'all is well' if not problems else 'NOT in order'}{unchecked}")
    return 1 if problems else 0


def check_bundle(
    options: argparse.Namespace, bundle: Path, tails: Tails, before: Json | None
) -> tuple[int, list[str], Json]:
    """One bundle after the one before: the number of entries followed, what is wrong, and its manifest."""
    with TemporaryDirectory() as temporary:
        try:
            folder, manifest = unpacked(bundle, Path(temporary))
        except (OSError, ValueError, tarfile.TarError) as error:
            what = f"{bundle}: cannot be read as a bundle: {str(error).splitlines()[0]}"
            raise UnreadableError(what) from error
        problems = follows(before, manifest) if before is not None else []
        key = None
        if not options.no_signature:
            problems += check_signed(folder, manifest, options.key)
            key = options.key or public_key(manifest["site_key"]) if not problems else None
        times = booked(folder)
        heads, trusted = folder / "day_heads.jsonl", options.authority
        problems += check_heads(heads, key, tails, trusted, is_yours=False, times=times)
        problems += unsigned_days(folder, times) if key and not problems else []
        if options.heads and bundle == options.bundle[0]:
            problems += check_heads(options.heads, key, tails, None, is_yours=True, times=times)
        count, wrong = verify(folder, tails, last=bundle == options.bundle[-1])
    return count, problems + wrong, manifest


def unpacked(bundle: Path, temporary: Path) -> tuple[Path, Json]:
    """The folder of a bundle, and its manifest."""
    folder = bundle
    if bundle.is_file():
        folder = temporary.resolve()
        with tarfile.open(bundle) as archive:
            # Python 3.11.2, which Debian 12 has, knows no filter for extractall.
            for member in archive:
                target = (folder / member.name).resolve()
                if not target.is_relative_to(folder):
                    raise ValueError(f"{member.name} is outside of the bundle")
                file = archive.extractfile(member) if member.isfile() else None
                if file is not None:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with file, target.open("wb") as copy:
                        shutil.copyfileobj(file, copy)
        if not same_archive(bundle, folder):
            raise ValueError("it is not the archive that was exported")
    return folder, json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def same_archive(bundle: Path, folder: Path) -> bool:
    """Whether an archive holds these files and not one byte more: no other owner, date, order or padding."""
    again = folder.parent / f"{folder.name}-again.tar"
    try:
        with tarfile.open(again, "w", format=tarfile.USTAR_FORMAT) as archive:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                member = tarfile.TarInfo(path.relative_to(folder).as_posix())
                member.size = path.stat().st_size
                with path.open("rb") as file:
                    archive.addfile(member, file)
        return filecmp.cmp(again, bundle, shallow=False)
    finally:
        again.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
