"""The contract of the HTTP API: its OpenAPI document, as `/openapi.json` answers it."""

import json

from feltwork.site.web.app import application
from feltwork.site.web.settings import Settings


def openapi_document() -> str:
    return json.dumps(application(Settings(dsn="")).openapi(), indent=1, ensure_ascii=False) + "\n"
