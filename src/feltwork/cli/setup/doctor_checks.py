"""The checks of `feltwork doctor`."""

import asyncio
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import httpx
import nats
from nats.aio.client import ServerVersion
from nats.js import JetStreamContext

from feltwork.problem import ProblemsError
from feltwork.site.books.schema import ServerStatus, UnavailableError, newest, status

State = Literal["well", "missing", "warning"]
_OLDEST, _OLDEST_NATS = 150_000, (2, 12)
_SKEW_SECONDS = 1.0
_ROOM_GIGABYTES = 5
_DAYS_BEFORE_EXPIRY = 60
_PATIENCE_SECONDS = 10
#: The fill level above which the log accepts no more messages.
_FULL = 0.99
_PARTITIONS_AHEAD = timedelta(days=60)
#: The file that says when the last recovery set was made; it changes with each.
SET_MADE = "recovery.made"


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """The result of a check."""

    check: str
    state: State
    what: str
    remedy: str = ""


def books(dsn: str) -> list[DoctorCheck]:
    """Check PostgreSQL, its settings and clock, the schema, people and floor."""
    try:
        server = status(dsn)
    except UnavailableError as error:
        return [DoctorCheck("books", "missing", problem.what, problem.remedy) for problem in error.problems]
    return [*_server(server), *_clock(server), *_content(server)]


def _server(server: ServerStatus) -> Iterator[DoctorCheck]:
    release = server.version // 10_000
    if server.version < _OLDEST:
        yield DoctorCheck("postgresql", "missing", "PostgreSQL is older than 15", "upgrade to 15 or newer")
    else:
        yield DoctorCheck("postgresql", "well", f"PostgreSQL {release}")
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        if server.settings[setting] == "off":
            what, remedy = f"{setting} is off: a power failure loses money", f"set {setting} = on"
            yield DoctorCheck(setting, "missing", what, remedy)
        else:
            yield DoctorCheck(setting, "well", f"{setting} is on")
    for setting, what, remedy in (
        ("data_checksums", "a corrupt disk page goes unnoticed", "pg_checksums --enable"),
        ("archive_mode", "the WAL is not archived to another machine", "see docs/operating/backup.md"),
    ):
        if server.settings[setting] == "off":
            yield DoctorCheck(setting, "warning", f"{setting} is off: {what}", remedy)
    if server.settings["is_superuser"] == "on":
        what = "this login is a superuser of the database"
        yield DoctorCheck("login", "warning", what, "feltwork init --logins DIR, and use its logins")


def _clock(server: ServerStatus) -> Iterator[DoctorCheck]:
    if server.clock_seconds > _SKEW_SECONDS:
        what = f"the clocks here and at the database are {server.clock_seconds:.1f} seconds apart"
        yield DoctorCheck("clock", "missing", what, "use the same time server for both")
    else:
        yield DoctorCheck("clock", "well", f"the clocks are less than {_SKEW_SECONDS:g} seconds apart")


def _content(server: ServerStatus) -> Iterator[DoctorCheck]:
    if server.schema is None:
        yield DoctorCheck("schema", "missing", "the books have no schema", "feltwork init")
        return
    if server.schema != newest():
        what = f"the schema is {server.schema}, this release expects {newest()}"
        yield DoctorCheck("schema", "missing", what, "feltwork init, or install the release of the books")
        return
    yield DoctorCheck("schema", "well", f"schema {server.schema}")
    ahead = server.partitions - datetime.now(UTC).date() if server.partitions else timedelta()
    if ahead < _PARTITIONS_AHEAD:
        what = f"partitions exist until {server.partitions or 'no month'} only"
        yield DoctorCheck("partitions", "missing", what, "start the bookkeeper: it creates them a year ahead")
    else:
        yield DoctorCheck("partitions", "well", f"partitions exist until {server.partitions:%Y-%m}")
    for check, count, what, remedy in (
        ("people", server.people, "nobody can sign in", "feltwork init --person ID:ROLE:BADGE"),
        ("floor", server.floors, "there is no floor", "feltwork apply FLOOR"),
    ):
        yield (
            DoctorCheck(check, "well", f"{check}: {count}")
            if count
            else DoctorCheck(check, "missing", what, remedy)
        )


