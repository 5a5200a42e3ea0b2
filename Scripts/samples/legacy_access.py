"""An Access database of test pits as offices kept them from 2000 on: tables tied by autonumbers that mean nothing outside."""
import datetime
import json

from . import access_file, seeded
from .access_file import Column

_PROJECTS = [
    (3, "MOR-2011", "Mejoramiento del camino vecinal Morropón – Piedra del Toro", "Municipalidad Provincial de Morropón", "Morropón, Piura", "17S",
     datetime.date(2011, 5, 2), "Estudio definitivo.\r\nEl señor Ñique guarda las libretas de campo.", True),
    (7, "AYA-2012", "Puente Ñahuinpuquio y accesos", "Consorcio Peñas & Cía.", "Ayabaca, Piura", "17S", datetime.date(2012, 8, 13), None, False),
]
# Id, Id of the project, code, chainage, side, east, north, height, depth, water, dry, day, method,
# remarks.
_PITS = [
    (12, 3, "C-01", "0+150", "D", 611204.35, 9426310.8, 138.2, "1.50", None, True, datetime.date(2011, 5, 9), "Manual", "Sin novedad."),
    (13, 3, "C-02", "0+650", "I", 611598.1, 9426602.45, 139.05, "2.00", "1.70", False, datetime.date(2011, 5, 9), "Manual",
     "Filtración desde 1.70 m; la pared izquierda se desmorona."),
    (14, 3, "C-03", "1+150", "D", 611990.7, 9426899.0, None, "1.50", None, True, datetime.date(2011, 5, 10), "Retroexcavadora", None),
    (17, 3, "C-04", "1+650", "E", 612377.25, 9427203.9, 142.6, "1.20", None, False, datetime.date(2011, 5, 10), "Manual", "Rechazo en conglomerado; nadie anotó si había agua."),
    (21, 7, "C-01", None, None, 640113.0, 9487020.5, 2705.4, "3.00", "2.85", False, datetime.date(2012, 8, 20), "Retroexcavadora", "LARGO"),
    (22, 7, "C-02", None, None, 640131.6, 9487044.15, 2706.1, "2.50", None, True, datetime.date(2012, 8, 21), "Manual", "Estribo derecho – «roca» a 2.50 m."),
]
_LAYERS = {
    12: [("0.30", None, None, "Relleno con raíces."), ("1.50", "SM", "A-2-4(0)", "Arena limosa, marrón claro, húmeda.")],
    13: [("0.40", "ML", "A-4(4)", "Limo arenoso, color café."), ("1.20", "SP-SM", "A-3(0)", "Arena fina con limo."), ("2.00", "GP", "A-1-a(0)", "Grava con bolonería de 6\".")],
    14: [("0.90", "CL", "A-6(8)", "Arcilla de baja plasticidad, firme."), ("1.50", "CH", "A-7-6(21)", "Arcilla de alta plasticidad, plomiza.")],
    17: [("1.20", "GM", "A-1-b(0)", "Grava limosa, muy densa.")],
    21: [("0.50", "OL", None, "Suelo orgánico con ichu."), ("1.80", "CL", "A-6(10)", "Arcilla rojiza, húmeda, con gravilla."), ("3.00", "GC", "A-2-6(0)", "Grava arcillosa; napa a 2.85 m.")],
    22: [("1.00", "SM", "A-2-4(0)", "Arena limosa, ñapa de caliche."), ("2.50", None, None, "Roca fracturada.")],
}
_LONG = ("Excavación para el estribo izquierdo. Se encontró agua a 2.85 m en la mañana y a 2.80 m en la tarde. ", 70)


def build(folder):
    """`calicatas.mdb`: two projects, six pits, thirteen strata, a table of users that no mapping reads. And `expected.json`."""
    database = access_file.Database(datetime.datetime(2011, 5, 2, 8, 30))
    database.add(access_file.Table(
        "Proyectos",
        [Column("Id", "long", auto=True), Column("Codigo", "text", 20), Column("Nombre", "text", 120), Column("Cliente", "text", 80),
         Column("Ubicación", "text", 80), Column("Zona", "text", 4), Column("FechaInicio", "datetime"), Column("Observaciones", "memo"),
         Column("Concluido", "yesno")],
        [list(row) for row in _PROJECTS], key="Id"))
    pits = [list(row) for row in _PITS]
    pits[4][-1] = _LONG[0] * _LONG[1]
    database.add(access_file.Table(
        "Calicatas",
        [Column("Id", "long", auto=True), Column("IdProyecto", "long"), Column("Código", "text", 10), Column("Progresiva", "text", 12),
         Column("Lado", "text", 1), Column("Este", "double"), Column("Norte", "double"), Column("Cota", "double"),
         Column("Profundidad", "numeric"), Column("NivelFreático", "numeric"), Column("Seca", "yesno"), Column("Fecha", "datetime"),
         Column("Método", "text", 30), Column("Observaciones", "memo")],
        pits, key="Id"))
    layers, number = [], 30
    for pit, entries in _LAYERS.items():
        top = "0.00"
        for order, (base, symbol, group, text) in enumerate(entries, start=1):
            number += 1
            layers.append([number, pit, order, top, base, symbol, group, text, order == 1 and symbol is None])
            top = base
    # The strata are in the order of entry.
    seeded.generator("access strata").shuffle(layers)
    database.add(access_file.Table(
        "Estratos",
        [Column("Id", "long", auto=True), Column("IdCalicata", "long"), Column("Nº", "byte"), Column("Desde", "numeric"), Column("Hasta", "numeric"),
         Column("SUCS", "text", 8), Column("AASHTO", "text", 12), Column("Descripción", "memo"), Column("Relleno", "yesno")],
        layers, key="Id"))
    database.add(access_file.Table(
        "Usuarios", [Column("Id", "long", auto=True), Column("Nombre", "text", 40), Column("Clave", "text", 20)], [[1, "admin", "1234"]], key="Id"))
    database.relate("ProyectosCalicatas", "Calicatas", "IdProyecto", "Proyectos", "Id")
    database.relate("CalicatasEstratos", "Estratos", "IdCalicata", "Calicatas", "Id")
    database.write(folder / "calicatas.mdb")
    (folder / "expected.json").write_text(json.dumps(_expected(pits, layers), ensure_ascii=False, indent=2) + "\n", "utf-8")


def _expected(pits, layers):
    codes = {row[0]: row[1] for row in _PROJECTS}
    names = {pit[0]: f"{codes[pit[1]]} {pit[2]}" for pit in pits}
    counts = {name: sum(1 for layer in layers if layer[1] == number) for number, name in names.items()}
    return {
        "imported": {"projects": len(_PROJECTS), "calicatas": len(pits), "calicata_cortes": len(layers)},
        "strata": counts,
        "water": {names[pit[0]]: "found" if pit[9] else "dry" if pit[10] else "not_measured" for pit in pits},
        "depths": {names[pit[0]]: float(pit[8]) for pit in pits},
        "observations": {names[pit[0]]: len(pit[-1] or "") for pit in pits},
        "unread": ["Usuarios"],
    }
