"""A replica's rows, as dictionaries."""
import sqlite3
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

LEFT_OUT = ("conflict", "error")


class Replica:
    """The tables of a replica at one moment of an office."""

    def __init__(self, path, zone, now, project):
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.database.row_factory = sqlite3.Row
        self.zone, self.now, self.project = ZoneInfo(zone), datetime.fromisoformat(now), project
        self.today = self.now.astimezone(self.zone).date()

    def table(self, name, **where):
        """All rows, or those whose columns have these values."""
        rows = [dict(row) for row in self.database.execute(f"SELECT * FROM {name}")]
        return [row for row in rows if all(row[key] == value for key, value in where.items())]

    def selected(self, name, **where):
        """The rows that a report counts: without those in conflict and those whose sync failed."""
        return [row for row in self.table(name, **where) if row["sync_state"] not in LEFT_OUT]

    def by_id(self, name):
        return {row["id"]: row for row in self.table(name)}

    def moment(self, text):
        """An instant on the office's clock."""
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(self.zone)

    def day(self, text):
        return self.moment(text).date()


def latin(day):
    """A day, or a moment, as Spanish and Italian pages have it."""
    return day.strftime("%d/%m/%Y %H:%M" if isinstance(day, datetime) else "%d/%m/%Y")
