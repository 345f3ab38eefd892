"""Permissions of each device and program of a floor to publish and subscribe, made from its floor file."""

from collections.abc import Iterable

from feltwork.compliance.floor import Floor
from feltwork.servers.nats import NatsUser
from feltwork.servers.nats_keys import KeyRing, inbox_of, public_half
from feltwork.wire.streams import DOWNLINK, FELT, METERS, TABLES
from feltwork.wire.subjects import meters_of, token

#: The programs of a site: the bookkeeper reads and answers table messages, the service monitors tables; a
#: leaf is a pit's or table's server.
BOOKS = "books"
SERVICE = "service"
LEAF = "leaf"
SERVER = "server"
#: The bookkeeper in the system account, which has no files of its own.
GUARD = "guard"
#: Requests to the servers there.
CONNECTIONS = "$SYS.REQ.SERVER.PING.CONNZ"
KICK = "$SYS.REQ.SERVER.{server}.KICK"
_INBOXES = "_INBOX.>"


def table_rights(nkey: str, table: str, links: Iterable[str]) -> NatsUser:
    """Permissions of a table: publish for itself only, receive its messages and links' meters [GEN-07]."""
    meter_subjects = [meters_of(link) for link in links]
    uplinks, downlinks = f"felt.*.{token(table)}.>", f"told.*.{token(table)}.>"
    return NatsUser(
        nkey=nkey,
        publish=(
            uplinks,
            *_looks_up(FELT, uplinks),
            *_looks_up(DOWNLINK, downlinks),
            *(way for subject in meter_subjects for way in _looks_up(METERS, subject)),
        ),
        subscribe=(downlinks, *meter_subjects, f"{inbox_of(table)}.>"),
    )


def sign_rights(nkey: str, name: str, link: str) -> NatsUser:
    """Permissions of a sign: read the meters of its link, and ask for the latest ones [LT-12]."""
    subject = meters_of(link)
    return NatsUser(nkey=nkey, publish=_looks_up(METERS, subject), subscribe=(subject, f"{inbox_of(name)}.>"))


def books_rights(nkey: str) -> NatsUser:
    """Permissions of the bookkeeper: manage the streams, read the messages of tables and answer them."""
    return NatsUser(
        nkey=nkey,
        publish=("told.>", "meters.>", "parked.>", "signed_on.>", "$JS.>", _INBOXES),
        subscribe=("felt.>", "told.>", "meters.>", "$JS.EVENT.>", _INBOXES),
    )


def service_rights(nkey: str) -> NatsUser:
    """Permissions of the service: receive tables' health and sensors and the meters, and send nothing."""
    return NatsUser(
        nkey=nkey,
        publish=_looks_up(TABLES, "felt.*.*.sensors"),
        subscribe=("felt.*.*.sensors", "felt.*.*.health", "meters.*", f"{inbox_of(SERVICE)}.>"),
    )


def guard_rights(nkey: str) -> NatsUser:
    """Permissions of the bookkeeper in the system account: list connections, and close them."""
    return NatsUser(
        nkey=nkey,
        publish=(CONNECTIONS, KICK.format(server="*")),
        subscribe=(f"{inbox_of(GUARD)}.>",),
        system=True,
    )


def leaf_rights(nkey: str) -> NatsUser:
    """Permissions of a leaf, which checks its own tables' permissions before anything reaches the site."""
    return NatsUser(
        nkey=nkey,
        publish=("felt.>", "$JS.>", _INBOXES),
        subscribe=("told.>", "meters.>", "$JS.>", "_GR_.>", _INBOXES),
    )


def sign_of(link: str) -> str:
    """The name of a link's signs: they share one key, since all of them only read."""
    return f"sign:{link}"


def make_keys(
    floor: Floor, ring: KeyRing, hosts: Iterable[str] = ("127.0.0.1", "localhost")
) -> tuple[NatsUser, ...]:
    """Make the missing keys of a floor, and return the users that the server must know."""
    ring.make_authority(floor.site)
    ring.make(SERVER, hosts)
    users = [
        books_rights(ring.make(BOOKS)),
        service_rights(ring.make(SERVICE)),
        leaf_rights(ring.make(LEAF)),
        guard_rights(public_half(ring.derived_seed(BOOKS, GUARD))),
    ]
    for table in floor.tables:
        links = [link.id for link in floor.links_of(table)]
        users.append(table_rights(ring.make(table.id), table.id, links))
    for link in floor.links:
        name = sign_of(link.id)
        users.append(sign_rights(ring.make(name), name, link.id))
    return tuple(users)


def _looks_up(stream: str, subject: str) -> tuple[str, ...]:
    """Permission to request the newest message of a subject from a stream, here or in another domain."""
    return (f"$JS.API.DIRECT.GET.{stream}.{subject}", f"$JS.*.API.DIRECT.GET.{stream}.{subject}")
