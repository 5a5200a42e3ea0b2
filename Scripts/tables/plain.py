"""Tables of text by Python's csv, DBF tables by the package dbf, SQLite databases by Python's sqlite3."""
import csv
import io
import os
import sqlite3
from decimal import Decimal

import dbf

from .values import Book, Generator, Sheet
from .workbooks import kept

BOUND = "\x00\x1a"


class CSV:
    name, kind, ending = "csv", "csv", "csv"
    ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252", "cp850", "cp437", "iso8859-1", "iso8859-15"]
    SPOKEN = {"cp1252": "windows-1252", "iso8859-1": "iso-8859-1", "iso8859-15": "iso-8859-15", "utf-16": "utf-16le", "utf-16-be": "utf-16be",
              "utf-8-sig": "utf-8"}

    def book(self, seed):
        random = Generator(seed)
        # The options of a batch are those of its first file, so they depend only on the batch's
        # part of the seed.
        encoding, separator = self.choices(seed)
        random.can = lambda text: self.fits(text, encoding)
        random.longest = 400 if random.random() < 0.97 else 32767
        rows = random.rows(["text"])
        # The first cell of a file must not look like another kind of file, nor like a byte order
        # mark.
        rows.insert(0, ["primera"] + [random.text() for _ in range(random.randint(0, 4))])
        ends = random.choice(["\n", "\r\n", "\r"])
        broken = any("\n" in (cell or "") or "\r" in (cell or "") for row in rows for cell in row)
        book = Book([Sheet(None, rows)])
        # The writer quotes only its own line end, and a reader has no option for the quote.
        book.how = {"encoding": encoding, "separator": separator, "ends": ends, "all": broken or random.random() < 0.3, "last": random.random() < 0.7}
        return book

    def choices(self, seed):
        random = Generator(seed.rsplit("/", 1)[0] + "/options")
        return random.choice(self.ENCODINGS), random.choice(",;\t|")

    @staticmethod
    def fits(text, encoding):
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            return False
        # Without quotation marks, an apostrophe at the start of cells is read as a quote. Control
        # characters are not text.
        return not text.startswith("'") and not any(ord(c) < 0x20 and c not in "\t\r\n" for c in text)

    def options(self, seed):
        encoding, separator = self.choices(seed)
        return ["--encoding", self.SPOKEN.get(encoding, encoding), "--delimiter", "tab" if separator == "\t" else separator]

    def write(self, book, path):
        how = book.how
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=how["separator"], lineterminator=how["ends"], quoting=csv.QUOTE_ALL if how["all"] else csv.QUOTE_MINIMAL)
        writer.writerows(book.sheets[0].rows)
        content = text.getvalue()
        if not how["last"]:
            content = content.removesuffix(how["ends"])
        mark = b"\xfe\xff" if how["encoding"] == "utf-16-be" else b""
        with open(path, "wb") as file:
            file.write(mark + content.encode(how["encoding"]))

    def expected(self, book, value):
        # Text has no types, and an empty text is an empty cell.
        return kept(value)

    def numbers(self, book):
        """The line on which each record begins; line breaks within quotes count."""
        line = 1
        for row in book.sheets[0].rows:
            yield line
            line += 1 + sum(len(cell.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1 for cell in row if cell)


class GuessedCSV(CSV):
    """Text without a stated encoding or separator: only texts that have one reading."""
    name = "csv-guessed"
    # The files have a byte order mark, or are UTF-8, which no text of another code page looks like.
    ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "utf-16"]

    def book(self, seed):
        book = super().book(seed)
        sheet, random = book.sheets[0], Generator(seed + "/guessed")
        # The options of each file are its own, since the reader must guess them.
        book.how["separator"], book.how["encoding"] = random.choice(",;\t|"), random.choice(self.ENCODINGS)
        # Only one separator fits when every cell has quotes and all rows have the same width of at
        # least two cells.
        width = max(2, *(len(row) for row in sheet.rows))
        sheet.rows = [row + [None] * (width - len(row)) for row in sheet.rows]
        book.how["all"] = True
        return book

    def options(self, seed):
        return []


