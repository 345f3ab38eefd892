"""The security key as a second proof: what a browser is asked for, and what its answer must be (WebAuthn)."""

import json
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import PublicKeyCredentialDescriptor

from feltwork.operations.people.sign_in import KeyChallenge, key_refused
from feltwork.web.settings import Settings

#: What a browser passes to its WebAuthn call.
BrowserOptions: TypeAlias = dict[str, Any]
_Base64 = Field(max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")


class _Sent(BaseModel):
    """Browsers send more than is needed; the rest is left out."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Attested(_Sent):
    """What a new key says."""

    client_data: str = Field(alias="clientDataJSON", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    attestation: str = Field(alias="attestationObject", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")


class Asserted(_Sent):
    """What a known key has signed."""

    client_data: str = Field(alias="clientDataJSON", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    authenticator_data: str = Field(alias="authenticatorData", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    signature: str = _Base64


class NewCredential(_Sent):
    """A key that is made, as a browser writes it."""

    id: str = _Base64
    raw_id: str = Field(alias="rawId", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    type: Literal["public-key"]
    response: Attested


class Credential(_Sent):
    """A key that has signed, as a browser writes it."""

    id: str = _Base64
    raw_id: str = Field(alias="rawId", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    type: Literal["public-key"]
    response: Asserted


def options_for(settings: Settings, asked: KeyChallenge) -> BrowserOptions:
    """What a browser needs to let one of somebody's keys sign, or to make one other than those they have."""
    known = [PublicKeyCredentialDescriptor(id=base64url_to_bytes(key)) for key in asked.keys]
    if asked.new:
        made = generate_registration_options(
            rp_id=_host(settings),
            rp_name="Feltwork",
            user_name=asked.person.id,
            user_id=asked.person.id.encode(),
            user_display_name=asked.person.name,
            challenge=asked.challenge,
            exclude_credentials=known,
        )
        text = options_to_json(made)
    else:
        used = generate_authentication_options(
            rp_id=_host(settings), challenge=asked.challenge, allow_credentials=known
        )
        text = options_to_json(used)
    plain: BrowserOptions = json.loads(text)
    return plain


def verify_new(settings: Settings, credential: NewCredential, challenge: bytes) -> tuple[str, bytes, int]:
    """The id, the public key and the counter of a key that has answered this very challenge."""
    _verify_said(settings, credential.response.client_data, challenge)
    try:
        found = verify_registration_response(
            credential=credential.model_dump(by_alias=True),
            expected_challenge=challenge,
            expected_rp_id=_host(settings),
            expected_origin=settings.origin,
        )
    except (WebAuthnException, ValueError) as error:
        raise key_refused("the key's answer cannot be accepted", "try again with the key") from error
    return bytes_to_base64url(found.credential_id), found.credential_public_key, found.sign_count


def verify_use(settings: Settings, credential: Credential, challenge: bytes, public_key: bytes) -> int:
    """The counter of a key that has signed this very challenge; whether it goes forward the books decide."""
    _verify_said(settings, credential.response.client_data, challenge)
    try:
        found = verify_authentication_response(
            credential=credential.model_dump(by_alias=True),
            expected_challenge=challenge,
            expected_rp_id=_host(settings),
            expected_origin=settings.origin,
            credential_public_key=public_key,
            credential_current_sign_count=0,
        )
    except (WebAuthnException, ValueError) as error:
        raise key_refused("the key's signature is wrong", "try again with your own key") from error
    return found.new_sign_count


def _verify_said(settings: Settings, client_data: str, challenge: bytes) -> None:
    """Tell apart what the library puts into one error: another place, another challenge."""
    try:
        said = parse_client_data_json(base64url_to_bytes(client_data))
    except (WebAuthnException, ValueError) as error:
        raise key_refused("the key's answer cannot be read", "try again with the key") from error
    if said.origin != settings.origin:
        remedy = f"open {settings.origin} and sign in there"
        raise key_refused("the key has signed for another place", remedy)
    if said.challenge != challenge:
        raise key_refused("the key has signed another challenge", "sign in again from the start")


def _host(settings: Settings) -> str:
    return urlsplit(settings.origin).hostname or "localhost"
