"""Compares a first pack with what pyxform reads in the same form, and prints each difference.

    compare_form.py FORM PACK

The last line is the number of questions. Needs pyxform (Scripts/install-tools test) and PyYAML.
"""
import pathlib
import sys
import warnings

import yaml
from pyxform.xls2xform import convert

warnings.simplefilter("ignore")

# What pyxform calls a question, and the type of the field that it becomes; None: of any type.
TYPES = {
    "text": "text", "string": "text", "barcode": "text", "calculate": "text", "integer": "integer", "int": "integer", "decimal": "decimal",
    "date": "date", "today": "date", "time": "time", "dateTime": "datetime", "datetime": "datetime", "start": "datetime", "end": "datetime",
    "geopoint": "decimal", "gps": "decimal", "location": "decimal", "select one": "text", "select all that apply": "list", "rank": "list",
    "acknowledge": "boolean", "trigger": "boolean",
}
PLACES = {"geopoint", "gps", "location"}
PHOTOS = {"image", "photo", "picture"}
# Shown and not answered, or of the server.
UNANSWERED = {"note", "audit", "xml-external", "csv-external", "entity"}


def load(path):
    return yaml.load(path.read_text(), Loader=yaml.BaseLoader)


def columns(value):
    """The columns that a value of a mapping reads."""
    if isinstance(value, str):
        return [value]
    found = value.get("column", [])
    return [found] if isinstance(found, str) else found


class Pack:
    """The parts of a pack that a form decides."""

    def __init__(self, folder):
        self.entities = {path.stem: load(path) for path in (folder / "entities").glob("*.yaml")}
        self.vocabularies = {path.stem: load(path)["values"] for path in (folder / "vocabularies").glob("*.yaml")}
        self.texts = load(folder / "texts" / (load(folder / "pack.yaml")["languages"][0] + ".yaml"))
        # Which field reads a column of a table, and the columns with photos.
        self.read, self.photos = {}, set()
        for table in load(next((folder / "imports").glob("*.yaml")))["tables"]:
            for row in table["rows"]:
                for field, value in row["fields"].items():
                    for column in columns(value):
                        self.read.setdefault((table["tables"][0], column), (row["entity"], field))
                if "photo" in row:
                    self.photos.add((table["tables"][0], row["photo"]["column"]))

    def field(self, entity, name):
        return next(field for field in self.entities[entity]["fields"] if field["name"] == name)

    def words(self, vocabulary):
        """The values as the form writes them."""
        return {value if isinstance(value, str) else value["aliases"][0] for value in self.vocabularies[vocabulary]}


def is_made(name):
    """Whether pyxform made the question itself, for a layout or a number of repeats."""
    return name.startswith("reserved_name_for_field_list") or name.endswith("_count")


def differences(survey, pack):
    """Each difference as a line, and the number of questions at the end."""
    lists = survey.get("choices", {})
    number = 0

    def compare(child, table, column):
        kind, name = child["type"], child["name"]
        if kind in PHOTOS:
            if (table, column) not in pack.photos:
                yield f"{column}: no photo of {table}"
            return
        if (table, column) not in pack.read:
            if not is_made(name):
                yield f"{column}: {kind} of {table} is not read"
            return
        entity, own = pack.read[table, column]
        field = pack.field(entity, own)
        wanted = TYPES.get(kind)
        choices = child.get("choices") or lists.get(child.get("itemset") or child.get("list_name") or "")
        if wanted and field["type"] != wanted and (choices or not kind.startswith("select")):
            yield f"{column}: {kind} is {field['type']}"
        bind = child.get("bind", {})
        if bind.get("required", "").lower() in ("yes", "true", "true()") and not bind.get("relevant") and not {"required", "requiredWhen"} & set(field):
            yield f"{column}: is not required"
        label = child.get("label")
        is_plain = isinstance(label, str) and not set("$*<{#_") & set(label)
        if is_plain and kind not in PLACES and not own.endswith("_other") and pack.texts[f"field.{entity}.{own}"] != " ".join(label.split())[:200]:
            yield f"{column}: is called {pack.texts[f'field.{entity}.{own}']}, not {label}"
        if choices and kind.startswith("select"):
            missing = {choice["name"] for choice in choices} - pack.words(field.get("vocabulary", "roles"))
            if missing:
                yield f"{column}: lacks the choices {sorted(missing)}"

    def walk(children, table, prefix, is_nested):
        nonlocal number
        for child in children:
            kind = child.get("type")
            if kind == "group":
                if child["name"] != "meta":
                    yield from walk(child.get("children", []), table, prefix + child["name"] + "/", is_nested)
            elif kind == "repeat":
                path = ("" if table == "submissions" else table + "/") + prefix + child["name"]
                yield from walk(child.get("children", []), path, "", table != "submissions")
            elif kind and kind not in UNANSWERED:
                number += 1
                # The mapping reads no repeats within repeats, and the pack says so.
                if not is_nested:
                    yield from compare(child, table, prefix + child["name"])

    yield from walk(survey["children"], "submissions", "", False)
    yield f"questions: {number}"


if __name__ == "__main__":
    form = convert(xlsform=sys.argv[1], warnings=[])._pyxform
    for line in differences(form, Pack(pathlib.Path(sys.argv[2]))):
        print(line)