class DBF:
    ending, kind = "dbf", "dbf"

    def __init__(self, dialect, memo, page):
        self.dialect, self.memo, self.page = dialect, memo, page
        self.name = f"dbf-{dialect}-{'memo' if memo else 'bare'}-{page}"

    def book(self, seed):
        random = Generator(seed, can=self.fits, longest=200)
        fields = []
        # The writer counts a column's bit among all columns, but Visual FoxPro among the nullable
        # ones. The counts are equal where all columns are nullable.
        null = " null" if self.dialect == "vfp" and random.random() < 0.5 else ""
        for number in range(random.choice([1, 2, 5, 12])):
            kinds = ["C", "C", "N", "N", "D", "L"] + ["M"] * self.memo + ["F"] * (self.dialect in ("fp", "vfp")) + ["I", "B", "Y", "T"] * (self.dialect == "vfp")
            # The writer gives a FoxPro table without memos an unknown version.
            kind = "M" if number == 0 and self.dialect == "fp" else random.choice(kinds)
            places = random.choice([0, 0, 2, 4])
            size = {"C": f"({random.choice([1, 5, 30, 200])})", "N": f"({random.randint(places + 4, 19)},{places})", "F": f"(18,{places})"}.get(kind, "")
            fields.append(f"{random.choice(['CAMPO', 'N', 'Z_', 'FECHA'])}{number} {kind}{size}{null}")
        rows = [[self.value(random, field) for field in fields] for _ in range(random.choice([0, 1, 5, 20, 60]))]
        deleted = [number for number in range(len(rows)) if random.random() < 0.1]
        return Book([Sheet(None, rows, columns=[field.split()[0] for field in fields], types=fields)], {"deleted": deleted})

    def fits(self, text):
        try:
            raw = text.encode(self.page)
        except UnicodeEncodeError:
            return False
        return len(raw) <= 200 and not any(c in BOUND for c in text)

    def value(self, random, field):
        kind = field.split()[1]
        if random.random() < 0.15:
            return None
        match kind[0]:
            case "C":
                length = int(kind[2:-1])
                return random.text().encode(self.page)[:length].decode(self.page)
            case "M": return random.text() * random.choice([1, 1, 1, 5, 100])
            case "N" | "F":
                digits, places = map(int, kind[2:-1].split(","))
                # The sign takes two places (the writer reads -99.6 as -100) and the point one. The
                # writer keeps only the digits of a double.
                return random.decimal(min(15, digits - (1 if places else 0) - 2), places)
            case "D": return random.date(first=type(random.date())(1, 1, 1))
            case "L": return random.random() < 0.5
            case "I": return random.randint(-(2**31) + 1, 2**31 - 1)
            case "B": return random.number()
            case "Y": return random.decimal(random.randint(1, 18), 4)
            case "T": return random.value("dateTime")

    def write(self, book, path):
        sheet = book.sheets[0]
        for other in ("dbt", "fpt"):
            if os.path.exists(path[:-3] + other):
                os.remove(path[:-3] + other)
        table = dbf.Table(path, "; ".join(sheet.types), dbf_type=self.dialect, codepage=self.page, on_disk=True)
        table.open(dbf.READ_WRITE)
        for number, row in enumerate(sheet.rows):
            values = {name.lower(): value for name, value in zip(sheet.columns, row)}
            if "null" in sheet.types[0]:
                values = {name: dbf.Null if value is None else value for name, value in values.items()}
            table.append({name: value for name, value in values.items() if value is not None})
            if number in book.how["deleted"]:
                dbf.delete(table[-1])
        table.close()

    def expected(self, book, value, type):
        kind = type.split()[1][0]
        if value is None and kind in "IBY" and "null" not in type:
            # Fields of a fixed size cannot be blank.
            return ["number", Decimal(0)]
        if isinstance(value, str):
            # The writer removes white space from both ends of a text, and the format pads with
            # blanks.
            value = value.strip() if kind == "C" else value.rstrip(" ")
        if isinstance(value, Decimal):
            return ["number", value]
        return kept(value, number=lambda value: ["number", value])

    def numbers(self, book):
        return range(1, len(book.sheets[0].rows) + 1)

    def left_out(self, book):
        return set(book.how["deleted"])


class SQLite:
    name, kind, ending = "sqlite", "sqlite", "sqlite"

    def book(self, seed):
        random = Generator(seed, longest=400 if Generator(seed + "/length").random() < 0.97 else 100000)
        kinds = ["text", "text", "integer", "number", "blob"]
        sheets = []
        for name in random.sample(["obras", "Calicatas 2019", 'con "comillas"', "select", "año", "😀", "[x]", "a;b", "x'y"], random.choice([1, 1, 2, 4])):
            width = random.choice([1, 3, 10])
            columns = random.sample(["id", "código", "Descripción del material", "group", 'a"b', "x'y", "1", "", "ñ", "😀", "A1", "col,umn"], width)
            # A column of another type would convert its values.
            rows = [[self.value(random, random.choice(kinds)) for _ in columns] for _ in range(random.choice([0, 1, 5, 20, 100]))]
            sheets.append(Sheet(name, rows, columns=columns, types=[random.choice(["", "BLOB"]) for _ in columns]))
        return Book(sheets, {"page": random.choice([512, 4096, 65536]), "encoding": random.choice(["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"])})

    @staticmethod
    def value(random, kind):
        if random.random() < 0.15:
            return random.choice([None, None, "", "a\0b"])
        return random.randbytes(random.choice([1, 5, 32, 33, 1000])) if kind == "blob" else random.value(kind)

    def write(self, book, path):
        quoted = lambda name: '"' + name.replace('"', '""') + '"'
        if os.path.exists(path):
            os.remove(path)
        database = sqlite3.connect(path)
        database.executescript(f"PRAGMA page_size = {book.how['page']}; PRAGMA encoding = '{book.how['encoding']}'; PRAGMA synchronous = OFF")
        for sheet in book.sheets:
            columns = ", ".join(f"{quoted(name)} {type}" for name, type in zip(sheet.columns, sheet.types))
            database.execute(f"CREATE TABLE {quoted(sheet.name)} ({columns})")
            database.executemany(f"INSERT INTO {quoted(sheet.name)} VALUES ({', '.join('?' * len(sheet.columns))})", sheet.rows)
        database.commit()
        database.close()

    def expected(self, book, value):
        if isinstance(value, bytes):
            # Bytes are not a value: short ones are shown in hexadecimal, long ones by their length.
            return ["error", "0x" + value.hex().upper() if len(value) <= 32 else f"{len(value)} bytes that are no text"]
        # An empty text is a text here.
        return ["text", ""] if value == "" else kept(value, number=lambda value: ["number", value])

    def numbers(self, book):
        return None
