"""Checks that `Tests/` mirrors `Sources/`, so that the tests of a file are at the same place.

Each folder of the tests is a room of the sources, and each folder in it one of that room's. The tests of `X`
(`XTests.swift`, `X+Part.swift`) are in the folder of the same name as that of `X.swift`.
"""

import sys
from pathlib import Path

# Folders of Tests that are not rooms, and their purpose.
NO_ROOMS = {
    "EndToEnd": "runs the built program, in which all rooms are one",
    "Workbench": "what the tests of several rooms share",
    "Fuzzing": "the readers under libFuzzer, built only when asked for",
    "Servers": "a server in Python that behaves as Supabase does",
    "Simulation": "offices that sync while things go wrong, a program of its own",
    "BreakingCalls": "loaded into the program to make a call fail",
}
# Rooms without tests of their own, and the tests that cover them.
UNTESTED = {
    "fichero": "one line, run by Tests/EndToEnd",
    "Suggesting": "what it suggests is read by the readers at once, in Tests/Importing/Mapping",
}
# Folders of files that tests read.
DATA = {"Goldens", "Cases"}


def rooms(folder: str) -> set[str]:
    """The folders with Swift; those with only a module map are C libraries."""
    return {path.name for path in Path(folder).iterdir() if path.is_dir() and any(path.rglob("*.swift"))}


def main() -> int:
    known = rooms("Sources")
    faults = []
    for room in sorted({path.name for path in Path("Tests").iterdir() if path.is_dir()} - known - set(NO_ROOMS)):
        faults.append(f"Tests/{room}: no room of Sources has this name; rename it, or say what it is in Scripts/checks/{Path(__file__).name}")
    for room in sorted(known - rooms("Tests") - set(UNTESTED)):
        faults.append(f"Sources/{room}: it has no tests of its own; make Tests/{room}, or say in Scripts/checks/{Path(__file__).name} what tests it")
    for room in sorted(known & rooms("Tests")):
        sources, tests = Path("Sources", room), Path("Tests", room)
        places: dict[str, set[Path]] = {}
        for path in sources.rglob("*.swift"):
            places.setdefault(path.stem, set()).add(path.parent.relative_to(sources))
        for path in sorted(tests.rglob("*")):
            place = path.relative_to(tests)
            if DATA & set(place.parts):
                continue
            if path.is_dir() and not (sources / place).is_dir():
                faults.append(f"{path}: {sources} has no folder {place}; name it as the folder is whose files it tests")
            if path.suffix != ".swift":
                continue
            subject = path.stem.split("+")[0].removesuffix("Tests")
            wanted = places.get(subject) or places.get(subject + "s") or places.get(subject.removesuffix("s"))
            if wanted and place.parent not in wanted:
                faults.append(f"{path}: {subject} stands elsewhere; git mv {path} {tests / sorted(wanted)[0]}/")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
