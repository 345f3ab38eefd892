"""The counts behind Cover All as a certificate: shipped integers, the rules they were counted by, a recount.

The three heavy counts take minutes; a certificate whose fingerprint does not match the rules in force is
refused, and `recomputed` derives every integer again.
"""

import hashlib
import json
from collections.abc import Callable
from importlib import resources

from feltwork.odds.titles.caribbean_stud.counts import CATEGORIES, CORES, MOST_HANDS, good_tuples

FILE = "certificate.json"
METHOD = "inclusion-exclusion over disjoint good hands; signed cores; sweep over ranks"


def fingerprint() -> str:
    """Digest of everything the integers depend on: deck, categories, cores, number of hands."""
    inputs = {
        "deck": "13 ranks of 4 suits, ace high and low",
        "hand_size": 5,
        "most_hands": MOST_HANDS,
        "categories": CATEGORIES,
        "cores": {name: repr(cores) for name, cores in CORES.items()},
    }
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def recomputed(
    *, workers: int = 2, progress: Callable[[str, int, int], None] | None = None
) -> dict[str, tuple[int, ...]]:
    """All good tuples counted afresh: some minutes on two cores."""
    tuples: dict[str, tuple[int, ...]] = {}
    for category in CATEGORIES:

        def report(done: int, steps: int, category: str = category) -> None:
            if progress is not None:
                progress(category, done, steps)

        tuples[category] = good_tuples(category, workers=workers, progress=report)
    return tuples


def as_json(tuples: dict[str, tuple[int, ...]]) -> str:
    """The certificate as it is shipped."""
    content = {
        "title": "caribbean_stud",
        "bet": "cover_all",
        "method": METHOD,
        "inputs_sha256": fingerprint(),
        "ordered_tuples_of_disjoint_good_hands": {
            name: [str(n) for n in tuples[name]] for name in CATEGORIES
        },
    }
    return json.dumps(content, indent=2) + "\n"


def from_json(text: str) -> dict[str, tuple[int, ...]]:
    """The integers of a certificate that was counted by the rules in force."""
    content = json.loads(text)
    if content["inputs_sha256"] != fingerprint():
        raise ValueError("the Cover All certificate was counted by other rules; recompute it")
    counted = content["ordered_tuples_of_disjoint_good_hands"]
    return {name: tuple(int(n) for n in counted[name]) for name in CATEGORIES}


def shipped() -> dict[str, tuple[int, ...]]:
    """The integers that come with Feltwork."""
    return from_json(resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
