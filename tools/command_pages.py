"""Pages about commands and settings, made from the commands themselves."""

from collections.abc import Iterator, Mapping

import typer.main
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from feltwork.cli.main import DEV, SECTIONS, application
from feltwork.site.web.settings import Settings

_MADE = "<!-- Made by tools/generate_docs.py. Do not edit. -->\n\n"
#: Variables that are read where no option names them.
_OTHERS = {
    "FELTWORK_TEST_HASHES": "For tests only: any value makes hashes of PINs cheap, and easy to guess.",
    "FELTWORK_DATA": "Where `feltwork export --data` writes if no target is given.",
    "FELTWORK_CACHE": "Where kept counts of the odds lie; without it the cache folder of the user.",
    "FELTWORK_PIN_ID": "Where nobody types: the PIN of a person or badge, as `FELTWORK_PIN_B_2` of B-2.",
    "FELTWORK_PASSWORD_ID": "The same for the password of somebody who works in the office.",
}
_COMMANDS = """# Commands

Every command answers `--help` with the same. A refusal names what is wrong and the remedy on standard error
and ends with 2; 1 means that something was looked at and is not as it should be. With `--json` a refusal is
JSON on standard output: `{"errors": [{"where", "what", "remedy"}]}`.
"""
_SETTINGS = """# Settings

A setting is a variable of the environment. Where a command has an option for it, the option comes first, then
the variable, then the default. A value that cannot be right is refused at the start.

## The service

| variable | what it says | default |
|---|---|---|"""
_SECRETS = """
What has no variable is an option: see [the commands](../reference/commands.md). A DSN names a file with the
password (`passfile=`), so that no secret stands in the environment.
"""


def commands() -> Mapping[str, TyperCommand]:
    """Every command by name."""
    group = typer.main.get_command(application())
    assert isinstance(group, TyperGroup)
    dev = group.commands["dev"]
    assert isinstance(dev, TyperGroup)
    known = {**group.commands} | {f"dev {name}": command for name, command in dev.commands.items()}
    return {name: command for name, command in known.items() if isinstance(command, TyperCommand)}


def options_of(command: TyperCommand) -> Iterator[TyperOption]:
    """The options of a command, but for --help."""
    yield from (
        parameter
        for parameter in command.params
        if isinstance(parameter, TyperOption) and parameter.name != "help"
    )


def variables() -> set[str]:
    """Every variable of the environment that is read; PINs and passwords have one for each person besides."""
    names = {
        str(option.envvar)
        for command in commands().values()
        for option in options_of(command)
        if option.envvar
    }
    return names | {f"FELTWORK_{name.upper()}" for name in Settings.model_fields} | {*_OTHERS}


def commands_page() -> str:
    """Every command with its arguments and options."""
    parts = [_MADE + _COMMANDS]
    known = commands()
    sections = {**SECTIONS, "For developers": [f"dev {name}" for name in DEV]}
    for section, names in sections.items():
        parts.append(f"## {section}\n")
        for name in names:
            parts.append(f"### feltwork {name}\n\n{_words(known[name].help)}\n")
            rows = [*_arguments(known[name]), *_options(known[name])]
            if rows:
                parts.append("\n".join(["| | what it is | without it |", "|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _arguments(command: TyperCommand) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, TyperArgument):
            name = parameter.metavar or (parameter.name or "").upper()
            yield _row(
                f"`{name}`",
                parameter.help,
                "must be given" if parameter.required else _default(parameter.default),
            )


def _options(command: TyperCommand) -> Iterator[str]:
    for option in options_of(command):
        names = ", ".join(f"`{text}`" for text in (*option.opts, *option.secondary_opts))
        also = f" Also `{option.envvar}`." if option.envvar else ""
        yield _row(
            names,
            f"{option.help or ''}{also}",
            "must be given" if option.required else _default(option.default),
        )


def settings_page() -> str:
    """Every setting of the service, and every variable of the other programs."""
    parts = [_MADE + _SETTINGS]
    for name, field in Settings.model_fields.items():
        default = "must be given" if field.is_required() else _default(field.get_default())
        parts.append(_row(f"`FELTWORK_{name.upper()}`", field.description, default))
    parts.append("\n## The other programs\n\n| variable | commands | what it says |\n|---|---|---|")
    read: dict[str, tuple[list[str], str]] = {}
    for name, command in commands().items():
        for option in options_of(command):
            if option.envvar:
                read.setdefault(str(option.envvar), ([], option.help or ""))[0].append(name)
    for variable, (names, meaning) in sorted(read.items()):
        parts.append(_row(f"`{variable}`", ", ".join(f"`{name}`" for name in names), meaning))
    parts += [_row(f"`{variable}`", "", meaning) for variable, meaning in _OTHERS.items()]
    parts.append(_SECRETS)
    return "\n".join(parts)


def _row(*cells: str | None) -> str:
    return "| " + " | ".join((cell or "").replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _default(value: object) -> str:
    if value is None or value in ("", [], {}, False):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _words(text: str | None) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))
