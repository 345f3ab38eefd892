"""Problem responses: every refusal has a rule, a requirement, and a remedy."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, TypeAlias

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from feltwork.problem import HandInTheWay, ProblemsError, all_of
from feltwork.site.books.connection import REJECTED, UNAVAILABLE, UnconfirmedCommitError
from feltwork.site.books.errors import RefusedError
from feltwork.site.web.field_problems import field_problems
from feltwork.site.web.rendering import catalog
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.templating import problem_page, wants_html
from feltwork.site.web.security.limits import LimitError

_log = structlog.get_logger("feltwork.site.web")
_MEDIA = "application/problem+json"
#: Maximum number of fields named in a response.
_FIELDS = 20
#: Words before an id in the place of a refusal: table C1, round 214, seat 5.
_PLACES = (
    *(N_("award"), N_("badge"), N_("day"), N_("link"), N_("person")),
    *(N_("proposal"), N_("round"), N_("seat"), N_("table")),
)
_PLACE = re.compile(rf"\b({'|'.join(_PLACES)}) (?=\S)")
_STATUS = {"not_signed_in": 401, "not_allowed": 403, "unknown": 404, "not_installed": 501}


class TranslatedProblem(BaseModel):
    """A refusal in the language of the person at the screen."""

    detail: str
    remedy: str
    where: str


class ProblemBody(BaseModel):
    """A refusal and its remedy as RFC 9457 problem details, in English like the records."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "urn:feltwork:problem:roles",
                "title": "Forbidden",
                "status": 403,
                "detail": "A dealer can't void a claim.",
                "rule": "roles",
                "requirement": "WA-30",
                "remedy": "Ask a supervisor or executive.",
                "where": "award A-1",
            }
        }
    )

    #: The rule as a URI.
    type: str
    #: The name of the status.
    title: str
    status: int
    detail: str
    rule: str
    requirement: str
    remedy: str
    where: str = ""
    #: The error in each invalid field of the request, by field name.
    fields: dict[str, str] = {}
    #: The hand entered before that contradicts the refused one; pressing its button again clears it.
    in_the_way: HandInTheWay | None = None
    #: The same in the language of the request, unless that is English.
    translated: TranslatedProblem | None = None


#: The responses of an endpoint by status, as FastAPI expects them.
Responses: TypeAlias = Mapping[int | str, dict[str, Any]]
_REFUSALS = {
    400: "The request can't be parsed.",
    401: "No one is signed in.",
    403: "The role or the separation of duties doesn't allow it.",
    404: "Not found.",
    409: "The rules or the books refuse it.",
    422: "A value is invalid.",
    503: "The books are unavailable.",
}
#: The refusals that every endpoint may return.
REFUSALS: Responses = {
    status: {"model": ProblemBody, "description": text} for status, text in _REFUSALS.items()
}


def problem_of(
    status: int,
    *,
    rule: str,
    what: str,
    remedy: str,
    requirement: str = "",
    where: str = "",
    in_the_way: HandInTheWay | None = None,
) -> ProblemBody:
    """A refusal as problem details in English, and in the language of the request; the rule is its type."""
    body = ProblemBody(
        type=f"urn:feltwork:problem:{rule}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=what,
        rule=rule,
        requirement=requirement,
        remedy=remedy,
        where=where,
        in_the_way=in_the_way,
    )
    if catalog.language() != catalog.SOURCE_LANGUAGE:
        body.translated = TranslatedProblem(
            detail=catalog.translated(what),
            remedy=catalog.translated(remedy),
            where=_PLACE.sub(lambda match: f"{catalog.gettext(match[1])} ", where),
        )
    return body


def answer_problem(problem: ProblemBody) -> JSONResponse:
    """A problem as a JSON response."""
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else None
    return JSONResponse(problem.model_dump(exclude_none=True), problem.status, headers, media_type=_MEDIA)


def tell(request: Request, problem: ProblemBody) -> Response:
    """Respond with a problem: a page for people, JSON for programs."""
    request.app.state.observed.refusal(problem.rule)
    if wants_html(request):
        translation = problem.translated.model_dump() if problem.translated else {}
        return problem_page(request, problem.status, problem.model_dump() | translation)
    return answer_problem(problem)


