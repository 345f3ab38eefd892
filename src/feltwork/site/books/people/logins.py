"""The three database logins, each a member of one role, with generated passwords."""

import base64
import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

DATABASE = "feltwork"
#: Each login, the role it is a member of, and the file with its password.
LOGINS: Mapping[str, tuple[str, str]] = {
    "feltwork_migrator": ("feltwork_owner", "owner.pgpass"),
    "feltwork_service": ("feltwork_writer", "writer.pgpass"),
    "feltwork_auditor": ("feltwork_reader", "reader.pgpass"),
}
SQL_FILE = "logins.sql"
#: The login of standbys.
REPLICATION, REPLICATION_PASSWORD, REPLICATION_SQL = (
    "feltwork_replication",
    "replication.pgpass",
    "replication.sql",
)
_REPLICATION_CALLS = (
    "pg_promote(boolean, integer)",
    "pg_ls_dir(text, boolean, boolean)",
    "pg_stat_file(text, boolean)",
    "pg_read_binary_file(text)",
    "pg_read_binary_file(text, bigint, bigint, boolean)",
)
_ROUNDS = 4_096


def make_logins(folder: Path) -> list[Path]:
    """Write missing password files, one per login, and the SQL with their verifiers."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if (folder / SQL_FILE).exists():
        return []
    lines = [f"CREATE ROLE {role} NOLOGIN;" for role, _ in LOGINS.values()]
    paths = []
    for login, (role, file) in LOGINS.items():
        verifier = _make_password(folder / file, DATABASE, login)
        lines.append(f"CREATE ROLE {login} LOGIN PASSWORD '{verifier}' IN ROLE {role};")
        paths.append(folder / file)
    lines += [
        f"CREATE DATABASE {DATABASE} OWNER feltwork_migrator;",
        f"REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC;",
        f"GRANT CONNECT ON DATABASE {DATABASE} TO feltwork_writer, feltwork_reader;",
    ]
    (folder / SQL_FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [*paths, folder / SQL_FILE]


def passwords_sql(folder: Path) -> str:
    """Return the SQL that gives existing logins the passwords of the folder."""
    text = (folder / SQL_FILE).read_text(encoding="utf-8")
    logins = re.findall(r"^CREATE (ROLE \w+ LOGIN PASSWORD '[^']+')", text, flags=re.M)
    return "".join(f"ALTER {login};\n" for login in logins)


def make_replication_login(folder: Path) -> None:
    """Write the password file and the SQL of the login with which standbys follow the primary.

    Its rights are what pg_rewind and `feltwork standby promote` need in the database postgres.
    """
    if (folder / REPLICATION_SQL).exists():
        return
    verifier = _make_password(folder / REPLICATION_PASSWORD, "*", REPLICATION)
    granted = "".join(f"GRANT EXECUTE ON FUNCTION {call} TO {REPLICATION};\n" for call in _REPLICATION_CALLS)
    sql = (
        f"CREATE ROLE {REPLICATION} LOGIN REPLICATION PASSWORD '{verifier}' IN ROLE pg_checkpoint;\n{granted}"
    )
    (folder / REPLICATION_SQL).write_text(sql, encoding="utf-8")


def dsn_of(login: str, folder: Path, where: str) -> str:
    """The DSN of a login; ``where`` names host and port."""
    return f"{where} dbname={DATABASE} user={login} passfile={folder / LOGINS[login][1]}"


def _make_password(path: Path, database: str, login: str) -> str:
    """Write a new password to its file; return its verifier."""
    password = secrets.token_urlsafe(32)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
        opened.write(f"*:*:{database}:{login}:{password}\n")
    return _verifier(password)


def _verifier(password: str) -> str:
    """The SCRAM-SHA-256 verifier that PostgreSQL stores (RFC 5803)."""
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, _ROUNDS)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    texts = [base64.b64encode(part).decode() for part in (salt, stored, server)]
    return f"SCRAM-SHA-256${_ROUNDS}:{texts[0]}${texts[1]}:{texts[2]}"
