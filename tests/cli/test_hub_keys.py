"""The keys of a hub: made once, one more site later, and deleted when a site has left."""

import asyncio
import json
from pathlib import Path

import nats
import pytest
from nats.errors import Error
from typer.testing import CliRunner

from feltwork.cli.main import application
from feltwork.servers.nats import EmbeddedNats, NatsPlan
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import HUB, SERVER

RUN = CliRunner()


def run(folder: Path, *options: str) -> dict[str, str]:
    result = RUN.invoke(application("hub-keys"), ["hub-keys", str(folder), *options, "--json"])
    assert result.exit_code == 0, result.output
    keys: dict[str, str] = json.loads(result.output)
    return keys


@pytest.mark.requirement("GEN-07")
def test_a_hub_gets_keys_and_a_site_is_added_and_taken_away(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    first = run(keys, "--site", "north", "--site", "south")
    more = run(keys, "--site", "west")
    assert more == {**first, "west": more["west"]}, "the others keep their keys"
    south = KeyRing(keys).options("site:south")
    seed = tmp_path / "south.seed"
    seed.write_bytes(KeyRing(keys).seed("site:south").read_bytes())
    left = run(keys, "--without", "south")
    assert sorted(left) == ["north", "west"]
    assert RUN.invoke(application("hub-keys"), ["hub-keys", str(keys), "--without", "south"]).exception

    written = json.loads((keys / "server.conf").read_text(encoding="utf-8"))
    assert "jetstream" not in written
    assert written["tls"]["min_version"] == "1.3"
    rights = {name: written[name] for name in ("authorization", "accounts")}
    ring = KeyRing(keys)
    plan = NatsPlan(jetstream=False, tls=ring.certificate(SERVER), least_tls="1.3", extra=rights)
    server = EmbeddedNats(tmp_path / "nats", plan).start()
    try:
        for name in (HUB, "site:west"):
            asyncio.run(_meet(server.url, ring.options(name)))
        with pytest.raises(Error):
            asyncio.run(_meet(server.url, {**south, "nkeys_seed": str(seed)}))
    finally:
        server.stop()


async def _meet(url: str, options: dict[str, object]) -> None:
    client = await nats.connect(url, allow_reconnect=False, max_reconnect_attempts=1, **options)
    await client.close()
