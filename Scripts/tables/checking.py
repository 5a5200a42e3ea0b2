"""Runs `fichero describe --cells` and compares its output with what was written."""
import json
import os
import re
import subprocess
import tempfile
from dataclasses import replace
from decimal import Decimal, InvalidOperation


def read(program, options, paths):
    """The reader's result: for each path its tables (head, rows), or the text of its failure."""
    process = subprocess.run([program, "describe", *paths, "--cells", *options], capture_output=True, env={**os.environ, "FICHERO_LANG": "en"})
    if process.returncode != 0:
        if len(paths) == 1:
            return {paths[0]: f"exit code {process.returncode}: {process.stderr.decode(errors='replace').strip()}"}
        # One of the files cannot be read, so each is read by itself.
        return {path: found for one in paths for path, found in read(program, options, [one]).items()}
    found = {path: [] for path in paths}
    for line in process.stdout.decode().split("\n")[:-1]:
        fact = json.loads(line)
        if "table" in fact:
            found[fact["file"]].append((fact, rows := []))
        else:
            rows.append((fact["row"], fact["cells"]))
    return found


def kinds(program):
    """The kinds of files that the program knows, from its message about an unknown one."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(range(5)))
        file.flush()
        message = read(program, [], [file.name])[file.name]
    known = re.search("Known kinds: ([^.]*)", message)
    if not known:
        raise SystemExit(f"{program} does not say which kinds of files it knows:\n{message}")
    return known[1].split(", ")


def is_same(wanted, got):
    if wanted is None or got is None or wanted[0] != "number" or got[0] != "number":
        return wanted == got
    try:
        # A double may be any decimal that converts back to it; other numbers must have the same
        # digits.
        return float(got[1]) == wanted[1] if isinstance(wanted[1], float) else Decimal(got[1]) == wanted[1]
    except (InvalidOperation, ValueError):
        return False


def short(cells):
    while cells and cells[-1] is None:
        cells = cells[:-1]
    return cells


def wanted_rows(format, book, sheet):
    """The expected rows, with their numbers. Blank rows do not count, except records of a database."""
    is_database = sheet.columns is not None
    numbers = list((format.numbers(book) if hasattr(format, "numbers") else None) or range(1, len(sheet.rows) + 1))
    left_out = format.left_out(book) if hasattr(format, "left_out") else ()
    for index, row in enumerate(sheet.rows):
        if index in left_out:
            continue
        if format.kind == "dbf":
            cells = [format.expected(book, value, type) for value, type in zip(row, sheet.types)]
        else:
            cells = [format.expected(book, value) for value in row]
        cells = short(cells)
        if cells or is_database:
            yield numbers[index], cells


def difference(format, book, path, found):
    """The first difference between what was written and what was read, in words; None where there is none."""
    if isinstance(found, str):
        return found
    if len(found) != len(book.sheets):
        return f"{len(found)} tables in place of {len(book.sheets)}"
    for sheet, (head, rows) in zip(book.sheets, found):
        name = sheet.name if sheet.name is not None else os.path.splitext(os.path.basename(path))[0]
        for what, wanted, got in [("kind", format.kind, head["kind"]), ("name", name, head["table"]), ("hidden", sheet.hidden, head["hidden"]),
                                  ("columns", sheet.columns, head.get("columns"))]:
            if wanted != got:
                return f"table {name}: {what} {got!r} in place of {wanted!r}"
        wanted = list(wanted_rows(format, book, sheet))
        for (number, cells), (got_number, got_cells) in zip(wanted, rows):
            got_cells = short(got_cells)
            if number != got_number:
                return f"table {name}: row {got_number} in place of {number}"
            for column in range(max(len(cells), len(got_cells))):
                one = cells[column] if column < len(cells) else None
                other = got_cells[column] if column < len(got_cells) else None
                if not is_same(one, other):
                    return f"table {name}, row {number}, column {column + 1}: {shown(other)} in place of {shown(one)}"
        if len(wanted) != len(rows):
            return f"table {name}: {len(rows)} rows in place of {len(wanted)}"
    return None


def shown(cell):
    text = repr(cell)
    return text if len(text) < 200 else text[:100] + f"… ({len(text)} characters) …" + text[-60:]


def smaller(book):
    """Smaller books like this one: fewer sheets, rows or cells, shorter texts."""
    def with_rows(index, rows):
        return book.with_sheets([replace(sheet, rows=rows) if place == index else sheet for place, sheet in enumerate(book.sheets)])

    for index in range(len(book.sheets)):
        if len(book.sheets) > 1:
            rest = book.sheets[:index] + book.sheets[index + 1:]
            # The first sheet must be visible.
            yield book.with_sheets([replace(rest[0], hidden=False)] + rest[1:])
    for index, sheet in enumerate(book.sheets):
        count = len(sheet.rows)
        size = count
        while size >= 1:
            for start in range(0, count, size):
                yield with_rows(index, sheet.rows[:start] + sheet.rows[start + size:])
            size //= 2
        for number, row in enumerate(sheet.rows):
            for column, value in enumerate(row):
                simple = None if value is not None and sheet.name is not None else value
                halves = [value[: len(value) // 2], value[len(value) // 2:]] if isinstance(value, str) and type(value) is str and len(value) > 1 else []
                for other in ([simple] if simple is not value else []) + halves:
                    yield with_rows(index, sheet.rows[:number] + [row[:column] + [other] + row[column + 1:]] + sheet.rows[number + 1:])


def shrink(program, format, options, book, path, what, tries=120):
    """The smallest book found that is still read wrong, which stays at the path, and its fault."""
    if not hasattr(format, "write") or hasattr(format, "write_all"):
        return book, what
    progress = True
    while progress and tries > 0:
        progress = False
        for candidate in smaller(book):
            tries -= 1
            if tries <= 0:
                break
            # The number of a record identifies it as deleted, and numbers change here.
            candidate = replace(candidate, how={**candidate.how, **({"deleted": []} if "deleted" in candidate.how else {})})
            try:
                format.write(candidate, path)
            except Exception:  # the writer refuses it: not a smaller case
                continue
            fault = difference(format, candidate, path, read(program, options, [path])[path])
            if fault:
                book, what, progress = candidate, fault, True
                break
    format.write(book, path)
    return book, what