def probe(dsn: str) -> list[DoctorCheck]:
    """Check that the books accept a round as a table would send it."""
    from feltwork.site.books.booking_probe import ReadOnlyLoginError, probe_books

    try:
        if status(dsn).schema != newest():
            return []
        link = probe_books(dsn)
    except UnavailableError:
        return []
    except ReadOnlyLoginError as error:
        return [DoctorCheck("booking", "warning", problem.what, problem.remedy) for problem in error.problems]
    except ProblemsError as error:
        return [
            DoctorCheck("booking", "missing", f"nothing can be booked: {problem.what}", problem.remedy)
            for problem in error.problems
        ]
    booked = f"a round of {link} was booked and taken back" if link else "no link is open for a round"
    return [DoctorCheck("booking", "well", f"the audit log was written and read; {booked}")]


def room(folder: Path) -> list[DoctorCheck]:
    """Check the free disk space."""
    free = shutil.disk_usage(folder.resolve()).free / 1e9
    what = f"{free:.0f} GB free at {folder.resolve()}"
    if free < _ROOM_GIGABYTES:
        return [DoctorCheck("disk", "warning", f"only {what}", "free some space, or correct --folder")]
    return [DoctorCheck("disk", "well", what)]


def origin() -> list[DoctorCheck]:
    """Check the origin, to which security keys are bound."""
    from feltwork.site.web.settings import read_settings

    try:
        settings = read_settings(dsn="not asked here")
    except ProblemsError as error:
        return [
            DoctorCheck("settings", "missing", str(problem), problem.remedy) for problem in error.problems
        ]
    if settings.demo_badges:
        what = "demo badges and PINs are shown on the sign-in page"
        return [DoctorCheck("settings", "missing", what, "unset FELTWORK_DEMO_BADGES")]
    if settings.key_required and settings.origin.partition(":")[0] != "https":
        what = f"FELTWORK_ORIGIN is {settings.origin}: security keys work on this machine only"
        return [DoctorCheck("origin", "warning", what, "set it to what browsers show, with https")]
    return [DoctorCheck("origin", "well", f"browsers see {settings.origin}")]


def pin_key(dsn: str, folder: Path | None) -> list[DoctorCheck]:
    """Check that PINs are hashed with a key that is not in the database."""
    from feltwork.site.books.people.pin_key import NO_KEY, people_without_key
    from feltwork.site.web.settings import read_settings

    try:
        settings = read_settings(dsn=dsn, keys=folder)
        key = settings.policy.pin_key
        without = people_without_key(dsn, key) if status(dsn).schema == newest() else 0
    except UnavailableError:
        return []
    except ProblemsError as error:
        return [DoctorCheck("pin key", "missing", str(problem), problem.remedy) for problem in error.problems]
    if settings.pin_key == NO_KEY:
        what = "PINs are hashed without a key: a copy of the books is enough to guess them"
        return [DoctorCheck("pin key", "warning", what, "unset FELTWORK_PIN_KEY, and pass --keys")]
    if without:
        what = f"{without} people have a PIN or password that was hashed without this pin.key"
        remedy = "they sign in once, or the office gives them new ones; restore pin.key if it was replaced"
        return [DoctorCheck("pin key", "warning", what, remedy)]
    return [DoctorCheck("pin key", "well", "PINs are hashed with a key outside the database")]


