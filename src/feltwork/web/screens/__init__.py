"""The screens: pages for the room, the table, the pit and the office, around the same calls as the API."""

from feltwork.web.screens import (
    auditor,
    dealer,
    floor_plan,
    meters,
    office,
    papers,
    pit,
    school,
    shell,
    sign,
    verdicts,
    wins,
    workbench,
)

#: The pages, each with a JSON twin under its own address.
# Papers come before pages whose addresses would take theirs for a number.
SCREENS = (
    papers,
    shell,
    sign,
    dealer,
    pit,
    floor_plan,
    meters,
    wins,
    office,
    auditor,
    workbench,
    verdicts,
    school,
)
