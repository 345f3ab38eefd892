"""The section about contracts: what programs of others rely on, made anew from the code."""

import json
from collections.abc import Iterator
from typing import Any

from tools.generate_docs import PAGES
from tools.same.product import leaves

_DOCUMENTS = ("openapi.json", "asyncapi.json", "protocol.schema.json")


def contracts() -> Iterator[tuple[str, str]]:
    """Every route, message and schema; fields of a schema each have a place."""
    for name in _DOCUMENTS:
        yield from document_entries(name.partition(".")[0], json.loads(PAGES[name]()))


def document_entries(name: str, document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Give a place to each part of a document."""
    schemas = {**document.get("components", {}).pop("schemas", {}), **document.pop("$defs", {})}
    for schema, body in schemas.items():
        yield from leaves(f"{name}/schemas/{schema}/properties", body.pop("properties", {}))
        yield f"{name}/schemas/{schema}", json.dumps(body, sort_keys=True)
    routes = document.pop("paths", {})
    yield from leaves(f"{name}/paths", routes, depth=3)
    yield from leaves(name, document, depth=3)
