"""Writes a database of Access 2000 (Jet 4, `.mdb`) page by page: header, page usage, MSysObjects, table definitions with their primary keys,
data pages, memos within the row or on pages of their own, relations.

The layout is the one that the document HACKING of mdbtools tells. What Access itself wants beyond it (MSysACEs with the rights, MSysQueries,
properties of columns) is not made: mdbtools and what builds on the same knowledge read the file, Access was not tried.
"""
import datetime
import decimal
import struct

_PAGE = 4096
_MARK = 1625
_COLLATION = 0x0409
_TABLES, _DATABASES, _RELATIONS = 0x0F000001, 0x0F000002, 0x0F000003
_SYSTEM = -0x80000000
_TYPES = {
    "yesno": 1, "byte": 2, "integer": 3, "long": 4, "money": 5, "single": 6, "double": 7, "datetime": 8, "binary": 9, "text": 10, "ole": 11, "memo": 12,
    "numeric": 16,
}
_SIZES = {"yesno": 1, "byte": 1, "integer": 2, "long": 4, "money": 8, "single": 4, "double": 8, "datetime": 8, "numeric": 17}
# RC4 over 128 bytes of the first page from 0x18, with a key that is the same in every database.
_KEY = bytes((0xC7, 0xDA, 0x39, 0x6B))


class Column:
    def __init__(self, name, kind, size=255, auto=False, scale=2, expression=None):
        """`kind` is a key of _TYPES; `size` of a text in characters; `auto`: an autonumber; `scale` of a numeric; `expression`: of a
        column whose values Access computes."""
        self.name, self.kind, self.auto, self.scale, self.expression = name, kind, auto, scale, expression
        self.size = _SIZES.get(kind, size * 2 if kind == "text" else size if kind == "binary" else 0)
        self.fixed = kind in _SIZES and not expression
        # Access says "integer" of a computed yes or no.
        self.type = _TYPES["integer" if expression and kind == "yesno" else kind]


class Table:
    def __init__(self, name, columns, rows, key=None):
        """`key`: the column, a long, of the primary key."""
        self.name, self.columns, self.rows, self.key = name, columns, rows, key
        self.system = False


