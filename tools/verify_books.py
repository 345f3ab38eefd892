"""Checks an exported bundle of the books from scratch; standard library only, no code shared with Feltwork.

Usage: python verify_books.py BUNDLE [BUNDLE ...] [--tail LINK=NUMBER:HASH ...]

BUNDLE is a folder or a .tar: all of the books, or a day of them. For every link it follows the hash chain,
recomputes every account from the opening amounts, and checks that contributions are those of the rounds, that
awards are those of the paytable, and that nothing happened twice. The opening of a day names the entry before
it, which must hash to the end that the chain had then; given the bundle of the day before as well, each link
must open exactly as it closed there. A tail that you know from elsewhere, an earlier export or a printed
report, shows whether the end was cut off. It names the first bad entry of each link; the exit code is then 1.
"""

import argparse
import hashlib
import json
import sys
import tarfile
from collections import defaultdict
from collections.abc import Callable, Iterator
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
}
ONCE = {
    "Claimed": "claim",
    "CardsEntered": "cards",
    "Confirmed": "settlement",
    "Voided": "settlement",
    "Paid": "payment",
    "Reversed": "reversal",
}


class BadError(Exception):
    """The first thing that is wrong."""


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


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
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


class Versions:
    """The configurations of the links, each checked against its fingerprint, and their paytables."""

    def __init__(self, folder: Path) -> None:
        self.paytables: dict[str, Json] = {}
        for line in lines(folder / "paytables.jsonl"):
            expect(sha256(canonical(line["body"])) == line["fingerprint"], "a paytable is not the locked one")
            self.paytables[line["fingerprint"]] = line["body"]
        self.bodies: dict[tuple[str, str], Json] = {}
        for line in lines(folder / "versions.jsonl"):
            body = json.loads(line["body"])
            expect(sha256(canonical(hashed(body))) == line["fingerprint"], "a version is not what was hashed")
            expect(body["paytable"]["fingerprint"] in self.paytables, "a version's paytable is missing")
            self.bodies[line["link"], line["fingerprint"]] = body


def hashed(body: Json) -> Json:
    """What the fingerprint of a version is made from."""
    order = ("name", "seed", "contribution", "reserve", "unreasonable", "cap", "amount")
    levels = [[level[name] for name in order] for level in body["levels"]]
    return {**body, "paytable": body["paytable"]["fingerprint"], "levels": levels}


