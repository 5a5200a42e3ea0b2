"""Checks that the sources are easy to see: short lines, files of one idea, folders that hold few of them.

A line ends at 120 columns. A file has 40 to 400 lines, a folder up to 25 files. A file with a reason to be longer,
or with a line that cannot be broken, says the reason on its first line: `// Long file: …`, `// Long lines: …`.
"""

import sys
from collections import Counter
from pathlib import Path

LINE, LEAST, MOST, FILES = 120, 40, 400, 25
# Files that are entries of a list, and so may be short.
ENTRIES = {
    "Sources/fichero/main.swift": "the program's start",
    "Sources/QRCodes/QRCode.swift": "the only file of its room",
}
# A command is a file of its own, by whose name the build lists it.
COMMANDS = "Sources/CommandLineTool/Commands"


def is_guide(path: Path, lines: list[str]) -> bool:
    """The guide of a folder has its name, and says in a comment what is in the folder."""
    return path.stem == path.parent.name and all(not line or line.startswith("//") for line in lines[:2])


def main() -> int:
    faults = []
    folders: Counter[Path] = Counter()
    for path in sorted(Path("Sources").rglob("*.swift")):
        is_command = str(path.parent) == COMMANDS and path.stem.endswith("Command")
        folders[path.parent] += not is_command
        lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
        count = len(lines)
        if not lines[0].startswith("// Long lines: "):
            faults += [
                f"{path}:{number}: {len(line)} columns; end the line at {LINE}"
                for number, line in enumerate(lines, 1)
                if len(line) > LINE
            ]
        if count > MOST and not lines[0].startswith("// Long file: "):
            faults.append(f"{path}: {count} lines; a file holds one idea in up to {MOST}, or says the reason first")
        if count < LEAST and not is_command and str(path) not in ENTRIES and not is_guide(path, lines):
            faults.append(f"{path}: {count} lines; what has fewer than {LEAST} belongs to a neighbour")
    for folder, count in sorted(folders.items()):
        if count > FILES:
            faults.append(f"{folder}: {count} files; a folder with more than {FILES} is two ideas")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
