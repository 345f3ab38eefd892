"""A forger of the bundles of a network, who can make every hash again on every side."""

import json
import sys
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tests.simulation.network_bundles import write_lines

VERIFIER = Path(__file__).parent.parent.parent / "tools" / "verify_books.py"
_spec = spec_from_file_location("network_verifier", VERIFIER)
assert _spec is not None
assert _spec.loader is not None
verify_books = module_from_spec(_spec)
sys.modules["network_verifier"] = verify_books
_spec.loader.exec_module(verify_books)
Fact = dict[str, Any]


class ForgedEntry:
    """An entry whose place, hash and fact may change."""

    def __init__(self, line: Fact) -> None:
        self.line = line
        self.number: int = line["number"]
        self.hash: str = line["hash"]
        self.body: Fact = json.loads(line["body"])
        self.fact: Fact = json.loads(line["fact"])

    @property
    def kind(self) -> str:
        return str(self.fact["kind"])

    def move(self, amounts: dict[int, int]) -> None:
        """Replace amounts, in the fact and in the postings."""

        def replaced(value: Any) -> Any:
            if isinstance(value, dict):
                return {name: replaced(inner) for name, inner in value.items()}
            return (
                amounts.get(value, value) if isinstance(value, int) and not isinstance(value, bool) else value
            )

        self.fact = {name: replaced(value) for name, value in self.fact.items()}
        signed = {**amounts, **{-old: -new for old, new in amounts.items()}}
        self.body["postings"] = [
            [account, signed.get(amount, amount)] for account, amount in self.body["postings"]
        ]

    def blank(self) -> None:
        """Put something that changes nothing in its place."""
        about = {name: self.fact[name] for name in ("at", "link")}
        self.fact = {**about, "kind": "ContactLost", "since": about["at"]}
        self.body |= {"kind": "ContactLost", "postings": [], "references": {}}

    def post(self, more: dict[str, int]) -> None:
        """Add amounts to its postings."""
        moved = dict(self.body["postings"])
        for account, amount in more.items():
            moved[account] = moved.get(account, 0) + amount
        self.body["postings"] = sorted([account, amount] for account, amount in moved.items() if amount)

    def copy(self) -> "ForgedEntry":
        return ForgedEntry(json.loads(json.dumps(self.line)))


