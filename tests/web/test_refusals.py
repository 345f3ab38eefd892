"""A fault of the service is told like every other no: with what to do, and without its words."""

import asyncio

import httpx
from fastapi import FastAPI

from feltwork.telemetry.request_log import RequestMetrics
from feltwork.web.problem_responses import install


def test_a_fault_is_told_to_programs_and_to_people() -> None:
    app = FastAPI()
    app.state.observed = RequestMetrics()
    install(app)

    @app.get("/fault")
    def fault() -> None:
        raise RuntimeError("words that nobody outside may read")

    async def asked(accept: str) -> httpx.Response:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get("/fault", headers={"Accept": accept})

    told, shown = (asyncio.run(asked(kind)) for kind in ("application/json", "text/html"))
    assert (told.status_code, told.json()["rule"]) == (500, "fault")
    assert shown.status_code == 500
    assert "What to do:" in shown.text
    assert "Check whether it was done" in shown.text
    assert "nobody outside" not in told.text + shown.text
