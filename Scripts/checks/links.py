"""Checks the links of the documents: every relative one points to a file of the project, and its anchor to a
heading or a line there. Links from the README must reach every document of `Docs/`.
"""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)(?: \"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6} (.+?)(?: #+)?$")
FENCE = re.compile(r"^ *(```|~~~)")


def prose(path: Path) -> list[tuple[int, str]]:
    """The lines of a document outside blocks of code, with their numbers."""
    lines, fence = [], False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if FENCE.match(line):
            fence = not fence
        elif not fence:
            lines.append((number, line))
    return lines


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    names: set[str] = set()
    for _, line in prose(path):
        names.update(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
        heading = HEADING.match(line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        name = first = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        again = 0
        while name in names:
            again += 1
            name = f"{first}-{again}"
        names.add(name)
    return names


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], capture_output=True, text=True, check=True).stdout
    files = {Path(name) for name in listed.split("\0") if name and Path(name).exists()}
    folders = {parent for path in files for parent in path.parents}
    documents = sorted(path for path in files if path.suffix == ".md")
    known: dict[Path, set[str]] = {}
    leads: dict[Path, set[Path]] = {path: set() for path in documents}
    faults = []
    for document in documents:
        for number, line in prose(document):
            for target in LINK.findall(re.sub(r"`[^`]*`", lambda code: "`" * len(code[0]), line)):
                if re.match(r"[a-z][a-z0-9+.-]*:", target):
                    continue
                name, _, anchor = unquote(target).partition("#")
                parts: list[str] = []
                for part in (document.parent / name).parts if name else document.parts:
                    if part == ".." and parts:
                        parts.pop()
                    else:
                        parts.append(part)
                path = Path(*parts)
                place = f"{document}:{number}: the link {target}"
                if path not in files and path not in folders:
                    faults.append(f"{place} leads to nothing in the project; mend its path")
                    continue
                leads[document].add(path)
                if anchor and path.suffix == ".md":
                    if anchor not in known.setdefault(path, anchors(path)):
                        faults.append(f"{place} names no heading there; take one of its headings in small letters with hyphens")
                elif anchor and re.fullmatch(r"L\d+", anchor) and int(anchor[1:]) > path.read_text(encoding="utf-8").count("\n"):
                    faults.append(f"{place} leads beyond the file's last line; mend the number")
    reached, ahead = set(), [Path("README.md")]
    while ahead:
        document = ahead.pop()
        if document not in reached:
            reached.add(document)
            ahead += [path for path in leads[document] if path.suffix == ".md"]
    faults += [f"{path}: no link leads here from the README; link to it, or remove it" for path in documents if path.parts[0] == "Docs" and path not in reached]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
