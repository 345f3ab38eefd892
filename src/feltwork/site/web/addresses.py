"""The API path prefix, and request paths as the audit log records them."""

from fastapi import Request

#: Prefix of every API path; screens and health checks don't have it.
API = "/api/v1"


def path_of(request: Request) -> str:
    """The path of a request without the API prefix, as the audit log records it."""
    return request.url.path.removeprefix(API)
