"""What people do at the screens of an installed site: two open a link, others confirm and pay an award.

    python -m tools.install_people books.example open sevens
    python -m tools.install_people books.example pay sevens
    python -m tools.install_people books.example approve sevens

It goes through the proxy of this machine, and signs in with a security key in software.
"""

import argparse
import hashlib
import sys
import time
from itertools import count
from typing import Any
from urllib.parse import urlunsplit

import httpx
from cryptography.hazmat.primitives.asymmetric import ec

from tests.web.authenticator import Authenticator

FIRST_PIN, PIN, PASSWORD = "4711", "2580", "a long walk by the river"
_PATIENCE_SECONDS = 30
_numbers = count(time.time_ns())


class SitePeople:
    """Everybody of a site, signed in by badge."""

    def __init__(self, host: str) -> None:
        self._name, self._origin = host, urlunsplit(("https", host, "", "", ""))

    def client(self, **headers: str) -> httpx.Client:
        # The name of the site is nobody's here, so that the proxy is asked by its address.
        all_headers = {"Accept": "application/json", "Host": self._name, **headers}
        client = httpx.Client(base_url="https://127.0.0.1", headers=all_headers, verify=False, timeout=30)
        ask = client.send
        client.send = lambda request, **options: (  # type: ignore[method-assign]
            request.extensions.update(sni_hostname=self._name) or ask(request, **options)
        )
        return client

    def at_table(self, badge: str) -> httpx.Client:
        """Sign in with badge and PIN."""
        answer = self.client().post("/api/v1/sign-in", json={"badge": badge, "pin": PIN, "place": "pit"})
        return self._signed_in(answer)

    def replace_first_pin(self, badge: str) -> None:
        """Choose a PIN in place of the one that the installer knows, which opens nothing."""
        body = {"badge": badge, "pin": FIRST_PIN, "place": "pit"}
        refused = self.client().post("/api/v1/sign-in", json=body)
        assert refused.json()["rule"] == "granted-pin", refused.text
        checked(self.client().post("/api/v1/sign-in", json={**body, "new_pin": PIN}))

    def in_office(self, badge: str) -> httpx.Client:
        """Sign in with a password and a security key, which the first sign-in registers."""
        key, nobody = Authenticator(self._origin, self._name), self.client()
        # The same key whenever this runs, with a higher count each time.
        key.id, key.counter = hashlib.sha256(badge.encode()).digest(), int(time.time())
        key._key = ec.derive_private_key(int.from_bytes(key.id) >> 1, ec.SECP256R1())

        def knock() -> dict[str, Any]:
            body = {"badge": badge, "password": PASSWORD}
            return dict(checked(nobody.post("/api/v1/sign-in/office", json=body)))

        challenge = knock()
        if "pubKeyCredParams" in challenge["options"]:
            registration = {"ticket": challenge["ticket"], "credential": key.make(challenge["options"])}
            checked(nobody.post("/api/v1/sign-in/office/new-key", json=registration))
            challenge = knock()
        signed = {"ticket": challenge["ticket"], "credential": key.sign(challenge["options"])}
        return self._signed_in(nobody.post("/api/v1/sign-in/office/key", json=signed))

    def _signed_in(self, answer: httpx.Response) -> httpx.Client:
        return self.client(Authorization=f"Bearer {checked(answer)['token']}")


def checked(answer: httpx.Response) -> Any:
    if not answer.is_success:
        raise SystemExit(f"{answer.request.url}: {answer.status_code} {answer.text}")
    return answer.json()


def post(person: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    return checked(person.post(path, json=body, headers={"Idempotency-Key": f"people-{next(_numbers)}"}))


def open_link(people: SitePeople, link: str) -> None:
    ann, eve = people.in_office("B-2"), people.in_office("B-1")
    body = {"command": "open_link", "link": link, "reason": "opening day"}
    proposal = post(ann, "/api/v1/proposals", body)
    post(eve, f"/api/v1/proposals/{proposal['proposal']}/approve", {"fingerprint": proposal["fingerprint"]})
    for badge in ("B-3", "B-4", "B-5"):
        people.replace_first_pin(badge)
    print(f"ann and eve opened {link}; sam, dana and cara replaced their first PINs")


def approve_release(people: SitePeople) -> None:
    ivy, eve = people.in_office("B-6"), people.in_office("B-1")
    release = checked(ivy.get("/pit"))["release_hash"]
    body = {"command": "install", "release": release, "reason": "the new release"}
    proposal = post(ivy, "/api/v1/proposals", body)
    post(eve, f"/api/v1/proposals/{proposal['proposal']}/approve", {"fingerprint": proposal["fingerprint"]})
    print("ivy and eve approved the release")


def pay(people: SitePeople, link: str) -> None:
    sam, cara, dana = (people.at_table(badge) for badge in ("B-3", "B-5", "B-4"))
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        awards = [
            award
            for award in checked(sam.get(f"/api/v1/links/{link}/awards"))["awards"]
            if award["status"] == "claimed"
        ]
        if awards or time.monotonic() > until:
            break
        time.sleep(0.5)
    (award,) = awards
    path = f"/api/v1/links/{link}/awards/{award['id']}"
    badges = [{"badge": "B-3", "pin": PIN}]
    post(dana, f"{path}/confirm", {"badges": badges, "amount": award["hit_amount"]})
    record = f"/api/v1/payouts/{link}/{award['id']}"
    sheet = checked(cara.get(record))
    identity = {"documents": 2, "photo": True, "taxpayer_number": True}
    written = {"payee": "Pat Patron", "cards": "7h 7h 7h", "identity": identity}
    written |= {"address": "1 Main St, Olympia WA 98501", "taxpayer": "900-00-1234"}
    response = post(cara, record, written)
    for step in response["steps"]:
        if step["done"] is None and step["name"] not in ("record", "check"):
            post(sam, f"{record}/steps/{step['name']}", {"note": "camera 12"})
    form = "check" if "check" in sheet["forms"] else sheet["forms"][0]
    post(cara, f"{path}/pay", {"form": form})
    after = checked(sam.get(path))
    print(f"sam confirmed and cara paid {after['hand']} in {link}: {after['status']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("act", choices=["open", "pay", "approve"])
    parser.add_argument("link")
    options = parser.parse_args()
    people = SitePeople(options.host)
    if options.act == "approve":
        approve_release(people)
    else:
        open_link(people, options.link) if options.act == "open" else pay(people, options.link)
    return 0


if __name__ == "__main__":
    sys.exit(main())
