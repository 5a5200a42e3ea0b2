"""Anagrafica's broken packages for what the program itself finds: fields, family parameters, schemas, files, photos.
Rules: `broken_assets`."""
from .healthy_building import HealthyBuilding
from .seeded import instant, uuid7
from .survey_anagrafica import CREATED

_NOWHERE = uuid7(instant("2025-01-01T00:00:00Z"), "nowhere")


def build(directory):
    for make in (_fields, _unique, _rows, _parameters, _schemas, _json_schemas, _versions, _texts, _photos):
        make(directory)


def _fields(directory):
    healthy = HealthyBuilding("campi")
    healthy.level["northAngle"] = 412.5
    healthy.rooms[0]["name"] = "Sezione piccoli con bagno annesso e deposito dei lettini " * 3
    healthy.rooms[1]["number"] = "12"
    healthy.walk.photos[0].update(uploadStatus="Completed", uploadedAt=None)
    healthy.walk.photos[1]["uploadStatus"] = "Lost"
    healthy.family("Radiators")["photoMax"] = 400
    healthy.types[0]["name"] = "L"
    package = healthy.package(directory / "fields", "Campi: lunghezza, intervallo, forma, vocabolario, obbligatori")
    package.write()
    package.expect(**{"import": {}, "validate": {
        "FIELD-RANGE": 2, "FIELD-LENGTH": 2, "FIELD-PATTERN": 1, "FIELD-VOCABULARY": 1, "FIELD-REQUIRED": 1}})


def _unique(directory):
    """Two rooms of one number, two families of one name, two photos of one name."""
    healthy = HealthyBuilding("doppioni")
    healthy.rooms[3]["number"] = healthy.rooms[2]["number"]
    healthy.family("Split units")["name"] = "Radiators"
    healthy.walk.photos[4]["filename"] = healthy.walk.photos[3]["filename"]
    package = healthy.package(directory / "unique", "Valori che devono essere unici")
    package.write()
    package.expect(**{"import": {}, "validate": {"FIELD-UNIQUE": True}})


def _rows(directory):
    """Rows that an import must not take as they are."""
    healthy = HealthyBuilding("righe")
    healthy.walk.instances[0]["planPoint"] = "al centro"
    healthy.walk.instances[1]["createdAt"] = "1 giugno 2026"
    healthy.walk.instances[2]["photoIds"] = [_NOWHERE]
    healthy.walk.instances[3]["roomId"] = _NOWHERE
    healthy.walk.instances[4]["colore"] = "bianco"
    nameless = {key: value for key, value in healthy.walk.instances[5].items() if key != "id"}
    healthy.walk.instances.append(nameless)
    package = healthy.package(directory / "import-rows", "Righe che l'importazione rifiuta")
    package.write()
    package.expect(**{"import": {"FIELD-TYPE": 2, "FIELD-REFERENCE": 1, "IMPORT-NO-ID": 1, "IMPORT-UNKNOWN-FIELD": True},
                      "validate": {"FIELD-REFERENCE": 1}})


def _parameters(directory):
    """Each way in which a value can miss its family's schema, in type and in instance parameters."""
    healthy = HealthyBuilding("parametri")
    lamp, radiator = healthy.instance("Lighting")["parameters"], healthy.instance("Radiators")["parameters"]
    access, extinguisher = healthy.instance("Access points")["parameters"], healthy.instance("Fire extinguishers")["parameters"]
    split, detector = healthy.instance("Split units")["parameters"], healthy.instance("Smoke detectors")["parameters"]
    lamp.update(mounting="ceiling")
    lamp.pop("ceiling_height", None)                    # required when it hangs from the ceiling
    lamp["working"] = "sì"                              # a text where a boolean belongs
    radiator["valve"] = ["termostatica", "magnetica"]   # one of the two is no option
    radiator["last_purge"] = "estate 2025"              # no date
    access["mac"] = "02-5E-10-00-00-01"                 # the pattern wants colons
    access["standard"] = "Wi-Fi 6"                      # a parameter of the type
    extinguisher["serial"] = "E1"                       # too short
    extinguisher.pop("inspected")                       # required
    split["set_point"] = 25.3                           # not a multiple of 0.5
    detector["address"] = 300                           # above 254
    detector["colour"] = "bianco"                       # no such parameter
    healthy.type_of("Radiators")["parameters"]["output"] = 90000      # above 6000, in the type
    healthy.type_of("Split units")["parameters"].pop("refrigerant")   # required, in the type
    package = healthy.package(directory / "parameters", "Parametri che non rispettano lo schema della famiglia")
    package.write()
    package.expect(**{"import": {}, "validate": {
        "PARAMETER-REQUIRED": 3, "PARAMETER-TYPE": 2, "PARAMETER-OPTION": 1, "PARAMETER-PATTERN": 1, "PARAMETER-SCOPE": 1,
        "PARAMETER-LENGTH": 1, "PARAMETER-STEP": 1, "PARAMETER-RANGE": 2, "PARAMETER-UNKNOWN": 1}})


