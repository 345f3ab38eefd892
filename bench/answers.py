"""Seconds until `odds` and `advise` answer: each command by itself, and advice in a warm process.

    uv run python bench/answers.py

"First" has an empty cache folder, as after an installation; "warm" is the best of the runs after it. Other
load lengthens wall time; processor time is the fairer number.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from feltwork.odds.question import advice_for
from feltwork.odds.sheet import bets
from feltwork.odds.title_odds import odds_of
from feltwork.titles import registry

FELTWORK = Path(sys.executable).with_name("feltwork")
HANDS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("crazy_4", "As Ad 9c 5h 2s", {}),
    ("six_five_four", "2s 4d 6c 8h Ts", {"dealer": "9h"}),
    ("holdem_bonus", "As Ad", {}),
    ("holdem_bonus", "As 7d", {"board": "Ac 7h 2s"}),
    ("holdem_bonus", "As 7d", {"board": "Ac 7h 2s 3s"}),
    ("blackjack", "8s 8d", {"dealer": "6h"}),
    ("caribbean_stud", "As Kd Qc 7h 2s", {"dealer": "7c"}),
)
REPETITIONS = 3


def run(words: list[str], environment: Mapping[str, str], *, times: int = 1) -> str:
    """Run a command some times; say the least wall and processor seconds."""
    walls, spent = [], []
    for _ in range(times):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([FELTWORK, *words], env=environment, check=True, capture_output=True)
        walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return f"{min(walls):6.2f} wall {min(spent):5.2f} processor"


def advise(title: str, cards: str, sees: Mapping[str, str]) -> str:
    """Ask for one hand again and again; say the least milliseconds of processor time."""
    game, least = registry.game(title), float("inf")
    for _ in range(1 + REPETITIONS):
        start = time.process_time()
        advice_for(game, cards, sees, {})
        least = min(least, time.process_time() - start)
    return f"{1000 * least:6.1f} ms processor"


def _seen(sees: Mapping[str, str]) -> list[str]:
    return [word for place, cards in sees.items() for word in ("--sees", f"{place}={cards}")]


def main() -> None:
    """Print one line per command and per hand."""
    base = [["odds", title] for title in registry.own_names() if odds_of(title).base_game]
    hands = [["advise", title, cards, *_seen(sees)] for title, cards, sees in HANDS]
    for words in [*base, *(["odds", *pair] for pair in bets()), *hands]:
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "FELTWORK_CACHE": home}
            first, warm = run(words, environment), run(words, environment, times=REPETITIONS)
        print(f"{' '.join(words):<40} first {first}   warm {warm}", flush=True)
    for title, cards, sees in HANDS:
        print(f"advise {title} {cards} {sees or ''}: {advise(title, cards, sees)}", flush=True)


if __name__ == "__main__":
    main()
