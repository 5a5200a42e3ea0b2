"""A COBie 2.4 workbook of a small town hall, with what real ones have: `n/a` in every empty cell, floors in no order, one component in two
spaces, attributes of types, components and spaces in one sheet, sheets for people alone."""
import datetime
import hashlib
import json

from .workbook import Sheet, write

_BY = "ufficio@example.it"
_ON = datetime.datetime(2024, 6, 3, 10, 15)
_SYSTEM = ("Autodesk Revit 2024", "IfcObject")
_LAMP, _RADIATOR, _DOOR = "23-35 47 11: Lighting Fixtures", "23-33 39 00: Radiators", "23-17 11 00: Doors"

_FLOORS = [("Primo piano", 3.6), ("Piano terra", 0), ("Seminterrato", -2.9)]
_SPACES = [
    # Name, floor, description, tag, gross and net area.
    ("1001", "Piano terra", "Atrio", "T01", 42.517, 40.2), ("1002", "Piano terra", "Ufficio anagrafe", "T02", 21.3, 20.125),
    ("1003", "Piano terra", "Bagno", None, 6.4, None), ("2001", "Primo piano", "Sala del Consiglio", "P01", 88, 85.5),
    ("2002", "Primo piano", "Ufficio del Sindaco – «Sala verde»", None, 33.25, 32), ("0001", "Seminterrato", "Centrale termica", "S01", 18.9, 18.4),
    ("0002", "Seminterrato", "Archivio", None, None, None),
]
_TYPES = [
    # Name, category, asset type, maker, model, length, width, height, life, warranty.
    ("Plafoniera LED 30 W", _LAMP, "Fixed", "vendite@example.it", "PL-30", 0.6, 0.6, 0.08, 15, 2),
    ("Applique 12 W", _LAMP, "Fixed", "vendite@example.it", "AP-12", 0.3, 0.12, 0.1, 15, 2),
    ("Radiatore 10 elementi", _RADIATOR, "Fixed", "n/a", 2101, 0.8, 0.1, 0.68, 25, 5),
    ("Porta tagliafuoco REI 60", _DOOR, "Fixed", "n/a", "n/a", 0.9, 0.05, 2.1, 30, "n/a"),
    ("Carrello portadocumenti", "n/a", "Moveable", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a"),
]
_COMPONENTS = [
    # Name, type, spaces, serial number, installed.
    ("Plafoniera-01", "Plafoniera LED 30 W", "1001", "A1-00017", datetime.date(2023, 3, 14)),
    ("Plafoniera-02", "Plafoniera LED 30 W", "1002", "A1-00018", datetime.date(2023, 3, 14)),
    ("Plafoniera-03", "Plafoniera LED 30 W", "2001", "A1-00019", datetime.date(2023, 3, 15)),
    ("Plafoniera-04", "Plafoniera LED 30 W", "2001", "n/a", "n/a"),
    ("Applique-01", "Applique 12 W", "2002", 40021, datetime.date(2023, 3, 15)),
    ("Radiatore-01", "Radiatore 10 elementi", "1002", "n/a", datetime.date(2022, 10, 3)),
    ("Radiatore-02", "Radiatore 10 elementi", "2002", "n/a", datetime.date(2022, 10, 3)),
    ("Porta-01", "Porta tagliafuoco REI 60", "1001, 1002", "n/a", "n/a"),
    ("Porta-02", "Porta tagliafuoco REI 60", "0001,0002", "n/a", "n/a"),
    ("Carrello-01", "Carrello portadocumenti", "1002", "007", "n/a"),
    # A component whose space was removed from the model.
    ("Radiatore-03", "Radiatore 10 elementi", "2009", "n/a", "n/a"),
]
_ATTRIBUTES = [
    # Name, sheet, row, value, unit.
    ("Potenza", "Type", "Plafoniera LED 30 W", 30, "W"), ("Potenza", "Type", "Applique 12 W", 12, "W"),
    ("Temperatura di colore", "Type", "Plafoniera LED 30 W", "4000", "K"), ("Classe energetica", "Type", "Applique 12 W", "E", "n/a"),
    ("Potenza termica", "Type", "Radiatore 10 elementi", 1350.5, "W"),
    ("Altezza di posa", "Component", "Plafoniera-01", 3.2, "m"), ("Altezza di posa", "Component", "Plafoniera-02", "2.7", "m"),
    ("Altezza di posa", "Component", "Applique-01", 1.8, "m"), ("Emergenza", "Component", "Plafoniera-03", True, "n/a"),
    ("Valvola", "Component", "Radiatore-01", "termostatica", "n/a"), ("Valvola", "Component", "Radiatore-02", "n/a", "n/a"),
    ("Verifica", "Component", "Porta-01", "2024-05-20", "n/a"), ("Perimetro", "Space", "1001", 26.4, "m"),
]


def build(folder):
    """`edificio.xlsx` and `expected.json`, what must come of it."""
    sheets = [
        Sheet("Instruction", [["Title", "COBie", None], ["Version", "2", None], ["Release", "4", None], None,
                              ["Worksheet", "Contents", "Status"], ["Contact", "People and companies", "Required"]], merged=["B1:C1"], bold={1, 5}),
        _sheet("Contact", ["Email", "CreatedBy", "CreatedOn", "Category", "Company", "Phone"],
               [[_BY, _BY, _ON, "n/a", "Comune di Valfiorita", "n/a"], ["vendite@example.it", _BY, _ON, "n/a", "Lumen & Figli S.r.l.", "n/a"]]),
        _sheet("Facility", [
            "Name", "CreatedBy", "CreatedOn", "Category", "ProjectName", "SiteName", "LinearUnits", "AreaUnits", "VolumeUnits", "CurrencyUnit",
            "Description", "ProjectDescription", "SiteDescription", "Phase"],
            [["Municipio di Valfiorita", _BY, _ON, "11-17 11 00: Town Hall", "Municipio", "Comune di Valfiorita", "meters", "squaremeters", "cubicmeters",
              "Euros", "n/a", "n/a", "Piazza della Libertà 1, Valfiorita", "Handover"]]),
        _sheet("Floor", ["Name", "CreatedBy", "CreatedOn", "Category", "ExtSystem", "ExtObject", "ExtIdentifier", "Description", "Elevation", "Height"],
               [[name, _BY, _ON, "Floor", *_SYSTEM, _key("floor", name), "n/a", height, "n/a"] for name, height in _FLOORS]),
        _sheet("Space", [
            "Name", "CreatedBy", "CreatedOn", "Category", "FloorName", "Description", "ExtSystem", "ExtObject", "ExtIdentifier", "RoomTag", "UsableHeight",
            "GrossArea", "NetArea"],
            [[name, _BY, _ON, "n/a", floor, text, *_SYSTEM, _key("space", name), tag, "n/a", gross, net] for name, floor, text, tag, gross, net in _SPACES]),
        _sheet("Type", [
            "Name", "CreatedBy", "CreatedOn", "Category", "Description", "AssetType", "Manufacturer", "ModelNumber", "WarrantyDurationParts",
            "WarrantyDurationUnit", "ExpectedLife", "DurationUnit", "NominalLength", "NominalWidth", "NominalHeight", "Color"],
            [[name, _BY, _ON, category, "n/a", asset, maker, model, warranty, "year", life, "year", length, width, height, "n/a"]
             for name, category, asset, maker, model, length, width, height, life, warranty in _TYPES]),
        _sheet("Component", [
            "Name", "CreatedBy", "CreatedOn", "TypeName", "Space", "Description", "ExtSystem", "ExtObject", "ExtIdentifier", "SerialNumber",
            "InstallationDate", "WarrantyStartDate", "TagNumber", "BarCode", "AssetIdentifier"],
            # Real workbooks have times as text with a zone, beside cells that are times.
            [[name, _BY, "2024-06-03T10:15:00.250+02:00" if number % 3 == 0 else _ON, kind, spaces, "n/a", *_SYSTEM, _key("component", name), serial,
              installed, installed, "n/a", "n/a", f"INV-{number:04}"] for number, (name, kind, spaces, serial, installed) in enumerate(_COMPONENTS, start=1)]),
        _sheet("Attribute", ["Name", "CreatedBy", "CreatedOn", "Category", "SheetName", "RowName", "Value", "Unit", "Description", "AllowedValues"],
               [[name, _BY, _ON, "As Built", sheet, row, value, unit, "n/a", "n/a"] for name, sheet, row, value, unit in _ATTRIBUTES]),
        _sheet("Document", ["Name", "CreatedBy", "CreatedOn", "Category", "ApprovalBy", "Stage", "SheetName", "RowName", "Directory", "File"],
               [["Foto della porta", _BY, _ON, "Photo", "n/a", "n/a", "Component", "Porta-01", "FOTO", "porta-01.jpg"]]),
        Sheet("PickLists", [["AssetType", "Phase"], ["Fixed", "Design"], ["Moveable", "Handover"]], hidden=True),
    ]
    write(folder / "edificio.xlsx", sheets, moment_format="yyyy-mm-dd\\Thh:mm:ss")
    (folder / "expected.json").write_text(json.dumps(_expected(), ensure_ascii=False, indent=2) + "\n", "utf-8")


def _expected():
    categories = {kind[1] if kind[1] != "n/a" else kind[2] for kind in _TYPES}
    spaces = {row[0] for row in _SPACES}
    homeless = [row for row in _COMPONENTS if row[2].split(",")[0] not in spaces]
    return {
        "imported": {
            "projects": 1, "levels": len(_FLOORS), "rooms": len(_SPACES), "families": len(categories), "types": len(_TYPES),
            "instances": len(_COMPONENTS) - len(homeless)},
        "rejected": {"instances": len(homeless)},
        "levels": {name: number for number, (name, _) in enumerate(sorted(_FLOORS, key=lambda floor: floor[1]))},
        "unread": ["Instruction", "Contact", "Document", "PickLists"],
        "parameters": {
            "Plafoniera-02": {"Space": "1002", "SerialNumber": "A1-00018", "Altezza di posa": 2.7},
            "Plafoniera-03": {"Emergenza": True}, "Applique-01": {"SerialNumber": 40021}, "Porta-01": {"Space": "1001, 1002", "Verifica": "2024-05-20"},
            "Carrello-01": {"SerialNumber": "007"}},
        "schema": {
            _LAMP: {"Potenza": {"type": "number", "x-unit": "W", "x-scope": "type"}, "Altezza di posa": {"type": "number", "x-unit": "m", "x-scope": "instance"},
                    "Emergenza": {"type": "boolean", "x-scope": "instance"}},
            _RADIATOR: {"Valvola": {"type": "string", "x-scope": "instance"}}},
    }


def _sheet(name, heading, rows):
    return Sheet(name, [heading] + [["n/a" if value is None else value for value in row] for row in rows], bold={1})


def _key(kind, name):
    """An id as IFC writes them: 22 characters."""
    letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$"
    number = int.from_bytes(hashlib.sha256(f"{kind} {name}".encode()).digest()[:16], "big")
    return "".join(letters[number >> 6 * place & 63] for place in range(21, -1, -1))
