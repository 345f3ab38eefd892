"""The section about contracts: what programs of others rely on, made anew from the code."""

import json
from collections.abc import Iterator

from tools.generate_docs import PAGES
from tools.same.product import leaves


def contracts() -> Iterator[tuple[str, str]]:
    """Every route, message, schema and field."""
    for name in ("openapi", "asyncapi", "protocol.schema"):
        document = json.loads(PAGES[f"{name}.json"]())
        schemas = {**document.get("components", {}).pop("schemas", {}), **document.pop("$defs", {})}
        for schema, body in schemas.items():
            yield from leaves(f"{name}/schemas/{schema}/properties", body.pop("properties", {}))
            yield from leaves(f"{name}/schemas/{schema}", body, depth=0)
        yield from leaves(f"{name}/paths", document.pop("paths", {}), depth=3)
        yield from leaves(name, document, depth=3)
