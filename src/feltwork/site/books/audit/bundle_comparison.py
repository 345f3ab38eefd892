"""Compare two exported bundles: where each chain and each file is the same, continues, or differs."""

import hashlib
import json
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias

from feltwork import money
from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.export import FORMAT

Relation: TypeAlias = Literal["equal", "second_continues_first", "first_continues_second", "different"]
ChainOutcome: TypeAlias = Literal[
    "same", "first_longer", "second_longer", "new", "missing", "differs", "nothing_in_common"
]
_EVIDENCE = "evidence"
#: Key of a file's records. Records with the same key must match; those in only one bundle are counted.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "rounds.jsonl": ("link", "table_id", "number"),
    # As they were when the period began.
    "earlier_rounds.jsonl": ("link", "table_id", "number", "opened"),
    "round_ends.jsonl": ("link", "table_id", "number"),
    "earlier_proposals.jsonl": ("number",),
    "versions.jsonl": ("link", "fingerprint"),
    "paytables.jsonl": ("fingerprint",),
    "day_heads.jsonl": ("day",),
}
#: Fields that may be added later, or removed when their retention ends; the chain has their digest.
_LATER = {"day_heads.jsonl": "anchors", "evidence.jsonl": "contents"}
_AMOUNTS = ("amount", "before", "after", "bank_balance", "from_house", "to_house", "seed", "wager")
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainComparison:
    """The comparison of a link, or of the chain of records: last common entry, first difference."""

    chain: str
    outcome: ChainOutcome
    #: Last entry in each bundle; None if the bundle does not have the chain.
    first_last: int | None
    second_last: int | None
    #: The last entry that is the same in both.
    same_up_to: int | None
    difference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileComparison:
    """The comparison of a record file outside the chains."""

    file: str
    same: bool
    only_first: int
    only_second: int
    difference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleComparison:
    """The comparison of two bundles, chain by chain and file by file."""

    relation: Relation
    chains: list[ChainComparison]
    files: list[FileComparison]


