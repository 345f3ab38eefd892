"""Contact of a hub with its sites: an alarm for each site that is silent for ten seconds [GEN-18]."""

from collections.abc import Collection, Iterable

from feltwork.books.connection import Connection
from feltwork.books.records.alarms import clear_alarm, open_alarms, raise_alarm
from feltwork.progressive.facts import Instant

NO_CONTACT = "no contact with a site"
#: Silence that raises the alarm; a site sends its sum every four seconds, even if nothing has changed.
_SILENCE: Instant = 10_000_000


def silent_sites(connection: Connection, link: str) -> set[str]:
    """Return the sites of a link that have no contact with the hub."""
    alarms = [alarm.place.rpartition("/") for alarm in open_alarms(connection) if alarm.kind == NO_CONTACT]
    return {site for place, _, site in alarms if place == link}


class SiteContact:
    """The last contact of this process with each site of a link, and the sites with an alarm."""

    def __init__(self, link: str) -> None:
        self._link = link
        self._heard: dict[str, Instant] = {}
        self._began: Instant = 0
        #: Sites with an alarm; None before the first check and after an error.
        self._silent: set[str] | None = None

    def hear(self, sites: Iterable[str], at: Instant) -> None:
        """Record contact with sites."""
        self._heard.update(dict.fromkeys(sites, at))

    def forget(self) -> None:
        """Discard the cached alarms: the last write may not be in the books."""
        self._silent = None

    def look(self, connection: Connection, sites: Collection[str], at: Instant) -> None:
        """Raise the alarm of every silent site, and clear it when contact returns or the site has left."""
        self._began = self._began or at
        known = silent_sites(connection, self._link) if self._silent is None else self._silent
        silent = {site for site in sites if at - self._heard.get(site, self._began) > _SILENCE}
        silent |= {site for site in known if site in sites and site not in self._heard}
        for site in silent - known:
            details = {"seconds": _SILENCE // 1_000_000}
            raise_alarm(connection, NO_CONTACT, f"{self._link}/{site}", details, by=self._link)
        for site in known - silent:
            why = "contact with the site was restored" if site in sites else "the site has left"
            clear_alarm(connection, NO_CONTACT, f"{self._link}/{site}", by=self._link, why=why)
        self._silent = silent
