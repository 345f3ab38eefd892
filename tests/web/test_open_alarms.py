"""Open alarms over HTTP: which of them people clear, and that the note is kept."""

from feltwork.site.books.connection import connect
from feltwork.site.books.watch.alarms import raise_alarm
from tests.web.house import House


def test_people_clear_what_they_look_into_once_and_leave_the_rest_to_processes(house: House) -> None:
    place = "table W1"
    with connect(house.dsn) as connection:
        for kind in ("tray difference", "gap"):
            raise_alarm(connection, kind, place, {"why": "test"}, by="test")

    def clear(kind: str) -> int:
        body = {"kind": kind, "place": place, "reason": "The tray was counted again."}
        return house.post("sam", "/api/v1/alarms/clear", body).status_code

    assert [clear("tray difference"), clear("tray difference"), clear("gap")] == [200, 404, 404]
    with connect(house.dsn) as connection:
        rows = connection.execute(
            "SELECT kind, cleared_by FROM books.alarm WHERE place = %s", (place,)
        ).fetchall()
    assert sorted(rows) == [("gap", None), ("tray difference", "sam")]
