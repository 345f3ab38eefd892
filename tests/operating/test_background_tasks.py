"""Background tasks: whatever fails is restarted, alone, and reported until it runs again."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count, pairwise

import pytest

from feltwork import background_tasks
from feltwork.background_tasks import BackgroundTasks, is_cancelled


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_tasks, "FIRST_PAUSE_SECONDS", 0.02)
    monkeypatch.setattr(background_tasks, "LONGEST_PAUSE_SECONDS", 0.08)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.005)


def test_a_task_that_fails_is_restarted_and_the_others_go_on() -> None:
    reports: list[tuple[str, str | None]] = []
    starts: list[float] = []
    steps = count()

    async def failing() -> None:
        starts.append(asyncio.get_running_loop().time())
        if len(starts) == 1:
            return
        if len(starts) < 6:
            raise RuntimeError("broken")
        await asyncio.Event().wait()

    async def sound() -> None:
        while True:
            next(steps)
            await asyncio.sleep(0.001)

    async def scenario() -> None:
        async with BackgroundTasks(lambda name, what: reports.append((name, what))) as tasks:
            tasks.start("failing", failing)
            other = tasks.start("sound", sound)
            await until(lambda: len(starts) == 5)
            assert tasks.failed == {"failing"}
            assert not other.done()
            await until(lambda: not tasks.failed)
        assert other.cancelled(), "whoever leaves ends all of them"

    asyncio.run(scenario())
    reasons = [what for name, what in reports if name == "failing"]
    assert reasons == ["It ended by itself.", *4 * ["RuntimeError: broken"], None]
    assert {what for name, what in reports if name == "sound"} == {None}
    assert next(steps) > 20
    pauses = [after - before for before, after in pairwise(starts)]
    for pause, least in zip(pauses, (0.02, 0.04, 0.08, 0.08, 0.08), strict=True):
        assert pause >= 0.9 * least, "it waits twice as long after each failure, to a bound"


def test_an_error_of_whoever_holds_them_ends_them_all() -> None:
    async def scenario() -> None:
        async with BackgroundTasks(lambda name, what: None) as tasks:
            task = tasks.start("endless", asyncio.Event().wait)  # type: ignore[arg-type]  # it never answers
            try:
                raise ValueError("elsewhere")
            finally:
                assert not task.done()

    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(scenario())
    assert raised.group_contains(ValueError, match="elsewhere")


async def publish() -> None:
    """Hide a cancellation, as the NATS client does when it publishes."""
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(0.05)


def test_a_hidden_cancellation_keeps_nothing_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_tasks, "_CANCEL_AGAIN_SECONDS", 0.1)
    reports: list[str | None] = []

    async def publishing() -> None:
        while True:
            await publish()
            await asyncio.sleep(1)

    async def asking() -> None:
        while not is_cancelled():
            await publish()

    async def nested() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(asking())
            await asyncio.Event().wait()

    async def scenario() -> None:
        async with asyncio.timeout(10), BackgroundTasks(lambda _, what: reports.append(what)) as tasks:
            for work in (publishing, asking, nested):
                tasks.start(work.__name__, work)
            await asyncio.sleep(0.03)

    asyncio.run(scenario())
    assert {*reports} <= {None}, "a task that was told to end did not fail"
