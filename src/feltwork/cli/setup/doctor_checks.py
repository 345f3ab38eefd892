"""What the doctor looks at: books, room on the disk, settings, components, keys and the log."""

import asyncio
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import httpx
import nats
from cryptography import x509

from feltwork.operations.schema import ServerStatus, UnavailableError, newest, status
from feltwork.problem import ProblemsError

State = Literal["well", "missing", "to be weighed"]
_OLDEST = 150_000
_TESTED = 180_000
_SKEW_SECONDS = 1.0
_ROOM_GIGABYTES = 5
_DAYS_BEFORE_EXPIRY = 60
_PATIENCE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """One thing that was looked at."""

    check: str
    state: State
    what: str
    remedy: str = ""


def books(dsn: str) -> list[DoctorCheck]:
    """PostgreSQL, its settings and its clock; the schema, the people, the floor."""
    try:
        server = status(dsn)
    except UnavailableError as error:
        return [DoctorCheck("books", "missing", one.what, one.remedy) for one in error.problems]
    return [*_server(server), *_clock(server), *_content(server)]


def _server(server: ServerStatus) -> Iterator[DoctorCheck]:
    release = server.version // 10_000
    if server.version < _OLDEST:
        yield DoctorCheck("postgresql", "missing", "PostgreSQL is older than 15", "take a newer one")
    elif server.version < _TESTED:
        told = f"PostgreSQL {release} is older than 18, which the tests run on"
        yield DoctorCheck("postgresql", "to be weighed", told, "upgrade it when it suits")
    else:
        yield DoctorCheck("postgresql", "well", f"PostgreSQL {release}")
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        if server.settings[setting] == "off":
            told, remedy = f"{setting} is off: a power cut loses money", f"set {setting} = on"
            yield DoctorCheck(setting, "missing", told, remedy)
        else:
            yield DoctorCheck(setting, "well", f"{setting} is on")
    for setting, told, remedy in (
        ("data_checksums", "a page that the disk spoils is not noticed", "pg_checksums --enable"),
        ("archive_mode", "the log of the database never leaves its machine", "see docs/operating/backup.md"),
    ):
        if server.settings[setting] == "off":
            yield DoctorCheck(setting, "to be weighed", f"{setting} is off: {told}", remedy)
    if server.settings["is_superuser"] == "on":
        told = "this login is a superuser of the database"
        yield DoctorCheck("login", "to be weighed", told, "feltwork init --logins DIR, and use its logins")


def _clock(server: ServerStatus) -> Iterator[DoctorCheck]:
    if server.clock_seconds > _SKEW_SECONDS:
        told = f"the clocks here and at the database are {server.clock_seconds:.1f} seconds apart"
        yield DoctorCheck("clock", "missing", told, "let both follow the same time server")
    else:
        yield DoctorCheck("clock", "well", f"the clocks are less than {_SKEW_SECONDS:g} seconds apart")


def _content(server: ServerStatus) -> Iterator[DoctorCheck]:
    if server.schema is None:
        yield DoctorCheck("schema", "missing", "the books have no schema", "feltwork init")
        return
    if server.schema != newest():
        told = f"the schema is {server.schema}, this release expects {newest()}"
        yield DoctorCheck("schema", "missing", told, "feltwork init, or install the release of the books")
        return
    yield DoctorCheck("schema", "well", f"schema {server.schema}")
    for check, found, told, remedy in (
        ("people", server.people, "nobody can sign in", "feltwork init --person ID:ROLE:BADGE"),
        ("floor", server.floors, "there is no floor", "feltwork apply FLOOR"),
    ):
        yield (
            DoctorCheck(check, "well", f"{check}: {found}")
            if found
            else DoctorCheck(check, "missing", told, remedy)
        )


def room(folder: Path) -> list[DoctorCheck]:
    """Free space where this machine writes."""
    free = shutil.disk_usage(folder.resolve()).free / 1e9
    told = f"{free:.0f} GB are free at {folder.resolve()}"
    if free < _ROOM_GIGABYTES:
        return [DoctorCheck("disk", "to be weighed", f"only {told}", "make room, or name the right --folder")]
    return [DoctorCheck("disk", "well", told)]


def origin() -> list[DoctorCheck]:
    """What browsers see as the service: security keys are bound to it."""
    from feltwork.web.settings import read_settings

    try:
        settings = read_settings(dsn="not asked here")
    except ProblemsError as error:
        return [DoctorCheck("settings", "missing", str(one), one.remedy) for one in error.problems]
    if settings.demo_badges:
        told = "the badges and PINs of a demo are shown to everybody"
        return [DoctorCheck("settings", "missing", told, "take FELTWORK_DEMO_BADGES away")]
    if settings.key_required and settings.origin.partition(":")[0] != "https":
        told = f"FELTWORK_ORIGIN is {settings.origin}: security keys work on this machine only"
        return [DoctorCheck("origin", "to be weighed", told, "set it to what browsers show, with https")]
    return [DoctorCheck("origin", "well", f"browsers see {settings.origin}")]


