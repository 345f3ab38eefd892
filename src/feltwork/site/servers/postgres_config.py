"""Configuration of PostgreSQL on three hosts, where a commit waits for one of the two standbys."""

import ipaddress
from collections.abc import Sequence
from pathlib import PurePosixPath

from feltwork.site.servers.nats_config import Host

#: Location of the files of `feltwork init` on a host, and of feltwork itself.
INSTALLED = PurePosixPath("/etc/feltwork")
PROGRAM = "/opt/feltwork/bin/feltwork"
#: Folder of these files, on each host and among the generated files.
FOLDER = "postgresql"
REPLICATION_DSN = "replication.dsn"
_PORT = 5432


def books_dsn(hosts: Sequence[Host], login: str, database: str, folder: str, password_file: str) -> str:
    """The DSN of a login on all hosts, with the files in a folder of /etc/feltwork."""
    names = ",".join(host.address for host in hosts)
    files = INSTALLED / folder
    return (
        f"host={names} port={_PORT} dbname={database} user={login} passfile={files / password_file}"
        f" sslmode=verify-full sslrootcert={files / 'authority.pem'} connect_timeout=3"
    )


def settings(host: Host, hosts: Sequence[Host], following: str) -> str:
    """The settings of one host; ``following`` is the DSN of its primary."""
    names = ", ".join(f'"{member.name}"' for member in hosts)
    files = INSTALLED / FOLDER
    lines = {
        "listen_addresses": "*",
        "port": str(_PORT),
        # Its name as a standby.
        "cluster_name": host.name,
        "synchronous_commit": "on",
        "synchronous_standby_names": f"ANY 1 ({names})",
        "primary_conninfo": f"{following} target_session_attrs=read-write",
        "wal_level": "replica",
        # For pg_rewind.
        "wal_log_hints": "on",
        # Lag after which a standby must be copied again.
        "wal_keep_size": "4GB",
        # A host that is cut off is noticed within ten seconds.
        "wal_sender_timeout": "5s",
        "wal_receiver_timeout": "5s",
        "wal_retrieve_retry_interval": "1s",
        "ssl": "on",
        "ssl_cert_file": str(files / "server.pem"),
        "ssl_key_file": str(files / "server.key"),
        "ssl_ca_file": str(files / "authority.pem"),
    }
    return "".join(f"{name} = '{value}'\n" for name, value in lines.items())


def access(hosts: Sequence[Host], login: str, database: str) -> str:
    """The pg_hba.conf of every host: the hosts of the site, with passwords over TLS."""
    lines = ["local all all peer"]
    for host in hosts:
        place = _place(host.address)
        lines += [
            f"hostssl replication,postgres {login} {place} scram-sha-256",
            f"hostssl {database} all {place} scram-sha-256",
        ]
    return "\n".join(lines) + "\n"


def before_start() -> str:
    """A systemd drop-in for postgresql@.service: a former primary does not start beside a new one."""
    dsn = INSTALLED / FOLDER / REPLICATION_DSN
    return f"[Service]\nExecStartPre={PROGRAM} standby rejoin {dsn} %i\nTimeoutStartSec=infinity\n"


def _place(address: str) -> str:
    try:
        return str(ipaddress.ip_network(address))
    except ValueError:
        return address
