"""What holds for all tests: the longest begin first, and properties are judged by what they find."""

import os
from pathlib import Path

import certifi
import pytest
from hypothesis import HealthCheck, settings

# Each HTTP client reads all public authorities, 40 ms of processor time; no test needs any of them.
certifi.where = lambda: str(Path(__file__).parent / "support/no_authority.pem")

# PINs of tests protect nothing, here and in the programs that tests start; argon2 takes 0.3 s each.
os.environ["FELTWORK_TEST_HASHES"] = "1"

# Not by how busy the machine is.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

#: Files with tests of half a minute and more, the longest first: no worker waits for one that began last.
_LONG = (
    "rehearsal/test_rehearse.py",
    "properties/test_histories.py",
    "web/test_crawl.py",
    "web/test_openapi.py",
    "simulation/test_torture.py",
    "table/test_raspberry_pi.py",
    "table/test_wrong_devices.py",
    "table/test_typescript_device.py",
    "web/test_kills.py",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest; the others keep their random order."""
    ranks = {name: rank for rank, name in enumerate(_LONG)}
    items.sort(key=lambda item: ranks.get("/".join(item.path.parts[-2:]), len(_LONG)))