def components_listed(approved: Path | None) -> list[DoctorCheck]:
    """The programs that run, against those that were approved."""
    from feltwork.bookkeeper.components import verify_components

    try:
        problems = verify_components(approved)
    except ProblemsError as error:
        return [
            DoctorCheck("components", "missing", f"{one.where}: {one.what}", one.remedy)
            for one in error.problems
        ]
    if problems:
        return [DoctorCheck("components", "to be weighed", one.what, one.remedy) for one in problems]
    return [DoctorCheck("components", "well", f"every component is on {approved}")]


def keys(folder: Path) -> list[DoctorCheck]:
    """Nobody else may read a secret, and no certificate may run out unseen."""
    if not folder.is_dir():
        return [
            DoctorCheck("keys", "missing", f"{folder} is not there", "feltwork init --keys DIR --floor FLOOR")
        ]
    open_to_others = [
        path
        for path in [*sorted(folder.glob("*.seed")), *sorted(folder.glob("*.key"))]
        if stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if open_to_others:
        told = f"others may read {', '.join(path.name for path in open_to_others)}"
        return [DoctorCheck("keys", "missing", told, f"chmod 600 {folder}/*.seed {folder}/*.key")]
    soon = datetime.now(UTC) + timedelta(days=_DAYS_BEFORE_EXPIRY)
    ending = [
        (path.stem, certificate.not_valid_after_utc)
        for path in sorted(folder.glob("*.pem"))
        if (certificate := x509.load_pem_x509_certificate(path.read_bytes())).not_valid_after_utc < soon
    ]
    if ending:
        told = ", ".join(f"{name} on {end:%Y-%m-%d}" for name, end in ending)
        remedy = "take its .pem, .key and .seed away, and run feltwork init --keys again"
        return [DoctorCheck("keys", "missing", f"certificates end: {told}", remedy)]
    if (folder / "authority.key").exists():
        told = "the key of the authority lies beside the others: whoever reads it can be anybody"
        return [DoctorCheck("keys", "to be weighed", told, "lock it away; it is needed for new devices only")]
    return [DoctorCheck("keys", "well", f"the keys in {folder} are their owner's alone")]


async def log(url: str, folder: Path | None) -> list[DoctorCheck]:
    """Whether the log takes our key, and keeps what it is given."""
    from feltwork.servers.nats_keys import KeyRing
    from feltwork.servers.nats_permissions import BOOKS

    remedy = "start nats-server, or correct --nats and --keys"
    try:
        options: dict[str, Any] = KeyRing(folder).options(BOOKS) if folder else {}
        connecting = nats.connect(url, max_reconnect_attempts=1, error_cb=_quiet, **options)
        client = await asyncio.wait_for(connecting, _PATIENCE_SECONDS)
    except ProblemsError as error:
        return [
            DoctorCheck("log", "missing", f"{one.where}: {one.what}", one.remedy) for one in error.problems
        ]
    except (nats.errors.Error, OSError, TimeoutError) as error:
        return [
            DoctorCheck(
                "log", "missing", f"the log does not answer: {str(error) or type(error).__name__}", remedy
            )
        ]
    try:
        account = await client.jetstream().account_info()
    except nats.errors.Error as error:
        told = f"the log keeps nothing: {str(error) or type(error).__name__}"
        return [
            DoctorCheck(
                "log", "missing", told, "enable JetStream: feltwork init --keys writes the configuration"
            )
        ]
    finally:
        await client.close()
    found = [DoctorCheck("log", "well", f"the log answers and keeps {account.streams} streams")]
    if folder is None:
        told = "the log takes everybody: no keys are given"
        found.append(DoctorCheck("log", "to be weighed", told, "feltwork init --keys DIR --floor FLOOR"))
    return found


def monitor(url: str) -> list[DoctorCheck]:
    """Whether an acknowledged message is on the disk."""
    remedy = 'set sync_interval: "always" under jetstream; feltwork init --keys writes it'
    try:
        told = httpx.get(f"{url.rstrip('/')}/varz", timeout=5, trust_env=False).json()
    except (httpx.HTTPError, ValueError) as error:
        what = f"the log says nothing about itself: {str(error) or type(error).__name__}"
        return [
            DoctorCheck(
                "log on disk", "missing", what, "correct --monitor, or enable http in its configuration"
            )
        ]
    if told.get("jetstream", {}).get("config", {}).get("sync_always"):
        return [DoctorCheck("log on disk", "well", "an acknowledged message is on the disk")]
    return [DoctorCheck("log on disk", "missing", "an acknowledged message may be in memory only", remedy)]


async def _quiet(error: Exception) -> None:
    """What the server refuses is a finding, not an error."""
