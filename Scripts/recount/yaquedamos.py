"""Reports of a community's activities: who signed up, who came, who came again."""
from collections import Counter, defaultdict
from datetime import date, timedelta

from .page import Fixed
from .replica import latin

CATEGORIES = {"sports": "Deporte", "cultural": "Cultura", "environment": "Ambiente"}
STATES = {"open": "Abierta", "in_progress": "En curso", "rejected": "Rechazada", "resolved": "Resuelta"}


def _own(replica, table):
    community = next(row["id"] for row in replica.table("communities") if row["code"] == replica.project)
    return replica.selected(table, community_id=community)


def _day(replica, activity): return replica.day(activity["starts_at"])


def _came(replica):
    """The days on which each person was present somewhere."""
    activities, came = replica.by_id("activities"), defaultdict(list)
    for row in replica.table("attendances"):
        if row["was_present"] == 1: came[row["user_id"]].append(_day(replica, activities[row["activity_id"]]))
    return came


def participacion(replica, page):
    activities = _own(replica, "activities")
    rows = defaultdict(list)
    for row in replica.table("attendances"): rows[row["activity_id"]].append(row)
    taken = {row["id"]: sum(one["left_at"] is None for one in rows[row["id"]]) for row in activities}
    # Nobody can have come to an activity that is still to be held.
    past = {row["id"] for row in activities if _day(replica, row) <= replica.today}
    came = {row["id"]: sum(one["was_present"] == 1 and row["id"] in past for one in rows[row["id"]]) for row in activities}
    months = sorted({_day(replica, row).strftime("%Y-%m") for row in activities})
    page.line("Categoría", *months, "Total")
    for category in {row["category"] for row in activities}:
        own = [row for row in activities if row["category"] == category]
        name = CATEGORIES[category]
        bounded = [row for row in own if row["max_attendees"]]
        places = sum(row["max_attendees"] for row in bounded)
        share = Fixed(100 * sum(taken[row["id"]] for row in bounded) / places, 1)
        page.line(name, len(own), places, sum(taken[row["id"]] for row in own), share, sum(came[row["id"]] for row in own))
        counts = Counter(_day(replica, row).strftime("%Y-%m") for row in own)
        page.line(name, *(counts[month] or None for month in months), len(own))
    places = sum(row["max_attendees"] or 0 for row in activities)
    page.line("Total", len(activities), places, sum(taken.values()), sum(came.values()))
    counts = Counter(_day(replica, row).strftime("%Y-%m") for row in activities)
    page.line("Total", *(counts[month] for month in months), len(activities))
    _attended(replica, page, activities, came)
    for row in activities:
        share = Fixed(100 * taken[row["id"]] / row["max_attendees"], 1)
        held = came[row["id"]] if _day(replica, row) <= replica.today else None
        page.line(row["name"], latin(replica.moment(row["starts_at"])), CATEGORIES[row["category"]], row["max_attendees"], taken[row["id"]], held, share)
    _people(replica, page, activities, rows)


def _attended(replica, page, activities, came):
    """The chart's columns are months in which something was held, and its numbers are people who came."""
    held = [row for row in activities if _day(replica, row) <= replica.today]
    page.line(*sorted({_day(replica, row).strftime("%Y-%m") for row in held}))
    numbers = Counter()
    for row in held: numbers[_day(replica, row).strftime("%Y-%m"), row["category"]] += came[row["id"]]
    for number in set(numbers.values()) - set(range(5)): page.says("{}", number)


def _people(replica, page, activities, rows):
    users, own = replica.by_id("users"), {row["id"]: row for row in activities}
    people = defaultdict(list)
    for id in own:
        for row in rows[id]: people[row["user_id"]].append(row)
    organized = Counter(row["organizer_id"] for row in activities)
    for id, signed in people.items():
        kinds = len({own[row["activity_id"]]["category"] for row in signed})
        left, present = sum(row["left_at"] is not None for row in signed), sum(row["was_present"] == 1 for row in signed)
        page.line(users[id]["full_name"], len(signed), left, present, organized[id], kinds)


