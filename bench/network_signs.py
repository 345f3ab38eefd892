"""How soon two sites of a network show what one of them has played, stop without their hub, and play again.

    uv run python bench/network_signs.py --rounds 100

A hub with its own process, NATS over TLS, two sites with bookkeepers, real books. Sites are asked every 5 ms.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork.servers.postgres import EmbeddedPostgres
from tests.bookkeeper.test_network import NAMES, Installation

_MOST_SECONDS = 60.0


def seconds_until(holds: Callable[[], bool]) -> float:
    """How long something takes to come true."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > _MOST_SECONDS:
            raise SystemExit("it did not come true within a minute")
        time.sleep(0.005)
    return time.monotonic() - begun


def measure(network: Installation, rounds: int) -> dict[str, float]:
    """Play rounds at both sites in turn, then kill the hub and start it again."""
    seconds_until(lambda: all(map(network.takes_wagers, NAMES)))
    each = network.link.wager * network.link.level("jackpot").contribution // 10_000
    durations = []
    for number in range(rounds):
        amounts = {"jackpot": network.meter() + 3 * each}
        network.sites[NAMES[number % len(NAMES)]].play(1, 2, 3)
        durations.append(
            seconds_until(lambda: all(site.is_showing(amounts) for site in network.sites.values()))  # noqa: B023
        )
    network.process.kill()
    network.process.wait()
    stopped = seconds_until(lambda: all(map(network.is_stopped, NAMES)))
    network.process = network.start_hub()
    again = seconds_until(lambda: all(map(network.takes_wagers, NAMES)))
    durations.sort()
    return {
        "equal_p50": statistics.median(durations),
        "equal_p99": durations[min(len(durations) - 1, len(durations) * 99 // 100)],
        "stopped_after": stopped,
        "plays_after": again,
    }


def main() -> None:
    """Measure, and print seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="feltwork-network-")))
        folder.chmod(0o755)
        postgres = EmbeddedPostgres(folder / "books").start()
        stack.callback(postgres.remove)
        for name, seconds in measure(Installation(postgres, folder, stack), options.rounds).items():
            print(f"{name:<16} {seconds:.3f} s")


if __name__ == "__main__":
    main()
