"""Wide, tall, long and mixed tables, written a row at a time, read, compared while they are read; and the memory that the reader needs."""
import csv
import html
import json
import os
import re
import sqlite3
import struct
import subprocess
import tempfile
import zipfile

import xlsxwriter
import xlwt

from .values import Generator
from .workbooks import kept

LONGEST = 32767
# The most memory of a reader that streams. Workbooks of Excel before 2007 are kept in memory,
# within the limit `xlsBytes`.
MOST_MIB = 64


def texts(seed, count, width, length):
    """Rows of texts that follow from their number, so that they can be made twice."""
    random = Generator(seed, can=lambda text: text.isprintable() and text.strip() == text and "'" not in text and "_x" not in text and "<" not in text)
    words = [random.text() for _ in range(97)]
    for row in range(count):
        if length == LONGEST:
            # Some texts have almost the greatest length, beside short ones and gaps.
            yield [(words[(row + column) % 97] * LONGEST)[: LONGEST - row % 3 * 16000] if column % 3 == 0 else None if column % 3 == 1 else words[column % 97]
                   for column in range(width)]
        else:
            yield [f"{row}/{column} {words[(row * 31 + column * 17) % 97]}" if (row + column) % 11 else None for column in range(width)]


def mixed(count, width):
    """One long cell in a row of many short ones, then none, so that a batch is full within a row."""
    for row in range(count):
        yield [("ñ" * (LONGEST if (row + column) % 211 == 0 else 10) + str(column)) [-LONGEST:] for column in range(width if row % 2 else 3)]


def write_csv(path, rows, _):
    with open(path, "w", newline="") as file:
        csv.writer(file, delimiter=";").writerows([["primera"], *rows])
    return [["primera"]]


def write_sqlite(path, rows, width):
    database = sqlite3.connect(path)
    database.execute(f"CREATE TABLE t ({', '.join(f'c{number}' for number in range(width))})")
    database.executemany(f"INSERT INTO t VALUES ({', '.join('?' * width)})", ((row + [None] * width)[:width] for row in rows))
    database.commit()
    database.close()


def write_xlsx(path, rows, _):
    # A sheet has as many rows as it can hold; the rest are on the next.
    workbook = xlsxwriter.Workbook(path, {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    page, line = workbook.add_worksheet(), 0
    for row in rows:
        if line == 1_048_576:
            page, line = workbook.add_worksheet(), 0
        for column, value in enumerate(row):
            if value is not None:
                page.write_string(line, column, value)
        line += 1
    workbook.close()


def write_xls(path, rows, _):
    workbook = xlwt.Workbook(encoding="utf-8")
    page = workbook.add_sheet("t")
    for line, row in enumerate(rows):
        for column, value in enumerate(row):
            if value is not None:
                page.write(line, column, value)
    workbook.save(path)


def write_ods(path, rows, _):
    # The file is written by the description of the format, since the package would keep a document
    # in memory. Spaces after the first of several are elements.
    names = "".join(f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        with archive.open("content.xml", "w", force_zip64=True) as file:
            file.write(f'<office:document-content{names}><office:body><office:spreadsheet><table:table table:name="t">'.encode())
            for row in rows:
                file.write(b"<table:table-row>")
                for value in row:
                    if value is None:
                        file.write(b"<table:table-cell/>")
                        continue
                    text = re.sub(" ( +)", lambda found: f' <text:s text:c="{len(found[1])}"/>', html.escape(value, quote=False))
                    file.write(f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'.encode())
                file.write(b"</table:table-row>")
            file.write(b"</table:table></office:spreadsheet></office:body></office:document-content>")


def write_dbf(path, rows, width):
    # The file is written by the description of the format, since the package would keep a table in
    # memory.
    size = 40
    with open(path, "wb") as file:
        file.write(bytes(32 + 32 * width + 1))
        count = 0
        for row in rows:
            file.write(b" " + b"".join((value or "").encode("cp1252", "replace")[:size].ljust(size) for value in row))
            count += 1
        file.seek(0)
        file.write(struct.pack("<BBBBIHH17xB2x", 3, 125, 1, 1, count, 32 + 32 * width + 1, 1 + size * width, 3))
        for number in range(width):
            file.write(struct.pack("<11sc4xBB14x", f"C{number}".encode(), b"C", size, 0))
        file.write(b"\r")


WRITERS = {"csv": write_csv, "sqlite": write_sqlite, "xlsx": write_xlsx, "xls": write_xls, "ods": write_ods, "dbf": write_dbf}


def cut(value):
    """The part of a text that a field of DBF keeps."""
    return (value or "").encode("cp1252", "replace")[:40].decode("cp1252").rstrip() or None


def check(program, tall):
    """Prints a line for each shape. Returns 1 where one was read wrong or took too much memory."""
    wide, long = (lambda: texts("wide", 300, 1000, 0)), (lambda: texts("long", 60, 9, LONGEST))
    cases = [("wide", kind, wide, 1000) for kind in ("csv", "sqlite", "xlsx", "ods", "dbf")] + [("wide", "xls", lambda: texts("wide", 300, 256, 0), 256)]
    cases += [("long", kind, long, 9) for kind in ("csv", "sqlite", "xlsx", "ods", "xls")]
    cases += [("mixed", kind, lambda: mixed(400, 120), 120) for kind in ("csv", "sqlite", "xlsx", "ods", "xls")]
    cases += [("tall", kind, lambda: texts("tall", tall, 3, 0), 3) for kind in ("csv", "sqlite", "xlsx", "ods", "dbf")]
    cases += [("tall", "xls", lambda: texts("tall", min(tall, 65536), 3, 0), 3)]
    failed = False
    for shape, kind, rows, width in cases:
        with tempfile.TemporaryDirectory(prefix="random-tables-") as folder:
            path = f"{folder}/t.{kind}"
            first = WRITERS[kind](path, rows(), width) or []
            what, mib = compare(program, kind, path, first, rows())
            size = os.path.getsize(path) / 1e6
        if what is None and kind != "xls" and mib > MOST_MIB:
            what = f"more than {MOST_MIB} MiB"
        failed = failed or what is not None
        print(f"{shape:6} {kind:7} {size:7.1f} MB {mib:6.0f} MiB   {what or 'the same'}", flush=True)
    return 1 if failed else 0


def compare(program, kind, path, first, rows):
    """The first difference, and the reader's peak memory."""
    options = ["--encoding", "utf-8", "--delimiter", ";"] if kind == "csv" else []
    # Another process is in between, since the memory of this one would count as the peak of its
    # child.
    measured = ["/usr/bin/time", "-f", "%M", "-o", path + ".memory"]
    process = subprocess.Popen([*measured, program, "describe", path, "--cells", *options], stdout=subprocess.PIPE)
    what, count = None, 0
    lines = (fact["cells"] for line in process.stdout if "cells" in (fact := json.loads(line)))
    for row in (row for part in (first, rows) for row in part):
        wanted = [kept(cut(value) if kind == "dbf" else value) for value in row]
        got = next(lines, None)
        count += 1
        while wanted and wanted[-1] is None:
            wanted.pop()
        while got and got[-1] is None:
            got.pop()
        if wanted != got:
            what = f"row {count}: {str(got)[:80]} in place of {str(wanted)[:80]}"
            break
    if what is None and next(lines, None) is not None:
        what = f"more than {count} rows"
    process.stdout.close()
    if process.wait() != 0:
        what = what or f"exit code {process.returncode}"
    with open(path + ".memory") as file:
        return what, int(file.read().split()[-1]) / 1024