def _schemas(directory):
    """Schemas that cannot be judged by: an unknown type, options that are no list, a pattern that does not parse, one that is
    escaped once too often and so matches nothing, a schema that is a word."""
    healthy = HealthyBuilding("schemi")
    for family, key, change in (("Lighting", "power", {"type": "number-ish"}), ("Radiators", "material", {"options": "ghisa"}),
                                ("Access points", "mac", {"pattern": "([0-9A-F]{2}:{5}"}),
                                ("Fire extinguishers", "serial", {"pattern": "EST\\\\d{6}"})):
        schema = healthy.family(family)["parameterSchema"] = [dict(entry) for entry in healthy.family(family)["parameterSchema"]]
        next(entry for entry in schema if entry["key"] == key).update(change)
    healthy.family("Smoke detectors")["parameterSchema"] = "nessuno"
    package = healthy.package(directory / "schemas", "Schemi di famiglia non validi")
    package.write()
    package.expect(**{"import": {}, "validate": {"SCHEMA-INVALID": 5}})


def _json_schema(entries, **more):
    """The list form of a family, written by hand as JSON Schema: what of it these samples need."""
    kinds = {"text": "string", "integer": "integer", "decimal": "number", "boolean": "boolean", "date": "string", "list": "array"}
    words = {"min": "minimum", "max": "maximum", "minLength": "minLength", "maxLength": "maxLength", "options": "enum"}
    properties = {}
    for entry in entries:
        schema = properties[entry["key"]] = {"x-label": entry["label"], "x-scope": entry["scope"], "x-unit": entry.get("unit", "")}
        if entry["type"] in kinds:
            schema["type"] = kinds[entry["type"]]
        if entry["type"] == "date":
            schema["format"] = "date"
        schema.update({words[key]: value for key, value in entry.items() if key in words and entry["type"] != "list"})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": properties,
        "required": [entry["key"] for entry in entries if entry.get("required")], "additionalProperties": False, **more,
    }


def _json_schemas(directory):
    """Families that say their parameters in JSON Schema: values against them, a rule that no simple code tells, a schema that would
    take for ever, and one that is wrong."""
    healthy = HealthyBuilding("json schema")
    for family in ("Lighting", "Radiators", "Split units", "Smoke detectors"):
        row = healthy.family(family)
        row["parameterSchema"] = _json_schema(row["parameterSchema"])
    healthy.family("Radiators")["parameterSchema"].update(
        anyOf=[{"required": ["last_purge"]}, {"properties": {"condition": {"const": "nuovo"}}}])   # purged once, unless it is new
    doubling = {f"d{step}": {"allOf": [{"$ref": f"#/$defs/d{step + 1}"}] * 2} for step in range(60)}
    healthy.family("Smoke detectors")["parameterSchema"].update({"$ref": "#/$defs/d0", "$defs": {**doubling, "d60": {"type": "object"}}})
    healthy.family("Split units")["parameterSchema"]["properties"]["set_point"]["minimum"] = "sedici"   # a word
    lamp, radiator = healthy.instance("Lighting")["parameters"], healthy.instance("Radiators")["parameters"]
    lamp.update(working="sì", colour="bianco")                    # of another type; no such parameter
    radiator.update(last_purge="2026-02-31")                      # no such day
    lamp.pop("mounting")                                          # required
    other = dict(healthy.instance("Radiators"), id=uuid7(instant(CREATED), "instance", "json schema"), photoIds=healthy.instance("Radiators")["photoIds"])
    other["parameters"] = dict(radiator)
    other["parameters"].pop("last_purge")                         # neither purged nor new
    healthy.walk.instances.append(other)
    package = healthy.package(directory / "json-schemas", "Famiglie con uno schema JSON Schema")
    package.write()
    package.expect(**{"import": {}, "validate": {
        "PARAMETER-TYPE": 2, "PARAMETER-UNKNOWN": 1, "PARAMETER-REQUIRED": 1, "PARAMETER-RULE": 1, "PARAMETER-LIMIT": 2, "SCHEMA-INVALID": 1}})


