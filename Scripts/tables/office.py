"""Workbooks that LibreOffice writes, and OpenDocument by odfpy."""
import datetime
import re
import subprocess
import tempfile
from pathlib import Path

from odf import opendocument, teletype
from odf import style as styles
from odf import table as tables
from odf import text as texts

from .values import Book, Error, Generator
from .workbooks import BREAKS, KINDS, XlsxWriter, kept

# Its days are counted from 1899-12-30, so days before March 1900 differ from those of Excel.
FIRST = datetime.date(1900, 3, 1)


class Converted(XlsxWriter):
    """Workbooks of XlsxWriter that LibreOffice read and wrote again."""
    filters = {"ods": "ods:calc8", "xlsx": "xlsx:Calc MS Excel 2007 XML", "xls": "xls:MS Excel 97"}

    def __init__(self, ending):
        self.name, self.kind, self.ending = f"{ending}-libreoffice", ending, ending

    def book(self, seed):
        # LibreOffice loses white space around texts of several lines. It changes Excel's escapes,
        # carriage returns and characters that XML lacks. No cell begins with a byte order mark.
        random = Generator(seed, can=lambda text: not BREAKS.search(text) and "_x" not in text and "\r" not in text and "\ufeff" not in text
                           and ("\n" not in text or text == text.strip()), longest=300)
        # In OpenDocument, a boolean depends on the cell's format, which is lost on the way.
        kinds = [kind for kind in KINDS if kind != "boolean" or self.ending != "ods"]
        book = Book(random.sheets(kinds, thousandths=False, first=FIRST, last=datetime.date(9956, 10, 15)))
        for sheet in book.sheets:
            sheet.rows = [[self.rounded(value) for value in row] for row in sheet.rows]
        # A sheet must be visible.
        book.sheets[0].hidden = False
        book.how = {"is1904": False, "constant": False, "seed": seed}
        return book

    @staticmethod
    def rounded(value):
        """Numbers with fifteen digits and twenty places, the most that it keeps."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return value
        number = float(f"{value:.15g}")
        return number if abs(number) < 1e300 and float(f"{number:.20f}") == number else 0

    def write_all(self, books):
        """Writes (book, path) pairs with one start of the program."""
        with tempfile.TemporaryDirectory(prefix="random-tables-") as folder:
            sources = []
            for book, path in books:
                source = Path(folder, "from", Path(path).stem + ".xlsx")
                source.parent.mkdir(exist_ok=True)
                self.write(book, str(source))
                sources.append(str(source))
            subprocess.run(["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", self.filters[self.ending], "--outdir",
                            str(Path(books[0][1]).parent), *sources], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)

    @staticmethod
    def cell(page, random, row, column, value, format, bold=None):
        if isinstance(value, Error):
            page.write_formula(row, column, "=" + value if value != "#VALUE!" else '="a"+1', None, value)
        elif isinstance(value, str):
            page.write_string(row, column, value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            page.write_number(row, column, value)
        else:
            XlsxWriter.cell(page, Generator("plain"), row, column, value, format)

    def expected(self, book, value):
        cell = kept(value, number=lambda value: ["number", float(value)])
        if self.ending == "ods" and cell and cell[0] == "dateTime" and cell[1].endswith("T00:00:00"):
            # OpenDocument keeps the value without its format: midnight becomes a day.
            return ["date", cell[1][:10]]
        return cell


class ODFPy:
    name, kind, ending = "ods-odfpy", "ods", "ods"

    def book(self, seed):
        # A paragraph has no carriage return, and no blanks around it. The writer does not encode
        # those, and replaces other control characters.
        random = Generator(seed, can=lambda text: not re.search("[\r\x7f-\x84\x86-\x9f]", text) and not BREAKS.search(text) and all(line == line.strip(" ") for line in text.split("\n")))
        kinds = [kind for kind in KINDS if kind != "error"]
        return Book(random.sheets(kinds), {"seed": seed})

    def write(self, book, path):
        random = Generator(book.how["seed"] + "/styles")
        document = opendocument.OpenDocumentSpreadsheet()
        hidden = styles.Style(name="hidden", family="table")
        hidden.addElement(styles.TableProperties(display="false"))
        document.automaticstyles.addElement(hidden)
        for sheet in book.sheets:
            page = tables.Table(name=sheet.name, **({"stylename": hidden} if sheet.hidden else {}))
            # Equal rows and cells may be written once, with their number of repetitions.
            for row, often in runs(sheet.rows, random):
                line = tables.TableRow(**({"numberrowsrepeated": often} if often > 1 else {}))
                for value, times in runs(row, random):
                    line.addElement(self.cell(value, {"numbercolumnsrepeated": times} if times > 1 else {}))
                if not row:
                    line.addElement(tables.TableCell())
                page.addElement(line)
            document.spreadsheet.addElement(page)
        document.save(path)

    @staticmethod
    def cell(value, repeated):
        if value is None:
            return tables.TableCell(**repeated)
        match value:
            case bool(): facts = {"valuetype": "boolean", "booleanvalue": "true" if value else "false"}
            case int() | float(): facts = {"valuetype": "float", "value": repr(value)}
            case datetime.date(): facts = {"valuetype": "date", "datevalue": value.isoformat()}
            case datetime.time(): facts = {"valuetype": "time", "timevalue": value.strftime("PT%HH%MM%SS")}
            case _: facts = {"valuetype": "string"}
        cell = tables.TableCell(**facts, **repeated)
        for line in (value.split("\n") if isinstance(value, str) else ["shown otherwise"]):
            paragraph = texts.P()
            teletype.addTextToElement(paragraph, line)
            cell.addElement(paragraph)
        return cell

    def expected(self, book, value):
        return kept(value, number=lambda value: ["number", value])


def runs(items, random):
    """Items with the number of their repetitions in a row; sometimes each by itself."""
    folded = []
    for item in items:
        if folded and folded[-1][0] == item and type(folded[-1][0]) is type(item) and random.random() < 0.7:
            folded[-1][1] += 1
        else:
            folded.append([item, 1])
    return folded