@dataclass(slots=True)
class _Chain:
    opening: int
    #: Number -> hash; the entry before the bundle is known by its hash alone.
    hashes: dict[int, str]
    lines: dict[int, tuple[bytes, bytes | None]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        return max(self.hashes)

    def has_same(self, other: "_Chain", number: int) -> bool:
        """Whether both have this entry, with the same contents where both hold them."""
        if self.hashes.get(number) != other.hashes.get(number):
            return False
        line, other_line = self.lines.get(number), other.lines.get(number)
        if line is None or other_line is None:
            return number in self.hashes and number in (self.opening, other.opening)
        return line[0] == other_line[0] and (None in (line[1], other_line[1]) or line[1] == other_line[1])


class _Bundle:
    """A bundle in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            raise ValueError(f"its format is {manifest['format']}")
        ends = {**manifest["links"], _EVIDENCE: manifest["evidence"]}
        self.chains = {
            name: _Chain(about["opening"]["number"], {about["opening"]["number"]: about["opening"]["hash"]})
            for name, about in ends.items()
        }
        for file, chain in (("entries.jsonl", ""), ("evidence.jsonl", _EVIDENCE)):
            for line in self.lines(file):
                line_chain = self.chains[chain or line["link"]]
                line_chain.hashes[line["number"]] = line["hash"]
                later = line.pop(_LATER.get(file, ""), None)
                line_chain.lines[line["number"]] = (_digest(line), None if later is None else _digest(later))

    def lines(self, file: str) -> Iterator[dict[str, Any]]:
        with (self.folder / file).open(encoding="utf-8") as text:
            for line in text:
                yield json.loads(line)

    def entry(self, chain: str, number: int) -> dict[str, Any]:
        """Return one entry of a chain; empty if the bundle does not hold it."""
        file = "evidence.jsonl" if chain == _EVIDENCE else "entries.jsonl"
        for line in self.lines(file):
            if line["number"] == number and line.get("link", _EVIDENCE) == chain:
                return line
        return {}


def compare_bundles(first: Path, second: Path) -> BundleComparison:
    """Compare two bundles, folders or ``.tar`` files, without the books."""
    with _opened(first) as first_bundle, _opened(second) as second_bundle:
        evidence = _compare_chain(first_bundle, second_bundle, _EVIDENCE, grew="")
        grew = evidence.outcome
        links = sorted({*first_bundle.chains, *second_bundle.chains} - {_EVIDENCE})
        chains = [*(_compare_chain(first_bundle, second_bundle, name, grew=grew) for name in links), evidence]
        files = [_compare_file(first_bundle, second_bundle, name) for name in _KEYS]
    return BundleComparison(relation=_relation(chains, files), chains=chains, files=files)


@contextmanager
def _opened(path: Path) -> Iterator[_Bundle]:
    with TemporaryDirectory() as folder:
        try:
            if path.is_file():
                with tarfile.open(path) as archive:
                    archive.extractall(folder, filter="data")
            bundle = _Bundle(Path(folder) if path.is_file() else path)
        except (OSError, ValueError, KeyError, TypeError, tarfile.TarError) as error:
            remedy = "name a folder or a .tar file that `feltwork export` wrote"
            raise ProblemsError([Problem(str(path), f"it is not a bundle: {error}", remedy)]) from error
        yield bundle


def _compare_chain(first_bundle: _Bundle, second_bundle: _Bundle, name: str, *, grew: str) -> ChainComparison:
    first, second = first_bundle.chains.get(name), second_bundle.chains.get(name)
    comparison = ChainComparison(
        chain=name,
        outcome="same",
        first_last=first.last if first else None,
        second_last=second.last if second else None,
        same_up_to=None,
    )
    if first is None or second is None:
        longer, there = ("first_longer", first) if second is None else ("second_longer", second)
        # Opening a link adds two-person records; if the records did not grow, the link was left out.
        is_new = grew == longer and there is not None and there.opening == 0
        difference = f"the {'second' if second is None else 'first'} bundle does not have this link"
        return replace(comparison, outcome="new" if is_new else "missing", difference=difference)
    start, end = max(first.opening, second.opening), min(first.last, second.last)
    if start > end:
        difference = f"one ends at {end} and the other begins after {start}"
        return replace(comparison, outcome="nothing_in_common", difference=difference)
    for number in range(start, end + 1):
        if not first.has_same(second, number):
            difference = (
                f"{number}: {_describe(first_bundle.entry(name, number), second_bundle.entry(name, number))}"
            )
            same = number - 1 if number > start else None
            return replace(comparison, outcome="differs", same_up_to=same, difference=difference)
    if first.last != second.last:
        comparison = replace(
            comparison, outcome="first_longer" if first.last > second.last else "second_longer"
        )
    return replace(comparison, same_up_to=end)


def _describe(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Describe how two entries with the same number differ."""
    if not first or not second:
        return (
            f"the {'second' if first else 'first'} bundle does not have it, or has it with a different hash"
        )
    first_fields, second_fields = _said(first), _said(second)
    names = [
        name
        for name in {**first_fields, **second_fields}
        if first_fields.get(name) != second_fields.get(name)
    ]
    what = [
        f"{name.replace('_', ' ')} is {_value(name, first_fields.get(name))} in the first"
        f" and {_value(name, second_fields.get(name))} in the second"
        for name in names[:_SHOWN]
    ]
    if len(names) > _SHOWN:
        what.append(f"{len(names) - _SHOWN} other fields differ")
    kind = first_fields.get("kind", "record")
    if not what:
        return f"{kind}: it says the same, and was chained or hashed differently"
    return f"{kind}: {'; '.join(what)}"


def _said(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a fact or record, without its position in the chain."""
    text = line.get("fact") or line.get("contents") or "{}"
    fields = json.loads(text) if isinstance(text, str) else text
    beside = {name: line[name] for name in ("kind", "key", "booked_at", "digest") if name in line}
    return {**fields, **beside}


def _value(name: str, value: Any) -> str:
    if name in _AMOUNTS and isinstance(value, int):
        return money.dollars(value)
    return "missing" if value is None else json.dumps(value, ensure_ascii=False)


def _compare_file(first_bundle: _Bundle, second_bundle: _Bundle, file: str) -> FileComparison:
    first, second = _records(first_bundle, file), _records(second_bundle, file)
    for key in first:
        if key in second and first[key][1] != second[key][1]:
            return _different(file, first, second, f"{_place(file, key)} is not the same")
    for records, other_records, place in ((first, second, "second"), (second, first, "first")):
        for key, (entry, _) in records.items():
            if key not in other_records and _both_booked(first_bundle, second_bundle, str(key[0]), entry):
                return _different(file, first, second, f"{_place(file, key)} is not in the {place} bundle")
    return _different(file, first, second, "")


def _both_booked(first_bundle: _Bundle, second_bundle: _Bundle, link: str, entry: int | None) -> bool:
    """Whether the entry that booked a round is in both bundles."""
    return entry is not None and all(
        link in bundle.chains and entry in bundle.chains[link].lines
        for bundle in (first_bundle, second_bundle)
    )


def _records(bundle: _Bundle, file: str) -> dict[tuple[Any, ...], tuple[int | None, bytes]]:
    records = {}
    is_booked = file in ("rounds.jsonl", "round_ends.jsonl")
    for line in bundle.lines(file):
        line.pop(_LATER.get(file, ""), None)
        if "opened" in _KEYS[file]:
            line["opened"] = bundle.chains[line["link"]].opening
        key = tuple(line[name] for name in _KEYS[file])
        records[key] = (line["entry"] if is_booked else None, _digest(line))
    return records


def _different(
    file: str, first: Mapping[Any, Any], second: Mapping[Any, Any], difference: str
) -> FileComparison:
    only_first, only_second = len(first.keys() - second.keys()), len(second.keys() - first.keys())
    return FileComparison(
        file=file,
        same=not (difference or only_first or only_second),
        only_first=only_first,
        only_second=only_second,
        difference=difference,
    )


def _place(file: str, key: tuple[Any, ...]) -> str:
    pairs = zip(_KEYS[file], key, strict=True)
    return ", ".join(f"{name.removesuffix('_id')} {value}" for name, value in pairs)


def _relation(chains: list[ChainComparison], files: list[FileComparison]) -> Relation:
    counted: defaultdict[str, int] = defaultdict(int)
    for chain in chains:
        counted[chain.outcome] += 1
    differs = counted["differs"] + counted["missing"] + counted["nothing_in_common"]
    both_longer = counted["first_longer"] and counted["second_longer"]
    if differs or both_longer or any(file.difference for file in files):
        return "different"
    if counted["first_longer"]:
        return "first_continues_second"
    return "second_continues_first" if counted["second_longer"] else "equal"


def _digest(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