def _versions(directory):
    """What was captured under an older schema version is judged by it; where the present one would say otherwise, that is noted."""
    healthy = HealthyBuilding("versioni")
    older = dict(healthy.schema_version, id=uuid7(instant(CREATED), "schema", "older"), version="0.9", families=[])
    lighting, radiators = healthy.family("Lighting"), healthy.family("Radiators")
    for family in (lighting, radiators):
        older["families"].append({"id": family["id"], "name": family["name"], "parameters": [dict(entry) for entry in family["parameterSchema"]]})
    entries = {entry["key"]: entry for entry in older["families"][0]["parameters"]}
    entries["mounting"]["required"] = False                       # became required
    older["families"][0]["parameters"].append(                    # was taken away
        {"key": "colour", "label": "Colore", "type": "text", "scope": "instance", "maxLength": 5})
    healthy.schema_versions.append(older)
    lamp = healthy.instance("Lighting")
    lamp["schemaVersionId"] = older["id"]
    lamp["parameters"].pop("mounting")
    lamp["parameters"]["colour"] = "bianco sporco"                # too long under the older version, unknown now
    healthy.instance("Radiators")["schemaVersionId"] = older["id"]  # says the same in both
    package = healthy.package(directory / "versions", "Dati rilevati con una versione precedente dello schema")
    package.write()
    package.expect(**{"import": {}, "validate": {"SCHEMA-DIFFERENCE": 2, "PARAMETER-LENGTH": 1}})


def _texts(directory):
    healthy = HealthyBuilding("testi")
    healthy.instance("Lighting")["parameters"].update(condition="danneggiato", defect="=1+1")
    healthy.rooms[0]["name"] = "Sala\u0002 giochi"
    # Excel accepts neither so many characters in a sheet's name nor brackets and slashes.
    healthy.families[0]["name"] = "Luci [LED] e d'emergenza: corridoi/scale"
    words = "Locale chiuso per lavori: si vede solo dalla finestra. "
    healthy.notes.append({
        "id": uuid7(instant(CREATED), "note", "testi"), "roomId": healthy.rooms[4]["id"], "emptyRoom": False, "roomIsBlocked": True,
        "description": (words * 800)[:40_000], "mainPhoto": healthy.walk.photos[0]["id"], "extraPhotoIds": [], "operatorId": "op",
        "createdAt": CREATED,
    })
    package = healthy.package(directory / "texts", "Testi che un formato non può portare così come sono")
    package.write()
    package.expect(**{"import": {}, "export": {"TEXT-CHARACTER": True, "TEXT-LONG": True, "TEXT-FORMULA": True, "SHEET-RENAMED": True}})


def _photos(directory):
    """Of a client's package: a photo without its file, and one whose file is another one than was recorded."""
    healthy = HealthyBuilding("foto", state="Approved", pictures=True)
    first, second = healthy.photo_of("Lighting"), healthy.photo_of("Radiators")
    del healthy.pictures[first["id"]]
    healthy.pictures[second["id"]] = healthy.pictures[healthy.photo_of("Split units")["id"]]
    package = healthy.package(directory / "photos", "Foto mancanti o cambiate")
    package.write()
    package.expect(**{"import": {"PHOTO-CHANGED": 1}, "export": {"PHOTO-GONE": 2}})
