"""Random values and tables from a seed, such as people, programs and mistakes make."""
import datetime
import random
import string
from dataclasses import dataclass, field, replace
from decimal import Decimal

ERRORS = ["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"]
WORDS = ("calicata estrato arena limosa grava pobremente graduada húmeda densa marrón ñandú Ñuñoa pingüino acción È perché città "
         "progresiva nivel freático N.º 12 ½ m² 3,5 C-01 KM 12+340").split()
# Texts that mislead readers: the forms of numbers, dates, formulas, markup, quotes, and words with
# a meaning for programs.
TRAPS = ["007", "1,5", "1.10", "1e5", "-0", "+1", "0x1F", "1 000", "12:30", "2020-01-02", "31/12/1999", "TRUE", "false", "NULL", "nan", "n/a",
         "=1+1", "=HYPERLINK(\"http://x\")", "+A1", "-A1", "@SUM(A1)", "'007", "''", "\"", "\"\"", "a\"b\"c", "'", "\\", "\\N", "\\\"", "#N/A",
         "<a>&amp;</a>", "&lt;", "]]>", "<![CDATA[x]]>", "&#65;", "a;b", "a,b", "a|b", ";", ",", "%s", "{}", "(1)", "1.2.3", "٣", "Ⅷ", "²"]
# Unusual characters: combining marks, right to left, wide, astral, joined, odd spaces, line
# separators, the replacement character.
ODD = "éñüßøŁžΩЖאبกअ中한\u0301\u200d\u200e\u00a0\u00ad\u2003\u2028\u2029\u0085\u3000\ufeff\ufffd€„“ﬁ😀👩\U0001F3FD🇵🇪𝄞𠮷"


class Error(str):
    """An error, the value of a cell without a result."""


@dataclass
class Sheet:
    name: str
    rows: list
    # For formats with names of columns, and a type for each column.
    columns: list = None
    types: list = None
    hidden: bool = False


@dataclass
class Book:
    """Tables for one file, and how to write them."""
    sheets: list
    how: dict = field(default_factory=dict)

    def with_sheets(self, sheets):
        return replace(self, sheets=sheets)


class Generator(random.Random):
    """Values from a seed. `letters`: characters that a format or encoding cannot hold are left out."""

    def __init__(self, seed, can=lambda text: True, longest=400):
        super().__init__(seed)
        self.can = can
        self.longest = longest

    def text(self):
        for _ in range(20):
            text = self.any_text()
            if text and len(text) <= self.longest and self.can(text):
                return text
        return self.choice(string.ascii_letters)

    def any_text(self):
        kind = self.random()
        if kind < 0.45:
            return " ".join(self.choices(WORDS, k=self.randint(1, 6)))
        if kind < 0.6:
            return self.choice(TRAPS)
        if kind < 0.7:
            return "".join(self.choices(ODD + "abc 1", k=self.randint(1, 12)))
        if kind < 0.8:
            return self.choice(["\n", "\r\n", "\t", " ", "  ", "\n\n"]).join(self.choices(WORDS + ["", "x"], k=self.randint(2, 4)))
        if kind < 0.86:
            return self.choice([" ", "  ", "\t", "\n", "\u00a0", ""]) + self.choice(WORDS) + self.choice([" ", "\n", "   ", ""])
        if kind < 0.92:
            return "".join(self.choices(string.printable[:95], k=self.randint(1, 30)))
        if kind < 0.95:
            return "".join(chr(self.choice([self.randint(0x20, 0x7E), self.randint(0xA0, 0xD7FF), self.randint(0x10000, 0x1FFFF)])) for _ in range(self.randint(1, 8)))
        if kind < 0.97:
            return self.choice(["_x0041_", "_x005F_", "a_x000D_b", "_x00", "\x01", "a\x1fb", "\x0b", "\x7f", "_X0041_"])
        return "".join(self.choices(WORDS, k=60))[: self.randint(1, self.longest)]

    def integer(self):
        edge = self.choice([7, 15, 31, 53, 63])
        return self.choice([0, 1, -1, self.randint(-100, 100), self.randint(-10**6, 10**6), 2**edge - 1, -(2**edge), 2**edge - self.randint(1, 9)])

    def number(self):
        """A double with few digits or all."""
        return self.choice([
            lambda: round(self.uniform(-1000, 1000), self.randint(0, 4)), lambda: self.uniform(-1, 1), lambda: self.randint(-9999, 9999) / 100,
            lambda: self.uniform(1, 10) * 10.0 ** self.randint(-300, 300), lambda: 0.1 + 0.2, lambda: 1 / 3, lambda: 1e-5, lambda: 1e15, lambda: 1e16,
            lambda: 1.7976931348623157e308, lambda: 2.2250738585072014e-308, lambda: float(self.randint(-10**15, 10**15))])()

    def decimal(self, digits, places):
        return Decimal(self.randint(-(10**digits) + 1, 10**digits - 1)).scaleb(-places)

    def date(self, first=datetime.date(1900, 1, 1), last=datetime.date(9999, 12, 31)):
        if self.random() < 0.8:
            first, last = max(first, datetime.date(1950, 1, 1)), min(last, datetime.date(2049, 12, 31))
        return datetime.date.fromordinal(self.randint(first.toordinal(), last.toordinal()))

    def time(self, thousandths=False):
        if self.random() < 0.2:
            return self.choice([datetime.time(0, 0, 0), datetime.time(12, 0), datetime.time(23, 59, 59), datetime.time(0, 0, 1)])
        return datetime.time(self.randint(0, 23), self.randint(0, 59), self.randint(0, 59), self.randint(0, 999) * 1000 if thousandths and self.random() < 0.3 else 0)

    def value(self, kind, thousandths=False, first=datetime.date(1900, 1, 1), last=datetime.date(9999, 12, 31)):
        match kind:
            case "text": return self.text()
            case "integer": return self.integer()
            case "number": return self.number()
            case "boolean": return self.random() < 0.5
            case "date": return self.date(first, last)
            case "time": return self.time(thousandths)
            case "dateTime": return datetime.datetime.combine(self.date(first, last), self.time(thousandths))
            case "error": return Error(self.choice(ERRORS))
        return None

    def sheets(self, kinds, most=3, **limits):
        """Sheets of any shape: columns mostly of one kind, ragged, with gaps, blank rows, or nothing at all."""
        names = self.sample(["Hoja1", "Calicatas", "Estratos año 2019", "a & b", "Sheet <1>", "x'y", "日本", "😀", "  s", "0", "A" * 31], most)
        return [Sheet(name, self.rows(kinds, **limits), hidden=number > 0 and self.random() < 0.2)
                for number, name in enumerate(names[: self.choice([1, 1, 1, 2, most])])]

    def rows(self, kinds, **limits):
        width, height = self.choice([1, 2, 3, 5, 8, 20]), self.choice([0, 1, 2, 5, 10, 10, 30])
        columns = [self.choice(kinds) for _ in range(width)]
        filled = self.choice([0.3, 0.8, 1.0])
        rows = []
        if self.random() < 0.6:
            rows.append([self.text() for _ in range(width)])
        for _ in range(height):
            kept = width if self.random() < 0.7 else self.randint(0, width)
            rows.append([None if self.random() > filled else self.value(self.choice(kinds) if self.random() < 0.1 else column, **limits)
                         for column in columns[:kept]])
        return rows
