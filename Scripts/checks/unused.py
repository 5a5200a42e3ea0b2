"""Finds names that the sources declare and never use, and properties that are set and never read.

It compares names, not meanings: when one of two things with the same name is used, both count as used. A name
that only tests use is unused.
"""

import re
import sys
from collections import Counter
from pathlib import Path

from swift_text import code

# Names that nothing else in Sources uses, with their users elsewhere.
ALLOWED = {
    "callAsFunction": "called without its name",
    "CodingKeys": "what the compiler makes for Codable reads it",
    "logLevel": "swift-log asks every handler for it",
    "referenced": "packs write it: rows: referenced",
    "sketch": "people write it: fichero draw sketch, which is the block with this name",
}
# Whole families of such names: the end of the file's name, and the users.
ALLOWED_FILES = {
    "Command.swift": "the list of commands is made of the files' names by Plugins/CommandList",
}

# Cases that are found by their values: a mistake of an expression is made from the code of its ExpressionFailure.
BY_VALUE = re.compile(r"\s*case expression\w+ = ")

DECLARED = re.compile(
    r"\b(?:struct|class|enum|actor|protocol|func|typealias|associatedtype|var|let|case|macro)\s+`?([A-Za-z_]\w*)`?"
)
# `case one, two` and `case one(Int), two = "x"`: the names after the first.
MORE_CASES = re.compile(r",\s*`?([a-z]\w*)`?")
# A matched case, a condition or a binding, which also have `case` and `let`.
MATCHED = re.compile(r"\bcase (?=[A-Z.\"\d(])|\bcase [^:\n]*:|\b(?:if|guard|while|for|,) *case\b")
PROPERTY = re.compile(r"^ {4,8}(?:@\w+ )?(?:package |fileprivate |private |private\(set\) |package private\(set\) )*(?:let|var) ([a-z]\w*)\b", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")


def declarations(line: str) -> list[str]:
    """The names that a line of code declares."""
    names = DECLARED.findall(MATCHED.sub("", line))
    cases = re.match(r"\s*(?:indirect )?case ([^:]*)$", line)
    if cases:
        names += MORE_CASES.findall(re.sub(r"\([^()]*\)|\"[^\"]*\"", "", cases[1]))
    return names


def main() -> int:
    words: Counter[str] = Counter()
    declared: Counter[str] = Counter()
    given: Counter[str] = Counter()
    properties: Counter[str] = Counter()
    first: dict[str, str] = {}
    for path in sorted(Path("Sources").rglob("*.swift")):
        text = code(path.read_text(encoding="utf-8"))
        words.update(WORD.findall(text))
        # Members that are written as JSON are used by the readers of the JSON.
        is_written = re.search(r"\b(?:Encodable|Codable)\b", text) is not None
        own = PROPERTY.findall(text)
        (words if is_written else properties).update(own)
        for name, again in re.findall(r"\bself\.(\w+) = (\w+)\b", text):
            given[name] += 1
            given[name] += again == name
        # A label, a parameter, a declaration with its type.
        given.update(re.findall(r"(?<!case )(?<!\.)\b(\w+)(?=: )", text))
        for number, line in enumerate(text.split("\n"), 1):
            for name in declarations(line):
                declared[name] += 1
                if BY_VALUE.match(line):
                    continue
                if not path.name.endswith(tuple(ALLOWED_FILES)) or name + ".swift" != path.name:
                    first.setdefault(name, f"{path}:{number}")
    found = [
        (first[name], f"{name} is declared and never used; remove it")
        for name in first if words[name] <= declared[name] and name != "_" and name not in ALLOWED
    ]
    found += [
        (first[name], f"{name} is given a value and never read; remove it")
        for name in first if properties[name] and declared[name] < words[name] <= given[name] and name not in ALLOWED
    ]
    for place, sentence in sorted(found):
        print(f"{place}: {sentence}, or name its user in Scripts/checks/{Path(__file__).name}")
    stale = [name for name in ALLOWED if not declared[name]]
    for name in stale:
        print(f"Scripts/checks/{Path(__file__).name}: {name} is gone; remove it from the list")
    return 1 if found or stale else 0


sys.exit(main())
