"""Holds the figures that reports print against a second count.

    python3 -B Scripts/recount DOCUMENTS

A line of the file is a document: {"system", "report", "project", "pdf", "replica"}. What differs is printed, a line each, and
on standard error how many figures of each report were held. `FigureTests` makes the reports of the samples, and runs this.
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from recount import anagrafica, ingeplus, interrapidisimo, mesync, yaquedamos
from recount.page import Page
from recount.replica import Replica

SYSTEMS = {
    "ingeplus": (ingeplus, "America/Lima", "es"), "anagrafica": (anagrafica, "Europe/Rome", "it"),
    "interrapidisimo": (interrapidisimo, "UTC", "es"), "mesync": (mesync, "America/Lima", "es"),
    "yaquedamos": (yaquedamos, "America/Bogota", "es")}
NOW = "2025-12-01T14:00:00+00:00"


def main():
    failed = False
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        module, zone, language = SYSTEMS[document["system"]]
        page = Page(document["pdf"], language)
        name = document["system"] + " " + document["report"]
        count = getattr(module, document["report"].replace("-", "_"), None)
        if count is None:
            print(f"{name}: nothing counts its figures")
            failed = True
            continue
        count(Replica(document["replica"], zone, NOW, document["project"]), page)
        failed |= bool(page.faults)
        for fault in page.faults: print(f"{name}: not printed: {fault}")
        print(f"{name} {page.held}", file=sys.stderr)
    return failed


sys.exit(main())
