"""The lock: the fingerprint of every released paytable, so that a changed one is noticed before it pays."""

from importlib.resources import files

from feltwork.problem import Problem
from feltwork.titles import registry

FILE = "paytables.lock"


def locked() -> dict[str, str]:
    """The fingerprints that were released, by the paytable's name."""
    lines = files("feltwork.titles").joinpath(FILE).read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines)


def fingerprints() -> dict[str, str]:
    """The fingerprints of the paytables as they are."""
    found: dict[str, str] = {}
    for title in registry.own_names():
        library = registry.library(title)
        found |= {library[key].name: library[key].fingerprint for key in library}
    return found


def problems() -> list[Problem]:
    """Where paytables and lock disagree; a released paytable never changes, a new one gets a new id."""
    released, present = locked(), fingerprints()
    found = []
    for name in sorted(released.keys() | present.keys()):
        if name not in present:
            found.append(Problem(name, "was released and is gone", "bring its file back"))
        elif name not in released:
            found.append(Problem(name, "is not in the lock", "run `just lock-paytables`"))
        elif released[name] != present[name]:
            found.append(Problem(name, "has changed since its release", "undo, and add it under a new id"))
    return found
