"""Checks that the sentences of comments can be read aloud: none has more than 30 words.

Code between backticks counts as one word, what stands in brackets not at all. A colon or a semicolon ends a sentence
as well as a full stop, since one breathes there.
"""

import re
import sys
from pathlib import Path

MOST = 30
COMMENT = re.compile(r"\s*(?:///?) ?(.*)")
WORD = re.compile(r"[A-Za-zÀ-ÿ0-9'’-]+")


def sentences(comment: str) -> list[str]:
    parts = re.split(r"\n\s*\n|\n(?=\s*- )|\n(?= *\S+ {2,}|   )", comment)
    return [sentence for part in parts for sentence in re.split(r"(?<=[.!?:;])\s+", flat(part))]


def flat(part: str) -> str:
    return re.sub(r"\([^)]*\)", "", re.sub(r"`[^`]*`", "x", part.replace("\n", " ")))


def main() -> int:
    status = 0
    for path in sorted(Path("Sources").rglob("*.swift")):
        lines = path.read_text(encoding="utf-8").split("\n")
        first = 0
        while first < len(lines):
            last = first
            while last < len(lines) and COMMENT.match(lines[last]):
                last += 1
            comment = "\n".join(COMMENT.match(line)[1] for line in lines[first:last])
            for sentence in sentences(comment):
                words = len(WORD.findall(sentence))
                if words > MOST:
                    status = 1
                    print(f"{path}:{first + 1}: {words} words; make two sentences of: {sentence[:80]}…")
            first = max(last, first + 1)
    return status


sys.exit(main())
