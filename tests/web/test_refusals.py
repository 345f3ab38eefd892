"""A fault of the service is told like every other no: with what to do, and without its words."""

import asyncio

import httpx
from fastapi import FastAPI

from feltwork.site.web.problem_responses import install
from feltwork.telemetry.request_log import RequestMetrics


def test_a_fault_is_told_to_programs_and_to_people() -> None:
    app = FastAPI()
    app.state.observed = RequestMetrics()
    install(app)

    @app.get("/fault")
    def fault() -> None:
        raise RuntimeError("words that nobody outside may read")

    async def ask(accept: str) -> httpx.Response:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get("/fault", headers={"Accept": accept})

    json_response, html_response = (asyncio.run(ask(kind)) for kind in ("application/json", "text/html"))
    assert (json_response.status_code, json_response.json()["rule"]) == (500, "fault")
    assert html_response.status_code == 500
    assert "What to do:" in html_response.text
    assert "Before you try again, check whether it was done." in html_response.text
    assert "nobody outside" not in json_response.text + html_response.text
