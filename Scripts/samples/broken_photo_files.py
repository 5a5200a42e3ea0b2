"""Broken packages of both systems whose photos' files are wrong: what is found only by opening them."""
import hashlib
import io

from PIL import Image

from .asset_photo import asset_photo
from .exif import exif
from .healthy import Healthy
from .healthy_building import HealthyBuilding
from .seeded import generator, instant, later

_LIMA = -5
_ROME = 2


def build_pits(directory):
    _pit_files(directory)


def build_assets(directory):
    _asset_files(directory)


def _recorded(row, data, size_key):
    """The record says what the file is: only what is inside is wrong."""
    row.update({size_key: len(data), "sha256": hashlib.sha256(data).hexdigest()})
    return data


def with_exif(data, camera):
    """The same picture with other camera data."""
    buffer = io.BytesIO()
    Image.open(io.BytesIO(data)).save(buffer, "JPEG", quality=60, exif=camera, optimize=True)
    return buffer.getvalue()


def _pit_files(directory):
    healthy = Healthy("ROTO-ARCHIVOS", 6)
    photos, pictures = healthy.photos, healthy.pictures

    def replace(index, data):
        pictures[photos[index]["id"]] = _recorded(photos[index], data, "bytes")

    def camera(index, taken=None, position=None):
        row = photos[index]
        taken = taken or instant(row["taken_at"])
        place = position or (row["latitude"], row["longitude"], row["altitude_m"])
        return exif(taken, _LIMA, "samsung", "SM-G525F", "InGe+ Campo 2.3", 1, place, 4.0)

    original = pictures[photos[0]["id"]]
    replace(0, with_exif(original, camera(0, taken=later(instant(photos[0]["taken_at"]), days=-30))))
    replace(1, with_exif(pictures[photos[1]["id"]], camera(1, position=(-12.0464, -77.0428, 150.0))))     # Lima
    replace(2, pictures[photos[2]["id"]][:-2500])
    replace(3, b"\x89PNG\r\n\x1a\n" + b"no es una foto" * 40)
    replace(4, b"\xff\xd8\xff\xe0" + b"tampoco " * 60)                          # the first bytes alone make no JPEG
    del pictures[photos[5]["id"]]
    package = healthy.package(directory / "photo-files", "Archivos de fotos: otra hora, otro lugar, cortados, que no son JPEG, que faltan")
    package.write()
    package.expect(**{"import": {}, "validate": {
        "PHOTO-TIME": 1, "PHOTO-PLACE": 1, "PHOTO-TRUNCATED": 1, "PHOTO-NOT-JPEG": 2, "PHOTO-FILE-MISSING": 1}})


def _asset_files(directory):
    healthy = HealthyBuilding("file-foto", pictures=True)
    families = ("Lighting", "Radiators", "Access points", "Split units")
    large, late, cut, other = (healthy.photo_of(name) for name in families)
    family, place = healthy.walk.shown[large["id"]]

    def camera(row, taken=None):
        return exif(taken or instant(row["takenAt"]), _ROME, "samsung", "SM-X306B", "Anagrafica Tecnica 1.4")

    def replace(row, data):
        healthy.pictures[row["id"]] = _recorded(row, data, "size")

    replace(large, asset_photo(generator("broken", "large"), family, (1600, 1200), (place["name"], family), camera(large), 60_000))
    replace(late, with_exif(healthy.pictures[late["id"]], camera(late, later(instant(late["takenAt"]), hours=3))))
    replace(cut, healthy.pictures[cut["id"]][:4000])
    replace(other, b"GIF89a" + b"\x00" * 500)
    package = healthy.package(directory / "photo-files", "File di foto: troppo grandi, di un'altra ora, tronchi, che non sono JPEG")
    package.write()
    package.expect(**{"import": {}, "validate": {"PHOTO-TOO-LARGE": 1, "PHOTO-TIME": 1, "PHOTO-TRUNCATED": 1, "PHOTO-NOT-JPEG": 1}})
