"""Tables of an office with a mapping of its own, and everything in them that a mapping notices. Beside a set: `NAME.mapping.yaml`."""
import json

from . import beside, workbook

_CELLS = """\
import: own
title: Cells that cannot be read
lookups:
  lado: {D: derecho, I: izquierdo}
  agua: {'true': found, 'false': dry, '1': found, '0': dry}
  states: {L: local_only, S: synced}
tables:
  - tables: [Pozos]
    rows:
      - entity: projects
        key: [code]
        repeats: true
        fields: {code: Proyecto, name: Proyecto, status: {value: ACTIVO}}
      - entity: calicatas
        key: [project_id, code]
        fields:
          project_id: {parent: projects, by: {code: Proyecto}}
          code: {column: Pozo, convert: [{match: "C-[0-9]+"}]}
          status: {value: BORRADOR}
          side: {column: Lado, convert: [{lookup: lado}]}
          water_status: {column: Napa, convert: [yes-no, {lookup: agua}]}
          depth_m: {column: Prof, convert: [decimal-comma]}
          sync_state: {column: Estado, convert: [{lookup: states}]}
          local_version: Version
  - tables: [Tramos]
    rows:
      - entity: calicata_cortes
        key: [calicata_id, number]
        fields:
          calicata_id: {parent: calicatas, by: {project_id: {parent: projects, by: {code: Proyecto}}, code: Pozo}}
          number: {ordinal: [Pozo]}
          depth_from_m: {column: Tramo, convert: [{range: from}]}
          depth_to_m: {column: Tramo, convert: [{range: to}]}
  - tables: [Espesores]
    rows:
      - entity: calicata_cortes
        key: [calicata_id, number]
        fields:
          calicata_id: {parent: calicatas, by: {project_id: {parent: projects, by: {code: Proyecto}}, code: Pozo}}
          number: {ordinal: [Pozo]}
          depth_from_m: {thickness: Espesor, edge: top, within: [Pozo]}
          depth_to_m: {thickness: Espesor, edge: bottom, within: [Pozo]}
"""

_CELL_TABLES = {
    "Pozos.csv": """\
Proyecto;Pozo;Lado;Napa;Prof;Estado;Version
P-1;C-1;D;no;1,5;L;1
P-1;Pozo dos;D;no;1,5;L;1
P-1;C-3;Norte;no;1,5;L;1
P-1;C-4;D;quizás;1,5;L;1
P-1;C-5;D;no;1,5;L;siete
P-1;C-6;D;no;1,5;L;1;suelto;otro
P-1;C-7;D;no;1,12345678901234567;L;1
""",
    "Tramos.csv": """\
Proyecto;Pozo;Tramo
P-1;C-1;0,00-0,40
P-1;C-1;hasta el fondo
""",
    "Espesores.csv": """\
Proyecto;Pozo;Espesor
P-1;C-7;0.40
P-1;C-7;
P-1;C-7;0.30
""",
}

_VALUES = """\
import: own
title: Values that contradict each other
tables:
  - tables: [Pozos]
    rows:
      - entity: projects
        key: [code]
        repeats: true
        fields: {code: Proyecto, name: Proyecto, location: Zona, status: {value: ACTIVO}}
      - entity: calicatas
        key: [project_id, code]
        fields:
          project_id: {parent: projects, by: {code: Proyecto}}
          code: Pozo
          status: {value: BORRADOR}
          location: {column: [Lugar, Sitio]}
          title: {column: Nombre}
          observations: {from: Notas, key: [Pozo], by: [Pozo], take: Nota}
          depth_m: {from: Medidas, key: [Pozo], by: [Pozo], take: Prof, as: max, convert: [decimal-comma]}
          easting: {from: Puntos, key: [{column: Id, convert: [decimal-comma]}], by: [{column: Punto, convert: [decimal-comma]}], take: Este}
  - tables: [Cortes]
    requires: [Desde]
    rows:
      - entity: calicata_cortes
        key: [calicata_id, number]
        lenient: true
        fields:
          calicata_id: {parent: calicatas, by: {project_id: {parent: projects, by: {code: Proyecto}}, code: Pozo}}
          number: Corte
          depth_from_m: {column: Desde, convert: [decimal-comma]}
          depth_to_m: {column: Hasta, convert: [decimal-comma]}
          moisture_pct: {column: Humedad, convert: [decimal-comma]}
  - tables: [Viejos]
    columns: {estado: Estado}
    where: estado = 'vigente'
    rows:
      - entity: projects
        key: [code]
        fields: {code: Proyecto, name: Proyecto, status: {value: ACTIVO}}
"""

