"""The commands of a documentation page, so that tests can run exactly what people read."""

import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def tracked_files() -> tuple[Path, ...]:
    """The files of the repository, without pages that a build has written."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(ROOT / name for name in names.splitlines() if (ROOT / name).is_file())


def commands(page: str, part: str) -> list[str]:
    """The lines after ``$`` in the block that follows ``<!-- run: part -->``."""
    text = (ROOT / page).read_text(encoding="utf-8")
    block = re.search(rf"^ *<!-- run: {part} -->\n *```console\n(.*?)^ *```", text, flags=re.M | re.S)
    assert block is not None, f"{page} has no block to run that is called {part}"
    lines = [line.strip() for line in block[1].splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
