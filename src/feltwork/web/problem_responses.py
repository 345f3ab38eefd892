"""Refusals: every no of the service is one problem with its rule, its requirement and its remedy."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from feltwork.operations.connection import REJECTED, UNAVAILABLE
from feltwork.operations.errors import RefusedError
from feltwork.problem import ProblemsError
from feltwork.web.rendering.templating import problem_page, wants_html

_log = structlog.get_logger("feltwork.web")
_MEDIA = "application/problem+json"
_STATUS = {"not_signed_in": 401, "not_allowed": 403, "unknown": 404, "not_installed": 501}


class ProblemBody(BaseModel):
    """Why something was refused, and what to do about it."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "rule": "roles",
                "requirement": "WA-30",
                "what": "dealer may not refuse a claim",
                "remedy": "ask: supervisor, executive",
                "where": "award A-1",
            }
        }
    )

    rule: str
    requirement: str
    what: str
    remedy: str
    where: str = ""


#: The answers of an endpoint by status, as FastAPI takes them.
Responses: TypeAlias = Mapping[int | str, dict[str, Any]]
_REFUSALS = {
    400: "The request cannot be read.",
    401: "Nobody is signed in.",
    403: "The rules about people say no.",
    404: "Nothing has this name.",
    409: "The rules of the game or the books say no.",
    422: "A value is not what it must be.",
    503: "The books do not answer.",
}
#: What every endpoint may answer besides its own.
REFUSALS: Responses = {
    status: {"model": ProblemBody, "description": text} for status, text in _REFUSALS.items()
}


def answer_problem(status: int, problem: ProblemBody) -> JSONResponse:
    """A problem as a response."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse(problem.model_dump(), status, headers, media_type=_MEDIA)


def install(app: FastAPI) -> None:
    """Teach an application to answer with problems only: as a page to people, as JSON to programs."""

    def tell(request: Request, status: int, problem: ProblemBody) -> Response:
        request.app.state.observed.refusal(problem.rule)
        if wants_html(request):
            return problem_page(request, status, problem.model_dump())
        return answer_problem(status, problem)

    @app.exception_handler(RefusedError)
    def _refused(request: Request, error: RefusedError) -> Response:
        return tell(request, _STATUS[error.cause], ProblemBody(**asdict(error.refusal)))

    @app.exception_handler(ProblemsError)
    def _problems(request: Request, error: ProblemsError) -> Response:
        first = error.problems[0]
        body = ProblemBody(
            rule=first.requirement or "input",
            requirement=first.requirement,
            what="; ".join(one.what for one in error.problems),
            remedy=first.remedy,
            where=first.where,
        )
        return tell(request, 409, body)

    @app.exception_handler(RequestValidationError)
    def _invalid(request: Request, error: RequestValidationError) -> Response:
        told = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
        what = "; ".join(told[:20]).encode("utf-8", "replace").decode()
        body = ProblemBody(rule="schema", requirement="", what=what, remedy="see /openapi.json")
        return tell(request, 422, body)

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> Response:
        body = ProblemBody(rule="http", requirement="", what=str(error.detail), remedy="see /openapi.json")
        response = tell(request, error.status_code, body)
        response.headers.update(error.headers or {})
        return response

    _install_books(app, tell)


def _install_books(app: FastAPI, tell: Any) -> None:
    """What the database itself says no to; its words go to the log and not to the caller."""

    def by_the_books(request: Request, error: Exception) -> Response:
        _log.warning("refused by the database", error=str(error))
        what = "the books refuse it: it would break a rule that they keep themselves"
        body = ProblemBody(rule="books", requirement="GEN-11", what=what, remedy="look at what is booked")
        response: Response = tell(request, 409, body)
        return response

    def no_books(request: Request, error: Exception) -> Response:
        _log.error("the books do not answer", error=str(error))
        body = ProblemBody(
            rule="fail-closed", requirement="GEN-07", what="the books do not answer", remedy="try again soon"
        )
        response: Response = tell(request, 503, body)
        return response

    def failed(request: Request, error: Exception) -> Response:
        """A fault of ours: it is raised again for the log, and whoever asked hears what to do."""
        body = ProblemBody(
            rule="fault",
            requirement="",
            what="the service has failed at this",
            remedy="look whether it was done before you ask again, and tell who runs the service the time",
        )
        response: Response = tell(request, 500, body)
        return response

    app.add_exception_handler(Exception, failed)
    for rejected in REJECTED:
        app.add_exception_handler(rejected, by_the_books)
    for unavailable in UNAVAILABLE:
        app.add_exception_handler(unavailable, no_books)