class ForgedNetwork:
    """The bundles of a hub and its sites."""

    def __init__(self, bundles: list[Path]) -> None:
        self.folders = {path.name: path for path in bundles}
        self.chains = {
            name: [ForgedEntry(line) for line in self.read(name, "entries")] for name in self.folders
        }
        self.sums = self.read("HUB", "sums")
        #: Whether entries keep the digest of rows that have changed.
        self.keep_digest = False
        self.rounds = {name: self.read(name, "rounds") for name in self.folders}

    def read(self, name: str, file: str) -> list[Any]:
        text = (self.folders[name] / f"{file}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def all(self, chain: str, kind: str, **having: Any) -> list[ForgedEntry]:
        """The entries of a kind, with some values."""
        return [
            entry
            for entry in self.chains[chain]
            if entry.kind == kind and all(entry.fact[name] == value for name, value in having.items())
        ]

    def one(self, chain: str, kind: str, **having: Any) -> ForgedEntry:
        """The last entry of a kind, with some values."""
        return self.all(chain, kind, **having)[-1]

    def remove(self, chain: str, *gone: ForgedEntry) -> None:
        self.chains[chain] = [entry for entry in self.chains[chain] if entry not in gone]

    def again(self, chain: str, entry: ForgedEntry) -> None:
        """Book an entry twice."""
        place = self.chains[chain].index(entry)
        self.chains[chain].insert(place + 1, entry.copy())

    def seal(self, only: str = "") -> None:
        """Make every hash again, or those of one chain only, and write the bundles with fitting ends."""
        chains = [only] if only else list(self.chains)
        places = {
            name: {entry.number: place for place, entry in enumerate(self.chains[name], 1)} for name in chains
        }
        hashes: dict[str, str] = {}
        sealed_counts = dict.fromkeys(chains, 0)
        known = {entry.hash for name in chains for entry in self.chains[name]}
        while any(sealed_counts[name] < len(self.chains[name]) for name in chains):
            before = dict(sealed_counts)
            for name in chains:
                while sealed_counts[name] < len(self.chains[name]):
                    entry = self.chains[name][sealed_counts[name]]
                    rows = [row for row in self.sums if name == "HUB" and row["number"] == entry.number]
                    needs = {entry.fact.get("hash", ""), *(row["hash"] for row in rows)} & known
                    if not needs <= hashes.keys():
                        break
                    self._chain(name, sealed_counts[name], hashes, places, rows)
                    sealed_counts[name] += 1
            assert sealed_counts != before, "the references of the chains go round in a circle"
        for row in self.sums:
            row["number"] = _place(places.get("HUB", {}), row["number"])
        for name in chains:
            for row in self.rounds[name]:
                row["entry"] = _place(places[name], row["entry"])
            self._write(name)

    def _chain(
        self,
        name: str,
        place: int,
        hashes: dict[str, str],
        places: dict[str, dict[int, int]],
        rows: list[Fact],
    ) -> None:
        entry, fact = self.chains[name][place], self.chains[name][place].fact
        previous = self.chains[name][place - 1].line["hash"] if place else "0" * 64
        other = "HUB" if name != "HUB" else fact.get("site", "")
        if "hash" in fact and other in places:
            fact["entry"], fact["hash"] = (
                _place(places[other], fact["entry"]),
                hashes.get(fact["hash"], fact["hash"]),
            )
        for field in ("grant", "entry") if "hash" not in fact else ("grant",):
            if field in fact and "HUB" in places:
                fact[field] = _place(places["HUB"], fact[field])
        for row in rows:
            if row["site"] in places:
                row["entry"] = _place(places[row["site"]], row["entry"])
                row["hash"] = hashes.get(row["hash"], row["hash"])
        if rows and not self.keep_digest:
            fact["digest"] = digest_of(rows)
        text = json.dumps(fact, sort_keys=True, separators=(",", ":"))
        body = {**entry.body, "number": place + 1, "previous": previous}
        body["references"] = {**body["references"], "fact": sha256(text.encode()).hexdigest()}
        plain = json.dumps(body, sort_keys=True, separators=(",", ":"))
        new = sha256(plain.encode()).hexdigest()
        hashes.setdefault(entry.hash, new)
        entry.line = {**entry.line, "number": place + 1, "previous": previous, "hash": new}
        entry.line |= {"body": plain, "fact": text}

    def _write(self, name: str) -> None:
        folder = self.folders[name]
        files = {"entries": [entry.line for entry in self.chains[name]], "rounds": self.rounds[name]}
        if name == "HUB":
            files["sums"] = self.sums
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for file, rows in files.items():
            manifest["files"][f"{file}.jsonl"] = write_lines(folder / f"{file}.jsonl", rows)
        (about,) = manifest["links"].values()
        about["closing"] |= self._closing(folder, manifest, files["entries"])
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    def _closing(self, folder: Path, manifest: Fact, entries: list[Fact]) -> Fact:
        """The end as the verifier itself comes to it, up to the first entry that it finds wrong."""
        links, _ = verify_books.read_bundle(folder, manifest, {})
        (link,) = links.values()
        for line in entries:
            try:
                link.follow(line)
            except verify_books.UNREADABLE:
                break
        return {
            "number": entries[-1]["number"],
            "hash": entries[-1]["hash"],
            "body": entries[-1]["body"],
            "balances": {account: amount for account, amount in link.balances.items() if amount},
            "awards": {
                name: award
                for name, award in link.awards.items()
                if award["status"] in ("claimed", "confirmed")
                or (award["status"] == "voided" and award["locked"])
            },
            "inflow": {account: amount for account, amount in link.inflow.items() if amount},
            "version": link.version_name,
            "network": link.network(),
        }


def digest_of(rows: list[Fact]) -> str:
    """The digest of the rows of a sum."""
    lines = [
        f"{row['site']} {row['entry']} {row['hash']} {row['version']} {row['wagers']} "
        + ",".join(map(str, row["counters"]))
        for row in rows
    ]
    return sha256("\n".join(lines).encode()).hexdigest()


def _place(places: dict[int, int], number: int) -> int:
    """Where an entry is now; for one that is gone, the entry before it."""
    return max((place for old, place in places.items() if old <= number), default=number)