_VALUE_TABLES = {
    "Pozos.csv": """\
Proyecto;Zona;Pozo;Lugar;Sitio;Punto
P-1;Norte;C-1;Alto;Bajo;1
P-1;Sur;C-2;Alto;;2
P-1;Norte;C-3;Alto;;
P-1;Norte;C-3;Bajo;;
P-1;Norte;C-4;Alto;;
""",
    "Notas.csv": "Pozo;Nota\nC-1;Seco\nC-1;Húmedo\nC-2;Sí\nC-3;Sí\n",
    "Medidas.csv": "Pozo;Prof\nC-1;1,5\nC-1;dos metros\nC-2;2,1\nC-3;1,9\nC-4;1,8\n",
    "Puntos.csv": "Id;Este\n1;500000\nuno;500001\n2;500002\n",
    "Cortes.csv": "Proyecto;Pozo;Corte;Desde;Hasta;Humedad\nP-1;C-1;1;0;0,5;<5\nP-1;C-1;2;;1;\n",
    "Viejos.csv": "Proyecto;Estado\nP-0;antiguo\n",
}

_WORKBOOK = """\
import: own
title: A sheet with more than its table
tables:
  - tables: [Pozos]
    rows:
      - entity: projects
        key: [code]
        repeats: true
        fields: {code: Proyecto, name: Proyecto, status: {value: ACTIVO}}
      - entity: calicatas
        key: [project_id, code]
        fields:
          project_id: {parent: projects, by: {code: Proyecto}}
          code: Pozo
          status: {value: BORRADOR}
          depth_m: Prof
"""


def build(directory):
    _write(directory, "table-cells", _CELLS, _CELL_TABLES, {
        "IMPORT-NO-MATCH": 1, "IMPORT-NOT-IN-LOOKUP": 1, "IMPORT-NO-YES-NO": 1, "IMPORT-STATE": 1, "IMPORT-MORE-CELLS": True, "IMPORT-ROUNDED": 1,
        "IMPORT-NO-RANGE": True, "IMPORT-NO-ROW-ABOVE": True})
    _write(directory, "table-values", _VALUES, _VALUE_TABLES, {
        "IMPORT-DIFFERENT-REPEAT": 1, "IMPORT-DIFFERENT-COLUMNS": 1, "IMPORT-SAME-KEY": 1, "IMPORT-NO-COLUMN": 1, "IMPORT-LEFT-OUT-RECORD": 1, "IMPORT-VALUE-LEFT-OUT": 1,
        "IMPORT-ALL-LEFT-OUT": 1, "IMPORT-LOOKUP-TWICE": 1, "IMPORT-LOOKUP-NOWHERE": 1, "IMPORT-LOOKUP-NUMBER": 1, "IMPORT-LOOKUP-KEY": 1, "IMPORT-CODE-PAGE": 1})
    # Written by an old program, in its code page.
    (directory / "table-values/Notas.csv").write_text(_VALUE_TABLES["Notas.csv"], "cp1252")
    workbook.write(directory / "table-sheet/pozos.xlsx", [workbook.Sheet("Pozos", [
        ["Resumen"], ["Largo", "Ancho", "Área"], [1, 2, 2], [2, 2, 4], None, ["Elaborado el", "13/03/2025"], None,
        ["Proyecto", "Pozo", "Prof"], ["P-1", "C-1", 1.5], ["P-1", "C-2", workbook.Formula("C9+1")], ["P-1", "C-3", workbook.Formula("1/0", workbook.Failed("#DIV/0!"))],
    ])])
    _write(directory, "table-sheet", _WORKBOOK, {}, {"IMPORT-UNREAD-TABLE": 1, "IMPORT-NO-RESULT": 1, "IMPORT-ERROR-CELL": 1}, source="table-sheet/pozos.xlsx")


def _write(directory, name, mapping, tables, found, **more):
    folder = directory / name
    folder.mkdir(parents=True, exist_ok=True)
    for table, text in tables.items():
        (folder / table).write_text(text, "utf-8")
    (directory / f"{name}.mapping.yaml").write_text(mapping, "utf-8")
    # After a set that brings profiles.
    stated = {"after": "depths", "mapping": f"{name}.mapping.yaml", **more, "import": found}
    (directory / f"{name}.expected.json").write_text(json.dumps(beside.stated(folder, stated), indent=2) + "\n", "utf-8")
