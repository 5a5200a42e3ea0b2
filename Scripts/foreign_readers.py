"""What other readers give for a file: tables by name, rows by their number, cells by their column, each a kind and a value."""
import csv
import datetime
import io
import math
import pathlib
import re
import shutil
import sqlite3
import subprocess


def optional(name):
    try:
        return __import__(name)
    except ImportError:
        return None


def day(value):
    """Days and times as the reader of Fichero writes them."""
    if isinstance(value, datetime.datetime):
        value += datetime.timedelta(microseconds=500 - (value.microsecond + 500) % 1000) if value.year < 9999 else datetime.timedelta()
        text = value.isoformat(timespec="milliseconds" if value.microsecond else "seconds")
        return ("day", text[:10] if text.endswith("T00:00:00") else text)
    if isinstance(value, datetime.date):
        return ("day", value.isoformat())
    if isinstance(value, datetime.time):
        return ("day", day(datetime.datetime.combine(datetime.date(2000, 1, 1), value))[1][11:] or "00:00:00")
    return ("number", value.total_seconds() / 86400)


def plain(value):
    """A cell of another reader: its kind and its value; None for a blank one."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, (int, float)):
        return ("number", float(value)) if math.isfinite(value) else None
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return day(value)
    if isinstance(value, bytes):
        return ("bytes", len(value))
    text = str(value).replace("\r\n", "\n").replace("\r", "\n")
    return ("error", text) if text in ERRORS else ("text", text)


ERRORS = {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#GETTING_DATA", "#SPILL!", "#CALC!"}


def filled(cells):
    return {column: cell for column, cell in enumerate(cells, 1) if cell is not None}


def by_number(rows):
    return {number: filled(map(plain, row)) for number, row in enumerate(rows, 1)}


def openpyxl_tables(path):
    book = optional("openpyxl").load_workbook(path, data_only=True)
    found = {}
    for sheet in book.worksheets:
        rows = found.setdefault(sheet.title, {})
        # Only the cells that are there: a sheet may say that it is a million rows high.
        for (row, column), cell in sheet._cells.items():
            value = plain(cell.value)
            # The text of an error may also be a text that somebody wrote.
            if value is not None and value[0] == "error" and cell.data_type != "e":
                value = ("text", value[1])
            if type(cell).__name__ == "MergedCell":
                value = ("merged", "")
            elif value is not None and cell.hyperlink and value[1] in (cell.hyperlink.target, cell.hyperlink.location):
                value = ("link", value[1])
            if value is not None:
                rows.setdefault(row, {})[column] = value
    return found


def calamine_tables(path):
    book = optional("python_calamine").CalamineWorkbook.from_path(path)

    def value(cell):
        # Times of OpenDocument beyond a day are the text of the file.
        return elapsed(cell) if isinstance(cell, str) and cell.startswith("PT") else cell

    sheets = {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}
    return {name: by_number(map(value, row) for row in rows) for name, rows in sheets.items()}


def xlrd_tables(path):
    xlrd = optional("xlrd")
    book = xlrd.open_workbook(path, formatting_info=False, logfile=io.StringIO())

    def value(cell):
        if cell.ctype == xlrd.XL_CELL_BOOLEAN:
            return bool(cell.value)
        if cell.ctype == xlrd.XL_CELL_ERROR:
            return xlrd.error_text_from_code.get(cell.value, "#N/A")
        if cell.ctype == xlrd.XL_CELL_DATE:
            try:
                found = xlrd.xldate_as_datetime(cell.value, book.datemode)
                return found.time() if 0 <= cell.value < 1 else found
            except (ValueError, OverflowError):
                return cell.value
        return cell.value

    return {sheet.name: by_number([value(cell) for cell in sheet.row(row)] for row in range(sheet.nrows)) for sheet in book.sheets()}


def elapsed(text):
    """A time of day, or a longer time in days; the text itself where it is neither."""
    found = re.fullmatch(r"(-?)PT(\d+)H(\d+)M([\d.]+)S", text)
    if not found:
        return text
    seconds = int(found[2]) * 3600 + int(found[3]) * 60 + float(found[4])
    if found[1] or seconds >= 86400:
        return seconds / 86400 * (-1 if found[1] else 1)
    return (datetime.datetime(2000, 1, 1) + datetime.timedelta(seconds=seconds)).time()


def odfpy_tables(path):
    from odf import opendocument, table, teletype, text
    found = {}
    for sheet in opendocument.load(path).spreadsheet.getElementsByType(table.Table):
        rows, number = {}, 0
        for row in sheet.getElementsByType(table.TableRow):
            cells, column = {}, 0
            for cell in row.childNodes:
                if cell.qname[1] not in ("table-cell", "covered-table-cell"):
                    continue
                kind, repeated = cell.getAttribute("valuetype"), int(cell.getAttribute("numbercolumnsrepeated") or 1)
                words = "\n".join(teletype.extractText(part) for part in cell.childNodes if part.qname == (text.TEXTNS, "p"))
                if kind in ("float", "percentage", "currency"):
                    value = float(cell.getAttribute("value"))
                elif kind == "boolean":
                    value = cell.getAttribute("booleanvalue") == "true"
                elif kind == "time":
                    value = elapsed(cell.getAttribute("timevalue"))
                elif kind == "date":
                    value = datetime.datetime.fromisoformat(cell.getAttribute("datevalue").rstrip("Z")[:26])
                else:
                    value = words
                if plain(value) is not None:
                    cells.update((column + place, plain(value)) for place in range(1, repeated + 1))
                column += repeated
            repeats = int(row.getAttribute("numberrowsrepeated") or 1)
            if cells:
                rows.update((number + place, cells) for place in range(1, repeats + 1))
            number += repeats
        found[sheet.getAttribute("name")] = rows
    return found


def dbfread_tables(path):
    # Columns may have the same name.
    table = optional("dbfread").DBF(
        path, ignore_missing_memofile=True, char_decode_errors="replace", recfactory=lambda cells: [value for _, value in cells])
    return {pathlib.Path(path).stem: by_number(table)}


def sqlite_tables(path):
    link = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    link.text_factory = lambda bytes: bytes.decode("utf-8", "replace")
    names = [name for (name,) in link.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")]
    return {name: by_number(link.execute(f'SELECT * FROM "{name}"')) for name in names}


def mdbtools_tables(path):
    def run(*words):
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=120).stdout
    found = {}
    for name in run("mdb-tables", "-1", path).splitlines():
        form = "%Y-%m-%dT%H:%M:%S"
        lines = csv.reader(io.StringIO(run("mdb-export", "-H", "-B", "-b", "strip", "-D", form, "-T", form, path, name)))
        found[name] = {number: {column: ("printed", cell[1]) for column, cell in filled(map(plain, row)).items()} for number, row in enumerate(lines, 1)}
    return found


READERS = {
    "openpyxl": ({".xlsx", ".xlsm"}, openpyxl_tables),
    "xlrd": ({".xls"}, xlrd_tables), "odfpy": ({".ods"}, odfpy_tables), "dbfread": ({".dbf"}, dbfread_tables),
    "sqlite3": ({".sqlite", ".sqlite3", ".db", ".gpkg"}, sqlite_tables), "mdbtools": ({".mdb", ".accdb"}, mdbtools_tables), "calamine": ({".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"}, calamine_tables),
}
MODULES = {"openpyxl": "openpyxl", "calamine": "python_calamine", "xlrd": "xlrd", "odfpy": "odf", "dbfread": "dbfread", "sqlite3": "sqlite3"}


def is_installed(name):
    return bool(shutil.which("mdb-export")) if name == "mdbtools" else optional(MODULES[name]) is not None