def components_listed(approved: Path | None, dsn: str) -> list[DoctorCheck]:
    """Check the installed components against the approved list, or their approval in the books."""
    from feltwork.site.books.authorize import release_waits
    from feltwork.site.servers.components import unapproved_release, verify_components

    try:
        problems = verify_components(approved)
    except ProblemsError as error:
        with suppress(UnavailableError):
            if not release_waits(dsn, unapproved_release(approved)):
                return [DoctorCheck("components", "well", "two people approved this release")]
        return [
            DoctorCheck("components", "missing", f"{problem.where}: {problem.what}", problem.remedy)
            for problem in error.problems
        ]
    if problems:
        return [DoctorCheck("components", "warning", problem.what, problem.remedy) for problem in problems]
    return [DoctorCheck("components", "well", f"every component is on {approved}")]


def recovery(folder: Path) -> list[DoctorCheck]:
    """Check that a recovery set of an installed site was made since its files changed."""
    made, what = folder / SET_MADE, ""
    if not made.exists():
        what = "there is no recovery set: with this machine, every key and login would be lost"
    elif any(path.stat().st_mtime > made.stat().st_mtime for path in folder.iterdir() if path.is_file()):
        what = "settings, floor or approved list changed since the last recovery set"
    if what:
        return [DoctorCheck("recovery set", "warning", what, "feltwork backup FILE, on another disk")]
    return [DoctorCheck("recovery set", "well", "there is a recovery set, newer than the settings")]


