"""Security keys (WebAuthn): challenges for browsers, and verification of their responses."""

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

from feltwork.site.books.people.sign_in import KeyChallenge, key_refused
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.settings import Settings

#: The options of a browser's WebAuthn call.
BrowserOptions: TypeAlias = dict[str, Any]
_Base64 = Field(max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")


class _Sent(BaseModel):
    """A browser object; unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Attested(_Sent):
    """The response of a new key."""

    client_data: str = Field(alias="clientDataJSON", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    attestation: str = Field(alias="attestationObject", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")


class Asserted(_Sent):
    """The response of a known key."""

    client_data: str = Field(alias="clientDataJSON", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    authenticator_data: str = Field(alias="authenticatorData", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    signature: str = _Base64


class NewCredential(_Sent):
    """A new key as a browser encodes it."""

    id: str = _Base64
    raw_id: str = Field(alias="rawId", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    type: Literal["public-key"]
    response: Attested


class Credential(_Sent):
    """A signature as a browser encodes it."""

    id: str = _Base64
    raw_id: str = Field(alias="rawId", max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")
    type: Literal["public-key"]
    response: Asserted


def options_for(settings: Settings, challenge: KeyChallenge) -> BrowserOptions:
    """The options to sign with one of a person's keys, or to register another one."""
    known = [PublicKeyCredentialDescriptor(id=base64url_to_bytes(key)) for key in challenge.keys]
    if challenge.new:
        options = generate_registration_options(
            rp_id=_host(settings),
            rp_name="Feltwork",
            user_name=challenge.person.id,
            user_id=challenge.person.id.encode(),
            user_display_name=challenge.person.name,
            challenge=challenge.challenge,
            exclude_credentials=known,
        )
        text = options_to_json(options)
    else:
        used = generate_authentication_options(
            rp_id=_host(settings), challenge=challenge.challenge, allow_credentials=known
        )
        text = options_to_json(used)
    plain: BrowserOptions = json.loads(text)
    return plain


def verify_new(settings: Settings, credential: NewCredential, challenge: bytes) -> tuple[str, bytes, int]:
    """Verify a registration; return the key's id, public key, and counter."""
    _verify_client_data(settings, credential.response.client_data, challenge)
    try:
        registration = verify_registration_response(
            credential=credential.model_dump(by_alias=True),
            expected_challenge=challenge,
            expected_rp_id=_host(settings),
            expected_origin=settings.origin,
        )
    except (WebAuthnException, ValueError) as error:
        raise key_refused(_("The key's response isn't valid."), _("Try again with the key.")) from error
    return (
        bytes_to_base64url(registration.credential_id),
        registration.credential_public_key,
        registration.sign_count,
    )


def verify_use(settings: Settings, credential: Credential, challenge: bytes, public_key: bytes) -> int:
    """Verify a signature; return the key's counter, which the books check."""
    _verify_client_data(settings, credential.response.client_data, challenge)
    try:
        authentication = verify_authentication_response(
            credential=credential.model_dump(by_alias=True),
            expected_challenge=challenge,
            expected_rp_id=_host(settings),
            expected_origin=settings.origin,
            credential_public_key=public_key,
            credential_current_sign_count=0,
        )
    except (WebAuthnException, ValueError) as error:
        raise key_refused(_("The key's signature is wrong."), _("Try again with your own key.")) from error
    return authentication.new_sign_count


def _verify_client_data(settings: Settings, client_data: str, challenge: bytes) -> None:
    """Raise a specific error for a wrong origin or challenge; the library merges them into one."""
    try:
        client = parse_client_data_json(base64url_to_bytes(client_data))
    except (WebAuthnException, ValueError) as error:
        raise key_refused(_("The key's response can't be read."), _("Try again with the key.")) from error
    if client.origin != settings.origin:
        remedy = _("Open %(address)s and sign in there.") % {"address": settings.origin}
        raise key_refused(_("The key signed for another address."), remedy)
    if client.challenge != challenge:
        raise key_refused(_("The key signed another challenge."), _("Start the sign-in over."))


def _host(settings: Settings) -> str:
    return urlsplit(settings.origin).hostname or "localhost"
