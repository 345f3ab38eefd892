"""The command that installs Feltwork on Debian: users, folders, database, keys, units and timers."""

from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import Hosts


def install(
    floor: Annotated[Path | None, typer.Option(help="The floor file; without it, no program starts.")] = None,
    host: Hosts = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Stop and remove units and timers; books and keys stay.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be done, and change nothing.")
    ] = False,
) -> None:
    """Install Feltwork on this Debian machine, as root: users, folders, database, keys, units and timers.

    Anything that exists is kept, so run it again after an upgrade or with a new floor file or host name.
    """
    from feltwork.cli.setup.debian_installer import Installer
    from feltwork.cli.setup.system_changes import SystemChanges

    installer = Installer(SystemChanges(say=typer.echo, dry_run=dry_run))
    steps = installer.remove() if remove else installer.install(floor, host or [])
    typer.echo("next:")
    for step in steps:
        typer.echo(f"  {step}")