def retencion(replica, page):
    own = {row["id"] for row in _own(replica, "users")}
    months = {}
    for id, days in _came(replica).items():
        if id in own: months[id] = {day.year * 12 + day.month - 1 for day in days if day <= replica.today}
    cohorts = defaultdict(list)
    for id, came in months.items(): cohorts[min(came)].append(id)
    later = sorted({month - min(came) for came in months.values() for month in came if month - min(came) <= 11})
    page.line("Primer mes", *later, "Total")
    whole = Counter()
    for first, people in sorted(cohorts.items()):
        name = f"{first // 12}-{first % 12 + 1:02}"
        came = [sum(first + month in months[id] for id in people) for month in later]
        whole.update(dict(zip(later, came)))
        # The total of a row are people: whoever came in five months is one.
        page.line(name, *(number or None for number in came), len(people))
        for month, number in zip(later, came):
            if number: page.line(name, len(people), month, number, Fixed(100 * number / len(people), 0))
    page.line("Total", *(whole[month] for month in later), len(months))


def _earned(replica):
    attended = {id: sum(day < replica.today for day in days) for id, days in _came(replica).items()}
    organized = Counter(row["organizer_id"] for row in replica.table("activities") if _day(replica, row) < replica.today)
    return attended, organized


def logros(replica, page):
    attended, organized = _earned(replica)
    for user in _own(replica, "users"):
        came, led = attended.get(user["id"], 0), organized[user["id"]]
        events = came + led
        page.line(user["full_name"], came, led, 10 * came + 25 * led, 1 + events // 5, 5 - events % 5, user["score"], user["user_level"])
    given = {(row["user_id"], row["badge"]): row["earned_on"] for row in replica.table("achievements")}
    for user in _own(replica, "users"):
        for least in (5, 10, 25):
            earned = given.get((user["id"], f"attends_{least}"))
            if attended.get(user["id"], 0) >= least and earned: page.line(user["full_name"], "Sí", latin(date.fromisoformat(earned)))


def grupos(replica, page):
    members, came = defaultdict(list), _came(replica)
    for row in replica.table("group_members"): members[row["group_id"]].append(row)
    before, total = replica.today - timedelta(days=90), 0
    for group in _own(replica, "groups"):
        own = members[group["id"]]
        total += len(own)
        joined = sum(replica.day(row["member_since"]) > before for row in own)
        active = sum(any(before <= day <= replica.today for day in came[row["user_id"]]) for row in own)
        page.says(group["title"] + (" Sí" if group["is_public"] else " No") + " {} {} {} ", len(own), joined, active)
    page.line("Total", total)


def necesidades(replica, page):
    votes = Counter(row["report_id"] for row in replica.table("report_votes"))
    needs = _own(replica, "community_reports")
    for need in needs: need["counted"] = votes[need["id"]] or need["votes"] or 0
    waiting = [need for need in needs if need["report_status"] in ("open", "in_progress")]
    for need in waiting:
        place = 1 + sum(other["counted"] > need["counted"] for other in waiting)
        day = replica.day(need["reported_at"])
        words = need["title"].split()[:2]
        page.says("{} " + " ".join(words), place)
        page.says("{} " + STATES[need["report_status"]] + " " + latin(day) + " {}", need["counted"], (replica.today - day).days)
    for need in needs:
        if need not in waiting:
            page.line(need["title"], need["counted"], STATES[need["report_status"]], latin(replica.moment(need["reported_at"])))
    for state, number in Counter(need["report_status"] for need in needs).items(): page.line(STATES[state], number)


def lista_asistentes(replica, page):
    """The activities from 15 November on, which the tests ask for."""
    users = replica.by_id("users")
    for activity in _own(replica, "activities"):
        if _day(replica, activity).isoformat() < "2025-11-15": continue
        page.line(activity["name"])
        people = [row for row in replica.table("attendances", activity_id=activity["id"]) if row["left_at"] is None]
        names = sorted((users[row["user_id"]]["full_name"], row) for row in people)
        for number, (name, row) in enumerate(names, 1):
            page.line(number, name, users[row["user_id"]]["phone"], latin(replica.moment(row["signed_up_at"])))
        page.says(" {}", activity["max_attendees"])
