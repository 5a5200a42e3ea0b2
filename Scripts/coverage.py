"""Prints the coverage of the sources by the tests: a table of rooms, and the files with the least coverage.

coverage.py FILE: a file of `llvm-cov export -summary-only`, which Scripts/test --coverage makes.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEAST = 40  # files listed


def share(covered: int, count: int) -> str:
    return f"{100 * covered / count:5.1f} %" if count else "      –"


def main() -> int:
    rooms: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    files: list[tuple[int, int, str]] = []
    for file in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["data"][0]["files"]:
        path = Path(file["filename"])
        # Files of other projects, and files that the build wrote.
        if not path.is_relative_to(ROOT / "Sources"):
            continue
        lines, functions = file["summary"]["lines"], file["summary"]["functions"]
        place = path.relative_to(ROOT / "Sources")
        for index, number in enumerate([lines["covered"], lines["count"], functions["covered"], functions["count"]]):
            rooms[place.parts[0]][index] += number
        files.append((lines["count"] - lines["covered"], lines["count"], str(place)))
    print(f"{'room':18} {'lines':>8} {'run':>8} {'functions':>10} {'run':>8}")
    for room, (covered, count, called, functions) in [*sorted(rooms.items()), ("all", [sum(column) for column in zip(*rooms.values())])]:
        print(f"{room:18} {count:8} {share(covered, count):>8} {functions:10} {share(called, functions):>8}")
    print(f"\nThe {LEAST} files with the most lines that no test ran:")
    for missed, count, name in sorted(files, key=lambda file: (-file[0], file[2]))[:LEAST]:
        if missed:
            print(f"{missed:6} of {count:5}  {share(count - missed, count)} run  {name}")
    return 0


sys.exit(main())
