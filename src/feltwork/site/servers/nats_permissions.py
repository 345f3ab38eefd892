"""Permissions of each device and program of a floor to publish and subscribe, made from its floor file."""

from collections.abc import Iterable, Mapping

from feltwork.site.compliance.floor import Floor
from feltwork.site.servers.nats import NatsUser
from feltwork.site.servers.nats_keys import KeyRing, inbox_of, public_half
from feltwork.site.wire.streams import DOWNLINK, FELT, METERS, TABLES
from feltwork.site.wire.subjects import meters_of, token, uplink_subject

#: The programs of a site: the bookkeeper reads and answers table messages, the service monitors tables.
BOOKS = "books"
SERVICE = "service"
SERVER = "server"
#: Further keys of the bookkeeper, which have no files of their own: in the system account, and for streams.
GUARD = "guard"
STREAMS = "streams"
#: Requests to the servers there.
CONNECTIONS = "$SYS.REQ.SERVER.PING.CONNZ"
KICK = "$SYS.REQ.SERVER.{server}.KICK"
#: Where `feltwork doctor` tries whether NATS stores a message.
DOCTOR = "parked.doctor"
#: The JetStream domain of a site of several hosts.
SITE_DOMAIN = "site"


def table_rights(nkey: str, table: str, links: Iterable[str]) -> NatsUser:
    """Permissions of a table: publish for itself on its links, receive its messages and meters [GEN-07].

    A subject with any other link would keep its messages for nobody, and fill the log.
    """
    links = list(links)
    meter_subjects = [meters_of(link) for link in links]
    uplinks, downlinks = _uplinks(table, links), f"told.*.{token(table)}.>"
    return NatsUser(
        nkey=nkey,
        publish=(
            *uplinks,
            *(way for subject in uplinks for way in _looks_up(FELT, subject)),
            *_looks_up(DOWNLINK, downlinks),
            *(way for subject in meter_subjects for way in _looks_up(METERS, subject)),
        ),
        subscribe=(downlinks, *meter_subjects, f"{inbox_of(table)}.>"),
    )


def sign_rights(nkey: str, name: str, link: str) -> NatsUser:
    """Permissions of a sign: read the meters of its link, and ask for the latest ones [LT-12]."""
    subject = meters_of(link)
    return NatsUser(nkey=nkey, publish=_looks_up(METERS, subject), subscribe=(subject, f"{inbox_of(name)}.>"))


def books_rights(nkey: str, tables: Iterable[str]) -> NatsUser:
    """Permissions of the bookkeeper: read the messages of tables and answer them.

    It answers where a table asks it to, so it may not publish what would manage a stream, or be a message of
    a table.
    """
    reads = f"API.CONSUMER.MSG.NEXT.{FELT}.*"
    return NatsUser(
        nkey=nkey,
        publish=(
            "told.>",
            "meters.>",
            "parked.>",
            "signed_on.>",
            f"$JS.{reads}",
            f"$JS.*.{reads}",
            "$JS.ACK.>",
            *(f"$JS.API.DIRECT.GET.{stream}.>" for stream in (FELT, TABLES, DOWNLINK)),
            *(f"{inbox_of(table)}.>" for table in tables),
        ),
        subscribe=("felt.*.*.hello", "felt.*.*.sign_on", f"{inbox_of(BOOKS)}.>"),
    )


def streams_rights(nkey: str) -> NatsUser:
    """Permissions of the bookkeeper's connection that manages streams, and answers nobody."""
    return NatsUser(nkey=nkey, publish=("$JS.>", DOCTOR), subscribe=(f"{inbox_of(STREAMS)}.>",))


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


def pit_rights(nkey: str, pit: str, tables: Mapping[str, Iterable[str]]) -> NatsUser:
    """Permissions of a pit's server: its tables with their links, and its own domain, nothing of others."""
    links = {link: None for links in tables.values() for link in links}
    listeners = [*tables, *map(sign_of, links)]
    return NatsUser(
        nkey=nkey,
        publish=(
            *(subject for table, links in tables.items() for subject in _uplinks(table, links)),
            f"$JS.{SITE_DOMAIN}.API.DIRECT.GET.>",
            f"{inbox_of(BOOKS)}.>",
            f"{inbox_of(STREAMS)}.>",
        ),
        subscribe=(
            *(f"told.*.{token(table)}.>" for table in tables),
            *map(meters_of, links),
            f"$JS.{pit}.API.>",
            "$JS.ACK.>",
            "_GR_.>",
            *(f"{inbox_of(name)}.>" for name in listeners),
        ),
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
    return (
        books_rights(ring.make(BOOKS), [table.id for table in floor.tables]),
        streams_rights(public_half(ring.derived_seed(BOOKS, STREAMS))),
        service_rights(ring.make(SERVICE)),
        guard_rights(public_half(ring.derived_seed(BOOKS, GUARD))),
        *make_device_keys(floor, ring, links_of_tables(floor)),
    )


def make_device_keys(
    floor: Floor, ring: KeyRing, tables: Mapping[str, Iterable[str]]
) -> tuple[NatsUser, ...]:
    """Make the missing keys of tables with their links and of all signs, and return them as users."""
    signs = {link.id: sign_of(link.id) for link in floor.links}
    return (
        *(table_rights(ring.make(table), table, links) for table, links in tables.items()),
        *(sign_rights(ring.make(name), name, link) for link, name in signs.items()),
    )


def links_of_tables(floor: Floor) -> dict[str, list[str]]:
    """Each table of a floor with its links."""
    return {table.id: [link.id for link in floor.links_of(table)] for table in floor.tables}


def _uplinks(table: str, links: Iterable[str]) -> tuple[str, ...]:
    return tuple(uplink_subject(link, table, ">") for link in links)


def _looks_up(stream: str, subject: str) -> tuple[str, ...]:
    """Permission to request the newest message of a subject from a stream, here or in another domain."""
    return (f"$JS.API.DIRECT.GET.{stream}.{subject}", f"$JS.*.API.DIRECT.GET.{stream}.{subject}")
