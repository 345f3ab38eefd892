"""The page of the protocol: every message is there, and each example is what the code reads."""

import json
import re
from pathlib import Path

import pytest

from feltwork.site.wire.downlink import DOWNLINK_TYPES, decode_downlink
from feltwork.site.wire.subjects import decode_from
from feltwork.site.wire.uplink import UPLINK_TYPES, Message, encode
from tools.protocol import messages_page

DOCS = Path(__file__).parent.parent.parent / "docs"
EXAMPLES = re.findall(
    r"^### (\w+)\n.*?Subject: `([^`]+)`\n\n```json\n(.*?)\n```", messages_page(), re.S | re.M
)


@pytest.mark.requirement("GL-12")
@pytest.mark.parametrize(("name", "subject", "example"), EXAMPLES, ids=lambda text: str(text)[:20])
def test_an_example_is_a_message_that_is_understood(name: str, subject: str, example: str) -> None:
    data = example.encode()
    read = decode_from(subject, data) if subject.startswith("felt.") else decode_downlink(data)
    assert type(read).__name__ == name
    assert json.loads(encode(read)) == json.loads(example)


def test_every_message_has_an_example() -> None:
    assert [name for name, _, _ in EXAMPLES] == [kind.__name__ for kind in (*UPLINK_TYPES, *DOWNLINK_TYPES)]


@pytest.mark.parametrize("kind", [*UPLINK_TYPES, *DOWNLINK_TYPES], ids=lambda kind: kind.__name__)
def test_the_schema_knows_every_field(kind: type[Message]) -> None:
    schema = json.loads((DOCS / "protocol.schema.json").read_text(encoding="utf-8"))
    described = schema["$defs"][kind.__name__]
    assert described["properties"].keys() == {"message", *kind.__struct_fields__}
    assert described["properties"]["message"] == {"enum": [kind.__name__]}