class Link:
    """One link, entry by entry."""

    def __init__(self, name: str, opening: Json, versions: Versions, rounds: dict[int, list[Json]]) -> None:
        self.name = name
        self.number: int = opening["number"]
        self.hash: str = opening["hash"]
        self.balances: defaultdict[str, int] = defaultdict(int, opening["balances"])
        self.versions = versions
        self.rounds = rounds
        #: The locked seats of each round: those that it started with, as they were corrected since.
        self.seats: dict[tuple[str, int], set[int]] = {}
        self.version: Json | None = None
        self.version_name = ""
        self.caps: dict[str, int] = dict(opening["caps"])
        #: What each level of a house jackpot posts.
        self.amounts: dict[str, int] = dict(opening["amounts"])
        self.awards: dict[str, Json] = {name: dict(award) for name, award in opening["awards"].items()}
        #: What each meter and reserve has taken in, locks left out: a claim takes only what came before it.
        self.inflow: defaultdict[str, int] = defaultdict(int, opening["inflow"])
        self.once = {("claim", name) for name in self.awards} | {
            ("settlement", name) for name, award in self.awards.items() if award["status"] == "confirmed"
        }

    def open(self, opening: Json) -> None:
        """A bundle of a day begins after an entry; what the link held then can be told from nothing else."""
        if opening["number"] == 0:
            empty = not any(opening[name] for name in (*STATE, "body"))
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
        body = self.place(line)
        fact = json.loads(line["fact"])
        kind = body["kind"].partition(".")[0]
        before = dict(self.balances)
        self.post(body)
        if kind in ONCE:
            key = (ONCE[kind], fact["award"])
            expect(key not in self.once, f"{kind.lower()} once more: award {fact['award']}")
            self.once.add(key)
        check = getattr(self, f"check_{kind.lower()}", None)
        if check is not None:
            check(fact, before)
        self.number, self.hash = body["number"], line["hash"]

    def place(self, line: Json) -> Json:
        expect(line["number"] == self.number + 1, f"entry {line['number']} stands in its place")
        expect(line["previous"] == self.hash, "it does not follow the entry before it")
        expect(sha256(line["body"]) == line["hash"], "its content is not what was hashed")
        body: Json = json.loads(line["body"])
        expect(canonical(body) == line["body"], "its text is not canonical")
        expect(body["link"] == self.name and body["number"] == line["number"], "it belongs elsewhere")
        expect(body["previous"] == line["previous"], "it does not follow the entry before it")
        expect(sha256(line["fact"]) == body["references"]["fact"], "its fact is not the one that was hashed")
        fact = json.loads(line["fact"])
        expect(fact["at"] == body["at"] and fact["link"] == self.name, "fact and entry disagree")
        said = f"Adjusted.{fact['reason']}" if fact["kind"] == "Adjusted" else fact["kind"]
        expect(said == body["kind"], "fact and entry are of different kinds")
        return body

    def post(self, body: Json) -> None:
        accounts = [account for account, _ in body["postings"]]
        expect(accounts == sorted(set(accounts)), "it posts twice to an account")
        expect(sum(amount for _, amount in body["postings"]) == 0, "its postings do not balance")
        ways = WAYS.get(body["kind"], "").split()
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
            self.seats.update({(table, row["number"]): set(row["seats"]) for row in rows})
            same = sorted(row["number"] for row in rows) == numbers(fact["rounds"].get(table, "0"))
            wagers = sum(len(row["seats"]) for row in rows)
            right = all(row["wager"] == fact["wager"] for row in rows)
            expect(same and right and wagers == fact["wagers"].get(table, 0), f"the rounds of {table} differ")

    def correct(self, fact: Json) -> None:
        """One seat of a round whose cards are not out; its round may be in the bundle of the day before."""
        assert self.version is not None
        place = (fact["table"], fact["round"])
        right = fact["version"] == self.version_name and fact["wager"] == self.version["wager"]
        expect(right, "it was booked under another version")
        claimed = [one for one in self.awards.values() if (one["table"], one["round"]) == place]
        expect(not claimed, "a seat is corrected after a hand was claimed")
        if place in self.seats:
            adds = fact["kind"] == "WagerAdded"
            expect((fact["seat"] in self.seats[place]) != adds, f"seat {fact['seat']} is locked, or is not")
            self.seats[place] ^= {fact["seat"]}

    def check_wageradded(self, fact: Json, before: Json) -> None:
        self.correct(fact)
        self.add(fact, 1, before)

    def check_wagerreturned(self, fact: Json, before: Json) -> None:
        self.correct(fact)
        self.give_back(fact, 1, before)

    def check_misdealt(self, fact: Json, before: Json) -> None:
        seats = self.seats.pop((fact["table"], fact["round"]), None)
        expect(seats is None or len(seats) == fact["wagers"], "it gives another number of wagers back")
        self.give_back(fact, fact["wagers"], before)

    def give_back(self, fact: Json, count: int, before: Json) -> None:
        """So many wagers come back from the pools that they fed, and from the house what is gone there."""
        assert self.version is not None
        wager = self.version["wager"]
        expect(self.moved(before, f"patrons/{self.name}") == count * wager, "it gives other wagers back")
        for level in self.version["levels"]:
            pools = [f"{pool}/{self.name}/{level['name']}" for pool in ("meter", "reserve")]
            fed = sum(wager * level[share] // 10_000 * count for share in ("contribution", "reserve"))
            taken = -sum(self.moved(before, pool) for pool in pools)
            free = min(0, int(before.get(f"pending/{self.name}/{level['name']}", 0)))
            due = min(fed, free + sum(int(before.get(pool, 0)) for pool in pools))
            expect(taken == due, f"it takes {taken} from {level['name']}, the version says {due}")

    def check_claimed(self, fact: Json, before: Json) -> None:
        self.awards[fact["award"]] = {
            **fact,
            "status": "claimed",
            "amount": None,
            "locked": False,
            "level": "",
            "turn": 0,
            "lock": 0,
            "inflow": [],
        }

    def known(self, fact: Json) -> Json:
        expect(fact["award"] in self.awards, f"award {fact['award']} was never claimed, or is settled")
        return self.awards[fact["award"]]

    def check_locked(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        amount = fact["from_meter"] + fact["from_house"]
        expect(award["amount"] in (None, amount), f"award {fact['award']} leaves with another amount")
        award.update(amount=amount, locked=True, level=fact["level"], lock=self.number + 1)
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

    def held_at_turn(self, award: Json, pools: list[str], before: Json) -> list[int]:
        """What meter and reserve held when the first award of the round on this level was locked."""
        beside = [
            other
            for other in self.awards.values()
            if other["turn"]
            and other["status"] not in ("voided", "reversed")
            and all(other[name] == award[name] for name in ("table", "round", "level"))
        ]
        first = min(beside, key=lambda other: int(other["turn"]))
        now = [int(before.get(pool, 0)) for pool in pools]
        since = [self.inflow[pool] - then for pool, then in zip(pools, first["inflow"], strict=True)]
        if award["status"] == "confirmed":  # by J-POT: it leaves the meter as it stands
            return now
        return [max(0, now[0] - since[0]), max(0, min(now[1], now[1] - since[1]))]

    def check_share(self, award: Json, fact: Json, meter: int) -> None:
        """What a row gives of a meter, in whole cents; alone in its round it gets exactly that."""
        assert self.version is not None
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
        alone = self.is_house() or (not others and award["status"] == "claimed")
        gives = fact["from_meter"] + fact["from_house"]
        right = gives == due if alone else fact["from_meter"] <= due
        expect(level == fact["level"] and right, f"award {fact['award']} is not what its row gives")

    def check_released(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        expect(award["amount"] == fact["to_meter"] + fact["to_house"], "another amount goes back")
        award.update(amount=None, locked=False)

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
        award.update(status="confirmed", amount=amount, signed=sorted(signed))

    def check_voided(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        expect(award["status"] == "claimed", f"award {fact['award']} cannot be voided any more")
        behind = [other for other in self.queue(award["level"]) if other["turn"] > award["turn"]]
        queued = award["turn"] and not self.is_house()
        released = not award["locked"] and not (queued and behind)
        expect(released, "it was voided, and later claims kept the amounts that it left them")
        award["status"] = "voided"

    def check_paid(self, fact: Json, before: Json) -> None:
        award = self.known(fact)
        right = award["status"] == "confirmed" and award["amount"] == fact["amount"]
        expect(right, f"award {fact['award']} is paid another amount, or unconfirmed")
        watched = fact["by"] != award["by"] or fact["witness"] in award["signed"]
        expect(fact["by"] not in award["signed"] and watched, "who entered or confirmed it paid it")
        award["status"] = "paid"
        expect(self.balances[f"payable/{self.name}/{fact['award']}"] == 0, "something is still owed")

    def check_reversed(self, fact: Json, before: Json) -> None:
        award = self.awards.get(fact["award"])  # it may have been paid on an earlier day
        if award is not None:
            right = award["status"] in ("confirmed", "paid")
            expect(right and award["amount"] == fact["to_meter"] + fact["to_house"], "a wrong reversal")
            award["status"] = "reversed"

    def check_adjusted(self, fact: Json, before: Json) -> None:
        account = f"{fact['pool']}/{self.name}/{fact['level']}"
        expect(int(before.get(account, 0)) == fact["before"], "it was adjusted from another amount")
        expect(self.balances[account] == fact["after"], "it was adjusted to another amount")
        told = fact["text"] and fact["evidence"] and fact["by"] and fact["approved_by"]
        expect(bool(told) and fact["by"] != fact["approved_by"], "it takes two people and a reason")

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
        held = sum(amount for account, amount in before.items() if account.partition("/")[0] in PLAYERS)
        expect(held == fact["required"], "the funds counted are not what is held for players")

    def close(self, closing: Json) -> None:
        """The end that the bundle names, and everything that its accounts hold there."""
        end = (closing["number"], closing["hash"])
        expect((self.number, self.hash) == end, f"the chain ends before entry {closing['number']}")
        held = {account: amount for account, amount in self.balances.items() if amount}
        expect(held == closing["balances"], "the accounts do not hold what the entries come to")
        waiting = {
            n: award for n, award in self.awards.items() if award["status"] in ("claimed", "confirmed")
        }
        inflow = {account: amount for account, amount in self.inflow.items() if amount}
        told = {"version": self.version_name, "caps": self.caps, "amounts": self.amounts}
        told |= {"awards": waiting, "inflow": inflow}
        for name, value in told.items():
            expect(value == closing[name], f"its {name} at the end are not what the entries say")
        expect(not self.rounds, f"rounds name entry {min(self.rounds, default=0)}, which did not book them")


def verify(folder: Path, tails: dict[str, tuple[int, str]], *, last: bool) -> tuple[int, list[str]]:
    """The number of entries followed, and the first thing wrong of each link."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    found = [
        f"{name}: it is not the file that was exported"
        for name, digest in manifest["files"].items()
        if not (folder / name).exists() or hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest
    ]
    try:
        versions = Versions(folder)
    except BadError as error:
        return 0, [*found, f"versions: {error}"]
    rounds: defaultdict[str, defaultdict[int, list[Json]]] = defaultdict(lambda: defaultdict(list))
    for row in lines(folder / "rounds.jsonl"):
        rounds[row["link"]][row["entry"]].append(row)
    links = {
        name: Link(name, about["opening"], versions, rounds[name])
        for name, about in manifest["links"].items()
    }
    bad: dict[str, str] = {}
    count = 0
    for name, link in links.items():
        attempt(bad, link, partial(link.open, manifest["links"][name]["opening"]))
    for line in lines(folder / "entries.jsonl"):
        if line["link"] in links and line["link"] not in bad:
            link = links[line["link"]]
            count += 1
            attempt(bad, link, partial(link.follow, line))
            attempt(bad, link, partial(known_tail, link, tails))
    for name, link in links.items():
        if name not in bad:
            attempt(bad, link, partial(link.close, manifest["links"][name]["closing"]))
        if last and name not in bad and tails.get(name, (0, ""))[0] > link.number:
            bad[name] = f"{name}, entry {link.number + 1}: the end is cut off; you know {tails[name][0]}"
    return count, [*found, *bad.values()]


def known_tail(link: Link, tails: dict[str, tuple[int, str]]) -> None:
    number, digest = tails.get(link.name, (0, ""))
    if number == link.number and digest != link.hash:
        link.number -= 1
        raise BadError("it is not the one you know")


def attempt(bad: dict[str, str], link: Link, check: Callable[[], None]) -> None:
    if link.name in bad:
        return
    try:
        check()
    except (BadError, KeyError, TypeError, ValueError, StopIteration) as error:
        bad[link.name] = f"{link.name}, entry {link.number + 1}: {error}"


def follows(before: Json, after: Json) -> list[str]:
    """Every link opens exactly as it closed in the bundle before, or is new."""
    found = []
    for name, about in after["links"].items():
        place = f"{name}, entry {about['opening']['number']}"
        if name not in before["links"]:
            if about["opening"]["number"]:
                found.append(f"{place}: the bundle before does not know this link")
            continue
        closed = before["links"][name]["closing"]
        wrong = [one for one in ("number", "hash", *STATE) if closed[one] != about["opening"][one]]
        if wrong:
            found.append(f"{place}: it does not open as it closed before: {', '.join(wrong)}")
    gone = sorted(set(before["links"]) - set(after["links"]))
    return found + [f"{name}: the link is gone from the bundle after" for name in gone]


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
    asked = parser.parse_args(arguments)
    tails = {link: (number, digest) for link, number, digest in asked.tail}
    count, found = 0, []
    before: Json | None = None
    for bundle in asked.bundle:
        with TemporaryDirectory() as temporary:
            try:
                folder, manifest = unpacked(bundle, Path(temporary))
            except (OSError, ValueError, tarfile.TarError) as error:
                print(f"{bundle}: cannot be read as a bundle: {str(error).splitlines()[0]}", file=sys.stderr)
                return 2
            found += follows(before, manifest) if before is not None else []
            followed, wrong = verify(folder, tails, last=bundle == asked.bundle[-1])
        before = manifest
        count += followed
        found += wrong
    for problem in found:
        print(problem)
    print(f"{count} entries followed: {'all is well' if not found else 'NOT in order'}")
    return 1 if found else 0


def unpacked(bundle: Path, temporary: Path) -> tuple[Path, Json]:
    """The folder of a bundle, and its manifest."""
    folder = bundle
    if bundle.is_file():
        with tarfile.open(bundle) as archive:
            archive.extractall(temporary, filter="data")
        folder = temporary
    return folder, json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
