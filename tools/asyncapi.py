"""The AsyncAPI document of the protocol, for a table controller, made from the messages themselves."""

import json
from typing import Any

import msgspec

from feltwork import __version__
from feltwork.site.wire.downlink import DOWNLINK_TYPES, AwardMessage, MeterSnapshot, Refused, SignedOn
from feltwork.site.wire.subjects import KEPT, downlink_prefix, meters_of, uplink_subject
from feltwork.site.wire.uplink import UPLINK_TYPES, Message, SignOn, encode
from tools.protocol import examples

_KINDS = (*UPLINK_TYPES, *DOWNLINK_TYPES)
_SCHEMAS = "#/components/schemas/"
_INBOX = "inbox"
_PARAMETERS = {
    "link": "The link; a dot in its name is written %2E.",
    "table": "The table; a dot in its name is written %2E.",
    "award": "The table's name of the claim; a dot in it is written %2E.",
    "round": "The round.",
}
_LAST = "Nats-Expected-Last-Subject-Sequence"


def asyncapi_document() -> str:
    """The document, for a table controller."""
    channels = _channels()
    document = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "The protocol of tables",
            "version": __version__,
            "description": "What a table controller sends to the books and receives from them, over NATS "
            "with JetStream. The page of the protocol has the sequence of messages and the rights.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "nearest": {
                "host": "127.0.0.1:4222",
                "protocol": "nats",
                "description": "With TLS 1.3, the certificate of the device and its nkey.",
            }
        },
        "channels": channels,
        "operations": _operations(channels),
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in _KINDS},
            "schemas": _schemas(),
        },
    }
    return json.dumps(document, indent=1) + "\n"


def _address(kind: type[Message]) -> str | None:
    """The subject of a kind of message; a reply comes in the inbox of its request."""
    if issubclass(kind, SignedOn):
        return None
    if kind in UPLINK_TYPES:
        return uplink_subject("{link}", "{table}", kind.subject)
    if issubclass(kind, MeterSnapshot):
        return meters_of("{link}")
    last = ".{award}" if issubclass(kind, AwardMessage) else ".{round}" if issubclass(kind, Refused) else ""
    return f"{downlink_prefix('{link}', '{table}')}.{kind.subject}{last}"


def _channels() -> dict[str, dict[str, Any]]:
    channels: dict[str, dict[str, Any]] = {}
    for kind in _KINDS:
        address = _address(kind)
        channel = channels.setdefault(kind.subject or _INBOX, {"address": address, "messages": {}})
        channel["messages"][kind.__name__] = {"$ref": f"#/components/messages/{kind.__name__}"}
        if address:
            parameters = {name: text for name, text in _PARAMETERS.items() if f"{{{name}}}" in address}
            channel["parameters"] = {name: {"description": text} for name, text in parameters.items()}
    return channels


def _operations(channels: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """One for each channel: the controller sends what a table says, and receives what the books tell."""
    uplink_subjects = {kind.subject for kind in UPLINK_TYPES}
    operations: dict[str, dict[str, Any]] = {}
    for name in channels:
        if name == _INBOX:
            continue
        action = "send" if name in uplink_subjects else "receive"
        operations[f"{action}_{name}"] = {"action": action, "channel": {"$ref": f"#/channels/{name}"}}
    operations[f"send_{SignOn.subject}"]["reply"] = {
        "address": {"location": "$message.header#/reply", "description": "The inbox of the NATS request."},
        "channel": {"$ref": f"#/channels/{_INBOX}"},
    }
    return operations


def _message(kind: type[Message]) -> dict[str, Any]:
    example = next(message for message in examples() if type(message) is kind)
    message: dict[str, Any] = {
        "name": kind.__name__,
        "summary": " ".join((kind.__doc__ or "").split()),
        "payload": {"$ref": f"{_SCHEMAS}{kind.__name__}"},
        "examples": [{"payload": json.loads(encode(example))}],
    }
    if kind in UPLINK_TYPES and kind.subject in KEPT:
        description = "The sequence of the previous message on the same subject, 0 for the first."
        message["headers"] = {
            "type": "object",
            "properties": {_LAST: {"type": "string", "pattern": "^[0-9]+$", "description": description}},
            "required": [_LAST],
        }
        message["examples"][0]["headers"] = {_LAST: "0"}
    return message


def _schemas() -> dict[str, Any]:
    """The schemas of the messages, in the draft 7 of JSON Schema that AsyncAPI uses."""
    _, components = msgspec.json.schema_components(_KINDS, ref_template=f"{_SCHEMAS}{{name}}")
    return {name: _draft_7(schema) for name, schema in components.items()}


def _draft_7(schema: Any) -> Any:
    """Draft 7 writes a tuple as a list of items."""
    if isinstance(schema, list):
        return [_draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {name: _draft_7(value) for name, value in schema.items()}
    if "prefixItems" in changed:
        changed["additionalItems"] = changed.pop("items", False)
        changed["items"] = changed.pop("prefixItems")
    return changed
