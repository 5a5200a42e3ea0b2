"""Finds repeated code: the same lines, one after the other, in two places.

Blank lines, comments, imports and lines of brackets alone do not count, nor does the space around a line. Where
code grew in both places, compare what is left: one function may serve both.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

LEAST = 6  # lines in a row
# The pairs of repeated places in each folder. The numbers may only decrease: lower them after
# removing one.
BOUNDS = {"Sources": 1, "Tests": 1}

IGNORED = re.compile(r"^(?://.*|[\s{}()\[\],;]*|(?:internal |package |public |@\w+ )*import .*|@\w+)$")


def code(path: Path) -> list[tuple[int, str]]:
    """The lines that count, with their numbers."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(number, line.strip()) for number, line in enumerate(lines, 1) if not IGNORED.match(line.strip())]


def repeated(folder: str) -> list[tuple[int, str, str]]:
    """The number of lines, the first place and the second place; the longest first."""
    files = {path: code(path) for path in sorted(Path(folder).rglob("*.swift"))}
    places: dict[tuple[str, ...], list[tuple[Path, int]]] = defaultdict(list)
    for path, lines in files.items():
        for start in range(len(lines) - LEAST + 1):
            places[tuple(text for _, text in lines[start : start + LEAST])].append((path, start))
    found = []
    for stretch in places.values():
        for (one, first), (other, second) in zip(stretch, stretch[1:]):
            a, b = files[one], files[other]
            if first > 0 and second > 0 and a[first - 1][1] == b[second - 1][1]:
                continue  # begins earlier
            length = LEAST
            while first + length < len(a) and second + length < len(b) and a[first + length][1] == b[second + length][1]:
                length += 1
            found.append((length, f"{one}:{a[first][0]}", f"{other}:{b[second][0]}"))
    return sorted(found, key=lambda row: (-row[0], row[1]))


def main() -> int:
    status = 0
    for folder, bound in BOUNDS.items():
        found = repeated(folder)
        if len(found) > bound:
            status = 1
            for length, one, other in found:
                print(f"{one}: {length} lines stand again at {other}")
            print(f"{folder}: {len(found)} repeated stretches, {bound} are allowed; let one piece of code serve both places")
        elif len(found) < bound:
            status = 1
            print(f"{folder}: {len(found)} repeated stretches; lower the bound in {Path(__file__).name} from {bound}")
    return status


sys.exit(main())
