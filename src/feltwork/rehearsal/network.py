"""A network under rehearsal: a hub and its sites, with the connections between them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from feltwork import money
from feltwork.bookkeeper.hub import Hub, HubSettings
from feltwork.bookkeeper.process import BookkeeperSettings
from feltwork.rehearsal.relay import Relay
from feltwork.rehearsal.script import Script
from feltwork.rehearsal.service_client import ServiceClient
from feltwork.rehearsal.site import OpenSite, Site
from feltwork.servers.nats import EmbeddedNats, NatsPlan
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_permissions import HUB, SERVER, make_hub_keys, site_key

_POLL_SECONDS = 0.05
#: How long books may take to agree, and how long a signature may wait for its turn.
_TIMEOUT_SECONDS = 60.0
_TURN_SECONDS = 3.0


class Network:
    """The places of a network: the hub, whose name is empty, and its sites."""

    def __init__(self, script: Script, opened: Mapping[str, OpenSite], relays: Mapping[str, Relay]) -> None:
        self._links = [link.id for link in script.floor.links if link.network]
        self._clients = {place: site.client for place, site in opened.items()}
        self._relays = relays
        self._cut: set[str] = set()

    async def cut(self, site: str) -> None:
        """Cut a site off, and wait until it takes no more wagers."""
        self._cut.add(site)
        await self._relays[site].cut()
        await _until(lambda: self._is_stopped(site), _TIMEOUT_SECONDS)

    async def mend(self, site: str) -> None:
        """Reconnect a site."""
        self._cut.discard(site)
        await self._relays[site].mend()

    async def settle(self) -> None:
        """Wait until the hub and its connected sites are in sync.

        A signature may have to wait for its turn at the hub.
        """
        await _until(lambda: self._agree(signed=True), _TIMEOUT_SECONDS)
        await _until(lambda: self._agree(signed=False), _TURN_SECONDS)

    async def shown(self) -> dict[str, Any]:
        """Return the meters that the hub and every site show."""
        meters = {}
        for place, client in self._clients.items():
            states = {link: await client.meters(link) for link in self._links}
            meters[place or "hub"] = {
                link: {level: money.text(amount) for level, amount in levels.items()}
                for link, (levels, _) in states.items()
            }
        return {"sites": meters}

    async def _is_stopped(self, site: str) -> bool:
        return not any([(await self._clients[site].link(link))["takes_wagers"] for link in self._links])

    async def _agree(self, *, signed: bool) -> bool:
        """Whether the hub and its connected sites agree; ``signed`` ignores unanswered signatures."""
        hub = self._clients[""]
        known = {link["link"]: link for link in (await hub.network())["links"]}
        for link in self._links:
            awards = {award["id"]: award for award in await hub.awards_shown(link)}
            members = {member["site"]: member for member in known[link]["sites"]}
            for site in self._clients.keys() - self._cut - {""}:
                client = self._clients[site]
                site_awards = await client.awards_shown(link)
                if not all(
                    _is_answered(award, awards.get(award["id"]), signed=signed) for award in site_awards
                ):
                    return False
                if not await self._is_heard(client, link, members[site]["entry"]):
                    return False
        return True

    async def _is_heard(self, client: ServiceClient, link: str, entry: int) -> bool:
        """Whether the hub knows the end of a site's chain, and the site shows the hub's meters."""
        hub, site = await self._clients[""].link(link), await client.link(link)
        same = [{level: pools["meter"] for level, pools in view["meters"].items()} for view in (hub, site)]
        return site["entry"] == entry and same[0] == same[1] and site["takes_wagers"] == hub["takes_wagers"]


def _is_answered(award: Mapping[str, Any], hubs: Mapping[str, Any] | None, *, signed: bool) -> bool:
    """Whether site and hub have an award in the same state."""
    if hubs is None:
        return award["status"] not in ("claimed", "confirmed", "paid")
    waits = award["status"] == "claimed" and award["supervisor"] + award["executive"]
    if waits and not signed:
        return False
    if award["status"] not in ("claimed", "confirmed", "paid"):
        return hubs["status"] not in ("claimed", "confirmed", "paid")
    return bool(waits) or (award["status"], award["amount"]) == (hubs["status"], hubs["amount"])


@asynccontextmanager
async def running(
    site: Site, script: Script, opened: Mapping[str, OpenSite]
) -> AsyncIterator[tuple[Network, dict[str, str]]]:
    """Start a hub and the bookkeepers of its sites; yield the network and each site's NATS URL."""
    ring = site.hub_keys
    users = make_hub_keys(script.sites, ring)
    async with AsyncExitStack() as stack:
        server = _start(stack, site, "hub", hub_plan(users, ring.certificate(SERVER)))
        stop = asyncio.Event()
        dsn = site.writer_dsn(opened[""].database)
        hub = Hub(HubSettings(dsn=dsn, url=server.url, options=ring.options(HUB)))
        serving = asyncio.create_task(hub.run(stop))
        stack.push_async_callback(_end, serving, stop)
        relays, logs = {}, {}
        for name, part in script.sites.items():
            relay = relays[name] = Relay(server.port)
            await relay.mend()
            stack.push_async_callback(relay.cut)
            logs[name] = _start(stack, site, name, NatsPlan(sync_always=False)).url
            settings = BookkeeperSettings(
                dsn=site.writer_dsn(opened[name].database),
                url=logs[name],
                hub_url=f"tls://127.0.0.1:{relay.port}",
                hub_options=lambda known: ring.options(site_key(known)),
            )
            await stack.enter_async_context(site.bookkeeper(settings, [link.id for link in part.floor.links]))
        network = Network(script, opened, relays)
        await network.settle()
        yield network, logs


def _start(stack: AsyncExitStack, site: Site, name: str, plan: NatsPlan) -> EmbeddedNats:
    server = EmbeddedNats(site.folder / f"network-{name}", plan)
    stack.callback(server.remove)
    return server.start()


async def _end(serving: asyncio.Task[None], stop: asyncio.Event) -> None:
    stop.set()
    await asyncio.gather(serving, return_exceptions=True)


async def _until(is_true: Callable[[], Awaitable[bool]], seconds: float) -> None:
    """Poll until a condition holds or the timeout passes."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not await is_true() and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(_POLL_SECONDS)
