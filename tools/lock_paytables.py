"""Adds new paytables to ``paytables.lock``; a line that is there is never changed or removed."""

import sys
from pathlib import Path

import feltwork.titles
from feltwork.titles import paytable_lock

LOCK_FILE = Path(feltwork.titles.__path__[0]) / paytable_lock.FILE


def main() -> int:
    problems = paytable_lock.problems()
    changed = [problem for problem in problems if not problem.what.startswith("is not in the lock")]
    for problem in changed:
        sys.stderr.write(f"error: {problem}\n")
    if changed:
        return 2
    new = {
        name: mark
        for name, mark in paytable_lock.fingerprints().items()
        if name not in paytable_lock.locked()
    }
    with LOCK_FILE.open("a", encoding="utf-8") as file:
        file.writelines(f"{name} {mark}\n" for name, mark in new.items())
    sys.stdout.write(f"locked {len(new)} new paytables\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
