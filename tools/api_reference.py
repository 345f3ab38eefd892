"""The reference of the HTTP API: every operation of the OpenAPI document, with its fields and answers."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from feltwork.web.app import application
from feltwork.web.settings import Settings

_MADE = "<!-- Made by tools/generate_docs.py. Do not edit. -->\n\n"
_HEAD = """# HTTP API reference

Every operation of `/openapi.json`, by subject. [The API](../api.md) has the conventions: sessions and tokens,
scopes, problems, pages and webhooks. Every operation may also answer a problem.
"""
_NO_VALUE = "any value"


def openapi_document() -> str:
    """The document itself, as `/openapi.json` answers it."""
    return json.dumps(_document(), indent=1, ensure_ascii=False) + "\n"


def api_page() -> str:
    """The reference as a page."""
    document = _document()
    operations: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            text = "\n".join(_operation(document, f"{method.upper()} {path}", operation))
            operations.setdefault(operation["tags"][0], []).append(text)
    parts = [f"## {tag.capitalize()}\n\n" + "\n".join(rows) for tag, rows in sorted(operations.items())]
    types = [
        f"### {name}\n\n{_cell(schema.get('description', ''))}\n\n"
        + "\n".join(
            ["| name | in | type | what |\n|---|---|---|---|", *_fields(document, schema, "answer"), ""]
        )
        for name, schema in sorted(document["components"]["schemas"].items())
        if "properties" in schema and name.endswith(("View", "Body"))
    ]
    return _MADE + _HEAD + "\n" + "\n".join([*parts, "## Answers\n", *types])


def _document() -> dict[str, Any]:
    return application(Settings(dsn="")).openapi()


def _operation(document: Mapping[str, Any], address: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"### {operation['operationId']}\n"
    yield f"`{address}`: {operation['summary']}.\n"
    yield f"{_cell(operation['description'])}\n"
    rows = [_parameter(document, parameter) for parameter in operation.get("parameters", ())]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        rows += _fields(document, body, "body")
    if rows:
        yield "| name | in | type | what |\n|---|---|---|---|"
        yield from rows
        yield ""
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            kinds = [
                _type(document, media_type["schema"]) for media_type in answer.get("content", {}).values()
            ]
            yield f"Answers {status}: {', '.join(kinds) or 'nothing'}.\n"


def _parameter(document: Mapping[str, Any], parameter: Mapping[str, Any]) -> str:
    description = parameter.get("description", "")
    return _row(
        parameter["name"],
        parameter["in"],
        _type(document, parameter["schema"]),
        description,
        is_required=parameter.get("required"),
    )


def _fields(document: Mapping[str, Any], schema: Mapping[str, Any], place: str) -> list[str]:
    """A row for each field of a body; a choice has a row for each of its commands."""
    schema = _resolved(document, schema)
    choices = schema.get("oneOf") or schema.get("anyOf")
    if choices:
        return [row for choice in choices for row in _choice(document, choice, place)]
    return [
        _row(name, place, _type(document, field), field.get("description", ""), is_required=name in required)
        for required in [schema.get("required", ())]
        for name, field in schema.get("properties", {}).items()
    ]


def _choice(document: Mapping[str, Any], choice: Mapping[str, Any], place: str) -> list[str]:
    schema = _resolved(document, choice)
    if schema.get("oneOf"):
        return _fields(document, schema, place)
    fields = schema.get("properties", {})
    name = next((fields[key]["const"] for key in ("act", "command") if "const" in fields.get(key, {})), "")
    names = ", ".join(f"`{field}`" for field in fields if field not in ("act", "command"))
    return [_row(name or schema.get("title", ""), place, names, schema.get("description", ""))]


def _resolved(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" in schema:
        target_schema: Mapping[str, Any] = document["components"]["schemas"][
            schema["$ref"].rpartition("/")[2]
        ]
        return target_schema
    return schema


def _type(document: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """The type of a value in a few words."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_type(document, variant) for variant in schema[key]))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(document, schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or _NO_VALUE)


def _row(name: str, place: str, kind: str, meaning: str, *, is_required: bool | None = True) -> str:
    optional = "" if is_required else " (optional)"
    return f"| `{name}`{optional} | {place} | {_cell(kind)} | {_cell(meaning)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
