"""The command that checks an installation."""

import asyncio
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from feltwork.cli.arguments import Approved, AsData, Dsn, NatsUrl, given, print_json

if TYPE_CHECKING:
    from feltwork.cli.setup.doctor_checks import DoctorCheck


def doctor(
    dsn: Dsn = "",
    keys: Annotated[Path | None, typer.Option(help="The folder of keys to check.")] = None,
    log: NatsUrl = "",
    monitor: Annotated[
        str, typer.Option(help="The monitoring URL of NATS, such as http://127.0.0.1:8222.")
    ] = "",
    approved: Approved = None,
    folder: Annotated[Path, typer.Option(help="A folder whose free space is checked.")] = Path(),
    notifications: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Send a test message to each recipient in this file instead."),
    ] = None,
    log_stuck: Annotated[
        bool,
        typer.Option("--log-stuck", help="Only whether NATS has room and stores nothing: exit with 0 if so."),
    ] = False,
    as_data: AsData = False,
) -> None:
    """Check an installation and list what is missing; exit with 1 if anything is.

    The books are always checked, by booking a round and rolling it back. NATS (by storing and removing a
    message), keys and components are checked if their options are given. After a full disk, a stream stores
    nothing until there is room and its server is restarted: `feltwork-log-restart.timer` asks --log-stuck.
    """
    if notifications is not None:
        _send_test_messages(notifications)
        return
    if log_stuck:
        from feltwork.site.servers.nats import LEAST_ROOM, has_write_error

        if shutil.disk_usage(folder).free < LEAST_ROOM or not has_write_error(urlsplit(monitor).netloc):
            raise typer.Exit(1)
        return
    from feltwork.cli.setup import doctor_checks

    checks = [
        *doctor_checks.books(given(dsn)),
        *doctor_checks.probe(dsn),
        *doctor_checks.room(folder),
        *doctor_checks.origin(),
        *doctor_checks.pin_key(dsn, keys),
        *doctor_checks.components_listed(approved, dsn),
    ]
    if keys is not None:
        checks += doctor_checks.keys(keys)
        if (keys.parent / "service.env").exists():
            checks += doctor_checks.recovery(keys.parent)
    if log:
        checks += asyncio.run(doctor_checks.log(log, keys))
    if monitor:
        checks += doctor_checks.monitor(monitor)
    _print(checks, as_data=as_data)
    if any(check.state == "missing" for check in checks):
        raise typer.Exit(1)


def _print(checks: "list[DoctorCheck]", *, as_data: bool) -> None:
    if as_data:
        print_json([asdict(check) for check in checks])
        return
    for state in ("missing", "warning"):
        for check in checks:
            if check.state == state:
                typer.echo(f"{state}: {check.what}\n  → {check.remedy}")
    if all(check.state != "missing" for check in checks):
        typer.echo("all is well")


def _send_test_messages(file: Path) -> None:
    """Send each recipient a test message, also in quiet hours; exit with 1 if one is not accepted."""
    from feltwork.site.web.notifications.recipients import read_recipients

    failed = False
    for recipient in read_recipients(file):
        events = ", ".join(recipient.events) or "escalation alone"
        about = f"{recipient.name} receives: {events}. This is only a test."
        problem = recipient.send("Feltwork: test message", about)
        typer.echo(f"{recipient.name}: {problem or 'sent'}")
        failed = failed or bool(problem)
    if failed:
        typer.echo("→ check the url of each, and that this machine reaches it; then send again", err=True)
        raise typer.Exit(1)
