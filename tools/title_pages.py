"""A page for each title, made from its folder: rules, wagers, options, paytables, figures, worked rounds."""

from collections.abc import Callable, Iterator
from pathlib import Path

from feltwork.money import DOLLAR
from feltwork.odds.figures import catalog
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game
from feltwork.titles.worked_rounds import worked_rounds

_MADE = "<!-- Made by tools/generate_docs.py. Do not edit. -->\n\n"
_FIGURES = Path(__file__).parent.parent / "docs" / "figures"
#: The page on the odds of a title, where its name is another.
_PAGES = {"mini_baccarat": "baccarat", "caribbean_stud": "cover_all"}


def title_pages() -> dict[str, Callable[[], str]]:
    """The pages by file name, and their index."""
    pages: dict[str, Callable[[], str]] = {"titles/index.md": _index}
    for name in registry.own_names():
        pages[f"titles/{name}.md"] = lambda name=name: _page(name)  # type: ignore[misc]
    return pages


def _index() -> str:
    names = "\n".join(registry.own_names())
    tree = f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n"
    return f"{_MADE}# Titles\n\nEvery game and jackpot, as its folder has it.\n\n{tree}"


def _page(name: str) -> str:
    text = registry.folder(name).joinpath("rules.md").read_text(encoding="utf-8").rstrip()
    parts = [
        _MADE + text,
        "",
        *_declared(name),
        "## Paytables\n",
        f"`feltwork titles {name}` shows the same.\n",
    ]
    library = registry.library(name)
    parts += [_paytable(library[key]) for key in library]
    parts += [*_figures(name), *_rounds(name)]
    return "\n".join(parts)


def _declared(name: str) -> Iterator[str]:
    title = registry.title(name)
    if isinstance(title, Game):
        yield "## Wagers and options\n"
        yield "| wager | what it is | paytable |\n|---|---|---|"
        for wager in title.wagers:
            yield f"| `{wager.name}` | {wager.says} | {wager.paytable} |"
        yield ""
    if title.options:
        yield "| option | what it decides | values, the default first |\n|---|---|---|"
        for option in title.options:
            values = ", ".join(f"`{value}`" for value in option.values)
            yield f"| `{option.name}` | {option.says} | {values} |"
        yield ""


def _paytable(paytable: Paytable) -> str:
    envy = any(row.envy for row in paytable.rows)
    lines = [f"### {paytable.bet} {paytable.id}\n", f"| hand | pays |{' envy per $1 |' * envy} source |"]
    lines.append("|---" * (3 + envy) + "|")
    for row in paytable.rows:
        watched = f" {f'${row.envy // DOLLAR:,}' if row.envy else ''} |" if envy else ""
        lines.append(f"| {row.hand.replace('_', ' ')} | {row.pays} |{watched} {row.cites} |")
    if paytable.recommended:
        recommendations = ", ".join(f"{key} {value}" for key, value in paytable.recommended.items())
        lines.append(f"\nRecommended: {recommendations}.")
    return "\n".join([*lines, f"\nFingerprint: `{paytable.fingerprint}`\n"])


def _figures(name: str) -> Iterator[str]:
    """Its figures by id, each an exact fraction that is rounded for the page only."""
    page = _PAGES.get(name, name)
    where = page if (_FIGURES / f"{page}.md").exists() else "jackpots"
    yield "## Odds\n"
    yield f"How they are found: [the figures](../figures/{where}.md)."
    yield f"`feltwork odds {name}` prices any of its paytables.\n"
    yield "| figure | value | unit |\n|---|---:|---|"
    for identifier in catalog.ids():
        if identifier.startswith(f"{name}/"):
            figure = catalog.figure(identifier)
            yield f"| `{figure.id}` | {figure.decimal} | {figure.unit} |"
    yield ""


def _rounds(name: str) -> Iterator[str]:
    rounds = list(worked_rounds(name))
    yield "## Worked rounds\n"
    yield f"{len(rounds)} rounds from cards and wagers to every pay; the tests settle each.\n"
    yield "| file | round | proves |\n|---|---|---|"
    for round_ in rounds:
        yield f"| `{round_.file}` | {round_.name} | {', '.join(round_.proves)} |"
    yield ""
