"""Links of the books and their versions: written as text, and read back to the same value."""

import json
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.progressive.link import Level, Link, LinkKind
from feltwork.titles import registry


def text_of(link: Link) -> str:
    """Serialize a version as text for ``link_from``."""
    return _canonical(
        {
            "id": link.id,
            "kind": link.kind,
            "jackpot": link.jackpot,
            "variant": link.variant,
            "paytable": {"id": link.paytable.id, "fingerprint": link.paytable.fingerprint},
            "wager": link.wager,
            "levels": [asdict(level) for level in link.levels],
            "controls": link.controls,
            "lock_at": link.lock_at,
            "executive_above": link.executive_above,
            "executive_levels": list(link.executive_levels),
            "executive_alone": link.executive_alone,
            "options": dict(link.options),
        }
    )


@lru_cache(maxsize=256)
def link_from(text: str, fingerprint: str) -> Link:
    """The link that a version describes; a changed paytable closes the books [GEN-08]."""
    body: dict[str, Any] = json.loads(text)
    paytable = registry.paytable(body["jackpot"], "jackpot", body["paytable"]["id"])
    if paytable.fingerprint != body["paytable"]["fingerprint"]:
        problem = Problem(
            f"link {body['id']}, paytable {paytable.name}",
            "the paytable differs from the one in the books",
            "restore the released paytable; release a changed one under a new id",
            "GEN-08",
        )
        raise ProblemsError([problem])
    link = Link(
        **{
            **body,
            "paytable": paytable,
            "levels": tuple(Level(**level) for level in body["levels"]),
            "executive_levels": tuple(body["executive_levels"]),
        }
    )
    if link.fingerprint != fingerprint:
        problem = Problem(
            f"link {link.id}, version {fingerprint[:12]}",
            "the text differs from the registered version",
            "compare the books with the last export, and keep the link closed until then",
            "GEN-08",
        )
        raise ProblemsError([problem])
    return link


def _canonical(body: object) -> str:
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def chain_ends(connection: Connection) -> dict[str, int]:
    """The links whose chain has begun, each with its last entry."""
    return dict(connection.execute(statement("chain_ends")).fetchall())


def link_kinds(connection: Connection) -> dict[str, LinkKind]:
    """Every link with its kind."""
    return dict(connection.execute(statement("links")).fetchall())
