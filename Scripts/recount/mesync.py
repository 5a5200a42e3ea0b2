"""Reports of habits and medicines: what was due, done, skipped and missed, by Docs/systems/mesync.md."""
import json
import re
import unicodedata
from collections import Counter, defaultdict
from datetime import timedelta

from .page import Fixed
from .replica import latin

PRIORITIES = {"high": "Alta", "medium": "Media", "low": "Baja"}


def adherencia(replica, page):
    days = _ledger(replica)
    kinds = {"Hábitos": [], "Medicamentos": []}
    for thing in days: kinds[thing[0]].append(thing)
    for kind, things in kinds.items():
        for thing in sorted(things, key=lambda thing: thing[1]):
            rows = days[thing]
            page.line(_printed(thing[1]), *_sums(rows), _rate(rows), *_streaks(rows, replica.today))
            page.line(*_sums(rows))
            _months(page, thing[1], rows)
        whole = [row for thing in things for row in days[thing]]
        page.line("Subtotal", kind, *_sums(whole))
        for monday, week in _grouped(whole, lambda day: day - timedelta(days=day.weekday())):
            page.line(monday.strftime("%G-W%V"), latin(monday), *_sums(week), _rate(week))
    whole = [row for rows in days.values() for row in rows]
    page.line("Total", *_sums(whole))
    doses = [row for thing in kinds["Medicamentos"] for row in days[thing]]
    due, taken = sum(row["judged"] for row in doses), sum(row["done"] for row in doses)
    # The rate at the head of the report is that at the end of the table of months.
    page.says("{} % {} / {}", _rate(whole), taken, due)
    months = _grouped(whole, lambda day: day.strftime("%Y-%m"))
    page.line("Total", *(_rate(rows) for _, rows in months), _rate(whole))
    page.says("De {} debidos se hicieron {}, se omitieron {} y se perdieron {}. De {} tomas debidas se tomaron {}.", *_sums(whole), due, taken)
    _calendar(page, whole)


def _months(page, name, rows):
    months = _grouped(rows, lambda day: day.strftime("%Y-%m"))
    page.line(_printed(name), *(_rate(month) for _, month in months), _rate(rows))
    for name, month in months: page.line(name, *_sums(month), _rate(month))


def _calendar(page, rows):
    """The days of the year by weekdays: those without a rate are left empty."""
    for weekday, name in enumerate("Lun Mar Mié Jue Vie Sáb Dom".split()):
        rates = [_rate(day, 0) for date, day in _grouped(rows, lambda day: day) if date.weekday() == weekday]
        page.line(name, *rates)


def _ledger(replica):
    """The rows of each day by kind and name of the thing."""
    owner = next(user["id"] for user in replica.table("users") if user["email"] == replica.project)
    things = [("Hábitos", row, 1) for row in replica.table("habits", user_id=owner)]
    things += [("Medicamentos", row, row["times_per_day"] or 1) for row in replica.table("medications", user_id=owner)]
    begin = max(min(replica.day(row["created_at"]) for _, row, _ in things), replica.today - timedelta(days=371))
    marks = _marks(replica)
    ledger = {}
    for kind, row, doses in things:
        first, rows, day = replica.day(row["created_at"]), [], begin
        while day <= replica.today:
            mark = marks[row["id"]].get(day.isoformat())
            asked = day >= first and _is_asked(row, first, day)
            if asked or mark: rows.append(_judged(day, doses if asked else max(len(mark), 1), mark or {}, kind, replica.today))
            day += timedelta(days=1)
        ledger[kind, row["name"]] = rows
    return ledger


def _marks(replica):
    """Of each thing and day, the doses with what became of them: done, skipped, or open."""
    marks = defaultdict(lambda: defaultdict(dict))
    for table, thing, done in (("habit_instances", "habit_id", "completed_at"), ("medication_instances", "medication_id", "taken_at")):
        for row in replica.table(table):
            dose = row.get("dose_number", 1)
            states = marks[row[thing]][row["scheduled_date"]]
            state = "done" if row[done] else "skipped" if row["skipped_at"] else "open"
            if states.get(dose) != "done" and not (states.get(dose) == "skipped" and state == "open"): states[dose] = state
    return marks


