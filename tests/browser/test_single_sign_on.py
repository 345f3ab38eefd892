"""The office signs in through a real OpenID Connect provider, with and without a security key."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.conftest import Visit
from tests.browser.test_office_sign_in import VirtualKey, propose, token_of
from tests.browser.visitor import serious
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

HERE = Path(__file__).parent / "provider"
SECRET = "the secret of this site"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The provider's program, installed with the packages of its lock file."""
    folder = tmp_path_factory.mktemp("provider") / "program"
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("node_modules"))
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, check=True, capture_output=True)
    return folder / "provider.js"


@pytest.fixture(scope="module", params=["required", pytest.param("offered", marks=pytest.mark.whole)])
def security_key(request: pytest.FixtureRequest) -> str:
    """Whether the office needs a security key as well."""
    return str(request.param)


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres, program: Path, security_key: str) -> Iterator[House]:
    """A house with a provider."""
    port = free_port()
    secret = program.parent / "secret"
    secret.write_text(f"{SECRET}\n")
    for house in serve(
        server,
        new_books(server, f"provider_{security_key}"),
        security_key=security_key,
        origin="http://localhost:{port}",
        oidc_issuer=f"http://localhost:{port}",
        oidc_client="feltwork",
        oidc_secret=secret,
    ):
        house.url = house.url.replace("127.0.0.1", "localhost")
        answer = f"{house.url}/sign-in/office/return"
        command = ["node", str(program), str(port), answer, SECRET]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
            assert running.stdout is not None
            while b"listening" not in running.stdout.readline():
                assert running.poll() is None, "the provider has ended"
            yield house
            running.kill()


@pytest.fixture
def page(house: House, chromium: Browser) -> Iterator[Page]:
    """A page that may visit the provider."""
    context = chromium.new_context(base_url=house.url)
    yield context.new_page()
    context.close()


def sign_in_there(page: Page, house: House, login: str) -> None:
    """From our page to the provider's questions, and back."""
    page.goto("/sign-in/office?next=/people")
    page.click("#provider")
    page.fill("[name=login]", login)
    page.fill("[name=password]", "anything")
    page.click("button[type=submit]")
    page.click("button[type=submit]")
    page.wait_for_url(f"{house.url}/**")


@pytest.mark.requirement("GL-10")
def test_whom_the_provider_names_enters_the_office(house: House, page: Page, security_key: str) -> None:
    needs_key = security_key == "required"
    if needs_key:
        VirtualKey(page)
        house.grant_key("eve")
    sign_in_there(page, house, "eve")
    if needs_key:
        expect(page.get_by_role("heading", name="New security key")).to_be_visible()
        assert "feltwork_session" not in {cookie["name"] for cookie in page.context.cookies(house.url)}
        assert serious(page) == []
        page.click("#key-use")
    page.wait_for_url(f"{house.url}/people")
    answer = propose(house, token_of(page))
    assert answer.status_code == 200, answer.text


def test_a_stranger_and_a_copied_answer_open_nothing(house: House, page: Page, visit: Visit) -> None:
    sign_in_there(page, house, "mallory")
    problem = page.locator("#sign-in-problem")
    expect(problem).to_contain_text("calls you mallory, and nobody by that id works here")
    elsewhere = visit("/sign-in/office", screen="desk")
    elsewhere.goto(page.url)
    expect(elsewhere.locator("body")).to_contain_text("attempt has expired")
    page.reload()
    expect(problem).to_contain_text("refused this attempt")
