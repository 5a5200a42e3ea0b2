"""Finds names of types that two rooms have: a reader must know which type a name means.

A name of one word inside another type (`Column`, `Kind`) is read with that type. A name of several words is
read alone, so it counts wherever it stands. No two names of several words differ by capitals alone.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from swift_text import code

TYPE = re.compile(r"^( *)(?:@\w+ |package |final |indirect )*(?:struct|class|enum|actor|protocol) (\w+)", re.M)
SEVERAL_WORDS = re.compile(r"[A-Z]+[a-z0-9]+[A-Z]")
# The remedy for a name that two rooms have.
REMEDIES = {
    "Sources": "say in one of the names what it is, or keep one type for both",
    "Tests": "keep one in Tests/Workbench, or say in the name what it is",
}


def main() -> int:
    status = 0
    for folder, remedy in REMEDIES.items():
        places: dict[str, dict[str, str]] = defaultdict(dict)
        for path in sorted(Path(folder).rglob("*.swift")):
            text = code(path.read_text(encoding="utf-8"))
            for declared in TYPE.finditer(text):
                name = declared[2]
                if declared[1] and not SEVERAL_WORDS.match(name):
                    continue
                places[name].setdefault(path.parts[1], f"{path}:{text[: declared.start()].count(chr(10)) + 1}")
        for name, rooms in sorted(places.items()):
            if len(rooms) > 1:
                status = 1
                first, *others = rooms.values()
                print(f"{first}: {name} is also declared at {', '.join(others)}; {remedy}")
        spellings: dict[str, list[str]] = defaultdict(list)
        for name in places:
            if SEVERAL_WORDS.match(name):
                spellings[name.lower()].append(name)
        for names in spellings.values():
            if len(names) > 1:
                status = 1
                where = ", ".join(f"{name} ({next(iter(places[name].values()))})" for name in sorted(names))
                print(f"{where}: they differ by a capital alone; say in the names what each is")
    return status


sys.exit(main())
