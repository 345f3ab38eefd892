"""Papers: real PDFs, read back; a win page leads to its award, and nothing is asked of another host."""

import io
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import segno
from pypdf import PageObject, PdfReader

from feltwork.site.web.rendering import pdf, report_format
from feltwork.site.web.settings import Settings
from tests.web.house import House

ORIGIN = Settings.model_fields["origin"].default
MM = 25.4 / 72
LETTER, A4 = (216, 279), (210, 297)
#: What is embedded of the fonts in `static/vendor`; a name begins with six letters for the part that is used.
FONTS = {"Inter", "Inter-Bold", "Fraunces-Bold"}
#: Prints a paper and a certificate.
PRINT = """
import sys
from pathlib import Path
from feltwork.odds.certificate import certificate
from feltwork.titles import registry
from feltwork.site.web.rendering import certificate_pdf, pdf

folder, name = Path(sys.argv[1]), sys.argv[2]
page = f"<h1>{name}</h1><p>{name} <b>{name}</b> <code>{name}</code>"
(folder / "paper.pdf").write_bytes(pdf.pdf(f'<link rel="stylesheet" href="/static/paper.css">{page}'))
body = certificate(registry.paytable("four_card", "jackpot", "3"))
(folder / "certificate.pdf").write_bytes(certificate_pdf.as_pdf(body))
"""


def read(house: House, person: str, path: str) -> PdfReader:
    answer = house.of(person).get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    document = PdfReader(io.BytesIO(answer.content))
    assert fonts(document) <= FONTS, path
    return document


def fonts(document: PdfReader) -> set[str]:
    """The fonts that a document is written in; each must be embedded."""

    def of(resources: Any) -> Iterator[str]:
        for font in (reference.get_object() for reference in resources.get("/Font", {}).values()):
            for drawn in font["/DescendantFonts"]:
                descriptor = drawn.get_object()["/FontDescriptor"].get_object()
                assert {"/FontFile2", "/FontFile3"} & {*descriptor}, "a font is not embedded"
            yield re.sub(r"^/[A-Z]{6}\+", "", font["/BaseFont"])
        for xobject in (xobject.get_object() for xobject in resources.get("/XObject", {}).values()):
            yield from of(xobject.get("/Resources", {}))

    return {name for page in document.pages for name in of(page["/Resources"])}


def words(paper_: PdfReader | PageObject) -> str:
    pages = paper_.pages if isinstance(paper_, PdfReader) else [paper_]
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def size(paper_: PdfReader) -> tuple[int, int]:
    box = paper_.pages[0].mediabox
    return round(float(box.width) * MM), round(float(box.height) * MM)


@pytest.fixture(scope="module")
def award(house: House) -> str:
    house.open("papers")
    house.start("papers", "A1")
    claimed = house.claim("papers", "A1", seat=2)
    assert house.confirm("papers", claimed, "sam", "eve").status_code == 200
    house.record("papers", claimed)
    house.done("cara", f"/api/v1/links/papers/awards/{claimed}/pay", {"form": "check"})
    house.end("papers", "A1")
    return claimed


