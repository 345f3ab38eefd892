"""The command that compares two exported bundles."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import AsData, print_json

if TYPE_CHECKING:
    from feltwork.site.books.audit.bundle_comparison import ChainComparison, FileComparison

_RELATIONS = {
    "equal": "The bundles are equal.",
    "second_continues_first": "The second bundle continues the first.",
    "first_continues_second": "The first bundle continues the second.",
    "different": "The bundles are different: neither continues the other.",
}


def print_bundle_comparison(
    first: Annotated[Path, typer.Argument(metavar="FIRST", help="A bundle: a folder or a .tar file.")],
    second: Annotated[Path, typer.Argument(metavar="SECOND", help="Another bundle of the same site.")],
    as_data: AsData = False,
) -> None:
    """Compare two bundles of a site and show where they first differ.

    Exit with 0 if they are equal or one continues the other, and with 1 otherwise. No database is needed.
    Neither bundle is verified; use tools/verify_books.py for that.
    """
    from feltwork.cli.console import at_work
    from feltwork.site.books.audit.bundle_comparison import compare_bundles

    with at_work("comparing"):
        comparison = compare_bundles(first, second)
    if as_data:
        print_json(asdict(comparison))
    else:
        for chain in comparison.chains:
            typer.echo(_chain(chain))
        for file in comparison.files:
            typer.echo(_file(file))
        typer.echo(_RELATIONS[comparison.relation])
    if comparison.relation == "different":
        raise typer.Exit(1)


def _chain(chain: ChainComparison) -> str:
    what = "record" if chain.chain == "evidence" else "entry"
    same, ends = chain.same_up_to, (chain.first_last, chain.second_last)
    match chain.outcome:
        case "same":
            text = f"same up to its end, {what} {same}"
        case "first_longer" | "second_longer":
            longer = chain.outcome.partition("_")[0]
            text = (
                f"same up to {what} {same}; the {longer} bundle continues to {what} {max(filter(None, ends))}"
            )
        case "differs":
            before = f"same up to {what} {same}, then different" if same else "different from the start"
            text = f"{before}\n  {what} {chain.difference}"
        case "new":
            text = f"new; {chain.difference}"
        case "missing":
            text = f"missing; {chain.difference}, and its records did not grow since"
        case _:
            text = f"nothing in common; {chain.difference}"
    return f"{chain.chain}: {text}"


def _file(file: FileComparison) -> str:
    if file.difference:
        return f"{file.file}: different; {file.difference}"
    if file.same:
        return f"{file.file}: same"
    only = f"{file.only_first} only in the first, {file.only_second} only in the second"
    return f"{file.file}: same where both have it; {only}"
