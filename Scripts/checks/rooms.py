"""`Tests/` mirrors `Sources/`: who looks for the tests of a file finds them at the same place.

Each folder of the tests is a room of the sources, each folder in it one of that room's; what tests `X` (`XTests.swift`, `X+Part.swift`)
stands where `X.swift` stands. And the table of rooms in `Docs/architecture.md` says of each which others it may import, as
`Package.swift` does.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

# Folders of Tests that are no rooms, and what they are.
NO_ROOMS = {
    "EndToEnd": "runs the built program, in which all rooms are one",
    "Workbench": "what the tests of several rooms share",
    "Fuzzing": "the readers under libFuzzer, built only when asked for",
    "BreakingCalls": "loaded into the program to make a call fail",
}
# Rooms without tests of their own, and what tests them.
UNTESTED = {
    "fichero": "one line, run by Tests/EndToEnd",
}
# Folders of files that tests read.
DATA = {"Goldens", "Cases"}


def rooms(folder: str) -> set[str]:
    """The folders that hold Swift; those with a module map alone are C libraries."""
    return {path.name for path in Path(folder).iterdir() if path.is_dir() and any(path.rglob("*.swift"))}


def wrong_rows(known: set[str]) -> list[str]:
    """The rows of the table that do not say what Package.swift says."""
    package = json.loads(subprocess.run(["swift", "package", "dump-package"], capture_output=True, text=True, check=True).stdout)
    imports = {}
    for target in package["targets"]:
        names = {(one.get("byName") or one.get("target") or one.get("product"))[0] for one in target["dependencies"]}
        imports[target["name"]] = names & known
    faults, said = [], set()
    for number, line in enumerate(Path("Docs/architecture.md").read_text(encoding="utf-8").split("\n"), 1):
        row = re.match(r"\| (`[^|]*) \| .* \| ([^|]*) \|$", line)
        for room in re.findall(r"`(\w+)`", row[1]) if row else []:
            said.add(room)
            if room not in known or row[2] == "all":
                continue
            listed = set(re.findall(r"\w+", row[2])) & known
            if listed != imports[room]:
                faults.append(f"Docs/architecture.md:{number}: {room} imports {', '.join(sorted(imports[room])) or 'nothing'}; say so in the last column")
    faults += [f"Docs/architecture.md: the table of rooms has no {room}; say what it is and what it may import" for room in sorted(known - said - set(UNTESTED))]
    return faults


def main() -> int:
    known = rooms("Sources")
    faults = wrong_rows(known)
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
