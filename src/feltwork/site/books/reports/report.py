"""A report: query, parameters and columns."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books import reports
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Policy
from feltwork.site.books.fields import COMMAND, Name
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


class ReportRequest(BaseModel):
    """The parameters of a report; each report uses those it needs."""

    model_config = ConfigDict(**COMMAND, frozen=True)

    since: AwareDatetime = datetime(1970, 1, 1, tzinfo=UTC)
    until: AwareDatetime = datetime(9999, 1, 1, tzinfo=UTC)
    day: str = "TODAY"
    link: Name | None = None
    level: Name | None = None
    pool: Pool = "meter"
    award: Name | None = None
    table: Name | None = None
    round: Annotated[int, Field(ge=1, le=10**12)] | None = None
    above: Annotated[int, Field(ge=0, le=10**15)] = Field(
        default=0, description="Adjustments above this amount, millionths."
    )
    code: Name | None = Field(default=None, description="The kind of event.", examples=["Misdealt"])
    after: Annotated[int, Field(ge=0, le=2**62)] = Field(default=0, description="Entries after this number.")
    limit: Annotated[int, Field(ge=1, le=1_000)] = 200


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
        return tuple(name for name in ReportRequest.model_fields if name in names)

    @property
    def dated(self) -> bool:
        """Whether it covers a period."""
        return "since" in self.parameters or "day" in self.parameters

    def missing(self, request: ReportRequest) -> list[str]:
        """Return the parameters that a request lacks."""
        needed = (name for name in self.parameters if name not in {*self.optional, "above", "after"})
        return [name for name in needed if getattr(request, name) is None]

    def rows(self, connection: Connection, request: ReportRequest, policy: Policy) -> Sequence[Row]:
        """The rows of the report."""
        missing = self.missing(request)
        if missing:
            problem = Problem(
                f"report {self.name}", f"the report needs {', '.join(missing)}", "enter it and try again"
            )
            raise ProblemsError([problem])
        if isinstance(self.query, str):
            # The SQL takes an empty text for a parameter that is left out.
            asked_for = {name: getattr(request, name) for name in self.parameters}
            parameters = {name: "" if value is None else value for name, value in asked_for.items()}
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
