"""Workbooks by openpyxl, XlsxWriter and xlwt, and the part of a value that each of them keeps."""
import datetime
import re
from decimal import Decimal

import openpyxl
import xlsxwriter
import xlwt
from openpyxl.cell import WriteOnlyCell
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from .values import ERRORS, Book, Error, Generator

KINDS = ["text", "text", "integer", "number", "boolean", "date", "dateTime", "time", "error"]
# Formats that make a number a day or a clock, and some that only look so: quoted text, colours and
# brackets show no date.
DATES = ["dd/mm/yyyy", "d-mmm-yy", '[$-C0A]d" de "mmmm" de "yyyy', "yyyy-mm-dd", "m/d/yy", "mm-yyyy", "[$-F800]dddd, mmmm dd, yyyy"]
CLOCKS = ["h:mm", "hh:mm:ss", "h:mm AM/PM", "mm:ss.000", "[$-F400]h:mm:ss AM/PM"]
BOTH = ["yyyy-mm-dd hh:mm:ss", "dd/mm/yyyy h:mm", "m/d/yy h:mm"]
NUMBERS = ["General", "0.00", "#,##0.00", "0.00E+00", "0%", '0.00" m"', '"d"0', "0\\h", "[Red]0.00", "[Blue]General", 'General" m"', '"C-"General',
           "[h]:mm", "[mm]:ss", "[ss]", "[HH]:mm", "# ?/?", "@", '_-* #,##0.00 "días"_-', "[>100]0;0.0", "0;dd"]
ERROR_CODES = dict(zip(ERRORS, (0x00, 0x07, 0x0F, 0x17, 0x1D, 0x24, 0x2A)))
BREAKS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")


def text_for_numbers(value):
    """As both writers of XLSX write numbers: sixteen digits."""
    return ["number", Decimal(f"{value:.16g}")]


def moment(value):
    """Days and clocks as a reader gives them."""
    if isinstance(value, datetime.datetime):
        return ["dateTime", value.date().isoformat() + "T" + clock(value.time())]
    return ["date", value.isoformat()] if isinstance(value, datetime.date) else ["time", clock(value)]


def clock(value):
    return value.strftime("%H:%M:%S") + (f".{value.microsecond // 1000:03}" if value.microsecond else "")


