"""The keys of a floor file with their descriptions; the reader refuses any others."""

HEAD = {
    "site": "what the house calls it",
    "location": "the licensed location, an id",
    "jurisdiction": "whose law holds there",
    "disputes": "how a dispute is settled, as it is posted",
    "approvals": "references of approvals that hold for every table, by what was approved or who did: "
    "`internal_controls`, `manufacturer_license`, `tribal_gaming_agency`, `state`, `game`, `shuffler`",
    "count_tolerance": "how much the bank may be short before a count stops a link; 0.01 if left out, "
    "because the books hold fractions of a cent",
    "cannot_win": "who cannot win a jackpot of the house, as it is posted",
    "device_software": "the software of table controllers that is let in, as it names itself, like "
    '`["Acme Controller 2.3"]`; this release of Feltwork always is. `["any"]` lets in all',
    "titles": "the approved fingerprint of each title that comes in a package of others, as `feltwork "
    'titles` prints it, like `{ casino_war = "3f9a..." }`',
    "gambling_day": "`time_zone` and `starts_at_hour` of the day of the books",
    "table": "one `[[table]]` for each table",
    "link": "one `[[link]]` for each jackpot",
    "person": "one `[[person]]` for each badge: `id` and `roles`",
    "confirmed": "one `[[confirmed]]` for each uncertain rule that the house has settled: "
    "`rule`, `is` and `reference`",
}
DAY = {
    "time_zone": "where the site's clocks are, like `America/Los_Angeles`",
    "starts_at_hour": "the hour at which the day of the books begins",
}
TABLE = {
    "id": "the name of the table in the books",
    "game": "a game, as `feltwork titles` lists it",
    "known_as": "the title on the layout, where the game is dealt under another name",
    "location": "where it stands, if not at the site's own location",
    "seats": "how many players it seats",
    "rounds_per_hour": "the most rounds that can be dealt there in an hour; more are refused, and half of it "
    "raises an alarm. 600 if left out",
    "dealers": "the people who may deal it, by id; every dealer if left out",
    "entry": "`sensors` or `dealer`: who says which seats are in",
    "sensors": "how many jackpot sensors each seat has; left out where the dealer enters wagers",
    "shows_meter": "whether the amounts are on show there; true if left out",
    "manufacturer": "who made its equipment",
    "options": "the house's choices of the game; what is left out has its default",
    "highest_wager": "the highest single wager of the game, raises included: with 300.00, an Ante that takes "
    "a Play of three Antes is at most 100.00",
    "lowest_wager": "the lowest Ante or bet; an aggregate limit is measured by it",
    "lowest_side_bet": "the lowest wager on an optional bet; `lowest_wager` if left out",
    "side_bets": "the optional bets on offer, each with its highest wager",
    "paytables": "the paytable of each bet that has several",
    "smallest_chip": "the smallest chip in the tray; what is less is paid in coin. 0.01 if left out",
    "table_aggregate": "the most that all wins of a round may come to, where that is limited",
    "player_aggregate": "the most that one player's wins of a round may come to",
    "approvals": "references of approvals for this table alone, like those of the site",
    "equipment": "what stands there, with versions: `shuffler`, `shuffler_mode`, `shoe`, `display`; "
    'like `{ shuffler = "i-Deal Plus v1.0.114" }`',
}
LINK = {
    "id": "the name of the link in the books",
    "kind": "`progressive` or `house`",
    "jackpot": "a jackpot, as `feltwork titles` lists it",
    "variant": "its variant, where there are several",
    "wager": "what the jackpot wager is",
    "tables": "the ids of its tables",
    "executive_above": "awards above this need an executive's badge",
    "manufacturer": "who made the controller",
    "access_plan": "the reference of the plan of who has access to the controller",
    "interoperability_approval": "the reference that lets equipment of several makers work together",
    "paytable": "its paytable",
    "meter": "one `[[link.meter]]` for each level",
    "controls": "`nexus` or `aquarius`",
    "lock_at": "when signs show the meter without an award, whose amount is fixed at the claim: `claim`, "
    "`confirm`, or `run` with Aquarius; a house jackpot always pays what it posted at the claim, and may "
    "leave it out",
    "system": 'the components of the progressive system with their versions, like `["GM Atlas v5.4.0"]`',
    "approval": "the approval that allows what no approval letter names: another game, a house jackpot, "
    "a meter that moves at the claim; outside of Washington anything that the letters do not allow",
    "options": "the house's choices of the jackpot; what is left out has its default",
    "executive_levels": "levels whose every award needs an executive",
    "cut_off": "`stop` or `store_and_forward`: what a table does that cannot reach the controller",
    "overflow": "where money above a cap goes",
    "notice_days": "days of notice before it is removed; the jurisdiction's if left out",
    "internal_controls": "the approval that lets a policy differ from the usual ones",
    "sign": 'how its sign looks: `layout` and `sound`, like `{ layout = "marquee", sound = true }`',
}
SIGN = {
    "layout": "`paytable`, the meters beside the paytable; `meters`, the meters with the art of the game; or "
    "`marquee`, the highest meter across the display. `paytable` if left out",
    "sound": "whether the sign plays a chime when a win is confirmed; false if left out",
}
EQUIPMENT = {
    "shuffler": "the shuffler",
    "shuffler_mode": "the mode that it is set to",
    "shoe": "the shoe",
    "display": "what shows the jackpot",
}
METER = {
    "level": "`jackpot`, or `mega`, `major`, `minor`, as the paytable names it",
    "seed": "where it starts, and starts again",
    "contribution": "the part of each wager that it grows by",
    "reserve": "the part that tops up the next seed",
    "cap": "where it stops growing",
    "now": "what it stands at, if it is running",
    "unreasonable": "a round that adds more is refused; what the fullest table adds, if left out",
}
POSTED = {
    "level": "`jackpot`, or `mega`, `major`, `minor`, as the paytable names it",
    "amount": "the prize that it posts when it opens; afterwards two people post another",
}
PERSON = {"id": "the badge", "roles": "what the person works as; `feltwork check` knows which go together"}
CONFIRMED = {
    "rule": "a rule of the jurisdiction that its data calls uncertain",
    "is": "what it says",
    "reference": "the text that says so",
}
