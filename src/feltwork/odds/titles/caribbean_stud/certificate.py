"""The shipped counts of Cover All, the fingerprint of the rules they were counted under, and the recount."""

import hashlib
import json
from importlib import resources

from feltwork.odds.titles.caribbean_stud.counts import CATEGORIES, CORES, MOST_HANDS, good_tuples

FILE = "certificate.json"
METHOD = "inclusion-exclusion over disjoint good hands; signed cores; sweep over ranks"


def fingerprint() -> str:
    """Compute the SHA-256 of everything the integers depend on: deck, categories, cores, number of hands."""
    inputs = {
        "deck": "13 ranks of 4 suits, ace high and low",
        "hand_size": 5,
        "most_hands": MOST_HANDS,
        "categories": CATEGORIES,
        "cores": {name: repr(cores) for name, cores in CORES.items()},
    }
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def recomputed() -> dict[str, tuple[int, ...]]:
    """Count all good tuples again; takes minutes on two cores."""
    return {category: good_tuples(category) for category in CATEGORIES}


def as_json(tuples: dict[str, tuple[int, ...]]) -> str:
    """Write the certificate file."""
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
    """Read the integers; refuse a certificate that was counted under other rules."""
    content = json.loads(text)
    if content["inputs_sha256"] != fingerprint():
        raise ValueError("the Cover All certificate was counted under other rules; recompute it")
    counted = content["ordered_tuples_of_disjoint_good_hands"]
    return {name: tuple(int(n) for n in counted[name]) for name in CATEGORIES}


def shipped() -> dict[str, tuple[int, ...]]:
    """Return the integers that ship with Feltwork."""
    return from_json(resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
