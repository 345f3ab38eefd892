"""The command that creates the keys of a hub and the configuration of its NATS server."""

from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, Hosts, print_json


def make_hub_keys(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder for the hub's keys.")],
    site: Annotated[list[str] | None, typer.Option(help="A site that gets a key; repeat it.")] = None,
    without: Annotated[
        list[str] | None, typer.Option(help="A site that has left: its key is deleted.")
    ] = None,
    host: Hosts = None,
    as_data: AsData = False,
) -> None:
    """Create missing keys of a hub and its sites, and write the configuration of its NATS server.

    Run it again with --site to add a site, and with --without after a site has left. It prints the public key
    of every site. The server reads FOLDER/server.conf; it needs a reload after each change.
    """
    from feltwork.servers.nats_config import CONFIGURATION, make_hub

    keys = make_hub(folder, host or ("127.0.0.1", "localhost"), sites=site or (), without=without or ())
    if as_data:
        print_json(keys)
        return
    for name, key in keys.items():
        typer.echo(f"{key}  {name}")
    typer.echo(f"next: cd {folder} && nats-server -c {CONFIGURATION}, or reload it: --signal reload")
    typer.echo("next: give each site its site:NAME.* files and authority.pem, and nobody else")
