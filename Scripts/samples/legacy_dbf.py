"""Writes FoxPro 2 tables with memos in CP850, byte by byte, as the old PC software left them."""
import struct

_ENCODING = "cp850"
_BLOCK = 64


class Memos:
    """An FPT file that grows."""

    def __init__(self):
        self._bytes = bytearray(512)

    def add(self, text):
        """Number of the memo's first block."""
        block = len(self._bytes) // _BLOCK
        data = text.encode(_ENCODING)
        self._bytes += struct.pack(">II", 1, len(data)) + data
        self._bytes += bytes(-len(self._bytes) % _BLOCK)
        return block

    def bytes(self):
        self._bytes[0:8] = struct.pack(">IHH", len(self._bytes) // _BLOCK, 0, _BLOCK)
        return bytes(self._bytes)


def write(folder, name, columns, rows, deleted=()):
    """`columns`: (name, type, length, decimals); a row is a list of values, None for nothing; memos (M) are texts."""
    memos = Memos()
    records = bytearray()
    for index, row in enumerate(rows):
        records += b"*" if index in deleted else b" "
        for (_, kind, length, decimals), value in zip(columns, row, strict=True):
            records += _field(kind, length, decimals, value, memos)
    has_memos = any(kind == "M" for _, kind, _, _ in columns)
    size = 1 + sum(length for _, _, length, _ in columns)
    header = struct.pack("<BBBBIHH", 0xF5 if has_memos else 0x03, 104, 11, 26, len(rows), 33 + 32 * len(columns), size)
    header += bytes(17) + bytes([0x02, 0, 0])
    offset = 1
    for column, kind, length, decimals in columns:
        header += struct.pack("<11scIBB14x", column.encode("ascii"), kind.encode("ascii"), offset, length, decimals)
        offset += length
    (folder / f"{name}.DBF").write_bytes(bytes(header) + b"\r" + bytes(records) + b"\x1a")
    if has_memos:
        (folder / f"{name}.FPT").write_bytes(memos.bytes())


def _field(kind, length, decimals, value, memos):
    if value is None:
        return b" " * length
    if kind == "N":
        text = f"{value:.{decimals}f}"
    elif kind == "L":
        text = "T" if value else "F"
    elif kind == "M":
        text = str(memos.add(value)).rjust(length)
    else:
        text = value
    data = text.encode(_ENCODING)
    if len(data) > length:
        raise ValueError(f"{text!r} does not fit into {length} bytes")
    return data.rjust(length) if kind == "N" else data.ljust(length)
