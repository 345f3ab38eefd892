"""The contract of the HTTP API: its OpenAPI document, as `/openapi.json` answers it."""

import json

from feltwork.web.app import application
from feltwork.web.settings import Settings


def openapi_document() -> str:
    return json.dumps(application(Settings(dsn="")).openapi(), indent=1, ensure_ascii=False) + "\n"
