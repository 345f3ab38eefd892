"""Checks an exported bundle of the books from scratch; standard library only, no code shared with Feltwork.

Usage: python verify_books.py BUNDLE [BUNDLE ...] [--key KEY] [--tails FILE] [--tail LINK=NUMBER:HASH ...]
       python verify_books.py --network HUB SITE [SITE ...] [--key KEY ...] [--without SITE ...]

BUNDLE is a folder or a .tar: all of the books, or a day of them. For every link it follows the hash chain,
recomputes every account from the opening amounts, and checks that contributions are those of the rounds, that
awards are those of the paytable, and that nothing happened twice. The opening of a day names the entry before
it, which must hash to the end that the chain had then; given the bundle of the day before as well, each link
must open exactly as it closed there. The manifest names every file and link, and the key of the site signs
it. A tail that you know from elsewhere, an earlier export or a printed report, shows whether the end was cut
off or the chain was written anew. It names the first bad entry of each link; the exit code is then 1.
With --network it also compares the books of a hub with those of its sites, and prints their statements.
"""

import argparse
import base64
import filecmp
import gc
import hashlib
import json
import multiprocessing
import re
import shutil
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
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
    "PassedOn": "-patrons +clearing +retention",
    "SeatPassedOn": "-patrons +clearing +retention",
    "PassedBack": "-clearing -retention +patrons",
    "Granted": "-clearing +pending",
    "Withdrawn": "-pending +clearing",
    "ReversalPassedOn": "-meter +clearing",
    "Settled": "-clearing +clearing -trust +trust",
    "Summed": "-clearing +clearing -meter +meter -reserve +reserve -house_pays",
    "SumsRelayed": "-clearing +clearing",
    "CreditRelayed": "-clearing +clearing",
    "HandedOver": "-payable +clearing",
    "ReversalReceived": "-payable -clearing -meter +meter +house_pays +seed_advanced +reserve",
    "SettlementReceived": "-clearing +clearing -trust +trust",
}
NO_WAY: frozenset[str] = frozenset()
MAY = {kind: frozenset(ways.split()) for kind, ways in WAYS.items()}
ONCE = {
    "Claimed": "claim",
    "CardsEntered": "cards",
    "Confirmed": "settlement",
    "Voided": "settlement",
    "Paid": "payment",
    "HandedOver": "payment",
    "Reversed": "reversal",
    "ReversalReceived": "reversal",
}


NOTHING_LOCKED = {"amount": None, "locked": False, "from_meter": 0, "from_house": 0, "seed": 0, "reserve": 0}
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
        #: Links that several sites share.
        self.networks: set[str] = set()
        for line in lines(folder / "versions.jsonl"):
            body = json.loads(line["body"])
            expect(sha256(canonical(hashed(body))) == line["fingerprint"], "a version is not what was hashed")
            expect(body["paytable"]["fingerprint"] in self.paytables, "a version's paytable is missing")
            self.bodies[line["link"], line["fingerprint"]] = body
            self.networks |= {line["link"]} if "network" in body else set()
            if line["divides_shares"]:
                self.dividing.add(line["fingerprint"])


def hashed(body: Json) -> Json:
    """What the fingerprint of a version is made from."""
    order = ("name", "seed", "contribution", "reserve", "unreasonable", "cap", "amount")
    levels = [[level[name] for name in order] for level in body["levels"]]
    plain = {**body, "paytable": body["paytable"]["fingerprint"], "levels": levels}
    if "network" in body:
        plain["network"] = [body["network"][name] for name in ("hub", "several_sites", "countersign_above")]
    return plain


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
        #: The sums of a hub, by its own entries.
        sums = folder / "sums.jsonl"
        self.sums = self.read(sums, "number") if sums.exists() else defaultdict(lambda: defaultdict(list))

    def read(self, path: Path, entry: str = "entry") -> defaultdict[str, defaultdict[int, list[Json]]]:
        rows: defaultdict[str, defaultdict[int, list[Json]]] = defaultdict(lambda: defaultdict(list))
        for row in lines(path):
            rows[row["link"]][row[entry]].append(row)
        return rows


def waits(award: Json) -> bool:
    """Whether a claim was released and must be locked again."""
    return bool(award["status"] == "claimed" and award["turn"] and not award["locked"])


def sum_for_bank(amounts: Mapping[str, int], *, trust: bool) -> int:
    """What the bank must hold: all that is held for players, or at a hub what its sites have settled."""
    kinds, sign = (("trust",), -1) if trust else (PLAYERS, 1)
    return sign * sum(amount for account, amount in amounts.items() if account.partition("/")[0] in kinds)


