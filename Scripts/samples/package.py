"""Directory packages on disk: data files, photos and the manifest that lists them with their checksums."""
import hashlib
import json
import pathlib

from . import beside


class Package:
    """Collects rows and photos, then writes them; what a broken set wants wrong is changed after `rows` are in."""

    def __init__(self, directory, pack, created_at, description, pack_version="1.0.0"):
        self.directory = pathlib.Path(directory)
        self.head = {
            "format": "fichero-package", "formatVersion": 1, "pack": pack, "packVersion": pack_version,
            "createdAt": created_at, "description": description,
        }
        self.entities = []
        self.photos = []
        self.extra_files = {}
        self.lines_of = {}

    def add(self, entity, rows, lines=False):
        """Rows of one entity; parents come before children. `lines`: one object a line (NDJSON) instead of an array."""
        if rows:
            self.entities.append((entity, rows))
            self.lines_of[entity] = lines
        return rows

    def rows(self, entity):
        for name, rows in self.entities:
            if name == entity:
                return rows
        return []

    def add_photo(self, name, entity, identifier, data):
        self.photos.append((f"photos/{name}", entity, identifier, data))

    def write(self, adjust=None):
        """Writes the package. `adjust` may change the manifest before it is written: a checksum that is wrong on purpose."""
        entries = []
        for entity, rows in self.entities:
            lines = self.lines_of[entity]
            name = f"data/{entity}.{'ndjson' if lines else 'json'}"
            data = _encode(rows, lines)
            self._put(name, data)
            entries.append({"entity": entity, "file": name, "rows": len(rows), "sha256": _sha256(data)})
        photos = []
        for name, entity, identifier, data in self.photos:
            self._put(name, data)
            photos.append({"file": name, "entity": entity, "id": identifier, "sha256": _sha256(data), "bytes": len(data)})
        for name, data in self.extra_files.items():
            self._put(name, data)
        manifest = dict(self.head, entities=entries, photos=photos)
        if adjust:
            adjust(manifest)
        self._put("manifest.json", _manifest(manifest))

    def _put(self, name, data):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def expect(self, **stages):
        """What must come out of this set, in a file beside the package (inside, it would be a file that the manifest does not
        list): findings by code for each stage, as a number where exactly so many come, `true` where at least one does."""
        text = json.dumps(beside.stated(self.directory, stages), ensure_ascii=False, indent=2)
        path = self.directory.with_name(self.directory.name + ".expected.json")
        path.write_bytes((text + "\n").encode("utf-8"))


def _sha256(data):
    return hashlib.sha256(data).hexdigest()


def _compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _encode(rows, lines):
    """One row a line in either form, so that a change shows as one line. A text among the rows stands as it is: a line that is none."""
    if lines:
        return "".join((row if isinstance(row, str) else _compact(row)) + "\n" for row in rows).encode("utf-8")
    return ("[\n" + ",\n".join(_compact(row) for row in rows) + "\n]\n").encode("utf-8")


def _manifest(manifest):
    head = [f"  {json.dumps(key)}: {_compact(value)}" for key, value in manifest.items() if not isinstance(value, list)]
    lists = []
    for key, values in manifest.items():
        if isinstance(values, list):
            body = ",\n".join("    " + _compact(value) for value in values)
            lists.append(f'  "{key}": [\n{body}\n  ]' if body else f'  "{key}": []')
    return ("{\n" + ",\n".join(head + lists) + "\n}\n").encode("utf-8")
