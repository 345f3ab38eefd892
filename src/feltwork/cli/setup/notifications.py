"""The command that checks the recipients of notifications and sends test messages."""

from pathlib import Path
from typing import Annotated

import typer


def notify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file that FELTWORK_NOTIFICATIONS names.")],
    check_only: Annotated[bool, typer.Option("--check", help="Check the file and send nothing.")] = False,
) -> None:
    """Check the recipients of notifications and send each a test message.

    Exit with 1 if a message is not accepted. Quiet hours do not apply.
    """
    from feltwork.site.web.notifications.recipients import read_recipients

    recipients = read_recipients(file)
    failed = False
    for recipient in recipients:
        events = ", ".join(recipient.events) or "escalation alone"
        if check_only:
            typer.echo(f"{recipient.name}: {events}")
            continue
        problem = recipient.send(
            "Feltwork: test message", f"{recipient.name} receives: {events}. This is only a test."
        )
        typer.echo(f"{recipient.name}: {problem or 'sent'}")
        failed = failed or bool(problem)
    if failed:
        typer.echo("→ check the url of each, and that this machine reaches it; then send again", err=True)
        raise typer.Exit(1)