@pytest.mark.requirement("LT-15")
def test_a_win_page_of_one_sheet_says_amount_place_hand_and_people(house: House, award: str) -> None:
    win = house.get("ann", f"/awards/{award}/win-page.json")["award"]
    document = read(house, "ann", f"/awards/{award}/win-page.pdf")
    assert (len(document.pages), size(document)) == (1, (148, 210)), "one sheet of A5"
    text = words(document)
    units, cents = divmod(win["amount"] // 10_000, 100)
    for phrase in (
        f"${units:,}.{cents:02}",
        "Test Room",
        award,
        "Four Aces",
        f"Table A1, round {win['round']}, seat 2",
        "Pressed by Dana",
        "Confirmed by Sam, Eve",
        "Paid by Cara",
        "Cards entered by Sam",
        "Dana Sam Eve Cara Pat Patron",
        "Gross",
        "Net",
        "As Ah Ad Ac 2c",
        "Envy by seat 1: $100.00, 3: $100.00",
        "Sam, Eve",
        "Pat Patron",
        "Paid, check",
        "Cara",
        "C4.nexus.four-card-3",
    ):
        assert phrase in text, phrase


@pytest.mark.requirement("LT-15")
def test_a_win_page_belongs_to_a_link(house: House, award: str) -> None:
    for paper, dimensions in (("letter", LETTER), ("a4", A4)):
        document = read(house, "sam", f"/awards/{award}/win-page.pdf?link=papers&paper={paper}")
        assert (len(document.pages), size(document)) == (1, dimensions)
    assert house.of("sam").get(f"/awards/{award}/win-page.pdf?link=other").status_code == 404
    assert house.of("sam").get(f"/awards/{award}/win-page?link=other").status_code == 404


@pytest.mark.requirement("LT-15")
def test_its_code_leads_to_the_award(house: House, award: str) -> None:
    address = f"{ORIGIN}/awards/{award}/win-page"
    page = read(house, "sam", f"/awards/{award}/win-page.pdf").pages[0]
    assert {annotation.get_object()["/A"]["/URI"] for annotation in page.annotations or ()} == {address}
    code = segno.make(address, error="m", micro=False)
    assert squares(page) == {
        (column, row)
        for row, line in enumerate(code.matrix_iter(border=4))
        for column, dark in enumerate(line)
        if dark
    }
    assert house.get("sam", address.removeprefix(ORIGIN))["award"]["id"] == award


def squares(page: PageObject) -> set[tuple[int, int]]:
    """The dark squares as they are drawn: level strokes of one unit, from a half to a half."""
    contents = page.get_contents()
    assert contents is not None
    drawn: set[tuple[int, int]] = set()
    steps = [
        (operator, [float(operand) for operand in operands])
        for operands, operator in contents.operations
        if operator in (b"m", b"l")
    ]
    for (first, begin), (second, end) in pairwise(steps):
        level = begin[1] == end[1] and begin[1] % 1 == 0.5
        if (first, second) == (b"m", b"l") and level and begin[0] % 1 == end[0] % 1 == 0:
            drawn |= {(column, int(begin[1])) for column in range(int(begin[0]), int(end[0]))}
    return drawn


def test_a_claim_has_a_win_page_before_anybody_has_confirmed_it(house: House, award: str) -> None:
    house.start("papers", "D1")
    claimed = house.claim("papers", "D1")
    text = words(read(house, "sam", f"/awards/{claimed}/win-page.pdf"))
    assert "claimed" in text
    assert "Paid to" not in text.replace("PAID TO", "Paid to")
    assert house.of("sam").get("/awards/A-nobody/win-page.pdf").status_code == 404
    house.void("sam", "papers", claimed, "wrong hand pressed")
    house.end("papers", "D1")


@pytest.mark.requirement("WA-28")
def test_the_posting_sheet_has_a_page_for_each_table(house: House, award: str) -> None:
    whole = read(house, "ann", "/office/links/papers/posting.pdf")
    assert size(whole) == LETTER
    assert size(read(house, "ann", "/office/links/papers/posting.pdf?table=A1&paper=a4")) == A4
    assert "Table A1" in words(whole.pages[0])
    text = words(read(house, "ann", "/office/links/papers/posting.pdf?table=D1"))
    meter = house.meter("papers")
    for phrase in (
        "Table D1",
        f"${meter // 1_000_000:,}.{meter // 10_000 % 100:02}",
        "$300.00",
        "Four Aces",
        "100% of jackpot",
        "Folded hands count",
        "Ask the supervisor.",
    ):
        assert phrase in text, phrase
    assert "Table A1" not in text
    assert house.of("ann").get("/office/links/papers/posting.pdf?table=Z9").status_code == 404


@pytest.mark.requirement("WA-08")
def test_the_meter_sheet_of_a_day(house: House, award: str) -> None:
    document = read(house, "ann", "/office/links/papers/sheet.pdf")
    assert size(document) == LETTER[::-1]
    assert size(read(house, "ann", "/office/links/papers/sheet.pdf?paper=a4")) == A4[::-1]
    text = words(document)
    assert "opening amount" in text
    assert "award {}, round {}, seat {}".format(*award.split(":")) in text
    assert house.get("ann", "/api/v1/links/papers")["hash"] in text.replace(" ", "")
    assert house.of("dana").get("/office/links/papers/sheet.pdf").status_code == 403


def test_the_dispute_packet_has_every_step_and_the_rule(house: House, award: str) -> None:
    number = house.get("ann", f"/awards/{award}/win-page.json")["award"]["round"]
    text = words(read(house, "otto", f"/audit/rounds/A1/{number}.pdf"))
    version = house.get("ann", "/api/v1/links/papers")["version"]
    for phrase in (
        f"Round {number} at table A1",
        "Round booked",
        "Claimed",
        "Round ended",
        "dana",
        "Four Aces",
    ):
        assert phrase in text, phrase
    assert version in text.replace(" ", "")
    assert house.of("otto").get("/audit/rounds/A1/99999.pdf").status_code == 404


@pytest.mark.requirement("TR-02")
def test_two_people_count_on_sheets_of_their_own(house: House, award: str) -> None:
    document = read(house, "sam", "/pit/count-form.pdf?shift=night")
    first, second, third = (words(page) for page in document.pages[:3])
    for sheet, whose in ((first, "First count"), (second, "Second count (supervisor)")):
        assert whose in sheet
        assert "shift night" in sheet
        assert "A1" in sheet
        assert "cage" in sheet
        assert "$" not in sheet.split("in dollars")[-1], "who counts does not see what is expected"
    assert "Second count (supervisor)" not in first
    assert "Over or short" in third
    assert f"${house.meter('papers') // 1_000_000:,}." in words(document)


@pytest.mark.requirement("TX-05")
def test_several_people_state_their_shares_of_one_win(house: House, award: str) -> None:
    amount = house.get("ann", f"/awards/{award}/win-page.json")["award"]["amount"]
    text = words(read(house, "cara", f"/awards/{award}/shares.pdf?people=3"))
    for phrase in (
        f"${amount // 1_000_000:,}.",
        "Date won",
        "Type of winnings",
        "table A1",
        "Taxpayer number",
        "Each share counts as a separate win",
        "file a Form W-2G for it",
        "Pat Patron",
        "Confirmed by Sam, Eve",
        "Paid by Cara",
        "Envy by seat",
        "Net",
    ):
        assert phrase in text, phrase
    assert house.of("cara").get(f"/awards/{award}/shares.pdf?people=1").status_code == 422


def test_a_service_without_the_extra_says_what_to_install(
    house: House, award: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("weasyprint", "segno"):
        with monkeypatch.context() as without:
            # What Python keeps for a module that cannot be imported.
            without.setitem(sys.modules, library, None)
            answer = house.of("sam").get(f"/awards/{award}/win-page.pdf")
        assert (answer.status_code, answer.json()["rule"]) == (501, "documents")
        assert "Install feltwork[documents]" in answer.json()["remedy"]


def test_documents_embed_our_fonts_where_the_system_has_none(tmp_path: Path) -> None:
    config = tmp_path / "fonts.conf"
    config.write_text("<fontconfig></fontconfig>", encoding="utf-8")
    name = "Type Table Nguyễn Thị Ánh, Łukasz Wójcik, Олена Ковальчук"
    subprocess.run(
        [sys.executable, "-c", PRINT, str(tmp_path), name],
        env={**os.environ, "FONTCONFIG_FILE": str(config)},
        check=True,
    )
    document, certified = (PdfReader(tmp_path / file) for file in ("paper.pdf", "certificate.pdf"))
    assert fonts(document) == fonts(certified) == FONTS
    assert words(document).count(name) == 4, words(document)
    assert "Paytable and combinations".upper() in words(certified)


def test_a_document_asks_nothing_of_another_host_nor_of_the_disk() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(1)
        contact = threading.Event()

        def listen() -> None:
            try:
                listener.accept()[0].close()
                contact.set()
            except TimeoutError:
                return

        thread = threading.Thread(target=listen)
        thread.start()
        elsewhere = f"http://127.0.0.1:{listener.getsockname()[1]}/spy.css"
        links = "".join(
            f'<link rel="stylesheet" href="{address}">'
            for address in (elsewhere, "file:///etc/hostname", "/static/../app.py", "/static/paper.css")
        )
        content = pdf.pdf(f"{links}<body class='a5'>said")
        thread.join()
    assert not contact.is_set()
    assert size(PdfReader(io.BytesIO(content))) == (148, 210), "our own style was read"


@pytest.mark.requirement("LT-15", "WA-24")
def test_the_audit_page_names_everyone_and_no_code(house: House, award: str) -> None:
    answer = house.of("otto").get(f"/audit/awards/papers/{award}", headers={"Accept": "text/html"})
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))
    for phrase in ("Pressed by Dana", "Confirmed by Sam, Eve", "Paid by Cara", "Payee Pat Patron", "Net $"):
        assert phrase in text, phrase
    assert not re.search(r"\b(dana|sam|eve|cara)\b", text)
    assert report_format.cell("what", "Adjusted.HOUSE_ADDITION").says == "adjusted, house addition"
