"""The listener of the service."""

from feltwork.servers.ports import listen

__all__ = ["listen"]
