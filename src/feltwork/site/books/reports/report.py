"""A report: query, parameters and columns."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books import reports
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Policy
from feltwork.site.books.links.links import hand_names
from feltwork.site.books.reports import Row

#: ``name`` is an identifier that is shown with spaces; ``amount`` is in micros; ``detail`` is JSON.
Kind: TypeAlias = Literal["text", "name", "number", "amount", "moment", "yes_no", "detail"]
Pool: TypeAlias = Literal["meter", "reserve"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a report, and what it holds."""

    name: str
    kind: Kind
    #: Whether the sum of its rows is meaningful.
    total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """A report and its parameters; each report uses only its own."""

    name: str
    since: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    until: datetime = datetime(9999, 1, 1, tzinfo=UTC)
    day: str = "TODAY"
    link: str = ""
    level: str = ""
    pool: Pool = "meter"
    award: str = ""
    table: str = ""
    round: int = 0
    above: int = 0
    code: str = ""
    after: int = 0
    limit: int = 200


Query: TypeAlias = Callable[[Connection, ReportRequest, Policy], Sequence[Row]]


@dataclass(frozen=True, kw_only=True)
class Report:
    """A report: its query is SQL, or a function where the rules compute its rows."""

    name: str
    title: str
    says: str
    columns: tuple[Column, ...]
    query: str | Query
    #: Parameters of a function query; SQL contains its own.
    takes: tuple[str, ...] = ()
    #: Parameters that may be left out.
    optional: tuple[str, ...] = ()

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of the report, in request order."""
        names = re.findall(r"%\((\w+)\)s", self.query) if isinstance(self.query, str) else self.takes
        return tuple(name for name in ReportRequest.__dataclass_fields__ if name in names)

    @property
    def dated(self) -> bool:
        """Whether it covers a period."""
        return "since" in self.parameters or "day" in self.parameters

    def missing(self, request: ReportRequest) -> list[str]:
        """Return the parameters that a request lacks."""
        needed = (name for name in self.parameters if name not in {*self.optional, "above", "after"})
        return [name for name in needed if getattr(request, name) in ("", 0)]

    def rows(self, connection: Connection, request: ReportRequest, policy: Policy) -> Sequence[Row]:
        """The rows of the report."""
        missing = self.missing(request)
        if missing:
            problem = Problem(
                f"report {self.name}", f"the report needs {', '.join(missing)}", "enter it and try again"
            )
            raise ProblemsError([problem])
        if isinstance(self.query, str):
            parameters = {name: getattr(request, name) for name in self.parameters}
            rows: Sequence[Row] = reports.rows(connection, self.query, **parameters)
        else:
            rows = self.query(connection, request, policy)
        return _named(connection, rows) if any(column.name == "hand" for column in self.columns) else rows


def _named(connection: Connection, rows: Sequence[Row]) -> Sequence[Row]:
    """Rows with the approved names of their hands."""
    names = {link: hand_names(connection, link) for link in {row["link"] for row in rows}}
    return [{**row, "hand": names[row["link"]].get(row["hand"], row["hand"])} for row in rows]


def of(text: str) -> tuple[Column, ...]:
    """Columns from ``link, paid: amount total``: one without a kind is text, one with ``total`` is summed."""
    return tuple(map(_column, text.split(",")))


def _column(text: str) -> Column:
    name, _, words = text.partition(":")
    kind, _, total = words.strip().partition(" ")
    known: dict[str, Kind] = {choice: choice for choice in get_args(Kind)}
    return Column(name.strip(), known[kind or "text"], total == "total")
