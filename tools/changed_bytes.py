"""Change one byte in each of many installed files, and see that `feltwork components` notices every change.

    /opt/feltwork/bin/python3 changed_bytes.py /etc/feltwork/approved.toml [--count 200] [--seed 17]

Run it as root with the Python of an installation. A round changes one random file of every component at once,
since each component has a hash of its own; then every file is put back.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from feltwork.bookkeeper import components
from feltwork.problem import ProblemsError


class ChangedFiles:
    """Files with one other byte, until they are put back."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: dict[Path, Path] = {}

    def change(self, path: Path, dice: random.Random) -> None:
        """Replace a file by a copy with another byte; programs keep the file that they have opened."""
        content = bytearray(path.read_bytes())
        content[dice.randrange(len(content))] ^= dice.randrange(1, 256)
        changed, backup = self._folder / "changed", self._folder / str(len(self._kept))
        changed.write_bytes(content)
        shutil.copystat(path, changed)
        os.link(path, backup)
        changed.replace(path)
        self._kept[path] = backup

    def put_back(self) -> None:
        for path, backup in self._kept.items():
            backup.replace(path)
        self._kept = {}


def is_approved(approved: Path) -> bool:
    components.components.cache_clear()
    try:
        components.verify_components(approved)
    except ProblemsError:
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("approved", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=17)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    approved_digests = tomllib.loads(options.approved.read_text(encoding="utf-8"))["components"]
    assert is_approved(options.approved), "this installation is not the approved one"
    files = {
        name: sorted(path for path in map(Path, paths) if path.stat().st_size and not path.is_symlink())
        for name, paths in components._files().items()
    }
    files = {name: paths for name, paths in files.items() if paths}
    changes, rounds, noticed = 0, 0, 0
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        changed = ChangedFiles(Path(folder))
        while changes < options.count:
            names = dice.sample(sorted(files), min(len(files), options.count - changes))
            chosen = {name: dice.choice(files[name]) for name in names}
            try:
                for path in chosen.values():
                    changed.change(path, dice)
                refused = not is_approved(options.approved)
                digests = components.components()
            finally:
                changed.put_back()
            for name, path in chosen.items():
                if refused and digests.get(name) != approved_digests[name]:
                    noticed += 1
                else:
                    print(f"not noticed: {path}")
            changes, rounds = changes + len(chosen), rounds + 1
    assert is_approved(options.approved), "a file was not put back"
    number = sum(map(len, files.values()))
    print(f"{noticed} of {changes} changed bytes noticed, among {number} files of {len(files)} components")
    return int(noticed != changes)


if __name__ == "__main__":
    sys.exit(main())
