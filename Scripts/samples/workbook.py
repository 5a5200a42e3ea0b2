"""Writes small workbooks (Office Open XML, ECMA-376 part 1) with nothing but the standard library; the same bytes at every run.

    write(path, [Sheet("Calicatas", [["Pozo", "Fecha"], ["C-1", datetime.date(2025, 3, 4)]], merged=["A1:B1"])])

A value is None, a text, a number, True or False, a day, a time, or a Formula with the value that it had. A row that is None is not written
and yet counted, so that the rows below keep their numbers.
"""
import dataclasses
import datetime
import decimal
import re
import zipfile
from xml.sax.saxutils import escape, quoteattr

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
# Positions in cellXfs.
_PLAIN, _DAY, _MOMENT, _BOLD = 0, 1, 2, 3


@dataclasses.dataclass
class Formula:
    """A formula without its equals sign, and the value that the office saw last."""

    text: str
    value: object = None


@dataclasses.dataclass
class Failed:
    """What stands in a cell whose formula could not be worked out: `#DIV/0!`."""

    sign: str


@dataclasses.dataclass
class Sheet:
    name: str
    rows: list
    merged: list = dataclasses.field(default_factory=list)
    """Merged ranges: `A1:C1`."""
    hidden: bool = False
    shared: bool = True
    """Texts in the shared table, as Excel writes them; else within their cells, as generators do."""
    bold: set = dataclasses.field(default_factory=set)
    """Numbers of the rows (from 1) that are bold."""


def write(path, sheets, base1904=False, day_format="dd/mm/yyyy", moment_format="yyyy-mm-dd\\Thh:mm:ss"):
    """`base1904`: days counted as old Macintosh workbooks do. The formats are those of cells with a day or a time."""
    strings = {}
    parts = [(f"xl/worksheets/sheet{number}.xml", _sheet(sheet, strings, base1904)) for number, sheet in enumerate(sheets, start=1)]
    count = len(sheets)
    parts = [
        ("[Content_Types].xml", _types(count, bool(strings))),
        ("_rels/.rels", _relations([("rId1", "officeDocument", "xl/workbook.xml")])),
        ("xl/workbook.xml", _workbook(sheets, base1904)),
        ("xl/_rels/workbook.xml.rels", _relations(
            [(f"rId{number}", "worksheet", f"worksheets/sheet{number}.xml") for number in range(1, count + 1)]
            + [(f"rId{count + 1}", "styles", "styles.xml")] + ([(f"rId{count + 2}", "sharedStrings", "sharedStrings.xml")] if strings else []))),
        ("xl/styles.xml", _styles(day_format, moment_format)),
    ] + ([("xl/sharedStrings.xml", _strings(strings))] if strings else []) + parts
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.encode("utf-8"))


def column(number):
    """Letters of a column counted from 0."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def serial(value, base1904=False):
    """Days since the workbook's day 0. Excel counts a 29 February 1900; days before March 1900 are not wanted here."""
    base = datetime.datetime(1904, 1, 1) if base1904 else datetime.datetime(1899, 12, 30)
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    past = value.replace(tzinfo=None) - base
    return past.days if not past.seconds else past.days + past.seconds / 86400


def _sheet(sheet, strings, base1904):
    lines = []
    for number, row in enumerate(sheet.rows, start=1):
        if row is None:
            continue
        cells = "".join(
            _cell(f"{column(index)}{number}", value, sheet, number in sheet.bold, strings, base1904)
            for index, value in enumerate(row) if value is not None)
        lines.append(f'<row r="{number}">{cells}</row>')
    merged = "".join(f'<mergeCell ref="{area}"/>' for area in sheet.merged)
    return (
        f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData>'
        + (f'<mergeCells count="{len(sheet.merged)}">{merged}</mergeCells>' if merged else "") + "</worksheet>")


def _cell(place, value, sheet, bold, strings, base1904):
    formula = ""
    if isinstance(value, Formula):
        formula, value = f"<f>{escape(value.text)}</f>", value.value
    style = _BOLD if bold else _PLAIN
    if isinstance(value, bool):
        kind, content = "b", f"<v>{int(value)}</v>"
    elif isinstance(value, (int, float, decimal.Decimal)):
        kind, content = None, f"<v>{value}</v>"
    elif isinstance(value, datetime.date):
        kind, content = None, f"<v>{serial(value, base1904)}</v>"
        style = _MOMENT if isinstance(value, datetime.datetime) else _DAY
    elif isinstance(value, Failed):
        kind, content = "e", f"<v>{escape(value.sign)}</v>"
    elif value is None:
        kind, content = None, ""
    elif formula:
        kind, content = "str", f"<v>{_text(value)}</v>"
    elif sheet.shared:
        kind, content = "s", f"<v>{strings.setdefault(value, len(strings))}</v>"
    else:
        kind, content = "inlineStr", f"<is>{_item(value)}</is>"
    return f'<c r="{place}"' + (f' s="{style}"' if style else "") + (f' t="{kind}"' if kind else "") + f">{formula}{content}</c>"


def _text(value):
    """Characters that XML cannot say are written as Excel does, `_x0007_`."""
    return escape(re.sub(r"_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b\x0c\x0e-\x1f]", lambda found: f"_x{ord(found[0]):04X}_", value))


def _item(value):
    space = ' xml:space="preserve"' if value != value.strip() or "\n" in value else ""
    return f"<t{space}>{_text(value)}</t>"


def _strings(strings):
    return f'{_HEAD}<sst xmlns="{_MAIN}" uniqueCount="{len(strings)}">' + "".join(f"<si>{_item(text)}</si>" for text in strings) + "</sst>"


def _workbook(sheets, base1904):
    names = "".join(
        f'<sheet name={quoteattr(sheet.name)} sheetId="{number}"' + (' state="hidden"' if sheet.hidden else "") + f' r:id="rId{number}"/>'
        for number, sheet in enumerate(sheets, start=1))
    base = '<workbookPr date1904="1"/>' if base1904 else "<workbookPr/>"
    return f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}">{base}<sheets>{names}</sheets></workbook>'


def _styles(day, moment):
    formats = f'<numFmt numFmtId="164" formatCode={quoteattr(day)}/><numFmt numFmtId="165" formatCode={quoteattr(moment)}/>'
    forms = "".join(
        f'<xf numFmtId="{form}" fontId="{font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>'
        for form, font in ((0, 0), (164, 0), (165, 0), (0, 1)))
    font = '<font>{}<sz val="10"/><name val="Arial"/></font>'
    return (
        f'{_HEAD}<styleSheet xmlns="{_MAIN}"><numFmts count="2">{formats}</numFmts>'
        f'<fonts count="2">{font.format("")}{font.format("<b/>")}</fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="4">{forms}</cellXfs></styleSheet>')


def _relations(links):
    items = "".join(f'<Relationship Id="{name}" Type="{_RELATIONS}/{kind}" Target="{target}"/>' for name, kind, target in links)
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}">{items}</Relationships>'


def _types(sheets, has_strings):
    base = "application/vnd.openxmlformats-officedocument.spreadsheetml."
    parts = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    parts += [(f"/xl/worksheets/sheet{number}.xml", "worksheet") for number in range(1, sheets + 1)]
    parts += [("/xl/sharedStrings.xml", "sharedStrings")] if has_strings else []
    items = "".join(f'<Override PartName="{name}" ContentType="{base}{kind}+xml"/>' for name, kind in parts)
    return (
        f'{_HEAD}<Types xmlns="{_TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{items}</Types>')
