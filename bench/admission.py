"""What admission costs for each round: rounds in messages of 500, and in messages of their own."""

import random
import time
from types import SimpleNamespace

from feltwork.compliance.floor import link_from_floor
from feltwork.operations.tables.admission import Admission, now
from feltwork.operations.tables.round_quota import BatchQuota, RoundQuota
from feltwork.simulation.floors import room
from feltwork.wire.uplink import Rounds, RoundStarted

ROUNDS, IN_A_MESSAGE = 50_000, 500


def main() -> None:
    """Print microseconds per round."""
    floor, dice, at = room("storm"), random.Random(1), now()
    link = next(link for link in floor.links if link.id == "devices")
    about = {"link": link.id, "at": at, "table": "D1", "sign_on": "s", "wager": link.wager}
    about["version"] = link_from_floor(floor, link).fingerprint
    seats = [tuple(sorted(dice.sample(range(1, 8), dice.randint(1, 7)))) for _ in range(ROUNDS)]
    alone = [RoundStarted(**about, round=n, step=0, seats=of) for n, of in enumerate(seats, 1)]
    together = [
        Rounds(**about, first=n + 1, rounds=tuple((at, of) for of in seats[n : n + IN_A_MESSAGE]))
        for n in range(0, ROUNDS, IN_A_MESSAGE)
    ]
    delivery = SimpleNamespace(stored_at=at)
    for name, messages in (("in messages of 500", together), ("in messages of their own", alone)):
        admission, counted = Admission(floor), RoundQuota()
        # It reads the rounds of the last hour once, from books without any.
        empty = SimpleNamespace(execute=lambda *_: SimpleNamespace(fetchall=list))
        quota = BatchQuota(empty, counted, admission, [delivery])
        began = time.process_time()
        for message in messages:
            admission.refusal(message, at)
            quota.refusal(delivery, message)
        print(f"{(time.process_time() - began) / ROUNDS * 1e6:.2f} microseconds per round {name}")


if __name__ == "__main__":
    main()
