"""Camera data as phones write it into a JPEG: place, time, maker, orientation."""
import datetime

from PIL import Image
from PIL.TiffImagePlugin import IFDRational

_ORIENTATION, _MAKE, _MODEL, _SOFTWARE, _DATE_TIME, _DESCRIPTION = 0x0112, 0x010F, 0x0110, 0x0131, 0x0132, 0x010E
_EXIF, _GPS = 0x8769, 0x8825
_ORIGINAL, _OFFSET_ORIGINAL = 0x9003, 0x9011


def exif(taken, offset_hours, make, model, software, orientation=1, position=None, accuracy=None, description=None):
    """`taken` in UTC; `position` is (latitude, longitude, altitude in metres or None)."""
    local = taken.astimezone(datetime.timezone(datetime.timedelta(hours=offset_hours)))
    text = local.strftime("%Y:%m:%d %H:%M:%S")
    data = Image.Exif()
    data[_MAKE], data[_MODEL], data[_SOFTWARE] = make, model, software
    data[_ORIENTATION], data[_DATE_TIME] = orientation, text
    if description:
        data[_DESCRIPTION] = description
    sign = "+" if offset_hours >= 0 else "-"
    data[_EXIF] = {_ORIGINAL: text, _OFFSET_ORIGINAL: f"{sign}{abs(offset_hours):02d}:00"}
    if position:
        data[_GPS] = _gps(position, taken, accuracy)
    return data.tobytes()


def _gps(position, taken, accuracy):
    latitude, longitude, altitude = position
    gps = {
        0: b"\x02\x03\x00\x00",
        1: "S" if latitude < 0 else "N", 2: _sexagesimal(latitude),
        3: "W" if longitude < 0 else "E", 4: _sexagesimal(longitude),
        7: tuple(IFDRational(part, 1) for part in (taken.hour, taken.minute, taken.second)),
        18: "WGS-84",
        29: taken.strftime("%Y:%m:%d"),
    }
    if altitude is not None:
        gps[5] = b"\x01" if altitude < 0 else b"\x00"
        gps[6] = IFDRational(round(abs(altitude) * 100), 100)
    if accuracy is not None:
        gps[31] = IFDRational(round(accuracy * 100), 100)
    return gps


def _sexagesimal(degrees):
    """Degrees, minutes, and seconds to a ten-thousandth (3 mm on the ground)."""
    ticks = round(abs(degrees) * 36_000_000)
    whole, rest = divmod(ticks, 36_000_000)
    minutes, seconds = divmod(rest, 600_000)
    return (IFDRational(whole, 1), IFDRational(minutes, 1), IFDRational(seconds, 10_000))
