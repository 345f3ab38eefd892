"""The lock file: the fingerprint of every released paytable."""

from importlib.resources import files

from feltwork.problem import Problem
from feltwork.titles import registry

FILE = "paytables.lock"


def locked() -> dict[str, str]:
    """Return the released fingerprints by paytable name."""
    lines = files("feltwork.titles").joinpath(FILE).read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines)


def fingerprints() -> dict[str, str]:
    """Return the current fingerprints by paytable name."""
    prints: dict[str, str] = {}
    for title in registry.own_names():
        library = registry.library(title)
        prints |= {library[key].name: library[key].fingerprint for key in library}
    return prints


def problems() -> list[Problem]:
    """List the differences between paytables and lock file; a released paytable never changes."""
    released, present = locked(), fingerprints()
    problems_ = []
    for name in sorted(released.keys() | present.keys()):
        if name not in present:
            problems_.append(Problem(name, "was released and is missing", "restore its file"))
        elif name not in released:
            problems_.append(Problem(name, "is not in the lock file", "run `just lock-paytables`"))
        elif released[name] != present[name]:
            problems_.append(
                Problem(name, "has changed since its release", "revert it, and add the change under a new id")
            )
    return problems_