class Link:
    """One link, entry by entry."""

    def __init__(self, name: str, opening: Json, versions: Versions, rounds: Rounds) -> None:
        self.name = name
        #: Whether something is wrong with its own chain.
        self.is_bad = False
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
        self.version: Json | None = None
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
        self.funds = {self.number: sum_for_bank(self.balances, trust="members" in opening.get("network", {}))}
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
        self.note(fact)
        amount = sum_for_bank(dict(body["postings"]), trust=self.counts_trust())
        self.funds[self.number] = self.funds[self.number - 1] + amount

    def counts_trust(self) -> bool:
        """Whether the bank holds what sites have settled, and not all that is held for players."""
        return False

    def note(self, fact: Json) -> None:
        """Remember a fact for a comparison with other books."""

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

    def held(self, pool: str, level: str) -> int:
        return self.balances[f"{pool}/{self.name}/{level}"]

    def is_house(self) -> bool:
        return self.version is not None and bool(self.version["kind"] == "house")

    def level(self, name: str) -> Json:
        assert self.version is not None
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
        assert self.version is not None
        for level in self.version["levels"]:
            name = level["name"]
            expect(fact["opening"][name] == level["seed"], f"{name} does not open at its seed")
            expect(self.held("meter", name) == fact["opening"][name], f"{name} opens at another amount")
            if level["cap"] != -1:
                self.caps[name] = level["cap"]

    def check_contributed(self, fact: Json, before: Json) -> None:
        expect(self.version is not None, "the link was never opened")
        assert self.version is not None
        expect(fact["version"] == self.version_name, "it was booked under another version")
        expect(fact["paytable"] == self.version["paytable"]["fingerprint"], "it names another paytable")
        expect(fact["wager"] == self.version["wager"], "its wager is not the link's")
        self.cover(fact)
        self.add(fact, sum(fact["wagers"].values()), before)

    def add(self, fact: Json, count: int, before: Json) -> None:
        """So many wagers go to meters, reserves and the house as the version says."""
        assert self.version is not None
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
        assert self.version is not None
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
        open_claims = [award for award in claims if award["status"] in ("claimed", "confirmed", "paid")]
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
        assert self.version is not None
        wager = self.version["wager"]
        expect(self.moved(before, f"patrons/{self.name}") == count * wager, "it gives other wagers back")
        for level in self.version["levels"]:
            pools = [f"{pool}/{self.name}/{level['name']}" for pool in ("meter", "reserve")]
            fed = sum(wager * level[share] // 10_000 * count for share in ("contribution", "reserve"))
            total = -sum(self.moved(before, pool) for pool in pools)
            free = min(0, int(before.get(f"pending/{self.name}/{level['name']}", 0)))
            due = min(fed, free + sum(int(before.get(pool, 0)) for pool in pools))
            expect(total == due, f"it takes {total} from {level['name']}, the version says {due}")

    def check_claimed(self, fact: Json, before: Json) -> None:
        place = (fact["table"], fact["round"])
        expect(place in self.seats and place not in self.void, "its round was never booked, or is void")
        expect(fact["seat"] in self.seats[place][1], f"seat {fact['seat']} had no wager in its round")
        self.claim(fact)

    def claim(self, fact: Json) -> None:
        self.awards[fact["award"]] = {
            **fact,
            **NOTHING_LOCKED,
            "status": "claimed",
            "level": "",
            "turn": 0,
            "lock": 0,
            "inflow": [],
            "signed": [],
        }

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
        if self.version is None:
            return
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
        if award["status"] == "confirmed":  # by J-POT: it leaves the meter as it stands
            return now
        # What stood above the cap at its turn has gone to the reserve since.
        meter = min(now[0] - since[0], self.caps.get(award["level"], now[0] - since[0]))
        return [max(0, meter), max(0, min(now[1], now[1] - since[1]))]

    def share(self, hand: str, meter: int) -> tuple[str, int]:
        """The level that a hand takes a share of, and what that is of a meter, in whole cents."""
        assert self.version is not None
        rows = self.versions.paytables[self.version["paytable"]["fingerprint"]]["rows"]
        pays = next((row["pays"] for row in rows if row["hand"] == hand), None)
        expect(pays is not None, f"{hand} is on no row of the paytable")
        percent, of, level = str(pays).partition("% of ")
        if not of:
            return "", 0
        whole, _, rest = percent.partition(".")
        due = meter * (int(whole) * 100 + int(rest or 0)) // 10_000
        return level, due - due % 10_000

    def check_share(self, award: Json, fact: Json, meter: int) -> None:
        """What a row gives of a meter; alone in its round it gets exactly that."""
        level, due = self.share(award["hand"], meter)
        if not level:
            return
        due = max(due, award.get("least", 0))
        place = ("table", "round")
        others = [
            other
            for other in self.awards.values()
            if other is not award
            and other["status"] == "claimed"
            and [other[name] for name in place] == [award[name] for name in place]
        ]
        alone = self.is_house() or (not others and award["status"] == "claimed")
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
        meter, pending, seed = (
            int(before.get(f"{pool}/{self.name}/{award['level']}", 0))
            for pool in ("meter", "pending", "seed_advanced")
        )
        posted = self.amounts.get(award["level"], 0) if self.is_house() else meter
        held = posted + min(0, pending) + award["from_meter"]
        reserve = min(award["reserve"], held)
        return min(award["seed"], held - reserve, -seed), reserve

    def check_locked_again(self) -> None:
        expect(not self.unlocked, f"award {min(self.unlocked, default='')} was released and not locked again")

    def check_confirmed(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        amount = fact["from_meter"] + fact["from_house"]
        expect(self.moved(before, f"payable/{self.name}/{fact['award']}") == amount, "another amount is owed")
        expect(award["amount"] in (None, amount), "it is confirmed with another amount")
        signed = {fact["supervisor"], fact["executive"]} - {""}
        expect(award["by"] not in signed, "who claimed it confirmed it")
        ahead = [other for other in self.queue(fact["level"]) if other["lock"] < award["lock"]]
        waits = award["locked"] and not self.is_house()
        expect(not waits or not ahead, "an earlier claim on its level is open")
        if self.version is not None:
            above = (
                amount > self.version["executive_above"] or fact["level"] in self.version["executive_levels"]
            )
            alone = self.version["executive_alone"]
            badges = bool(fact["executive"]) and (alone or len(signed) > 1)
            expect(badges or not above, "its amount needs an executive and a second person")
        fixed = {name: fact[name] for name in ("from_meter", "from_house", "level")}
        award.update(status="confirmed", amount=amount, signed=sorted(signed), **fixed)
        self.unlocked.discard(fact["award"])

    def check_voided(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        expect(award["status"] == "claimed", f"award {fact['award']} cannot be voided any more")
        is_locked = award["locked"]
        if award["turn"] and not self.is_house():
            own = self.first_of_round(award)["turn"]
            queue = self.queue(award["level"])
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
        assert self.version is not None
        divides = self.version_name in self.versions.dividing
        shares = divides or self.version["options"]["several_winners"] != "seat_order"
        if self.is_house() or not shares:
            return None
        for other in self.awards.values():
            same = all(other[name] == award[name] for name in ("table", "round", "level"))
            if other is not award and same and other["status"] in ("confirmed", "paid"):
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
            n: award
            for n, award in self.awards.items()
            if award["status"] in ("claimed", "confirmed")
            or (award["status"] == "voided" and award["locked"])
        }
        inflow = {account: amount for account, amount in self.inflow.items() if amount}
        state = {"version": self.version_name, "caps": self.caps, "amounts": self.amounts}
        state |= {"awards": waiting, "inflow": inflow}
        for name, value in state.items():
            expect(value == closing[name], f"its {name} at the end are not what the entries say")
        for what, left in (("rounds", self.rounds), ("ends of rounds", self.ends)):
            expect(not left, f"{what} name entry {min(left, default=0)}, which did not book them")


# --- network links: one progressive that several sites share, with its meters at the hub ---

#: What site and hub compare with each other.
COMPARED = frozenset(
    (
        "Joined",
        "Left",
        "Claimed",
        "SignAtClaim",
        "Granted",
        "Withdrawn",
        "SignedOff",
        "Confirmed",
        "Voided",
        "Paid",
        "Reversed",
        "Acknowledged",
        "Halted",
        "Continued",
        "Rejoined",
        "VersionAdopted",
        "Settled",
        "LeastAmount",
        "Locked",
        "Barred",
        "HandedOver",
        "ReversalReceived",
        "SettlementReceived",
    )
)
FED = (("meter", "contribution"), ("reserve", "reserve"))


def by_two(fact: Json) -> None:
    two = fact["by"] and fact["approved_by"] and fact["by"] != fact["approved_by"]
    expect(bool(two), "it takes two people")


class NetworkLink(Link):
    """A link that sites share, in the books of its hub or in those of a site."""

    def __init__(self, name: str, opening: Json, versions: Versions, rounds: Rounds) -> None:
        super().__init__(name, opening, versions, rounds)
        network = opening.get("network") or {}
        self.opening = self.number
        self.is_hub = "members" in network
        #: A hub to the sites below, and a site to the hub above.
        self.is_aggregator = self.is_hub and "settlements" in network
        bodies = [body for (link, _), body in versions.bodies.items() if link == name]
        self.levels = sorted(level["name"] for level in bodies[0]["levels"])
        self.none = [0] * (3 * len(self.levels))
        #: Entry -> hash, and the facts that the other side has counterparts of.
        self.hashes = {self.number: self.hash}
        self.facts: defaultdict[str, list[tuple[int, Json]]] = defaultdict(list)
        self.of_site: defaultdict[tuple[str, str], list[tuple[int, Json]]] = defaultdict(list)
        # The hub:
        self.sums = rounds.sums[name]
        self.members: dict[str, Json] = {
            site: dict(member) for site, member in network.get("members", {}).items()
        }
        self.first = {site: dict(member) for site, member in self.members.items()}
        self.change: Json | None = network.get("change")
        self.countersigned: dict[str, int] = dict(network.get("countersigned", {}))
        self.barred: set[str] = set()
        self.keeps_meters = any(body["network"]["several_sites"] == "shown" for body in bodies)
        #: Entry -> the meters after it; and each version with the entry from which it was in effect.
        self.meters: dict[int, dict[str, int]] = {}
        self.in_effect: list[tuple[int, str]] = []
        #: Site -> the rows of its sums; award -> what was booked of its site, and whether signs bind the hub.
        self.rows: defaultdict[str, list[Json]] = defaultdict(list)
        self.at_claim: dict[str, tuple[int, bool]] = {}
        self.grown: defaultdict[str, int] = defaultdict(int)
        # A site:
        self.site: str = network.get("site", "")
        self.joined: bool = network.get("joined", False)
        self.wagers: int = network.get("wagers", 0)
        self.counters: list[int] = list(network.get("counters") or self.none)
        self.settlements: int = network.get("settlements", 0)
        #: What the hub says of entries of this chain: rows of sums, and ends that it was told.
        self.expected: dict[int, Json] = {}
        self.told: dict[int, str] = {}
        self.differs: list[str] = []
        #: An award that was reversed and is not passed on to the hub yet, and its amount.
        self.reversing: tuple[str, int] | None = None
        #: What it owed at first; what it passed on in this bundle, and up to the hub's last sum of it.
        self.owed = sum(amount for account, amount in self.balances.items() if is_owed(account))
        self.passed = self.passed_booked = 0

    def expect_of(self, hub: "NetworkLink", site: str) -> None:
        """Compare the entries that the hub knows of a site when they come."""
        self.expected = {row["entry"]: row for row in hub.rows[site]}
        self.told = {
            fact["entry"]: fact["hash"]
            for kind in ("Joined", "Left")
            for _, fact in hub.of_site[site, kind]
            if fact["entry"]
        }

    def terms(self) -> Json:
        assert self.version is not None
        terms: Json = self.version["network"]
        return terms

    def follow(self, line: Json) -> None:
        reversing = self.reversing
        super().follow(line)
        if reversing is not None:
            expect(
                self.reversing is None, f"award {reversing[0]} was reversed and is not passed on to the hub"
            )
        self.hashes[self.number] = self.hash
        if self.keeps_meters and self.is_hub:
            self.meters[self.number] = {level: self.held("meter", level) for level in self.levels}
        if self.number in self.told:
            self.compare_end(self.told[self.number])
        row = self.expected.pop(self.number, None)
        if row is not None:
            self.compare_sum(row)

    def compare_end(self, digest: str) -> None:
        if digest != self.hash:
            self.differs.append(f"entry {self.number}: the hub knows another entry of that number")

    def compare_sum(self, row: Json) -> None:
        """The row of a sum names this entry: its hash, and the counters after it."""
        self.passed_booked = self.passed
        where = f"entry {self.number}: the hub's entry {row['number']} has"
        if row["hash"] != self.hash:
            self.differs.append(f"{where} another hash of it; these books were written anew or rolled back")
        elif (row["wagers"], row["counters"]) != (self.wagers, self.counters):
            self.differs.append(f"{where} another sum of it")
        elif row["version"] != self.version_name and self.version_name:
            self.differs.append(f"{where} another version of it")

    def note(self, fact: Json) -> None:
        if fact["kind"] in COMPARED:
            self.facts[fact["kind"]].append((self.number, fact))
            site = fact.get("site") or fact.get("award", "").partition(":")[0]
            self.of_site[site, fact["kind"]].append((self.number, fact))

    def counts_trust(self) -> bool:
        return self.is_hub

    # --- members ---

    def check_limitchanged(self, fact: Json, before: Json) -> None:
        by_two(fact)
        self.member(fact["site"])

    def check_opened(self, fact: Json, before: Json) -> None:
        super().check_opened(fact, before)
        self.is_hub = True
        self.in_effect.append((1, fact["version"]))

    def check_aggregatoropened(self, fact: Json, before: Json) -> None:
        by_two(fact)
        expect(self.number == 0, "a link opens with its first entry")
        self.take_version(fact["version"])
        self.is_hub = self.is_aggregator = True

    def check_joined(self, fact: Json, before: Json) -> None:
        by_two(fact)
        if not self.is_hub:
            expect(
                not self.joined and self.site in ("", fact["site"]), "it joins once more, or as another site"
            )
            self.site, self.joined, self.wagers, self.counters = fact["site"], True, 0, list(self.none)
            return
        known = self.members.get(fact["site"])
        expect(known is None or known["left"], f"site {fact['site']} joins once more")
        counts = {name: known[name] if known else 0 for name in ("settlements", "claims")}
        new = {"entry": fact["entry"], "hash": fact["hash"], "wagers": 0, "counters": list(self.none)}
        self.members[fact["site"]] = {**new, "paid": 0, "settled": 0, "left": False, **counts}

    def check_left(self, fact: Json, before: Json) -> None:
        awards = [
            award for award in self.awards.values() if not self.is_hub or award["table"] == fact["site"]
        ]
        expect(
            not any(award["status"] in ("claimed", "confirmed") for award in awards),
            "it leaves with an open award",
        )
        if not self.is_hub:
            expect(self.joined and self.held("clearing", "hub") == 0, "it leaves and owes something")
            self.joined = False
            return
        member = self.member(fact["site"])
        expect(owes(member) == 0, "it leaves and owes something")
        expect(fact["entry"] == member["entry"], "it leaves with another sum")
        member["left"] = True

    def member(self, site: str) -> Json:
        expect(site in self.members and not self.members[site]["left"], f"site {site} is not a member")
        return self.members[site]

    # --- rounds of a site ---

    def check_passedon(self, fact: Json, before: Json) -> None:
        expect(self.joined, "rounds are passed on by no member")
        if self.version is None:
            self.take_version(fact["version"])
        assert self.version is not None
        expect(fact["version"] == self.version_name, "it was booked under another version")
        expect(fact["paytable"] == self.version["paytable"]["fingerprint"], "it names another paytable")
        expect(fact["wager"] == self.version["wager"], "its wager is not the link's")
        self.cover(fact)
        self.pass_on(fact, sum(fact["wagers"].values()), before)

    def check_seatpassedon(self, fact: Json, before: Json) -> None:
        version, seats = self.uncarded(fact)
        expect(fact["seat"] not in seats, f"seat {fact['seat']} is locked already")
        self.seats[fact["table"], fact["round"]] = (version, seats | {fact["seat"]})
        self.pass_on(fact, 1, before)

    def check_passedback(self, fact: Json, before: Json) -> None:
        version, seats = self.uncarded(fact)
        back = frozenset(numbers(fact["seats"]) if fact["seats"] else ())
        right = back == seats if fact["misdeal"] else back < seats | {0} and len(back) == 1
        expect(right and fact["wagers"] == len(back), "it gives back other wagers than those of its seats")
        place = (fact["table"], fact["round"])
        self.seats[place] = (version, seats - back)
        if fact["misdeal"]:
            self.void.add(place)
        self.pass_on(fact, len(back), before, back=True)

    def uncarded(self, fact: Json) -> tuple[str, frozenset[int]]:
        """The version and seats of a round whose cards are not out, and that nobody claimed a hand of."""
        place = (fact["table"], fact["round"])
        expect(fact["version"] == self.version_name, "it was booked under another version")
        claims = [
            award
            for award in self.awards.values()
            if (award["table"], award["round"]) == place and award["status"] != "voided"
        ]
        expect(not claims, "a hand of the round was claimed")
        return self.played(place)

    def pass_on(self, fact: Json, count: int, before: Json, *, back: bool = False) -> None:
        """So many wagers are owed to the network, or no longer, as the version says."""
        assert self.version is not None
        wager, total, size = self.version["wager"], 0, len(self.levels)
        for level in self.version["levels"]:
            name = level["name"]
            place = self.levels.index(name)
            for pool, (part, rate) in enumerate(FED):
                due = wager * level[rate] // 10_000 * count
                amount = fact[f"{'from' if back else 'to'}_{part}"].get(name, 0)
                expect(amount == due, f"it passes on {amount} for {name}, the version says {due}")
                self.counters[place + size * (2 if back else pool)] += due
                total += due
        sign = -1 if back else 1
        owed = self.moved(before, f"clearing/{self.name}/hub")
        expect(owed == sign * total, "another amount is owed to the hub")
        rest = sign * (count * wager - total)
        expect(self.moved(before, f"retention/{self.name}") == rest, "the retention is not the rest")
        self.wagers += 0 if back else count
        self.passed += sign * total

    # --- sums at the hub ---

    def check_summed(self, fact: Json, before: Json) -> None:
        expect(not self.is_aggregator, "an aggregator keeps no meters")
        growth, size = self.grow(fact, before), len(self.levels)
        for place, level in enumerate(self.levels):
            self.check_growth(fact, level, growth[place::size], before)

    def check_sumsrelayed(self, fact: Json, before: Json) -> None:
        expect(self.is_aggregator, "only an aggregator passes sums on")
        growth, size = self.grow(fact, before), len(self.levels)
        for place, level in enumerate(self.levels):
            increments = [fact[name].get(level, 0) for name in ("accrued", "reserved", "returned")]
            expect(increments == growth[place::size], f"{level} grows by something else than its rows")
        owed = self.moved(before, f"clearing/{self.name}/hub")
        expect(owed == passed_of(growth), "another amount is owed to the hub")

    def check_creditrelayed(self, fact: Json, before: Json) -> None:
        expect(self.is_aggregator, "only an aggregator passes credits on")
        expect(fact["award"].startswith(f"{fact['site']}:"), f"award {fact['award']} is of another site")
        key = ("payment" if fact["amount"] >= 0 else "reversal", fact["award"])
        expect(key not in self.once, f"credited once more: award {fact['award']}")
        self.once.add(key)
        self.member(fact["site"])["paid"] += fact["amount"]
        moved = self.moved(before, f"clearing/{self.name}/sites")
        expect(moved == fact["amount"], "it credits another amount")

    def grow(self, fact: Json, before: Json) -> list[int]:
        """By how much the sums of an entry grow, by counter and level; members have them then."""
        rows = self.sums.pop(self.number + 1, [])
        expect(len(rows) == fact["sites"], f"it sums {fact['sites']} sites, and {len(rows)} rows are there")
        texts = [
            f"{row['site']} {row['entry']} {row['hash']} {row['version']} {row['wagers']} "
            + ",".join(map(str, row["counters"]))
            for row in rows
        ]
        expect(sha256("\n".join(texts)) == fact["digest"], "its sums are not those that were hashed")
        wagers = wagered = 0
        growth = list(self.none)
        for row in rows:
            member = self.member(row["site"])
            grown = [now - was for now, was in zip(row["counters"], member["counters"], strict=True)]
            newer = row["entry"] > member["entry"] and min(grown) >= 0 and row["wagers"] >= member["wagers"]
            expect(newer, f"the sum of site {row['site']} does not follow the one before")
            version = self.versions.bodies.get((self.name, row["version"]), self.version)
            assert version is not None
            wagers += row["wagers"] - member["wagers"]
            wagered += (row["wagers"] - member["wagers"]) * version["wager"]
            growth = [total + more for total, more in zip(growth, grown, strict=True)]
            self.grown[row["site"]] += passed_of(grown)
            member.update({name: row[name] for name in ("entry", "hash", "wagers", "counters")})
            self.rows[row["site"]].append(row)
        expect((fact["wagers"], fact["wagered"]) == (wagers, wagered), "it counts other wagers than its rows")
        amount = passed_of(growth)
        expect(
            self.moved(before, f"clearing/{self.name}/sites") == -amount, "its rows come to another amount"
        )
        return growth

    def check_growth(self, fact: Json, level: str, growth: list[int], before: Json) -> None:
        """What one level takes in and gives back; what the pools lack comes from the sponsor."""
        accrued, reserved, returned = growth
        meter, reserve = (int(before.get(f"{pool}/{self.name}/{level}", 0)) for pool in ("meter", "reserve"))
        room = max(0, self.caps[level] - meter) if level in self.caps else accrued
        fits = min(accrued, room)
        increments = [fact[name].get(level, 0) for name in ("to_meter", "overflow", "to_reserve")]
        expect(
            increments == [fits, accrued - fits, reserved], f"{level} grows by something else than its rows"
        )
        back = [fact[name].get(level, 0) for name in ("from_meter", "from_reserve", "from_house")]
        there = meter + fits + reserve + reserved + accrued - fits
        short = max(0, returned - there)
        right = sum(back) == returned and back[2] == short and min(back) >= 0
        expect(right, f"{level} gives back something else than its rows")
        moved = [self.moved(before, f"{pool}/{self.name}/{level}") for pool in ("meter", "reserve")]
        due = [fits - back[0], reserved + accrued - fits - back[1]]
        expect(moved == due, f"{level} is posted something else than it grows by")

    # --- awards ---

    def check_claimed(self, fact: Json, before: Json) -> None:
        if not self.is_hub:
            name = f"{self.site}:{fact['table']}:{fact['round']}:{fact['seat']}:"
            expect(fact["award"].startswith(name), f"award {fact['award']} has the name of another hand")
            super().check_claimed(fact, before)
            return
        member = self.member(fact["table"])
        owner = fact["award"].partition(":")[0]  # a site below an aggregator is NAME@AGGREGATOR
        own = owner == fact["table"] or owner.endswith(f"@{fact['table']}")
        expect(own, f"award {fact['award']} is of another site")
        expect(fact["award"] not in self.barred, f"award {fact['award']} was cleared before")
        expect(fact["round"] == member["claims"] + 1, "a claim of its site is missing before it")
        member["claims"] += 1
        self.at_claim[fact["award"]] = (member["entry"], self.terms()["several_sites"] == "shown")
        self.claim(fact)

    def check_leastamount(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        expect(self.terms()["several_sites"] == "shown", "amounts on signs do not bind this link")
        expect(fact["entry"] <= self.number, "its sign showed an entry that was booked later")
        if fact["entry"] in self.meters:  # otherwise it is before the bundle
            level = self.share(award["hand"], 0)[0]
            due = self.share(award["hand"], self.meters[fact["entry"]][level])[1]
            expect(fact["amount"] == due, f"its sign showed {due} for award {fact['award']}")
        award["least"] = fact["amount"]

    def check_locked(self, fact: Json, before: Json) -> None:
        expect(self.is_hub, "only the hub locks an amount")
        super().check_locked(fact, before)
        award = self.known(fact)
        pools = [f"{pool}/{self.name}/{fact['level']}" for pool in ("meter", "reserve")]
        share = self.share(award["hand"], self.held_at_turn(award, pools, before)[0])[1]
        since = max(0, self.inflow[pools[0]] - award["inflow"][0])
        there = int(before.get(pools[0], 0)) - since + fact["seed"] + fact["reserve"]
        short = max(0, share - there)
        due = short + max(0, award.get("least", 0) - share)
        expect(fact["from_house"] == due, f"the sponsor adds {fact['from_house']}, and {due} is due")

    def check_confirmed(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        if self.is_hub:
            least = self.terms()["countersign_above"]
            large = least != -1 and fact["from_meter"] + fact["from_house"] > least
            signed = self.countersigned.get(fact["award"]) == award["lock"]
            expect(signed or not large, "no executive of the hub signed its amount")
        else:
            signed = award.get("grant", 0) and award["grant"] == award["signed_grant"]
            expect(bool(signed), "nobody of the site signed the amount that the hub locked")
        super().check_confirmed(fact, before)

    def check_countersigned(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        right = award["locked"] and award["status"] == "claimed" and fact["grant"] == award["lock"]
        expect(bool(right), "it signs another lock than that of the award")
        self.countersigned[fact["award"]] = fact["grant"]

    def check_barred(self, fact: Json, before: Json) -> None:
        expect(fact["award"] not in self.awards, f"award {fact['award']} was claimed before")
        self.barred.add(fact["award"])

    def check_handedover(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        right = award["status"] == "confirmed" and award["amount"] == fact["amount"]
        expect(right and award["table"] == fact["site"], "it credits another amount, or another site")
        expect(self.balances[f"payable/{self.name}/{fact['award']}"] == 0, "something is still owed")
        award["status"] = "paid"
        self.member(fact["site"])["paid"] += fact["amount"]

    def check_reversalreceived(self, fact: Json, before: Json) -> None:
        by_two(fact)
        award = self.known(fact)
        was = "paid" if fact["handed_over"] else "confirmed"
        right = award["status"] == was and award["table"] == fact["site"]
        expect(right, f"award {fact['award']} was {award['status']} then, or is of another site")
        self.check_back(award, fact, self.restart_undone(award, before))
        if fact["handed_over"]:
            self.member(fact["site"])["paid"] -= fact["to_meter"] + fact["to_house"]
        award["status"] = "reversed"

    def check_reversed(self, fact: Json, before: Json) -> None:
        expect(not self.is_hub, "the site that confirmed an award reverses it")
        super().check_reversed(fact, before)
        self.reversing = (fact["award"], fact["to_meter"])

    def check_reversalpassedon(self, fact: Json, before: Json) -> None:
        right = self.reversing == (fact["award"], fact["amount"])
        expect(right, f"it passes on something else than was reversed of award {fact['award']}")
        self.reversing = None

    def check_granted(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        free = award["status"] == "claimed" and not award["locked"]
        expect(free, f"award {fact['award']} has an amount already, or is over")
        held = {"amount": fact["amount"], "from_meter": fact["amount"], "locked": True}
        award.update(**held, level=fact["level"], grant=fact["entry"], signed_grant=0)

    def check_withdrawn(self, fact: Json, before: Json) -> None:
        award = self.awards.get(fact["award"])
        held = award["amount"] or 0 if award else 0
        right = held == fact["amount"] and (award is None or award["status"] in ("claimed", "voided"))
        expect(right, f"award {fact['award']} gives back something else than it was granted")
        if award is not None:
            award.update(NOTHING_LOCKED, grant=0, signed_grant=0)

    def check_signedoff(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        right = (award.get("grant"), award["amount"]) == (fact["grant"], fact["amount"])
        expect(right, f"it signs another amount than award {fact['award']} was granted")
        award["signed_grant"] = fact["grant"]

    def check_voided(self, fact: Json, before: Json) -> None:
        if self.is_hub:
            super().check_voided(fact, before)
            return
        award = self.known(fact)
        clear = award["status"] == "claimed" and not award.get("signed_grant")
        expect(clear, f"award {fact['award']} cannot be voided any more")
        award["status"] = "voided"

    def check_rejoined(self, fact: Json, before: Json) -> None:
        expect(fact["passed"] == passed_of(self.counters), "it has passed on another amount")

    # --- settlements and versions ---

    def check_settled(self, fact: Json, before: Json) -> None:
        by_two(fact)
        expect(
            fact["number"] == self.settlements + 1, "a settlement is missing before it, or it is booked twice"
        )
        expect(self.moved(before, f"trust/{self.name}") == fact["amount"], "it settles another amount")
        self.settlements += 1

    def check_settlementreceived(self, fact: Json, before: Json) -> None:
        by_two(fact)
        member = self.member(fact["site"])
        right = fact["number"] == member["settlements"] + 1
        expect(right, "a settlement is missing before it, or it is booked twice")
        expect(self.moved(before, f"trust/{self.name}") == -fact["amount"], "it settles another amount")
        member.update(settlements=fact["number"], settled=member["settled"] + fact["amount"])

    def check_changeproposed(self, fact: Json, before: Json) -> None:
        by_two(fact)
        expect(self.change is None, "another version is proposed")
        self.change = {"version": fact["version"], "ready": []}

    def check_changedropped(self, fact: Json, before: Json) -> None:
        by_two(fact)
        self.change = None

    def check_siteready(self, fact: Json, before: Json) -> None:
        self.ready(fact["version"], [fact["site"]])

    def check_proceededwithout(self, fact: Json, before: Json) -> None:
        by_two(fact)
        self.ready(fact["version"], fact["sites"].split(",") if fact["sites"] else [])

    def ready(self, version: str, sites: list[str]) -> None:
        expect(self.change is not None and self.change["version"] == version, "that version is not proposed")
        assert self.change is not None
        self.change["ready"] = sorted({*self.change["ready"], *sites})

    def check_reconfigured(self, fact: Json, before: Json) -> None:
        super().check_reconfigured(fact, before)
        self.ready(fact["version"], [])
        assert self.change is not None
        active = {site for site, member in self.members.items() if not member["left"]}
        expect(active <= {*self.change["ready"]}, "it takes effect before every site is ready")
        self.change = None
        self.in_effect.append((self.number + 1, fact["version"]))

    def check_versionadopted(self, fact: Json, before: Json) -> None:
        expect(self.version is None or fact["before"] == self.version_name, "it replaces another version")
        self.take_version(fact["version"])

    # --- the end ---

    def close(self, closing: Json) -> None:
        super().close(closing)
        expect(
            self.network() == closing["network"],
            "its members or sums at the end are not what the entries say",
        )
        expect(not self.sums, f"sums name entry {min(self.sums, default=0)}, which did not book them")
        if self.is_hub:
            owed = sum(map(owes, self.members.values()))
            together = self.held("clearing", "sites")
            expect(owed == -together, f"sites owe {owed}, and the account of all of them says {-together}")

    def network(self) -> Json:
        """What a bundle says of a network link at its ends."""
        if self.is_hub:
            hub_state = {"members": self.members, "change": self.change, "countersigned": self.countersigned}
            return {**hub_state, "settlements": self.settlements} if self.is_aggregator else hub_state
        site_state: Json = {"site": self.site, "joined": self.joined, "wagers": self.wagers}
        return {**site_state, "counters": self.counters, "settlements": self.settlements}


def passed_of(counters: list[int]) -> int:
    """What a site owes for wagers: accrued and reserved, less returned."""
    size = len(counters) // 3
    return sum(counters[: 2 * size]) - sum(counters[2 * size :])


def owes(member: Json) -> int:
    """What a member owes the trust; below zero, what it is owed."""
    return int(passed_of(member["counters"]) - member["paid"] - member["settled"])


#: What is wrong, and what else there is to tell.
Compared = tuple[list[str], list[str]]


class NetworkCheck:
    """The books of a hub and of one of its sites, side by side; each was verified alone before."""

    def __init__(self, hub: NetworkLink, site: NetworkLink) -> None:
        self.hub, self.site = hub, site
        self.name = site.site
        self.found: list[str] = []
        #: What one side has not heard of yet, by name.
        self.transit: list[str] = []
        self.whole = hub.opening == site.opening == 0
        self.own = {
            kind: named(site, kind) for kind in ("Claimed", "Voided", "Paid", "SignAtClaim", "Settled")
        }
        self.granted = self.of_award(site, "Granted")
        self.signed = self.of_award(site, "SignedOff")

    def of_award(self, link: NetworkLink, kind: str) -> defaultdict[str, list[tuple[int, Json]]]:
        facts: defaultdict[str, list[tuple[int, Json]]] = defaultdict(list)
        for number, fact in link.facts[kind]:
            facts[fact["award"]].append((number, fact))
        return facts

    def run(self) -> None:
        """Compare everything that has a counterpart."""
        self.found += [f"{self.at_site()}, {what}" for what in self.site.differs]
        self.sums()
        self.hub_entries()
        self.memberships()
        for check in (
            self.claims,
            self.grants,
            self.confirmations,
            self.voids,
            self.payments,
            self.reversals,
        ):
            check()
        self.settlements()
        self.versions()

    def at_site(self, number: int = 0) -> str:
        return f"{self.site.name}, site {self.name}" + (f", entry {number}" if number else "")

    def at_hub(self, number: int) -> str:
        return f"{self.hub.name}, hub, entry {number}"

    def expect(self, truth: bool, what: str) -> None:  # noqa: FBT001
        if not truth:
            self.found.append(what)

    def there(self, counterpart: object, what: str) -> bool:
        """Report a missing counterpart; in the bundle of a day it may be in the one before."""
        if counterpart is None and self.whole:
            self.found.append(what)
        return counterpart is not None

    def mine(self, kind: str) -> list[tuple[int, Json]]:
        """The hub's facts about this site."""
        return self.hub.of_site[self.name, kind]

    def sums(self) -> None:
        """What is left of the hub's rows names entries that these books do not have."""
        left = [entry for entry in {*self.site.expected, *self.site.told} if entry > self.site.number]
        if left:
            what = f"the hub has booked its entry {max(left)}, and its books end at {self.site.number}"
            self.found.append(
                f"{self.at_site()}: {what}: they were cut off or rolled back, or exported earlier"
            )
        rows = self.hub.rows[self.name]
        opened = self.hub.first.get(self.name, {}).get("entry", 0)
        if self.site.number > (rows[-1]["entry"] if rows else opened) and self.unbooked():
            last = rows[-1]["entry"] if rows else opened
            entries = f"its entries {last + 1} to {self.site.number}"
            self.transit.append(f"{self.name}: the sum of {entries}, {dollars(self.unbooked())}")

    def unbooked(self) -> int:
        return self.site.passed - self.site.passed_booked

    def hub_entries(self) -> None:
        """Every entry of the hub that the site acted on is in the hub's chain."""
        beyond = 0
        for facts in self.site.facts.values():
            for number, fact in facts:
                entry = fact["entry"] if "hash" in fact else -1
                if entry > self.hub.number:
                    beyond = max(beyond, entry)
                elif entry in self.hub.hashes:
                    same = self.hub.hashes[entry] == fact["hash"]
                    what = f"it names entry {entry} of the hub with another hash: the hub's books are others"
                    self.expect(same, f"{self.at_site(number)}: {what}")
        if beyond:
            what = f"it has seen entry {beyond} of the hub, whose bundle ends at {self.hub.number}"
            self.transit.append(f"{self.name}: {what}")

    def memberships(self) -> None:
        for kind in ("Joined", "Left"):
            hubs, own = self.mine(kind), self.site.facts[kind]
            for (number, hub_fact), (_, site_fact) in zip(hubs, own, strict=False):
                terms = ("agreement", "limit") if kind == "Joined" else ("site",)
                same = all(hub_fact[name] == site_fact[name] for name in terms)
                self.expect(same, f"{self.at_hub(number)}: site {self.name} has joined on other terms")
            if self.whole and kind == "Joined":
                self.expect(
                    len(own) <= len(hubs), f"{self.at_site()}: it has joined, and the hub does not know it"
                )

    def claims(self) -> None:
        known = set()
        for number, fact in self.mine("Claimed"):
            award = fact["award"]
            known.add(award)
            own = self.own["Claimed"].get(award)
            if not self.there(own, f"{self.at_hub(number)}: site {self.name} has not claimed award {award}"):
                continue
            assert own is not None
            same = all(own[1][name] == fact[name] for name in ("hand", "seat", "by"))
            self.expect(same, f"{self.at_hub(number)}: award {award} was claimed for another hand or seat")
            booked, is_by_sign = self.hub.at_claim[award]
            late = f"award {award} is locked before the sum with its own round"
            self.expect(own[0] <= booked, f"{self.at_hub(number)}: {late}")
            if is_by_sign:
                self.shown(number, award)
        for award, (_, fact) in self.own["Claimed"].items():
            if award not in known and self.site.awards[award]["status"] == "claimed":
                self.transit.append(f"{self.name}: the claim of award {fact['award']}")

    def shown(self, number: int, award: str) -> None:
        """Where signs bind the hub: the least amount is for what the site's sign showed at the claim."""
        sign = self.own["SignAtClaim"].get(award)
        least = next((fact for _, fact in self.mine("LeastAmount") if fact["award"] == award), None)
        if sign is not None and sign[1]["entry"]:
            same = least is not None and least["entry"] == sign[1]["entry"]
            what = f"award {award} is not paid by what its sign showed, entry {sign[1]['entry']}"
            self.expect(same, f"{self.at_hub(number)}: {what}")

    def grants(self) -> None:
        """Every grant is a lock of the hub, and every one that was withdrawn was locked again or voided."""
        locks = dict(self.mine("Locked"))
        for number, fact in self.site.facts["Granted"]:
            if self.hub.opening < fact["entry"] <= self.hub.number:
                lock = locks.get(fact["entry"])
                had = lock and (lock["award"], lock["level"], lock["from_meter"] + lock["from_house"])
                same = had == (fact["award"], fact["level"], fact["amount"])
                what = f"the hub has not locked {dollars(fact['amount'])} for award {fact['award']}"
                self.expect(same, f"{self.at_site(number)}: {what} with its entry {fact['entry']}")
        voided = {fact["award"]: number for number, fact in self.mine("Voided") + self.mine("Barred")}
        for number, fact in self.site.facts["Withdrawn"]:
            again = any(grant["entry"] == fact["entry"] for _, grant in self.granted[fact["award"]])
            over = voided.get(fact["award"], fact["entry"] + 1) <= fact["entry"]
            is_covered = self.hub.opening < fact["entry"] <= self.hub.number
            what = f"the hub neither voided award {fact['award']} nor locked it again"
            self.expect(again or over or not is_covered, f"{self.at_site(number)}: {what}")

    def confirmations(self) -> None:
        hubs = {fact["award"]: (number, fact) for number, fact in self.mine("Confirmed")}
        lock = {}
        for number, fact in self.mine("Locked"):
            if fact["award"] not in hubs or number < hubs[fact["award"]][0]:
                lock[fact["award"]] = number
        for award, (number, fact) in hubs.items():
            amount = fact["from_meter"] + fact["from_house"]
            people = (amount, fact["supervisor"], fact["executive"])
            signed = [
                confirmation
                for _, confirmation in self.signed[award]
                if (confirmation["amount"], confirmation["supervisor"], confirmation["executive"]) == people
                and confirmation["grant"] == lock.get(award, confirmation["grant"])
            ]
            what = f"nobody of site {self.name} has signed {dollars(amount)} for award {award}"
            self.there(signed[0] if signed else None, f"{self.at_hub(number)}: {what}")
        for number, fact in self.site.facts["Confirmed"]:
            counterpart = hubs.get(fact["award"])
            what = f"the hub has not confirmed award {fact['award']} with {dollars(fact['from_meter'])}"
            same = (
                counterpart
                and counterpart[1]["from_meter"] + counterpart[1]["from_house"] == fact["from_meter"]
            )
            self.there(same or None, f"{self.at_site(number)}: {what}")

    def voids(self) -> None:
        for kind in ("Voided", "Barred"):
            for number, fact in self.mine(kind):
                what = f"site {self.name} has not cleared award {fact['award']}"
                self.there(self.own["Voided"].get(fact["award"]), f"{self.at_hub(number)}: {what}")

    def payments(self) -> None:
        hubs = {fact["award"]: (number, fact["amount"]) for number, fact in self.mine("HandedOver")}
        own = {award: (number, fact["amount"]) for award, (number, fact) in self.own["Paid"].items()}
        self.counterparts("award", "paid", own, hubs)

    def reversals(self) -> None:
        hubs = {
            fact["award"]: (number, fact["to_meter"] + fact["to_house"])
            for number, fact in self.mine("ReversalReceived")
        }
        own = {fact["award"]: (number, fact["to_meter"]) for number, fact in self.site.facts["Reversed"]}
        self.counterparts("award", "reversed", own, hubs)

    def settlements(self) -> None:
        hubs = {str(fact["number"]): (n, fact["amount"]) for n, fact in self.mine("SettlementReceived")}
        own = {str(fact["number"]): (n, fact["amount"]) for n, fact in self.site.facts["Settled"]}
        self.counterparts("settlement", "settled", own, hubs)

    def counterparts(
        self, what: str, verb: str, own: dict[str, tuple[int, int]], hubs: dict[str, tuple[int, int]]
    ) -> None:
        """What a site has paid or settled is booked at the hub with the same amount, or on its way there."""
        for name, (number, amount) in hubs.items():
            if self.there(
                own.get(name), f"{self.at_hub(number)}: site {self.name} has not {verb} {what} {name}"
            ):
                same = own[name][1] == amount
                difference = (
                    f"{what} {name} is {dollars(amount)} here and {dollars(own[name][1])} at site {self.name}"
                )
                self.expect(same, f"{self.at_hub(number)}: {difference}")
        for name, (_, amount) in own.items():
            if name not in hubs:
                self.transit.append(f"{self.name}: {what} {name}, {dollars(amount)}")
        for number, fact in self.site.facts["Acknowledged"]:
            if fact["what"] == verb and fact["entry"] <= self.hub.number:
                booked = name if (name := fact["name"]) in hubs and hubs[name][0] <= fact["entry"] else None
                omission = f"the hub has not booked {what} {name} up to its entry {fact['entry']}"
                self.there(booked, f"{self.at_site(number)}: {omission}")

    def versions(self) -> None:
        for number, fact in self.site.facts["VersionAdopted"]:
            had = [version for entry, version in self.hub.in_effect if entry <= fact["entry"]]
            right = not had or had[-1] == fact["version"]
            what = f"the hub had another version in effect at its entry {fact['entry']}"
            self.expect(right, f"{self.at_site(number)}: {what}")
        booked = {passed_of(row["counters"]) for row in self.hub.rows[self.name]} | {0}
        for number, fact in self.site.facts["Rejoined"]:
            is_covered = fact["entry"] <= self.hub.number and self.whole
            what = f"it rejoined, and the hub has never booked {dollars(fact['booked'])} of it"
            self.expect(not is_covered or fact["booked"] in booked, f"{self.at_site(number)}: {what}")

    def statements(self) -> str:
        """Both sides' statements, each from its own books: equal but for items in transit."""
        own, hubs = site_statement(self.site), hub_statement(self.hub, self.name)
        late = {
            "passed on": self.unbooked(),
            "awards": later(self.own["Paid"], {fact["award"] for _, fact in self.mine("HandedOver")})
            - later(
                {award: (number, {"amount": back}) for award, number, back in taken_back(self.site)},
                {fact["award"] for _, fact in self.mine("ReversalReceived")},
            ),
            "settled": later(
                {fact["number"]: (number, fact) for number, fact in self.site.facts["Settled"]},
                {fact["number"] for _, fact in self.mine("SettlementReceived")},
            ),
        }
        for line, amount in late.items():
            difference = f"{line}: {dollars(own[line])} by the site, {dollars(hubs[line])} by the hub"
            same = own[line] - hubs[line] == amount or not self.whole
            self.expect(
                same, f"{self.at_site()}: the statements differ, {difference}, {dollars(amount)} in transit"
            )
        closing = own["opening"] + own["passed on"] - own["awards"] - own["settled"]
        held = [amount for account, amount in self.site.balances.items() if is_owed(account)]
        what = f"its statement ends at {dollars(closing)}, and its accounts at {dollars(sum(held))}"
        self.expect(closing == sum(held), f"{self.at_site()}: {what}")
        lines_ = ", ".join(f"{line} {dollars(amount)}" for line, amount in own.items())
        return f"{self.site.name}, site {self.name}: {lines_}, owes {dollars(closing)}"


def is_owed(account: str) -> bool:
    """What a site owes the network is in clearing, or held for an award that is not paid."""
    return account.partition("/")[0] in ("clearing", "pending", "payable")


def site_statement(site: NetworkLink) -> dict[str, int]:
    """What a site says of the period of its bundle."""
    awards, settled = (sum(fact["amount"] for _, fact in site.facts[kind]) for kind in ("Paid", "Settled"))
    awards -= sum(back for _, _, back in taken_back(site))
    return {"opening": site.owed, "passed on": site.passed, "awards": awards, "settled": settled}


def taken_back(site: NetworkLink) -> list[tuple[str, int, int]]:
    """Awards that a site reversed after it had paid them: each with its entry and amount."""
    return [
        (fact["award"], number, fact["to_meter"])
        for number, fact in site.facts["Reversed"]
        if fact["was_paid"]
    ]


def hub_statement(hub: NetworkLink, site: str) -> dict[str, int]:
    """What the hub says of a site in the period of its bundle."""
    first = hub.first.get(site)
    awards, settled = (
        sum(fact["amount"] for _, fact in hub.of_site[site, kind])
        for kind in ("HandedOver", "SettlementReceived")
    )
    awards -= sum(
        fact["to_meter"] + fact["to_house"]
        for _, fact in hub.of_site[site, "ReversalReceived"]
        if fact["handed_over"]
    )
    passed = hub.grown[site]
    return {"opening": owes(first) if first else 0, "passed on": passed, "awards": awards, "settled": settled}


def later(own: Mapping[Any, tuple[int, Json]], booked: Container[Any]) -> int:
    """What a site has done and the hub has not booked yet."""
    return sum(fact["amount"] for name, (_, fact) in own.items() if name not in booked)


def named(link: NetworkLink, kind: str) -> dict[str, tuple[int, Json]]:
    """The facts of a kind, by their award or number, each with its entry."""
    return {fact.get("award") or str(fact["number"]): (number, fact) for number, fact in link.facts[kind]}


def dollars(micros: int) -> str:
    """``$1,234.56``, with the millionths that there are."""
    whole, rest = divmod(abs(micros), 1_000_000)
    text = f"{rest:06d}".rstrip("0").ljust(2, "0")
    return f"{'-' if micros < 0 else ''}${whole:,}.{text}"


def compare_site(hubs: Mapping[str, Link], links: Mapping[str, Link]) -> dict[tuple[str, str], Compared]:
    """The network links of a site's bundle beside those of the hub: what is wrong, and what else to tell."""
    compared: dict[tuple[str, str], Compared] = {}
    for name, link in links.items():
        if not isinstance(link, NetworkLink) or not link.site:
            continue
        hub, where = hubs.get(name), f"{name}, site {link.site}"
        if not isinstance(hub, NetworkLink) or not hub.is_hub or hub.is_aggregator:
            continue
        if link.site not in hub.members:
            problems, notes = [f"{where}: the hub does not know this site"], []
        elif hub.is_bad or link.is_bad:
            problems, notes = [], [f"{where}: not compared, since one of the chains is not in order"]
        else:
            check = NetworkCheck(hub, link)
            check.run()
            notes = [check.statements(), *(f"{name}, in transit from site {what}" for what in check.transit)]
            problems = check.found
        compared[name, link.site] = (problems, notes)
    return compared


def check_network(
    bundle: Mapping[str, Link], compared: dict[tuple[str, str], Compared], without: Container[str]
) -> Compared:
    """What the comparisons of all sites came to, by link and site, and which sites are missing."""
    hubs = {name: link for name, link in bundle.items() if isinstance(link, NetworkLink) and link.is_hub}
    for name, hub in hubs.items():
        if hub.is_aggregator:
            what = "the first bundle is of an aggregator, which has no awards to compare; verify it alone"
            return [f"{name}: {what}"], []
        for member in hub.members:
            if (name, member) not in compared and member not in without:
                what = f"its bundle is missing; --without {member} checks the rest all the same"
                compared[name, member] = ([f"{name}, site {member}: {what}"], [])
    bundle_problems = [] if hubs else ["the first bundle is of no hub"]
    in_order = [compared[key] for key in sorted(compared)]
    return (
        [*bundle_problems, *(problem for problems, _ in in_order for problem in problems)],
        [note for _, notes in in_order for note in notes],
    )


def verify(folder: Path, tails: "Tails | None" = None, *, last: bool = True) -> tuple[int, list[str]]:
    """The number of entries followed, and the first thing wrong of each link."""
    count, problems, _ = follow_bundle(folder, tails or Tails(()), {}, last=last)
    return count, problems


def follow_bundle(
    folder: Path, tails: "Tails", hub: Mapping[str, Link], *, last: bool
) -> tuple[int, list[str], dict[str, Link]]:
    """The same with the links as they end; ``hub`` has those of the hub, if this is a site of it."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    problems = [
        f"{name}: it is not the file that was exported"
        for name, digest in manifest["files"].items()
        if not (folder / name).exists() or hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest
    ]
    try:
        links, entries = read_bundle(folder, manifest, hub)
    except BadError as error:
        return 0, [*problems, f"versions: {error}"], {}
    except UNREADABLE as error:
        return 0, [*problems, f"entries, records and rounds: they cannot be read: {error!r}"], {}
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
        if name not in bad:
            attempt(bad, link, partial(link.close, manifest["links"][name]["closing"]))
    problems += [*bad.values(), *check_evidence(folder, manifest, tails)]
    return count, problems + (tails.left(bad) if last else []), links


def read_bundle(folder: Path, manifest: Json, hub: Mapping[str, Link]) -> tuple[dict[str, Link], list[Json]]:
    """The links of a bundle as they open, and its entries."""
    try:
        versions = Versions(folder)
    except UNREADABLE as error:
        raise BadError(str(error)) from error
    rounds = Rounds(folder)
    links: dict[str, Link] = {}
    for name, about in manifest["links"].items():
        kind = NetworkLink if name in versions.networks else Link
        link = links[name] = kind(name, about["opening"], versions, rounds)
        known = hub.get(name)
        if isinstance(link, NetworkLink) and isinstance(known, NetworkLink):
            link.expect_of(known, about["closing"].get("network", {}).get("site", ""))
    return links, list(lines(folder / "entries.jsonl"))


class Tails:
    """Ends of chains that somebody kept elsewhere: each must be in the bundles."""

    def __init__(self, known: Iterable[tuple[str, int, str]]) -> None:
        self.known: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        for name, number, digest in known:
            self.add(name, number, digest)
        self.seen: dict[str, int] = {}

    def add(self, name: str, number: int, digest: str) -> None:
        """One end more; a chain without entries has none."""
        if number:
            self.known[name, number].add(digest)

    def compare(self, name: str, number: int, digest: str) -> None:
        """Compare an entry with what is known of it."""
        self.seen[name] = number
        if self.known.pop((name, number), {digest}) != {digest}:
            raise KnownError(f"{name}, entry {number}: it is not the one you know")

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
    try:
        tails.compare("evidence", number, previous)
        for line in lines(folder / "evidence.jsonl"):
            expect(line["number"] == number + 1, "it is missing, or another one stands in its place")
            expect(line["previous"] == previous, "it does not follow the record before it")
            parts = (str(line["number"]), line["kind"], line["key"], line["digest"], line["previous"])
            expect(sha256("\n".join(parts)) == line["hash"], "its place in the chain is not what was hashed")
            if line["contents"] is not None:
                right = sha256(line["contents"]) == line["digest"]
                expect(right, f"{line['kind']} {line['key']} is not what was chained")
            else:
                expect(line["kind"] in ("person", "audit"), f"{line['kind']} {line['key']} is gone")
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
        return [f"evidence, record {number + 1}: {error}"]
    return []


def attempt(bad: dict[str, str], link: Link, check: Callable[[], None]) -> None:
    if link.is_bad:
        return
    try:
        check()
    except KnownError as error:
        bad[link.name] = str(error)
    except UNREADABLE as error:
        bad[link.name] = f"{link.name}, entry {link.number + 1}: {error}"
    link.is_bad = link.name in bad


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


# --- Ed25519, as RFC 8032 section 5.1.7 verifies a signature ---

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]


def plus(a: Point, b: Point) -> Point:
    left, right = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    t, z = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = right - left, z - t, z + t, right + left
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = plus(total, point)
        point, scalar = plus(point, point), scalar >> 1
    return total


def decoded(text: bytes) -> Point:
    y = int.from_bytes(text, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    expect(y < P, "a key or signature is no point of the curve")
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    expect((x * x - square) % P == 0 and not (x == 0 and sign), "a key or signature is no point of the curve")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = decoded((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is that of a message by a key."""
    if len(public) != 32 or len(signature) != 64:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    if scalar >= ORDER:
        return False
    challenge = hashlib.sha512(signature[:32] + public + message).digest()
    reduced = int.from_bytes(challenge, "little") % ORDER
    left, right = times(scalar, BASE), plus(decoded(signature[:32]), times(reduced, decoded(public)))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 == (left[1] * right[2] - right[1] * left[2]) % P


# --- the signature, in the format of minisign ---

#: A timestamp that came later than this after the close of its day proves nothing about that day.
STAMPED_WITHIN = timedelta(days=3)
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
        return [*problems, f"manifest.json: {error}"]
    return problems


def check_heads(path: Path, key: bytes | None, tails: Tails, authority: Path | None) -> list[str]:
    """Signed ends of all chains at the close of days; each becomes an end that you know."""
    place, previous = path.name, None
    try:
        for line in lines(path):
            head = json.loads(line["body"])
            place = f"day {head['day']}"
            if key is not None:
                check_signature(line["body"].encode(), line["signature"], key)
            follows_on = previous is None or head["previous"] == sha256(previous)
            expect(follows_on, "its head does not follow that of the day before")
            if authority is not None:
                check_anchors(line, datetime.fromisoformat(head["ended_at"]), authority)
            for name, end in {**head["links"], "evidence": head["evidence"]}.items():
                tails.add(name, end["number"], end["hash"])
            previous = line["body"]
    except UNREADABLE as error:
        return [f"{place}: {error}"]
    return []


def check_anchors(line: Json, ended_at: datetime, authority: Path) -> None:
    """An authority that you trust stamped the head within days of its close; OpenSSL checks its signature."""
    expect(bool(line.get("anchors")), "its head has no timestamp")
    for token in line["anchors"].values():
        with TemporaryDirectory() as folder:
            file = Path(folder) / "token"
            file.write_bytes(base64.b64decode(token))
            source = ["-in", str(file), "-token_in"]
            digest = ["-digest", sha256(line["body"])]
            ran = openssl("-verify", *digest, *source, "-CAfile", str(authority))
            expect(ran.returncode == 0, "its timestamp is not one of the authority, or of another head")
            reply = openssl("-reply", *source, "-text").stdout
            stamp = re.search(r"Time stamp: (\w+ +\d+ [\d:]+)(?:\.\d+)? (\d+) GMT", reply)
        assert stamp is not None
        stamped = datetime.strptime(f"{stamp[1]} {stamp[2]} +0000", "%b %d %H:%M:%S %Y %z")
        expect(stamped <= ended_at + STAMPED_WITHIN, f"its head was stamped only on {stamped:%Y-%m-%d}")


def openssl(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["openssl", "ts", *arguments], capture_output=True, text=True, check=False)


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
        "--network",
        action="store_true",
        help="the first bundle is of a hub, the others are of its sites: compare them with each other",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="SITE",
        help="with --network: a site of which there is no bundle",
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
        action="append",
        default=[],
        help="the public key of a site, or its file, as you know it from elsewhere; one for each site",
    )
    parser.add_argument(
        "--heads", type=Path, metavar="FILE", help="signed ends of days, as `feltwork heads` printed them"
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
    if options.network and (options.tail or options.tails or options.heads):
        parser.error("--tail, --tails and --heads are for the bundles of one site")
    try:
        count, problems, notes = check_bundles(options)
    except UnreadableError as error:
        print(error, file=sys.stderr)
        return 2
    for problem in [*problems, *notes]:
        print(problem)
    unchecked = " (the signature was not checked)" if options.no_signature else ""
    unchecked += f" (without {', '.join(options.without)})" if options.without else ""
    print(f"{count} entries followed: {'all is well' if not problems else 'NOT in order'}{unchecked}")
    return 1 if problems else 0


class Followed:
    """One bundle, followed to its end."""

    def __init__(
        self, options: argparse.Namespace, bundle: Path, tails: Tails, before: Json | None = None
    ) -> None:
        with TemporaryDirectory() as temporary:
            try:
                folder, self.manifest = unpacked(bundle, Path(temporary))
            except (OSError, ValueError, tarfile.TarError) as error:
                what = f"{bundle}: cannot be read as a bundle: {str(error).splitlines()[0]}"
                raise UnreadableError(what) from error
            wrong = follows(before, self.manifest) if before is not None else []
            key = None
            if not options.no_signature:
                first = options.key[0] if options.key else None
                known = next((key for key in options.key if is_of(key, self.manifest)), first)
                wrong += check_signed(folder, self.manifest, known)
                key = known or public_key(self.manifest["site_key"]) if not wrong else None
            wrong += check_heads(folder / "day_heads.jsonl", key, tails, options.authority)
            if options.heads and bundle == options.bundle[0]:
                wrong += check_heads(options.heads, key, tails, None)
            last = options.network or bundle == options.bundle[-1]
            self.count, more, self.links = follow_bundle(folder, tails, HUB, last=last)
        self.found = [f"{bundle.name}: {problem}" if options.network else problem for problem in wrong + more]


#: With --network: the hub's links, which the processes that follow the sites share.
HUB: dict[str, Link] = {}
#: From so many bytes on, the bundles of sites are followed by one process for each core.
MANY_BYTES = 50_000_000


def check_bundles(options: argparse.Namespace) -> tuple[int, list[str], list[str]]:
    """The number of entries followed, what is wrong, and what else there is to tell."""
    HUB.clear()
    if options.network:
        return check_sites(options)
    published = options.tails.read_text(encoding="utf-8") if options.tails else ""
    tails = Tails([*options.tail, *map(tail, re.findall(r"\S+=\d+:[0-9a-f]{64}", published))])
    count, problems, before = 0, list[str](), None
    for bundle in options.bundle:
        followed = Followed(options, bundle, tails, before)
        before = followed.manifest
        problems += followed.found
        count += followed.count
    return count, problems, signed_by(options, before) if before and not problems else []


def signed_by(options: argparse.Namespace, manifest: Json) -> list[str]:
    """The key that a bundle names, where nobody has said which one it must be."""
    advice = "compare it with the key that you know, or pass it with --key"
    return [] if options.key or options.no_signature else [f"signed by {manifest['site_key']}: {advice}"]


def check_sites(options: argparse.Namespace) -> tuple[int, list[str], list[str]]:
    """The same of a hub and its sites, whose bundles are compared with the hub's."""
    hub = Followed(options, options.bundle[0], Tails(()))
    HUB.update(hub.links)
    count, problems, notes = hub.count, hub.found, signed_by(options, hub.manifest)
    compared: dict[tuple[str, str], Compared] = {}
    for followed, wrong, signed, site in of_sites(partial(check_site, options), options.bundle[1:]):
        count += followed
        problems += wrong
        notes += signed
        compared.update(site)
    wrong, statements = check_network(hub.links, compared, options.without)
    return count, problems + wrong, [*statements, *(notes if not problems else [])]


def check_site(
    options: argparse.Namespace, bundle: Path
) -> tuple[int, list[str], list[str], dict[tuple[str, str], Compared]]:
    """One site: the number of entries followed, what is wrong, its key, and the comparison with the hub."""
    site = Followed(options, bundle, Tails(()))
    return site.count, site.found, signed_by(options, site.manifest), compare_site(HUB, site.links)


def of_sites(check: Callable[[Path], Any], bundles: list[Path]) -> Iterator[Any]:
    """Check the sites one after the other or, where that takes long, with one process for each core."""
    sizes = [
        path.stat().st_size
        for bundle in bundles
        for path in ([bundle] if bundle.is_file() else bundle.rglob("*"))
        if path.is_file()
    ]
    if sum(sizes) < MANY_BYTES or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(check, bundles)
        return
    gc.freeze()
    with multiprocessing.get_context("fork").Pool() as pool:
        yield from pool.imap(check, bundles)


def is_of(key: bytes, manifest: Json) -> bool:
    """Whether a key is the one that a bundle names."""
    try:
        return key == public_key(manifest["site_key"])
    except argparse.ArgumentTypeError:
        return False


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
