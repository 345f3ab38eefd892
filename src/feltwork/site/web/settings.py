"""Settings of the service, from environment variables that begin with ``FELTWORK_``."""

from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.context import Policy
from feltwork.site.books.people.pin_key import read_pin_key
from feltwork.site.compliance.tax import Payer
from feltwork.site.web.notifications.recipients import Recipient, read_recipients


class Settings(BaseSettings):
    """The settings of a site."""

    model_config = SettingsConfigDict(env_prefix="FELTWORK_", frozen=True)

    dsn: str = Field(description="Connection string of the books, as a member of feltwork_writer.")
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8017, ge=0, le=65_535, description="Port to listen on.")
    trusted_proxies: str = Field(
        default="127.0.0.1",
        description="Addresses or networks of reverse proxies, separated by commas, that tell the address of"
        " a browser in X-Forwarded-For.",
    )
    connections: int = Field(
        default=10, ge=2, le=500, description="Maximum number of connections to the books."
    )
    session_seconds: int = Field(default=8 * 3_600, ge=1, description="Session lifetime.")
    idle_seconds_table: int = Field(
        default=1_800, ge=1, description="How long a dealer's screen may be idle before it asks for the PIN."
    )
    idle_seconds_pit: int = Field(
        default=900, ge=1, description="The same for everybody else who signed in with badge and PIN."
    )
    idle_seconds_office: int = Field(
        default=600, ge=1, description="The same for the office, signed in with password or security key."
    )
    proposal_seconds: int = Field(
        default=24 * 3_600,
        ge=1,
        description="How long a proposal waits for its second person before it expires.",
    )
    nats: str = Field(
        default="", description="NATS URL; with it, screens show the sensor readings of the tables."
    )
    keys: Path | None = Field(default=None, description="Folder with the service's NATS key.")
    site_key: Path | None = Field(
        default=None,
        description="Folder with the key of the site; by default, that of keys.",
    )
    pin_key: str = Field(
        default="",
        description="File with the key that PINs are hashed with; by default, pin.key beside the key of the"
        " site. Set none to hash PINs without a key.",
    )
    secure_cookie: bool = Field(
        default=True,
        description="Send the session cookie over TLS only; false for a single machine without TLS.",
    )
    security_key: Literal["required", "offered"] | None = Field(
        default=None,
        description="Whether office sign-in needs a security key; required unless secure_cookie is false.",
    )
    origin: str = Field(
        default="http://localhost:8017",
        pattern=r"^https?://[^/]+$",
        description="Origin of the service as browsers see it; security keys are bound to it.",
    )
    oidc_issuer: str = Field(
        default="",
        pattern=r"^(|https:/{2}[^?#]+|http:/{2}(localhost|127\.0\.0\.1)(:[0-9]+)?(/[^?#]*)?)$",
        description="OpenID Connect provider that the office may sign in with; empty for none.",
    )
    oidc_client: str = Field(default="", description="Name of this service at the provider.")
    oidc_secret: Path | None = Field(default=None, description="File with the secret of this service there.")
    oidc_claim: str = Field(
        default="preferred_username",
        pattern=r"^[A-Za-z0-9_:/.-]{1,100}$",
        description="Claim that holds a person's id; one that people cannot change for themselves.",
    )
    payout_record: Literal["required", "offered"] = Field(
        default="required", description="Whether a win needs a payout record before it is paid."
    )
    tax_less_wager: bool = Field(
        default=False, description="Whether the wager is subtracted from a win before the tax form test."
    )
    cash_reports: bool = Field(
        default=True,
        description="Whether the site files cash reports; required above $1,000,000 of gross revenue a year.",
    )
    slip_printer: str = Field(
        default="",
        pattern=r"^(|file:.+|[A-Za-z0-9.-]+(:[0-9]+)?)$",
        description="Thermal printer of the cage: file:/dev/usb/lp0, or a host with an optional port.",
    )
    notifications: Path | None = Field(
        default=None, description="File with the recipients of notifications; without it, none are sent."
    )
    live_seconds: float = Field(default=0.25, gt=0, description="How often signs get meter updates.")
    streams_per_address: int = Field(
        default=100, ge=1, description="Maximum number of live displays open at one address."
    )
    pin_digits: int = Field(
        default=4,
        ge=4,
        le=12,
        description="Number of digits in a PIN; the keypad submits after the last one.",
    )
    language: str = Field(
        default="",
        pattern=r"^[A-Za-z_-]{0,20}$",
        description="Language of screens where nobody chose one; empty follows the browser.",
    )
    demo_badges: dict[str, str] = Field(
        default={}, description="Demo only: badges with their PINs, shown on the sign-in page."
    )
    demo_password: str = Field(
        default="", description="Demo only: the password of everyone, shown where it is asked for."
    )

    @property
    def key_required(self) -> bool:
        """Whether office commands need a session with a security key."""
        return self.security_key == "required" or (self.security_key is None and self.secure_cookie)

    def read_oidc_secret(self) -> str:
        """The secret of the service at the OpenID Connect provider; empty without one."""
        return self.oidc_secret.read_text(encoding="utf-8").strip() if self.oidc_secret else ""

    def read_recipients(self) -> tuple[Recipient, ...]:
        """The recipients of notifications; none without a file."""
        return read_recipients(self.notifications) if self.notifications else ()

    @property
    def payer(self) -> Payer:
        """The operator's tax options [TX-01, AM-03]."""
        return Payer(less_wager=self.tax_less_wager, together=False, reports_cash=self.cash_reports)

    @property
    def policy(self) -> Policy:
        """The operator's choices where the rules allow one."""
        return Policy(
            key_required=self.key_required,
            record_required=self.payout_record == "required",
            payer=self.payer,
            proposal_seconds=self.proposal_seconds,
            session_seconds=self.session_seconds,
            idle_seconds={
                "table": self.idle_seconds_table,
                "pit": self.idle_seconds_pit,
                "office": self.idle_seconds_office,
            },
            pin_digits=self.pin_digits,
            keys=self.site_key or self.keys,
            pin_key=read_pin_key(self.pin_key, self.site_key, self.keys),
        )


def read_settings(**options: str | int | bool | Path | None) -> Settings:
    """Read the settings from options, then the environment, then the defaults."""
    values = {name: value for name, value in options.items() if value is not None}
    try:
        return Settings(**values)  # type: ignore[arg-type]  # pydantic validates each value
    except ValidationError as error:
        remedy = "Correct the option or the environment variable."
        wrong = [(".".join(map(str, detail["loc"])), detail["msg"]) for detail in error.errors()]
        raise ProblemsError(
            [Problem(f"FELTWORK_{name.upper()}", what, remedy) for name, what in wrong]
        ) from None
