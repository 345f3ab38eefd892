"""The check of a chain, entry by entry, that tests hold against what the books wrote."""

from collections.abc import Iterable

from feltwork.problem import Problem, ProblemsError
from feltwork.site.progressive.chain import Chained, Tail, body_of, hash_of


def first_bad(link: str, entries: Iterable[Chained], *, start: Tail, end: Tail | None) -> Problem | None:
    """The first entry that does not follow from the one before, or the missing end; none if all is well."""
    tail = start
    for chained in entries:
        where = f"{link}, entry {tail.number + 1}"
        if chained.number != tail.number + 1:
            return _bad(where, f"entry {chained.number} stands in its place")
        if chained.entry.link != link:
            return _bad(where, f"it belongs to {chained.entry.link}")
        if chained.previous != tail.hash:
            return _bad(where, "it does not follow the entry before it")
        if chained.hash != hash_of(body_of(chained.number, chained.previous, chained.entry)):
            return _bad(where, "its content is not what was hashed")
        tail = chained.tail
    if end is not None and tail != end:
        return _bad(
            f"{link}, entry {tail.number + 1}", f"the chain ends before entry {end.number}, its known end"
        )
    return None


def verify_chain(
    link: str, entries: Iterable[Chained], *, start: Tail | None = None, end: Tail | None = None
) -> None:
    """Raise the first bad entry of a chain; ``end`` is the tail that is known from elsewhere."""
    problem = first_bad(link, entries, start=start or Tail(), end=end)
    if problem is not None:
        raise ProblemsError([problem])


def _bad(where: str, what: str) -> Problem:
    return Problem(where, what, "compare with the last export and restore the entry; stop the link meanwhile")
