"""The marks of half a year: people keep to a habit better when they are rested, worse on Sundays and with every month, hardly on
holidays; a dose is seldom forgotten in the morning and often at night."""
import datetime

from .plans_mesync import (
    BEGINS,
    DAYS,
    HABITS,
    MEDICATIONS,
    PEOPLE,
    habit_rows,
    medication_rows,
)
from .seeded import generator, later, stamp, uuid7


def is_due(frequency, details, date, first):
    if frequency == "daily":
        return True
    if frequency == "weekly":
        return date.isoweekday() in (details or {}).get("days", [first.isoweekday()])
    if frequency == "monthly":
        return date.day in (details or {}).get("days_of_month", [first.day])
    return False


def _chance(person, liked, day, date):
    _, _, steady, holidays = next(row for row in PEOPLE if row[0] == person)
    chance = steady * liked * (0.9 if date.isoweekday() == 7 else 1) * (1 - 0.12 * day / DAYS)
    return chance * (0.35 if day in holidays else 1)


def _days(first):
    for day in range(first, DAYS):
        yield day, (BEGINS + datetime.timedelta(days=day)).date()


def _moment(day, hour, minutes):
    hours, minute, _ = (int(part) for part in hour.split(":"))
    return later(BEGINS, days=day, hours=hours, minutes=minute + minutes)


def _mark(random, chance, day, hour, person):
    """What became of a day: nothing at all (nobody opened the app), a row without a mark, done or skipped."""
    holidays = next(row[3] for row in PEOPLE if row[0] == person)
    if random.random() < min(chance, 0.985):
        return "done", _moment(day, hour, int(random.expovariate(1 / 25)) % 200)
    if random.random() < (0.5 if day in holidays else 0.25):
        return "skipped", _moment(day, hour, 40 + random.randrange(300))
    return ("open" if random.random() < 0.6 else "nothing"), None


def habit_marks():
    rows = []
    for habit, (person, name, _, frequency, details, hour, first, liked) in zip(habit_rows(), HABITS, strict=True):
        random = generator("mesync marks", person, name)
        begun = (BEGINS + datetime.timedelta(days=first)).date()
        for day, date in _days(first if first == 0 else first + 1):
            if not is_due(frequency, details, date, begun) and not (frequency == "custom" and random.random() < 0.18):
                continue
            state, moment = _mark(random, 0.97 if frequency == "custom" else _chance(person, liked, day, date), day, hour, person)
            if state == "nothing":
                continue
            morning = _moment(day, "05:30:00", random.randrange(60))
            rows.append({
                "id": uuid7(moment or morning, "mark", habit["id"], day), "habit_id": habit["id"], "user_id": habit["user_id"],
                "scheduled_date": date.isoformat(), "completed_at": stamp(moment) if state == "done" else None,
                "skipped_at": stamp(moment) if state == "skipped" else None, "created_at": stamp(min(morning, moment or morning))})
    return sorted(rows, key=lambda row: (row["scheduled_date"], row["id"]))


def dose_marks():
    rows = []
    for medication, (person, name, _, _, doses, hours, first, liked) in zip(medication_rows(), MEDICATIONS, strict=True):
        random = generator("mesync doses", person, name)
        for day, date in _days(first if first == 0 else first + 1):
            last = None
            for dose in range(1, doses + 1):
                liking = liked * (1.04 if dose == 1 else 0.94 if dose == doses and doses > 1 else 1)
                state, moment = _mark(random, _chance(person, liking, day, date) + 0.06, day, hours[dose - 1], person)
                if state == "nothing":
                    continue
                morning = _moment(day, "05:30:00", random.randrange(60))
                if last and moment and moment <= last:
                    moment = later(last, minutes=5)
                last = moment or last
                rows.append({
                    "id": uuid7(moment or morning, "dose", medication["id"], day, dose), "medication_id": medication["id"],
                    "user_id": medication["user_id"], "scheduled_date": date.isoformat(), "dose_number": dose,
                    "taken_at": stamp(moment) if state == "done" else None, "skipped_at": stamp(moment) if state == "skipped" else None,
                    "created_at": stamp(min(morning, moment or morning))})
    return sorted(rows, key=lambda row: (row["scheduled_date"], row["id"]))