def _is_asked(row, first, day):
    details = json.loads(row.get("frequency_details") or "{}")
    if row["frequency"] == "daily": return True
    if row["frequency"] == "weekly": return day.isoweekday() in (details.get("days") or [first.isoweekday()])
    return row["frequency"] == "monthly" and day.day in (details.get("days_of_month") or [first.day])


def _judged(day, due, mark, kind, today):
    states = Counter(mark.values())
    done = min(states["done"], due)
    skipped = min(states["skipped"], due - done)
    missed = due - done - skipped if day < today else 0
    return {"day": day, "judged": done + skipped + missed, "due": due, "done": done, "skipped": skipped, "missed": missed}


def _sums(rows):
    return [sum(row[name] for row in rows) for name in ("judged", "done", "skipped", "missed")]


def _rate(rows, decimals=1):
    judged, done, skipped, _ = _sums(rows)
    return Fixed(100 * done / (judged - skipped), decimals) if judged > skipped else None


def _streaks(rows, today):
    now = longest = 0
    for row in rows:
        kept = row["done"] == row["due"]
        if (row["skipped"] and not row["missed"]) or (row["day"] == today and not kept): continue
        now = now + 1 if kept else 0
        longest = max(longest, now)
    return now, longest


def _grouped(rows, key):
    groups = defaultdict(list)
    for row in rows: groups[key(row["day"])].append(row)
    return sorted(groups.items())


def _printed(name):
    """The pages' letters have no pictures of people: their names stand in brackets."""
    def named(found):
        return "[" + ", ".join(unicodedata.name(letter) for letter in found[0]) + "]"

    return re.sub("[\U00010000-\U0010FFFF]+", named, name)


def plan_medicacion(replica, page):
    owner = next(user["id"] for user in replica.table("users") if user["email"] == replica.project)
    week = [(replica.today - timedelta(days=back)).isoformat() for back in range(6, -1, -1)]
    sums = Counter()
    page.line("Medicamento", *(latin(replica.today - timedelta(days=back)) for back in range(6, -1, -1)), "Total")
    for medicine in sorted(replica.selected("medications", user_id=owner), key=lambda row: row["name"]):
        rows = replica.table("medication_instances", medication_id=medicine["id"])
        taken = [len({row["dose_number"] for row in rows if row["taken_at"] and row["scheduled_date"] == day}) for day in week]
        page.line(medicine["name"], *taken, sum(taken))
        sums.update(dict(zip(week, taken)))
    page.line("Total", *(sums[day] for day in week), sum(sums.values()))


def lista_tareas(replica, page):
    owner = next(user["id"] for user in replica.table("users") if user["email"] == replica.project)
    states = "overdue today coming done skipped".split()
    counts = Counter()
    for task in replica.selected("tasks", user_id=owner):
        due = replica.moment(task["due_date"])
        open_state = "overdue" if due < replica.now else "today" if due.date() <= replica.today else "coming"
        state = "done" if task["completed_at"] else "skipped" if task["skipped_at"] else open_state
        counts[task["priority"], state] += 1
        if state == "overdue": page.ends(latin(due), (replica.today - due.date()).days)
    for priority, name in PRIORITIES.items():
        row = [counts[priority, state] for state in states]
        page.line(name, *row, sum(row))
    page.line("Total", *(sum(counts[priority, state] for priority in PRIORITIES) for state in states), sum(counts.values()))
    page.says("Tareas: {}", sum(counts.values()))


def conciliacion(replica, page):
    owner = next(user["id"] for user in replica.table("users") if user["email"] == replica.project)
    habits = {row["id"] for row in replica.table("habits", user_id=owner)}
    medicines = {row["id"] for row in replica.table("medications", user_id=owner)}
    tables = {
        "Personas": [1], "Hábitos": habits, "Medicamentos": medicines, "Tareas": replica.table("tasks", user_id=owner),
        "Marcas de hábitos": [row for row in replica.table("habit_instances") if row["habit_id"] in habits],
        "Tomas": [row for row in replica.table("medication_instances") if row["medication_id"] in medicines]}
    for name, rows in tables.items(): page.line(name, len(rows), len(rows))
    total = sum(map(len, tables.values()))
    page.line("Total", total, total)