def keys(folder: Path) -> list[DoctorCheck]:
    """Check file permissions of secrets and the expiry of certificates."""
    from feltwork.site.servers.nats_keys import AUTHORITY, KeyRing

    if not folder.is_dir():
        return [
            DoctorCheck(
                "keys", "missing", f"{folder} does not exist", "feltwork init --keys DIR --floor FLOOR"
            )
        ]
    open_to_others = [
        path
        for path in [*sorted(folder.glob("*.seed")), *sorted(folder.glob("*.key"))]
        if stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if open_to_others:
        what = f"others may read {', '.join(path.name for path in open_to_others)}"
        return [DoctorCheck("keys", "missing", what, f"chmod 600 {folder}/*.seed {folder}/*.key")]
    ring = KeyRing(folder)
    days = {name: int(ring.days_left(name)) for name in ring.names()}
    ending = {name: left for name, left in days.items() if left < _DAYS_BEFORE_EXPIRY}
    if ending:
        what = ", ".join(f"{name} in {left} days" for name, left in ending.items())
        remedy = f"bring the authority's key back, and run feltwork init --keys {folder} --renew"
        if AUTHORITY in ending:
            remedy = "make new keys for every device in another folder: feltwork init --keys DIR"
        return [DoctorCheck("keys", "missing", f"certificates expire: {what}", remedy)]
    checks = (
        [DoctorCheck("certificates", "well", f"they expire in {min(days.values())} days")] if days else []
    )
    if (folder / "authority.key").exists():
        what = "the key of the authority is in the same folder: whoever reads it can create devices"
        checks.append(DoctorCheck("keys", "warning", what, "lock it away; it is needed only for new devices"))
    else:
        checks.append(DoctorCheck("keys", "well", f"only their owner can read the keys in {folder}"))
    return checks


async def log(url: str, folder: Path | None) -> list[DoctorCheck]:
    """Check the NATS connection and JetStream."""
    from feltwork.site.servers.nats_keys import KeyRing
    from feltwork.site.servers.nats_permissions import BOOKS, STREAMS

    remedy = "start nats-server, or correct --nats and --keys"
    try:
        options: dict[str, Any] = KeyRing(folder).derived_options(BOOKS, STREAMS) if folder else {}
        connecting = nats.connect(url.split(","), max_reconnect_attempts=1, error_cb=_quiet, **options)
        client = await asyncio.wait_for(connecting, _PATIENCE_SECONDS)
    except ProblemsError as error:
        return [
            DoctorCheck("log", "missing", f"{problem.where}: {problem.what}", problem.remedy)
            for problem in error.problems
        ]
    except (nats.errors.Error, OSError, TimeoutError) as error:
        return [
            DoctorCheck(
                "log", "missing", f"NATS does not answer: {str(error) or type(error).__name__}", remedy
            )
        ]
    js = client.jetstream()
    try:
        account = await js.account_info()
        checks = [
            nats_release(client.connected_server_version),
            DoctorCheck("log", "well", f"NATS answers and has {account.streams} streams"),
        ]
        # The bookkeeper creates the streams on its first start.
        checks += [await _log_probe(js)] if account.streams else []
    except (nats.errors.Error, TimeoutError) as error:
        what = f"JetStream is not available: {str(error) or type(error).__name__}"
        return [
            DoctorCheck(
                "log", "missing", what, "enable JetStream: feltwork init --keys writes the configuration"
            )
        ]
    finally:
        await client.close()
    if folder is None:
        what = "NATS accepts everyone: no keys are configured"
        checks.append(DoctorCheck("log", "warning", what, "feltwork init --keys DIR --floor FLOOR"))
    return checks


def nats_release(version: ServerVersion) -> DoctorCheck:
    """Check the release: earlier ones let the reply of a request manage a stream."""
    release = f"{version.major}.{version.minor}"
    if (version.major, version.minor) < _OLDEST_NATS:
        what, remedy = f"nats-server is {release}: a stolen key does more there", "upgrade to 2.12 or newer"
        return DoctorCheck("nats", "missing", what, remedy)
    return DoctorCheck("nats", "well", f"nats-server {release}")


async def _log_probe(js: JetStreamContext) -> DoctorCheck:
    """Store a message, read it back and remove it; check that the log has room for tables."""
    from feltwork.site.servers.nats_permissions import DOCTOR
    from feltwork.site.wire.streams import FELT, PARKED

    check, remedy = "log probe", "free some disk space, or make the log larger with --log-megabytes"
    try:
        data = secrets.token_bytes(16)
        stored = await js.publish(DOCTOR, data)
        read = await js.get_msg(PARKED, stored.seq)
        await js.delete_msg(PARKED, stored.seq)
        felt = await js.stream_info(FELT)
    except (nats.errors.Error, TimeoutError) as error:
        what = f"NATS stores nothing: {str(error) or type(error).__name__}"
        return DoctorCheck(check, "missing", what, remedy)
    if read.data != data:
        what = "NATS returned a different message from the one it stored"
        return DoctorCheck(check, "missing", what, "restore its folder, or start with an empty one")
    if felt.config.max_bytes and felt.state.bytes > _FULL * felt.config.max_bytes:
        return DoctorCheck(check, "missing", "the log is full, and tables stop", remedy)
    return DoctorCheck(check, "well", "a message was stored, read and removed")


def monitor(url: str) -> list[DoctorCheck]:
    """Check that NATS syncs messages to disk, and that no stream has stopped storing after a full disk."""
    remedy = 'set sync_interval: "always" under jetstream; feltwork init --keys writes it'
    try:
        with httpx.Client(base_url=url, timeout=5, trust_env=False) as client:
            server_variables, health = client.get("/varz").json(), client.get("/healthz").json()
    except (httpx.HTTPError, ValueError) as error:
        what = f"the NATS monitor does not answer: {str(error) or type(error).__name__}"
        return [
            DoctorCheck(
                "log on disk", "missing", what, "correct --monitor, or enable http in its configuration"
            )
        ]
    if "write error" in health.get("error", ""):
        what = f"NATS stores nothing: {health['error']}"
        again = "free some disk space, and start NATS again: systemctl restart feltwork-log"
        return [DoctorCheck("log on disk", "missing", what, again)]
    if server_variables.get("jetstream", {}).get("config", {}).get("sync_always"):
        return [DoctorCheck("log on disk", "well", "acknowledged messages are synced to disk")]
    return [DoctorCheck("log on disk", "missing", "acknowledged messages may be in memory only", remedy)]


async def _quiet(error: Exception) -> None:
    """Ignore refusals, which are reported as checks here."""