def kept(value, number=text_for_numbers, text=lambda text: text):
    """The expected cell of a value; None for an empty one. An empty text is an empty cell."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return ["boolean", "true" if value else "false"]
    if isinstance(value, Error):
        return ["error", str(value)]
    if isinstance(value, str):
        return ["text", text(value)]
    return number(value) if isinstance(value, (int, float)) else moment(value)


def style(random, value):
    """A number format that suits a value; none for a value without a format of its own."""
    if isinstance(value, (bool, str)) or value is None:
        return None
    if isinstance(value, datetime.datetime):
        return random.choice(BOTH)
    if isinstance(value, datetime.date):
        return random.choice(DATES)
    return random.choice(CLOCKS if isinstance(value, datetime.time) else NUMBERS)


class OpenPyXL:
    name, kind, ending = "xlsx-openpyxl", "xlsx", "xlsx"

    def book(self, seed):
        # XML has no control characters, and this writer refuses them.
        random = Generator(seed, can=lambda text: not BREAKS.search(text), longest=random_length(seed))
        is1904 = random.random() < 0.2
        book = Book(random.sheets(KINDS, thousandths=True, first=datetime.date(1904, 1, 2) if is1904 else datetime.date(1900, 1, 1)))
        book.how = {"is1904": is1904, "writeOnly": random.random() < 0.5, "iso": random.random() < 0.2, "seed": seed}
        return book

    def write(self, book, path):
        random = Generator(book.how["seed"] + "/styles")
        workbook = openpyxl.Workbook(write_only=book.how["writeOnly"], iso_dates=book.how["iso"])
        if book.how["is1904"]:
            workbook.epoch = CALENDAR_MAC_1904
        if not book.how["writeOnly"]:
            workbook.remove(workbook.active)
        for sheet in book.sheets:
            page = workbook.create_sheet(sheet.name)
            page.sheet_state = "hidden" if sheet.hidden else "visible"
            for number, row in enumerate(sheet.rows, 1):
                cells = [self.cell(page, value, style(random, value)) for value in row]
                if book.how["writeOnly"]:
                    page.append(cells)
                    continue
                for column, cell in enumerate(cells, 1):
                    if cell is not None:
                        target = page.cell(number, column)
                        target._value, target.data_type, target.number_format = cell._value, cell.data_type, cell.number_format
        workbook.save(path)

    @staticmethod
    def cell(page, value, format):
        if value is None:
            return None
        cell = WriteOnlyCell(page, value=value)
        # The writer takes texts that begin with = for formulas.
        if isinstance(value, str) and not isinstance(value, Error):
            cell.data_type = "s"
        if format:
            cell.number_format = format
        return cell

    def expected(self, book, value):
        # ISO 8601 cannot state that midnight is a day. A text like _x0041_ is an escape of Excel's,
        # which this writer does not encode.
        return kept(value, text=lambda text: ESCAPE.sub(lambda match: chr(int(match[1], 16)), text))


class XlsxWriter:
    name, kind, ending = "xlsx-xlsxwriter", "xlsx", "xlsx"

    def book(self, seed):
        random = Generator(seed, longest=random_length(seed))
        is1904 = random.random() < 0.2
        book = Book(random.sheets(KINDS, thousandths=True, first=datetime.date(1904, 1, 2) if is1904 else datetime.date(1900, 1, 1)))
        book.how = {"is1904": is1904, "constant": random.random() < 0.5, "seed": seed}
        return book

    def write(self, book, path):
        random = Generator(book.how["seed"] + "/styles")
        workbook = xlsxwriter.Workbook(path, {"date_1904": book.how["is1904"], "constant_memory": book.how["constant"], "in_memory": not book.how["constant"]})
        formats, bold = {}, workbook.add_format({"bold": True})
        for sheet in book.sheets:
            page = workbook.add_worksheet(sheet.name)
            if sheet.hidden:
                page.hide()
            for number, row in enumerate(sheet.rows):
                for column, value in enumerate(row):
                    code = style(random, value)
                    if code and code not in formats:
                        formats[code] = workbook.add_format({"num_format": code})
                    self.cell(page, random, number, column, value, formats.get(code), bold)
        workbook.close()

    @staticmethod
    def cell(page, random, row, column, value, format, bold=None):
        asked = random.random()
        if isinstance(value, (datetime.date, datetime.time)):
            page.write_datetime(row, column, value, format)
        elif isinstance(value, Error) or (asked < 0.1 and XlsxWriter.can_result(value)):
            # The result of a formula when it was saved.
            page.write_formula(row, column, "=A1", format, value)
        elif isinstance(value, bool):
            page.write_boolean(row, column, value, format)
        elif isinstance(value, str):
            # The runs of rich text are one text. The writer escapes nothing in them.
            rich = asked > 0.9 and len(value) > 3 and "_x" not in value and page.write_rich_string(row, column, value[:2], bold, value[2:]) == 0
            if not rich:
                page.write_string(row, column, value, format)
        elif value is not None:
            page.write_number(row, column, value, format)

    @staticmethod
    def can_result(value):
        """The writer escapes nothing in a formula's result, and takes the names of errors for errors."""
        if not isinstance(value, str):
            # The writer writes a result with all its digits.
            return value is not None and (not isinstance(value, float) or Decimal(f"{value:.16g}") == Decimal(repr(value))) and abs(value) < 10**15
        return value not in ERRORS and not BREAKS.search(value) and "_x" not in value and "\r" not in value

    def expected(self, book, value):
        return kept(value)


class XLWT:
    name, kind, ending = "xls-xlwt", "xls", "xls"

    def book(self, seed):
        random = Generator(seed, can=self.fits, longest=random_length(seed))
        is1904 = random.random() < 0.2
        # The writer's dates have whole seconds. The days of 1900 before March are read as Excel
        # shows them.
        book = Book(random.sheets(KINDS, first=datetime.date(1904, 1, 2) if is1904 else datetime.date(1900, 1, 1)))
        book.how = {"is1904": is1904, "seed": seed}
        return book

    @staticmethod
    def fits(text):
        return len(text.encode("utf-16-le")) // 2 <= 32767

    def write(self, book, path):
        random = Generator(book.how["seed"] + "/styles")
        workbook = xlwt.Workbook(encoding="utf-8")
        workbook.dates_1904 = book.how["is1904"]
        styles = {}
        for sheet in book.sheets:
            page = workbook.add_sheet(sheet.name)
            page.visibility = 1 if sheet.hidden else 0
            for number, row in enumerate(sheet.rows):
                for column, value in enumerate(row):
                    code = style(random, value) or "General"
                    if code not in styles:
                        styles[code] = xlwt.XFStyle()
                        styles[code].num_format_str = code
                    if isinstance(value, Error):
                        page.row(number).set_cell_error(column, ERROR_CODES[value], styles[code])
                    elif value is not None:
                        page.write(number, column, value, styles[code])
        if not book.sheets:
            workbook.add_sheet("Hoja1")
        workbook.save(path)

    def expected(self, book, value):
        # Every number is a double.
        return kept(value, number=lambda value: ["number", float(value)])


def random_length(seed):
    """Mostly short texts; sometimes the longest that a cell takes."""
    return 32767 if Generator(seed + "/length").random() < 0.03 else 400
