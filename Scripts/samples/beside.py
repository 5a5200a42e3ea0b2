"""The findings of a set besides its own subject, stated in its `expected.json` under `beside`: a test allows no others."""

# Rows were changed after the log of events was made from them, so the log differs for these numbers
# of records.
_DIFFER = {
    "approved": 4, "assets": 4, "event-order": 1, "import-rows": 4, "json-schemas": 2, "parameters": 6, "photo-files": 6, "photo-names": 2, "photos": 6,
    "plans": 2, "rooms": 3, "states": 1, "texts": 1, "unique": 1, "versions": 1,
}
# Small packages of Anagrafica have the records of six photos, but not their files. The exceptions:
# records at the check, photos at the export.
_PHOTOS = {"survey": (0, 0), "assets": (6, 5), "import-rows": (6, 2), "photo-files": (0, 0), "photo-names": (7, 6), "photos": (2, 0)}
# Findings that a fault causes elsewhere.
_MORE = {
    "anagrafica/assets": {"import": {"IMPORT-ALIKE": 1}, "validate": {"FOTO-INUTILIZZATA": 1}},
    # These sets come after `ready`, whose fault this is.
    "anagrafica/app": {"validate": {"PROGETTO-PRIMA-DEL-RILIEVO": 1}},
    "anagrafica/drawing": {"validate": {"PROGETTO-PRIMA-DEL-RILIEVO": 1}},
    "anagrafica/events": {"import": {"EVENT-GAP": 1}, "validate": {"EVENTO-FUORI-ORDINE": 1, "PROGETTO-LOCALI-APERTI": 1}},
    "anagrafica/import-rows": {"validate": {
        "ASSET-NUMERO-FOTO": 1, "LOCALE-SENZA-RILIEVO": 2, "EVENTO-SENZA-OGGETTO": 3, "FOTO-INUTILIZZATA": 4, "TIPO-SENZA-ASSET": 3}},
    "anagrafica/photos": {"validate": {"PROGETTO-LOCALI-APERTI": 1}},
    "anagrafica/rooms": {"validate": {"LOCALE-VUOTO-CON-ASSET": 1}},
    "anagrafica/states": {"validate": {"LOCALE-DA-RILEVARE": 1}},
    "anagrafica/types": {"validate": {"PARAMETER-OPTION": 1, "FOTO-ALTRO-PROGETTO": 1, "TIPO-SENZA-ASSET": 2}},
    "anagrafica/unique": {"export": {"SHEET-RENAMED": 1}},
    # The manifest does not list its photo.
    "ingeplus/conflict-second": {"import": {"IMPORT-EXTRA-FILE": 1}},
    "ingeplus/import-checksum": {"validate": {"PHOTO-FILE-MISSING": 1}},
    "ingeplus/photos": {"validate": {"PHOTO-FILE-MISSING": 2}},
    "ingeplus/pit-photos": {"validate": {"PHOTO-TIME": 1}},
    "ingeplus/places": {"validate": {"PHOTO-PLACE": 2}},
    # An import does not take the rows of exports that a device has.
    "ingeplus/survey": {"import": {"IMPORT-BOOKS": 1}},
}
# These sets come after `depths`, whose faults these are.
_DEPTHS = {"CALICATA-CORTES-LARGOS": 1, "CALICATA-CORTES-CORTOS": 1, "CALICATA-POCO-PROFUNDA": 1}
for _name in ("register", "table-cells", "table-sheet", "table-values"):
    _MORE[f"ingeplus/{_name}"] = {"validate": _DEPTHS}


def stated(directory, stages):
    """The statement of a set with its further findings."""
    name = directory.name
    system = directory.parent.name if name == "survey" else directory.parent.parent.name
    found = {"import": {}, "validate": {}, "export": {}}
    # The administrator who imports is a member of no project. These sets have no project of their
    # own.
    if name not in ("conflict-second", "device", "drawing", "old-app"):
        found["import"]["IMPORT-NOT-MEMBER"] = 1
    if system == "anagrafica":
        found["import"]["EVENT-STATE-DIFFERS"] = _DIFFER.get(name, 0)
        found["validate"]["PHOTO-FILE-MISSING"], found["export"]["PHOTO-MISSING"] = _PHOTOS.get(name, (6, 6))
    if system == "yaquedamos":
        # Numbers of telephones begin with a plus, and a comment with an equals sign.
        found["export"]["TEXT-FORMULA"] = True
    for stage, codes in _MORE.get(f"{system}/{name}", {}).items():
        found[stage].update(codes)
    beside = {stage: {code: count for code, count in codes.items() if count} for stage, codes in found.items()}
    return {**stages, "beside": {stage: codes for stage, codes in beside.items() if codes}}
