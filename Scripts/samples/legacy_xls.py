"""Writes small workbooks of Excel 97 (BIFF8 in a compound file) with nothing but the standard library; the same bytes at every run."""
import struct


def _record(kind, data=b""):
    return struct.pack("<HH", kind, len(data)) + data


def _text(text):
    return struct.pack("<HB", len(text), 1) + text.encode("utf-16-le")


def _cell(row, column, value):
    if value is None:
        return b""
    place = struct.pack("<HHH", row, column, 0)
    if isinstance(value, (int, float)):
        return _record(0x0203, place + struct.pack("<d", value))
    return _record(0x0204, place + _text(value))


def write(path, sheets):
    """`sheets`: name and rows of texts, numbers and None."""
    begin = lambda kind: _record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))
    bodies = [
        begin(0x10) + b"".join(_cell(number, column, value) for number, row in enumerate(rows) for column, value in enumerate(row or [])) + _record(0x0A)
        for _, rows in sheets
    ]
    globals_ = begin(0x05) + _record(0x42, struct.pack("<H", 1200))
    entries = [struct.pack("<BBBB", 0, 0, len(name), 1) + name.encode("utf-16-le") for name, _ in sheets]
    place = len(globals_) + sum(8 + len(entry) for entry in entries) + 4
    for entry, body in zip(entries, bodies, strict=True):
        globals_ += _record(0x85, struct.pack("<I", place) + entry)
        place += len(body)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_compound("Workbook", globals_ + _record(0x0A) + b"".join(bodies)))


def _compound(name, stream):
    """A compound file with one stream of at least 4096 bytes: [MS-CFB], sectors of 512 bytes."""
    body = stream.ljust(max(4096, -(-len(stream) // 512) * 512), b"\0")
    sectors = len(body) // 512
    table_sectors = -(-(sectors + 2) // 126)
    first = table_sectors + 1
    table = [0xFFFFFFFD] * table_sectors + [0xFFFFFFFE] + [first + n + 1 for n in range(sectors - 1)] + [0xFFFFFFFE]
    table += [0xFFFFFFFF] * (table_sectors * 128 - len(table))
    head = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
    head += struct.pack("<IIIIIIII", table_sectors, table_sectors, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    head += b"".join(struct.pack("<I", n) for n in range(table_sectors))

    def entry(title, kind, start, size, child):
        units = title.encode("utf-16-le") + b"\0\0" if title else b""
        links = struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, child)
        return units.ljust(64, b"\0") + struct.pack("<HBB", len(units), kind, 1) + links + bytes(36) + struct.pack("<IQ", start, size)

    nothing = entry("", 0, 0, 0, 0xFFFFFFFF)
    directory = entry("Root Entry", 5, 0xFFFFFFFE, 0, 1) + entry(name, 2, first, max(len(stream), 4096), 0xFFFFFFFF) + nothing * 2
    return head.ljust(512, b"\xFF") + struct.pack(f"<{len(table)}I", *table) + directory + body
