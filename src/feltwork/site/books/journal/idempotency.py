"""Idempotency keys and the audit log."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from psycopg.types.json import Jsonb

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.progressive.refusal import refuse

Plain: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    """One line of the audit log: who, where, what, why, before, after."""

    who: str
    place: str
    what: str
    why: str = ""
    before: Plain | None = None
    after: Plain | None = None


def answer_once(connection: Connection, key: str, body: Plain, do: Callable[[], Plain]) -> tuple[Plain, bool]:
    """Run a request once per idempotency key; a repeated one gets the saved response and True [GL-12]."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    body_hash = hashlib.sha256(text.encode()).hexdigest()
    with connection.transaction():
        if connection.execute(statement("claim_request_key"), (key, body_hash)).rowcount:
            answer = do()
            connection.execute(statement("save_response"), (Jsonb(answer), key))
            return answer, False
        row = connection.execute(statement("saved_response"), (key,)).fetchone()
    assert row is not None
    if row[0] != body_hash:
        what = "this idempotency key was used for a different request"
        raise refuse(f"request {key}", what, "use a new key for each request", "GL-12")
    return row[1], True


def write_audit(connection: Connection, line: AuditLine) -> None:
    """Write a line to the append-only audit log."""
    before, after = (None if plain is None else Jsonb(plain) for plain in (line.before, line.after))
    row = (line.who, line.place, line.what, line.why, before, after)
    connection.execute(statement("write_audit"), row)
