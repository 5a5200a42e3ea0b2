"""Prints the pattern of the tests of some rooms, for Swift Testing's --filter.

room_tests.py ROOM…

These are the tests in Tests/ROOM, and the end-to-end tests that hang on the room: those in Tests/EndToEnd/ROOM. A
room without such a folder has those of the rooms that import it, unless these are more than two: then all tests hang
on it, and only its own are meant.
"""

import re
import sys
from pathlib import Path

ENDS = Path("Tests/EndToEnd")
SUITE = re.compile(r"^@Suite.*?\b(?:struct|class) (\w+)", re.M)


def importers(room: str) -> list[str]:
    """The rooms that import a room and have end-to-end tests."""
    imported = re.compile(rf"^(?:\w+ )?import {room}$", re.M)
    stages = sorted(path.name for path in ENDS.iterdir() if Path("Sources", path.name).is_dir())
    return [stage for stage in stages if any(imported.search(path.read_text(encoding="utf-8")) for path in Path("Sources", stage).rglob("*.swift"))]


def main() -> int:
    patterns: set[str] = set()
    for room in sys.argv[1:]:
        own, ends = Path("Tests", room), ENDS / room
        if not Path("Sources", room).is_dir() or not (own.is_dir() or ends.is_dir()):
            rooms = sorted(path.name for path in Path("Sources").iterdir() if Path("Tests", path.name).is_dir() or (ENDS / path.name).is_dir())
            print(f"{room} is no room with tests; the rooms are {', '.join(rooms)}", file=sys.stderr)
            return 64
        if own.is_dir():
            patterns.add(rf"^{room}Tests\.")
        stages = [room] if ends.is_dir() else importers(room)
        if len(stages) > 2:
            print(f"{room}: its own tests alone; all ends hang on it", file=sys.stderr)
            stages = []
        for stage in stages:
            for path in sorted((ENDS / stage).rglob("*.swift")):
                patterns |= {rf"^EndToEndTests\.{suite}/" for suite in SUITE.findall(path.read_text(encoding="utf-8"))}
    print("|".join(sorted(patterns)))
    return 0


sys.exit(main())
