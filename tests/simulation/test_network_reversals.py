"""Tampering with the reversal of a network award: the verifier names each case."""

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from feltwork.compliance.two_person import Command, fingerprint
from feltwork.money import DOLLAR
from feltwork.progressive.network import hub, site, site_commands
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.hub_replies import answer
from feltwork.progressive.sign_offs import TwoPersonRequest
from feltwork.simulation.network.world import NetworkWorld
from tests.simulation.network_bundles import eventful_world, write_bundles, write_lines
from tests.simulation.network_forger import ForgedNetwork
from tests.simulation.test_network_tampering import PAID, verified

REQUEST = TwoPersonRequest(by="ann", approved_by="bob", reason="the deck was short")
TOLD = {"award": PAID, "adjustment": "REV-1", "evidence": "camera 12"}


def reverse(world: NetworkWorld) -> None:
    """Two people of the site reverse an award that was paid, and the hub books it."""
    member, node = world.sites["S2"], world.hub
    member.commit(site_commands.reverse(member.books, REQUEST, **TOLD, at=world.now))
    _, sent = site.outgoing(member.books, member.memory, member.timing, world.now, idle=True)
    (message,) = [message for message in sent if isinstance(message, m.ReverseUp)]
    node.commit(hub.receive(node.books, node.memory, message, node.journal, world.now).facts)
    (down,) = answer(node.books, message)
    step = site.receive(
        member.books, member.memory, down, world.now, idle=True, hash_of=member.journal.hash_at
    )
    member.commit(step.facts)
    assert not member.books.open


def approve(folder: Path, link: str) -> None:
    """The proposal and its approval, as the records of the site's bundle."""
    body = {"command": "reverse", "reason": REQUEST.reason, "link": link, **TOLD}
    command = Command(name="reverse", about=PAID, body={"proposal": "P-1", **body})
    times = {"lapses_at": "2100-01-01T00:00:00+00:00", "answered_at": "2000-01-01T00:00:00+00:00"}
    proposal = {"id": "P-1", "command": "reverse", "about": PAID, "body": body}
    contents = {
        "proposal": {**proposal, "fingerprint": fingerprint(command), "proposed_by": "ann", **times},
        "approval": {"approved": True, "fingerprint": fingerprint(command), "answered_by": "bob", **times},
    }
    rows, previous = list[dict[str, object]](), "0" * 64
    for number, (kind, content) in enumerate(contents.items(), 1):
        text = json.dumps(content)
        digest = sha256(text.encode()).hexdigest()
        own = sha256("\n".join((str(number), kind, "P-1", digest, previous)).encode()).hexdigest()
        place = {"number": number, "kind": kind, "key": "P-1", "previous": previous}
        rows.append({**place, "digest": digest, "contents": text, "hash": own})
        previous = own
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["files"]["evidence.jsonl"] = write_lines(folder / "evidence.jsonl", rows)
    manifest["evidence"]["closing"] = {"number": len(rows), "hash": previous}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    world = eventful_world()
    world.run()
    reverse(world)
    bundles = write_bundles(world, tmp_path_factory.mktemp("reversed"))
    approve(bundles[2], world.scenario.link.id)
    return bundles


def unbooked(network: ForgedNetwork) -> None:
    network.remove("HUB", network.one("HUB", "ReversalReceived"))


def at_the_hub_alone(network: ForgedNetwork) -> None:
    gone = [network.one("S2", kind, award=PAID) for kind in ("Reversed", "ReversalPassedOn")]
    network.remove("S2", *gone, network.one("S2", "Acknowledged", what="reversed"))


def kept(network: ForgedNetwork) -> None:
    network.remove("S2", network.one("S2", "ReversalPassedOn"))


def in_part(network: ForgedNetwork) -> None:
    entry = network.one("HUB", "ReversalReceived")
    entry.fact["to_meter"] -= DOLLAR
    entry.post({f"meter/N1/{entry.fact['level']}": -DOLLAR, "clearing/N1/sites": DOLLAR})


def twice(network: ForgedNetwork) -> None:
    network.again("HUB", network.one("HUB", "ReversalReceived"))


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (unbooked, f"the hub has not booked award {PAID}"),
        (at_the_hub_alone, f"site S2 has not reversed award {PAID}"),
        (kept, "was reversed and is not passed on to the hub"),
        (in_part, "gives back something else than it had locked"),
        (twice, f"reversalreceived once more: award {PAID}"),
    ],
)
def test_the_verifier_names_what_was_done_to_a_reversal(
    honest: list[Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    forge: Callable[[ForgedNetwork], None],
    message: str,
) -> None:
    assert verified(honest, capsys)[0] == 0
    bundles = [Path(shutil.copytree(path, tmp_path / path.name)) for path in honest]
    network = ForgedNetwork(bundles)
    forge(network)
    network.seal()
    code, output = verified(bundles, capsys)
    assert code == 1
    assert message in output
