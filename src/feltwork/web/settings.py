"""Settings of the service, from the environment; every name begins with ``FELTWORK_``."""

from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from feltwork.compliance.tax import Payer
from feltwork.operations.context import Policy
from feltwork.problem import Problem, ProblemsError


class Settings(BaseSettings):
    """What a house sets."""

    model_config = SettingsConfigDict(env_prefix="FELTWORK_", frozen=True)

    dsn: str = Field(description="How to reach the books, as a member of feltwork_writer.")
    host: str = Field(default="127.0.0.1", description="Where to listen.")
    port: int = Field(default=8017, ge=0, le=65_535, description="The port to listen on.")
    connections: int = Field(default=10, ge=2, le=500, description="The most connections to the books.")
    session_seconds: int = Field(default=8 * 3_600, ge=1, description="How long a session lasts.")
    proposal_seconds: int = Field(
        default=24 * 3_600, ge=1, description="How long a proposal waits for its second person."
    )
    nats: str = Field(
        default="", description="Where the log is, a NATS URL: screens then show what sensors of tables see."
    )
    keys: Path | None = Field(default=None, description="The folder with the service's own key for the log.")
    secure_cookie: bool = Field(
        default=True, description="Send the session cookie over TLS only; false for one machine without TLS."
    )
    security_key: Literal["required", "offered"] | None = Field(
        default=None,
        description="Whether the office needs security keys; required unless secure_cookie is false.",
    )
    origin: str = Field(
        default="http://localhost:8017",
        pattern=r"^https?://[^/]+$",
        description="What browsers see as the origin of the service; security keys are bound to it.",
    )
    payout_record: Literal["required", "offered"] = Field(
        default="required", description="Whether a win is paid only after its payout record is written."
    )
    tax_less_wager: bool = Field(
        default=False, description="Whether the wager is taken off a win before it is tested for a tax form."
    )
    cash_reports: bool = Field(
        default=True,
        description="Whether the house reports cash: it does from a million dollars of takings a year.",
    )
    live_seconds: float = Field(default=0.25, gt=0, description="How often signs are told of the meters.")
    pin_digits: int = Field(
        default=4, ge=4, le=12, description="How many digits a PIN has; the keypad sends after the last one."
    )
    demo_badges: dict[str, str] = Field(
        default={}, description="For a demo only: badges with their PINs, shown where people sign in."
    )

    @property
    def key_required(self) -> bool:
        """Whether commands of the office take a session with a security key."""
        return self.security_key == "required" or (self.security_key is None and self.secure_cookie)

    @property
    def payer(self) -> Payer:
        """What the operator has chosen where the tax rules leave a choice [TX-01, AM-03]."""
        return Payer(less_wager=self.tax_less_wager, together=False, reports_cash=self.cash_reports)

    @property
    def policy(self) -> Policy:
        """What the operator has set where the rules leave a choice."""
        return Policy(
            key_required=self.key_required,
            record_required=self.payout_record == "required",
            payer=self.payer,
            proposal_seconds=self.proposal_seconds,
            session_seconds=self.session_seconds,
            pin_digits=self.pin_digits,
        )


def read_settings(**said: str | int | bool | Path | None) -> Settings:
    """The settings: what is said, then the environment, then the defaults; raises what is wrong with them."""
    given = {name: value for name, value in said.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic looks at each value
    except ValidationError as error:
        remedy = "correct the option, or the setting of the environment"
        wrong = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()]
        raise ProblemsError(
            [Problem(f"FELTWORK_{name.upper()}", what, remedy) for name, what in wrong]
        ) from None
