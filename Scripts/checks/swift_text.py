"""Reads Swift sources for the checks: only the code, without comments and the contents of texts."""

import re

# A pattern between slashes, on one line.
PATTERN = re.compile(r"/(?! )(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n\[])+/")


def code(text: str) -> str:
    """The code of a file with its line breaks. Only interpolations are left of a text in quotes, and nothing of a pattern."""
    out: list[str] = []
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
                out.append('"')
                index += len(close)
            elif text.startswith("\\" + hashes + "(", index):
                depths.append(0)
                out.append(" (")
                index += len(hashes) + 2
            elif text[index] == "\\" and not hashes:
                out.append("\n" if text[index : index + 2] == "\\\n" else "")
                index += 2
            else:
                out.append("\n" if text[index] == "\n" else "")
                index += 1
            continue
        if text.startswith("//", index):
            index = text.find("\n", index) if "\n" in text[index:] else end
            continue
        pattern = PATTERN.match(text, index)
        if pattern and "".join(out[-2:]).rstrip()[-1:] in set("(,:=["):
            index = pattern.end()
            continue
        start = index
        while index < end and text[index] == "#":
            index += 1
        hashes = text[start:index]
        if index < end and text[index] == '"':
            quotes = '"""' if text.startswith('"""', index) else '"'
            texts.append(quotes + hashes)
            out.append('"')
            index += len(quotes)
            continue
        index = start
        character = text[index]
        if depths and character == "(":
            depths[-1] += 1
        elif depths and character == ")":
            if depths[-1] == 0:
                depths.pop()
                out.append(") ")
                index += 1
                continue
            depths[-1] -= 1
        out.append(character)
        index += 1
    return "".join(out)