def install(app: FastAPI) -> None:
    """Register the exception handlers: a page for people, problem JSON for programs."""

    @app.exception_handler(RefusedError)
    def _refused(request: Request, error: RefusedError) -> Response:
        return tell(request, problem_of(_STATUS[error.cause], **asdict(error.refusal)))

    @app.exception_handler(ProblemsError)
    def _problems(request: Request, error: ProblemsError) -> Response:
        first, *others = error.problems
        body = problem_of(
            409,
            rule=first.requirement or "input",
            requirement=first.requirement,
            what=all_of([first.what, *(problem.what for problem in others)]),
            remedy=first.remedy,
            where=first.where,
            in_the_way=first.in_the_way,
        )
        return tell(request, body)

    @app.exception_handler(RequestValidationError)
    def _invalid(request: Request, error: RequestValidationError) -> Response:
        wrong = dict(list(field_problems(error.errors()).items())[:_FIELDS])
        what = (
            " ".join(f"{name}: {sentence}" for name, sentence in wrong.items())
            .encode("utf-8", "replace")
            .decode()
        )
        remedy = N_("Correct the fields named here, and send the request again.")
        problem = problem_of(422, rule="schema", what=what, remedy=remedy)
        return tell(request, problem.model_copy(update={"fields": wrong}))

    @app.exception_handler(LimitError)
    def _limited(request: Request, error: LimitError) -> Response:
        body = problem_of(
            error.status_code, rule="limit", requirement="GL-10", what=str(error.detail), remedy=error.remedy
        )
        return tell(request, body)

    @app.exception_handler(ModuleNotFoundError)
    def _not_installed(request: Request, error: ModuleNotFoundError) -> Response:
        if error.name != "numba":
            raise error
        what = N_("This installation can't count hands: Numba isn't installed.")
        remedy = N_(
            "Choose a paytable whose counts are stored, or use a computer with all of Feltwork's packages."
        )
        return tell(request, problem_of(501, rule="not-installed", what=what, remedy=remedy))

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> Response:
        what, remedy = str(error.detail), N_("Check the address, or start from the home page.")
        response = tell(request, problem_of(error.status_code, rule="http", what=what, remedy=remedy))
        response.headers.update(error.headers or {})
        return response

    _install_books(app)


def _install_books(app: FastAPI) -> None:
    """Register the handlers of database errors and bugs; their text goes to the log, not to the caller."""

    def rejected(request: Request, error: Exception) -> Response:
        _log.warning("rejected by the database", error=str(error))
        what = N_("The books refused this: it would break one of their rules.")
        remedy = N_("Check what is already posted.")
        return tell(request, problem_of(409, rule="books", requirement="GEN-11", what=what, remedy=remedy))

    def unavailable(request: Request, error: Exception) -> Response:
        _log.error("books unavailable", error=str(error))
        what, remedy = N_("The books are unavailable."), N_("Try again in a moment.")
        return tell(
            request, problem_of(503, rule="fail-closed", requirement="GEN-07", what=what, remedy=remedy)
        )

    def unconfirmed(request: Request, error: Exception) -> Response:
        _log.error("commit unconfirmed", error=str(error))
        what = N_("No standby has confirmed this: it may be on one server only.")
        remedy = N_(
            "Don't pay or note anything yet. Send the same again until it's answered: it's booked once."
        )
        return tell(
            request, problem_of(503, rule="unconfirmed", requirement="GEN-09", what=what, remedy=remedy)
        )

    def failed(request: Request, error: Exception) -> Response:
        what = N_("Something went wrong in the service.")
        remedy = N_("Before you try again, check whether it was done. Report the time of the error to IT.")
        return tell(request, problem_of(500, rule="fault", what=what, remedy=remedy))

    app.add_exception_handler(Exception, failed)
    for kind in REJECTED:
        app.add_exception_handler(kind, rejected)
    for cause in UNAVAILABLE:
        app.add_exception_handler(cause, unavailable)
    app.add_exception_handler(UnconfirmedCommitError, unconfirmed)
