"""Reads Swift sources for the checks: only the code, without comments and the contents of texts."""

import re

# A pattern between slashes, on one line.
PATTERN = re.compile(r"/(?! )(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n\[])+/")


def code(text: str, in_place: bool = False) -> str:
    """The code of a file with its line breaks. Only interpolations are left of a text in quotes, and nothing of a pattern.

    With in_place, blanks replace what is left out, so that every character stays at its index."""
    out: list[str] = []

    def put(piece: str, length: int) -> None:
        """Writes what is left of so many characters of the file."""
        out.append(piece[:length].ljust(length) if in_place else piece)

    index, end = 0, len(text)
    # The open texts, each with its end, and the depths of brackets within interpolations.
    texts: list[str] = []
    depths: list[int] = []
    while index < end:
        if texts and not (depths and len(depths) == len(texts)):
            close = texts[-1]
            hashes = "#" * close.count("#")
            if text.startswith(close, index):
                texts.pop()
                put('"', len(close))
                index += len(close)
            elif text.startswith("\\" + hashes + "(", index):
                depths.append(0)
                put(" (", len(hashes) + 2)
                index += len(hashes) + 2
            elif text[index] == "\\" and not hashes:
                put("", 1)
                put("\n" if text[index : index + 2] == "\\\n" else "", len(text[index + 1 : index + 2]))
                index += 2
            else:
                put("\n" if text[index] == "\n" else "", 1)
                index += 1
            continue
        if text.startswith("//", index):
            start, index = index, text.find("\n", index) if "\n" in text[index:] else end
            put("", index - start)
            continue
        pattern = PATTERN.match(text, index)
        if pattern and "".join(out[-2:]).rstrip()[-1:] in set("(,:=["):
            put("", pattern.end() - index)
            index = pattern.end()
            continue
        start = index
        while index < end and text[index] == "#":
            index += 1
        hashes = text[start:index]
        if index < end and text[index] == '"':
            quotes = '"""' if text.startswith('"""', index) else '"'
            texts.append(quotes + hashes)
            put('"', len(hashes + quotes))
            index += len(quotes)
            continue
        index = start
        character = text[index]
        if depths and character == "(":
            depths[-1] += 1
        elif depths and character == ")":
            if depths[-1] == 0:
                depths.pop()
                put(") ", 1)
                index += 1
                continue
            depths[-1] -= 1
        out.append(character)
        index += 1
    return "".join(out)
