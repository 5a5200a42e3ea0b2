"""The table of figures in Docs/figures.md: what the bench measured, when, on what machine and of which commit.

A figure is older than its code when a source that it depends on was changed after the commit that it was measured of.
"""
import os
import re
import subprocess
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "Docs/figures.md"
COLUMNS = ["work", "rows", "seconds", "MiB", "peer", "peer's seconds", "ratio", "bar", "date", "commit", "machine", "older than"]

READING = ["Sources/Replica/Reading", "Sources/Databases", "Sources/Model/Rows"]
VALIDATING = ["Sources/Validating", "Sources/Model/Findings", "Sources/Model/Expressions", *READING]
# The sources that a piece of work spends its time in. The first name that a piece begins with counts.
SOURCES = {
    "csv, default policy": ["Sources/Exporting/CSV", "Sources/Exporting/Text", "Sources/Replica/Keeping", *VALIDATING],
    "xml, default policy": ["Sources/Exporting/XML", "Sources/Exporting/Text", "Sources/Replica/Keeping", *VALIDATING],
    "xlsx, default policy": ["Sources/Exporting/XLSX", "Sources/Spreadsheets", "Sources/Replica/Keeping", *VALIDATING],
    "csv": ["Sources/Exporting/CSV", "Sources/Exporting/Text", *READING],
    "xml": ["Sources/Exporting/XML", "Sources/Exporting/Text", *READING],
    "xlsx": ["Sources/Exporting/XLSX", "Sources/Spreadsheets", "Sources/Zipping", *READING],
    "read xlsx": ["Sources/Importing/Formats/XLSX", "Sources/Importing/Formats/Spreadsheet", "Sources/Spreadsheets", "Sources/Zipping"],
    "validate, one pass": VALIDATING,
    "validate": ["Sources/Replica/Keeping", "Sources/Replica/Registering", *VALIDATING],
    "rule ": VALIDATING,
    "edit one record": ["Sources/Replica/Changing", "Sources/Replica/Judging", "Sources/Replica/Importing", *VALIDATING],
}


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True).stdout.strip()


def commit():
    """The commit that is measured; with a plus where files of it are changed."""
    return git("rev-parse", "--short=8", "HEAD") + ("+" if git("status", "--porcelain", "--", "Sources") else "")


def machine():
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{os.cpu_count()} × {model[1] if model else os.uname().machine}"


def changes_since(work, measured):
    """How many commits changed the sources of a piece of work since the one that was measured."""
    sources = next((paths for name, paths in SOURCES.items() if work.startswith(name)), ["Sources"])
    try:
        return len(git("log", "--format=%h", f"{measured.rstrip('+')}..HEAD", "--", *sources).splitlines())
    except subprocess.CalledProcessError:
        return "unknown commit"


def read():
    """The rows of the page by work and number of rows."""
    rows = {}
    for line in PAGE.read_text().splitlines() if PAGE.exists() else []:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == len(COLUMNS) and cells[0] not in ("work", "---"):
            rows[cells[0], cells[1]] = dict(zip(COLUMNS, cells))
    return rows


def write(figures):
    """Puts new figures in the place of those of the same work, and writes the page."""
    rows = read()
    for figure in figures:
        made = {**figure, "date": date.today().isoformat(), "commit": commit(), "machine": machine()}
        made = {name: str(made.get(name, "")) for name in COLUMNS}
        rows[made["work"], made["rows"]] = made
    lines = ["# Figures", "", "Written by [`Scripts/bench`](performance.md); not by hand. A row is replaced when its work is measured again. The last",
             "column says how many commits changed the sources of that work since; `Scripts/bench --stale` counts them anew.", "",
             "| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * len(COLUMNS)]
    for row in rows.values():
        count = changes_since(row["work"], row["commit"])
        row["older than"] = "" if count == 0 else str(count) if isinstance(count, str) else f"{count} commit{'s' if count > 1 else ''}"
        lines.append("| " + " | ".join(row[name] for name in COLUMNS) + " |")
    PAGE.write_text("\n".join(lines) + "\n")


def stale():
    """Prints the figures that are older than their code, and returns how many there are."""
    write([])
    old = [row for row in read().values() if row["older than"]]
    for row in old:
        print(f"{row['work']} ({row['rows']} rows), measured on {row['date']} of {row['commit']}: sources changed by {row['older than']} since")
    return len(old)