class Database:
    def __init__(self, moment):
        """`moment`: when everything in the database was made."""
        self._moment = moment
        self._tables = []
        self._relations = []
        self._pages = {}

    def add(self, table):
        self._tables.append(table)

    def relate(self, name, table, column, parent, parent_column):
        """A relation whose integrity is kept, nothing cascading."""
        self._relations.append((name, table, column, parent, parent_column))

    def write(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self._pages = {0: self._header()}
        relations = Table("MSysRelationships", _RELATION_COLUMNS, [
            [1, 0, 0, column, name_of, parent_column, parent, name] for name, name_of, column, parent, parent_column in self._relations])
        relations.system = True
        # The definitions come first, so that the catalogue knows their pages; page 2 is the
        # catalogue's own.
        tables = [*self._tables, relations]
        places = {table.name: number for number, table in enumerate(tables, start=3)}
        self._next = 3 + len(tables)
        catalogue = Table("MSysObjects", _OBJECT_COLUMNS, self._objects(tables, places))
        catalogue.system = True
        self._table(catalogue, 2)
        for table in tables:
            self._table(table, places[table.name])
        last = max(self._pages)
        self._pages[1] = _rows_page(0, [_usage(list(range(last + 1, last + 64)))])
        with path.open("wb") as file:
            for number in range(last + 1):
                file.write(self._pages[number])

    def _objects(self, tables, places):
        def row(identifier, parent, name, kind, flags, properties=None):
            return [identifier, parent, name, kind, self._moment, self._moment, b"\x03\x01", flags] + [None] * 6 + [properties, None, None]

        rows = [
            row(_TABLES, 0x0F000000, "Tables", 3, _SYSTEM), row(_DATABASES, 0x0F000000, "Databases", 3, _SYSTEM),
            row(_RELATIONS, 0x0F000000, "Relationships", 3, _SYSTEM), row(0x0F000004, _DATABASES, "MSysDb", 2, _SYSTEM),
            row(2, _TABLES, "MSysObjects", 1, _SYSTEM),
        ]
        rows += [row(places[table.name], _TABLES, table.name, 1, _SYSTEM if table.system else 0, _properties(table)) for table in tables]
        rows += [row(-0x7FFFFFFF + number, _RELATIONS, relation[0], 8, 0) for number, relation in enumerate(self._relations)]
        return rows

    def _header(self):
        page = bytearray(_PAGE)
        page[0:24] = struct.pack("<I16sI", 0x100, b"Standard Jet DB", 1)
        days = _days(self._moment)
        struct.pack_into("<HI", page, 0x3C, 1252, 0)
        # There is no password, so these bytes are only the mask.
        struct.pack_into("<40s", page, 0x42, struct.pack("<i", int(days)) * 10)
        struct.pack_into("<Id", page, 0x6E, _COLLATION, days)
        page[0x18:0x98] = _rc4(_KEY, page[0x18:0x98])
        return bytes(page)

    def _take(self):
        self._next += 1
        return self._next - 1

    def _table(self, table, place):
        variable = [column for column in table.columns if not column.fixed]
        offset, offsets = 0, {}
        for column in table.columns:
            if column.fixed and column.kind != "yesno":
                offsets[column.name] = offset
                offset += column.size
        memos = _Memos(self)
        rows = [_row(table, variable, row, memos) for row in table.rows]
        data, where = self._data(rows, place)
        memos.close()
        index = self._index(table, place, where) if table.key else None
        usage = self._take()
        self._pages[usage] = _rows_page(place, [_usage(data), _usage(data[-1:]), _usage([index] if index else []), _usage(memos.pages)])
        self._pages[place] = _definition(table, variable, offsets, usage, index)

    def _data(self, rows, place):
        """Pages of the rows, and page and number of each row."""
        pages, where, batch, room = [], [], [], 0
        for row in rows:
            if not pages or room < len(row) + 2:
                if pages:
                    self._pages[pages[-1]] = _rows_page(place, batch)
                pages.append(self._take())
                batch, room = [], _PAGE - 14
            where.append((pages[-1], len(batch)))
            batch.append(row)
            room -= len(row) + 2
        if not pages:
            pages.append(self._take())
        self._pages[pages[-1]] = _rows_page(place, batch)
        return pages, where

    def _index(self, table, place, where):
        """The primary key's only leaf."""
        position = [column.name for column in table.columns].index(table.key)
        entries = sorted(
            b"\x7f" + struct.pack(">I", row[position] + 0x80000000) + page.to_bytes(3, "big") + bytes((number,))
            for row, (page, number) in zip(table.rows, where, strict=True))
        number = self._take()
        page = bytearray(_PAGE)
        struct.pack_into("<BBHIIIIIH", page, 0, 4, 1, _PAGE - 0x1E0 - 9 * len(entries), place, 0, 0, 0, 0, 0)
        for count, entry in enumerate(entries):
            start = 9 * count
            page[0x1E0 + start:0x1E0 + start + 9] = entry
            end = start + 9
            page[0x1B + end // 8] |= 1 << end % 8
        self._pages[number] = bytes(page)
        return number


class _Memos:
    """Long texts, on pages of their own where they are too long for their rows."""

    def __init__(self, database):
        self._database, self._batch, self._page, self.pages = database, [], None, []

    def add(self, data):
        """The twelve bytes of the row's own, and the text itself where it is short."""
        if len(data) <= 64:
            return struct.pack("<III", len(data) | 0x80 << 24, 0, 0) + data
        if len(data) <= 3000:
            return struct.pack("<III", len(data) | 0x40 << 24, self._put(data), 0)
        # The value is in pieces, each with the place of the next, so the last piece is written
        # first.
        following = 0
        pieces = [data[start:start + 3000] for start in range(0, len(data), 3000)]
        for piece in reversed(pieces):
            following = self._put(struct.pack("<I", following) + piece)
        return struct.pack("<III", len(data), following, 0)

    def _put(self, piece):
        if self._page is None or sum(len(row) + 2 for row in self._batch) + len(piece) + 2 > _PAGE - 14:
            self.close()
            self._page = self._database._take()
            self.pages.append(self._page)
        self._batch.append(piece)
        return self._page << 8 | len(self._batch) - 1

    def close(self):
        if self._page is not None:
            self._database._pages[self._page] = _rows_page(int.from_bytes(b"LVAL", "little"), self._batch)
        self._page, self._batch = None, []


def _row(table, variable, values, memos):
    fixed, mask = bytearray(), bytearray((len(table.columns) + 7) // 8)
    varying = {}
    for number, (column, value) in enumerate(zip(table.columns, values, strict=True)):
        is_flag = column.kind == "yesno" and not column.expression
        if value if is_flag else value is not None:
            mask[number // 8] |= 1 << number % 8
        if is_flag:
            continue
        if column.fixed:
            fixed += _fixed(column, value) if value is not None else bytes(column.size)
        else:
            varying[column.name] = _varying(column, value, memos) if value is not None else b""
    row = struct.pack("<H", len(table.columns)) + fixed
    starts = []
    for column in variable:
        starts.append(len(row))
        row += varying[column.name]
    if variable:
        row += b"".join(struct.pack("<H", place) for place in [len(row), *reversed(starts)]) + struct.pack("<H", len(variable))
    return row + mask


def _fixed(column, value):
    if column.kind == "datetime":
        return struct.pack("<d", _days(value))
    if column.kind == "numeric":
        digits = int(decimal.Decimal(value).scaleb(column.scale))
        number = abs(digits).to_bytes(16, "big")
        # Four words, the highest first; each word has its lowest byte first.
        words = b"".join(number[start:start + 4][::-1] for start in range(0, 16, 4))
        return bytes((0x80 if digits < 0 else 0,)) + words
    if column.kind == "money":
        return struct.pack("<q", int(decimal.Decimal(value).scaleb(4)))
    return struct.pack({"byte": "<B", "integer": "<h", "long": "<i", "single": "<f", "double": "<d"}[column.kind], value)


def _varying(column, value, memos):
    if column.expression:
        data = _computed(column, value)
        data = struct.pack("<16xI", len(data)) + data + bytes(3)
        return memos.add(data) if column.kind == "memo" else data
    if column.kind in ("binary", "ole"):
        return value if column.kind == "binary" else memos.add(value)
    data = _text(value)
    return memos.add(data) if column.kind == "memo" else data


def _computed(column, value):
    if column.kind in ("text", "memo"):
        return _text(value)
    if column.kind == "yesno":
        return b"\xff" if value else b"\x00"
    if column.kind == "numeric":
        digits = int(decimal.Decimal(value).scaleb(column.scale))
        number = abs(digits)
        return struct.pack("<HBBIQ", 14, column.scale, 0x80 if digits < 0 else 0, number >> 64, number & (1 << 64) - 1)
    return _fixed(column, value)


def _properties(table):
    """The properties of a table's computed columns: names, then a block for each column."""
    computed = [column for column in table.columns if column.expression]
    if not computed:
        return None

    def block(kind, body):
        return struct.pack("<IH", len(body) + 6, kind) + body

    def value(number, kind, data):
        return struct.pack("<HBBHH", len(data) + 8, 0, kind, number, len(data)) + data

    blob = b"MR2\0" + block(0x80, _name("ResultType") + _name("Expression"))
    for column in computed:
        name = _name(column.name)
        expression = column.expression.encode("utf-16-le")
        blob += block(1, struct.pack("<I", len(name) + 4) + name + value(0, 2, bytes((_TYPES[column.kind],))) + value(1, 12, expression))
    return blob


def _text(value):
    """UCS-2, or its short form where every character has a code below 256."""
    if len(value) > 2 and all(0 < ord(character) < 256 for character in value):
        return b"\xff\xfe" + value.encode("latin-1")
    return value.encode("utf-16-le")


def _days(value):
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    past = value - datetime.datetime(1899, 12, 30)
    return past.days + past.seconds / 86400


def _rows_page(owner, rows):
    """A data page: rows from its end backwards, their places after its head."""
    page = bytearray(_PAGE)
    end = _PAGE
    for number, row in enumerate(rows):
        end -= len(row)
        page[end:end + len(row)] = row
        struct.pack_into("<H", page, 14 + 2 * number, end)
    struct.pack_into("<BBHIIH", page, 0, 1, 1, end - 14 - 2 * len(rows), owner, 0, len(rows))
    return bytes(page)


def _usage(pages):
    """A map of pages: one bit each, from page 0."""
    bits = bytearray(64)
    for page in pages:
        if page < 512:
            bits[page // 8] |= 1 << page % 8
    return struct.pack("<BI", 0, 0) + bits


def _definition(table, variable, offsets, usage, index):
    indexes = 1 if index else 0
    auto = max((row[table.columns.index(column)] for column in table.columns if column.auto for row in table.rows), default=0)
    body = struct.pack(
        "<IIIBBHIQBHHHIIII", _MARK, len(table.rows), auto, 1, 0, 0, 0, 0, 0x53 if table.system else 0x4E, len(table.columns), len(variable),
        len(table.columns), indexes, indexes, usage << 8, usage << 8 | 1)
    body += struct.pack("<III", 0, len(table.rows), 0) * indexes
    for number, column in enumerate(table.columns):
        is_text = column.kind in ("text", "memo")
        misc = struct.pack("<HH", _COLLATION, 0) if is_text else struct.pack("<BBH", 18, column.scale, 0) if column.kind == "numeric" else bytes(4)
        flags = (1 if column.fixed else 0) | 2 | (4 if column.auto else 0)
        body += struct.pack("<BIHHH", column.type, _MARK, number, variable.index(column) if column in variable else 0, number)
        body += misc + struct.pack("<BBIHH", flags, 0xC0 if column.expression else 1 if is_text else 0, 0, offsets.get(column.name, 0), column.size)
    for column in table.columns:
        body += _name(column.name)
    if index:
        position = [column.name for column in table.columns].index(table.key)
        body += struct.pack("<I", _MARK) + struct.pack("<HB", position, 1) + struct.pack("<HB", 0xFFFF, 0) * 9
        body += struct.pack("<IIIHI", usage << 8 | 2, index, 0, 0x09, 0)
        body += struct.pack("<IIIBiIBBBI", _MARK, 0, 0, 0, -1, 0, 0, 0, 1, 0) + _name("PrimaryKey")
    for number, column in enumerate(table.columns):
        if column.kind in ("memo", "ole"):
            body += struct.pack("<HII", number, usage << 8 | 3, usage << 8 | 3)
    body += b"\xff\xff"
    page = struct.pack("<BBHII", 2, 1, _PAGE - 16 - len(body), 0, len(body)) + body
    if len(page) > _PAGE:
        raise ValueError(f"{table.name}: its definition does not fit into a page")
    return page + bytes(_PAGE - len(page))


def _name(text):
    data = text.encode("utf-16-le")
    return struct.pack("<H", len(data)) + data


def _rc4(key, data):
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 255
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) & 255])
    return bytes(out)


_OBJECT_COLUMNS = [
    Column("Id", "long"), Column("ParentId", "long"), Column("Name", "text"), Column("Type", "integer"), Column("DateCreate", "datetime"),
    Column("DateUpdate", "datetime"), Column("Owner", "binary"), Column("Flags", "long"), Column("Database", "memo"), Column("Connect", "memo"),
    Column("ForeignName", "text"), Column("RmtInfoShort", "binary"), Column("RmtInfoLong", "ole"), Column("Lv", "ole"), Column("LvProp", "ole"),
    Column("LvModule", "ole"), Column("LvExtra", "ole"),
]
_RELATION_COLUMNS = [
    Column("ccolumn", "long"), Column("grbit", "long"), Column("icolumn", "long"), Column("szColumn", "text"), Column("szObject", "text"),
    Column("szReferencedColumn", "text"), Column("szReferencedObject", "text"), Column("szRelationship", "text"),
]
