"""The AsyncAPI document: it is valid and what the code makes; its examples fit schemas and addresses."""

import json
import re
import shutil
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from feltwork.site.wire.downlink import SignedOn
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import Message
from tools.asyncapi import asyncapi_document
from tools.protocol import examples

HERE = Path(__file__).parent
TEXT = (HERE.parents[1] / "docs" / "asyncapi.json").read_text(encoding="utf-8")
DOCUMENT: dict[str, Any] = json.loads(TEXT)


@pytest.fixture(scope="module")
def standard(tmp_path_factory: pytest.TempPathFactory) -> jsonschema_rs.Validator:
    """The JSON Schema of AsyncAPI 3.0, from its own package."""
    folder = tmp_path_factory.mktemp("asyncapi")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / "asyncapi" / name, folder)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, check=True, capture_output=True)
    schema = folder / "node_modules" / "@asyncapi" / "specs" / "schemas" / "3.0.0.json"
    return jsonschema_rs.validator_for(json.loads(schema.read_text(encoding="utf-8")))


def test_the_document_is_valid(standard: jsonschema_rs.Validator) -> None:
    assert [error.message for error in standard.iter_errors(DOCUMENT)] == []
    wrong = deepcopy(DOCUMENT)
    wrong["operations"]["send_round"]["action"] = "shout"
    assert not standard.is_valid(wrong)


def test_the_document_is_what_the_messages_make() -> None:
    assert asyncapi_document() == TEXT


@pytest.mark.parametrize("message", examples(), ids=lambda message: type(message).__name__)
def test_an_example_fits_its_schema_and_its_address(message: Message) -> None:
    name = type(message).__name__
    described = DOCUMENT["components"]["messages"][name]
    schema = {**described["payload"], "components": DOCUMENT["components"]}
    checked = jsonschema_rs.Draft7Validator(schema)
    payload = described["examples"][0]["payload"]
    checked.validate(payload)
    assert not checked.is_valid({**payload, "v": 2})
    (channel,) = [channel for channel in DOCUMENT["channels"].values() if name in channel["messages"]]
    if isinstance(message, SignedOn):
        assert channel["address"] is None
        return
    address = re.sub(r"\\{(\w+)\\}", r"[^.]+", re.escape(channel["address"]))
    assert re.fullmatch(address, subject_of(message))


def test_every_reference_leads_somewhere() -> None:
    references = re.findall(r'"\$ref": "#/([^"]+)"', TEXT)
    assert len(references) > 50
    for path in references:
        node = DOCUMENT
        for word in path.split("/"):
            node = node[word]
        assert node
