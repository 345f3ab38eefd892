"""The address of the API, and what the audit log calls a request to it."""

from fastapi import Request

#: Every path of the API begins with it; screens and health checks don't.
API = "/api/v1"


def path_of(request: Request) -> str:
    """The path of a request without the prefix of the API, as the audit log has it."""
    return request.url.path.removeprefix(API)
