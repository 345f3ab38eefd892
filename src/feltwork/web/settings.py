"""Settings of the service, from the environment; every name begins with ``FELTWORK_``."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


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
    secure_cookie: bool = Field(
        default=True, description="Send the session cookie over TLS only; false for one machine without TLS."
    )
    live_seconds: float = Field(default=0.25, gt=0, description="How often signs are told of the meters.")
