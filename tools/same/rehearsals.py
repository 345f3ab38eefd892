"""The results of every example rehearsal, over HTTP and over NATS, which must agree."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_REPOSITORY = Path(__file__).parents[2]
_COMMAND = [
    sys.executable,
    "-c",
    "from feltwork.cli.main import main; main()",
    "rehearse",
    "--json",
    "--via",
    "both",
]
#: A message that says when somebody did something.
_CLOCK = re.compile(r"\d+:\d\d [AP]M")


def rehearsals() -> Iterator[tuple[str, str]]:
    """Yield each step of each file."""
    files = sorted(
        str(path.relative_to(_REPOSITORY)) for path in _REPOSITORY.glob("examples/rehearsals/*.toml")
    )
    process = subprocess.run(
        [*_COMMAND, *files], cwd=_REPOSITORY, capture_output=True, text=True, check=False
    )
    yield "end", f"{process.returncode} {process.stderr.strip()}"
    for file, results in json.loads(process.stdout).items():
        for result in results:
            text = _CLOCK.sub("TIME", json.dumps(result, sort_keys=True))
            yield f"{Path(file).stem}/{result['step']:02} {result['do']}", text
