"""Random numbers, ids and times that are the same at every run."""
import datetime
import hashlib
import random

UTC = datetime.UTC


def generator(*names):
    """A random generator of its own for each purpose, so that a change in one place does not move every other value."""
    digest = hashlib.sha256("/".join(str(name) for name in names).encode("utf-8")).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))


def uuid7(moment, *names):
    """A UUIDv7 (RFC 9562): the milliseconds of `moment`, then bits that follow from the names."""
    milliseconds = int(moment.timestamp() * 1000) & 0xFFFFFFFFFFFF
    digest = int.from_bytes(hashlib.sha256("/".join(str(name) for name in names).encode("utf-8")).digest()[:10], "big")
    high = milliseconds << 16 | 0x7000 | (digest >> 64) & 0xFFF
    low = 0x8000000000000000 | digest & 0x3FFFFFFFFFFFFFFF
    digits = f"{high:016x}{low:016x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def instant(text):
    """`2025-03-04T15:30:00Z` as a time in UTC."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(UTC)


def stamp(moment):
    """A time as files carry it, in UTC, with a fraction only when there is one."""
    moment = moment.astimezone(UTC)
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    if moment.microsecond:
        text += f".{moment.microsecond:06d}".rstrip("0")
    return text + "Z"


def later(moment, **amount):
    return moment + datetime.timedelta(**amount)
