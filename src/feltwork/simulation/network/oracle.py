"""The expected amount of every award of a hub, computed only from its inflow and the order of claims."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from feltwork.simulation.network.chain_reader import PlainFact, ReadChain

CENT = 10_000
WHOLE = 10_000


@dataclass(slots=True)
class _Turn:
    award: str
    share: int
    seed: int
    #: The inflow of meter and reserve before its first lock.
    meter: int
    reserve: int


@dataclass(slots=True)
class Oracle:
    """Levels as queues: a voided claim never existed, and inflow after a lock does not count toward it."""

    #: Hand -> level and basis points.
    shares: Mapping[str, tuple[str, int]]
    #: Version -> level -> seed.
    seeds: Mapping[str, Mapping[str, int]]
    version: str
    turns: dict[str, list[_Turn]] = field(default_factory=lambda: defaultdict(list))
    #: Account -> its inflow, apart from locks.
    inflow: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    hands: dict[str, str] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)
    voided: set[str] = field(default_factory=set)

    def read(self, fact: PlainFact, postings: Mapping[str, int]) -> str:
        """Process an entry of the hub's chain; return its error, or an empty string."""
        award = fact.get("award", "")
        match fact["kind"]:
            case "Opened" | "Summed":
                for account, amount in postings.items():
                    self.inflow[account] += amount
            case "Claimed":
                if award in self.hands:
                    return f"award {award} is claimed twice"
                self.hands[award] = fact["hand"]
            case "LeastAmount":
                self.least[award] = fact["amount"]
            case "Locked":
                self._lock(fact["link"], award)
            case "Voided":
                self.voided.add(award)
            case "Reconfigured":
                self.version = fact["version"]
            case "Confirmed":
                return self._confirm(fact)
        return ""

    def _lock(self, link: str, award: str) -> None:
        level, share = self.shares[self.hands[award]]
        if all(turn.award != award for turn in self.turns[level]):
            meter, reserve = self.inflow[f"meter/{link}/{level}"], self.inflow[f"reserve/{link}/{level}"]
            seed = self.seeds[self.version][level]
            self.turns[level].append(_Turn(award, share, seed, meter, reserve))

    def _confirm(self, fact: PlainFact) -> str:
        award = fact["award"]
        amounts, _, _ = self._play(fact["link"], fact["level"])
        due = max(amounts[award], self.least.get(award, 0))
        paid = fact["from_meter"] + fact["from_house"]
        return "" if paid == due else f"award {award} is {paid} and must be {due}"

    def pools(self, link: str, level: str) -> tuple[int, int]:
        """Meter and reserve after all claims and all inflow."""
        _, meter, reserve = self._play(link, level)
        return meter, reserve

    def _play(self, link: str, level: str) -> tuple[dict[str, int], int, int]:
        meter = reserve = seen_meter = seen_reserve = 0
        amounts = {}
        for turn in self.turns[level]:
            if turn.award in self.voided:
                continue
            meter, seen_meter = meter + turn.meter - seen_meter, turn.meter
            reserve, seen_reserve = reserve + turn.reserve - seen_reserve, turn.reserve
            amounts[turn.award] = meter * turn.share // WHOLE // CENT * CENT
            meter -= amounts[turn.award]
            if turn.share == WHOLE:
                meter, reserve = meter + turn.seed + reserve, 0
        meter += self.inflow[f"meter/{link}/{level}"] - seen_meter
        return amounts, meter, reserve + self.inflow[f"reserve/{link}/{level}"] - seen_reserve


def check_awards(chain: ReadChain, oracle: Oracle) -> Iterator[str]:
    """Compare every confirmed award of the hub's chain, and the remaining balances, with the oracle."""
    link = ""
    for number, fact in chain.facts:
        link = fact["link"]
        if wrong := oracle.read(fact, chain.postings[number]):
            yield wrong
    for level in sorted({level for level, _ in oracle.shares.values()}):
        held = tuple(chain.balances.get(f"{pool}/{link}/{level}", 0) for pool in ("meter", "reserve"))
        if held != oracle.pools(link, level):
            yield f"{level} holds {held} and must hold {oracle.pools(link, level)}"
