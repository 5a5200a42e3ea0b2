"""Registers of test pits as offices have them: workbooks old and new, CSV, a page that calls itself .xls, XML. One project a file."""
import datetime
import html
import json
import uuid
from xml.sax.saxutils import escape, quoteattr

from . import beside, legacy_xls, workbook

_PITS = [
    # code, chainage, side, easting, northing, altitude, depth, water, day, remark, strata
    ("C-01", "0+150", "D", 612045.30, 9271120.50, 245.10, 1.50, None, (2012, 5, 14), "Acceso por trocha.", [
        (0.00, 0.35, "OL", "A-4(1)", "Suelo orgánico con raíces, color negro."), (0.35, 1.50, "GP", "A-1-a(0)", "Grava mal graduada con arena, seca.")]),
    ("C-02", "0+650", "I", 612410.75, 9271388.20, 246.85, 2.00, 1.70, (2012, 5, 14), "Pared inestable bajo 1.50 m.", [
        (0.00, 0.20, "OL", None, "Cobertura vegetal."), (0.20, 1.10, "SM", "A-2-4(0)", "Arena limosa, húmeda, color marrón."),
        (1.10, 2.00, "SC", "A-2-6(1)", "Arena arcillosa saturada; filtración a 1.70 m.")]),
    ("C-03", "1+150", "D", 612800.00, 9271702.40, 251.30, 1.50, None, (2012, 5, 15), None, [
        (0.00, 0.90, "CL", "A-6(9)", "Arcilla de baja plasticidad, color beige, firme."), (0.90, 1.50, "CL", "A-6(11)", "Ídem, con óxidos.")]),
    ("C-04", "1+650", "I", 613155.60, 9272011.90, 255.00, 1.20, None, (2012, 5, 15), "Rechazo en bolonería.", [
        (0.00, 0.30, "GM", "A-1-b(0)", "Afirmado: grava limosa, densa."), (0.30, 1.20, "GW", "A-1-a(0)", "Grava bien graduada; ñeque Ø 10\" aislado.")]),
    ("C-05", "2+150", "D", 613502.15, 9272330.05, 253.45, 3.00, 2.45, (2012, 5, 16), "Napa franca.", [
        (0.00, 0.50, "ML", "A-4(3)", "Limo arenoso, seco."), (0.50, 1.60, "SP", "A-3(0)", "Arena mal graduada, de grano fino; húmeda."),
        (1.60, 3.00, "SP-SM", "A-3(0)", "Arena mal graduada con limo, saturada; color gris.")]),
    ("C-06", "2+650", "I", 613890.90, 9272640.70, 249.20, 1.50, None, (2012, 5, 16), None, [
        (0.00, 1.50, "CH", "A-7-6(24)", "Arcilla de alta plasticidad, color verdoso; grietas de contracción.")]),
]


def _comma(number, decimals=2):
    """`9.271.120,50`, as a spreadsheet of the region prints it."""
    return f"{number:,.{decimals}f}".replace(",", " ").replace(".", ",").replace(" ", ".")


def _day(day):
    return f"{day[2]:02}/{day[1]:02}/{day[0]}"


def build(folder):
    folder.mkdir(parents=True, exist_ok=True)
    _workbooks(folder)
    _csv(folder / "registro-plano.csv", "SAM-2013")
    _page(folder / "registro-web.xls", "SAM-2014")
    _xml(folder / "registro.xml", "SAM-2015")
    _submissions(folder / "formulario-kobo.jsonl", "SAM-2016")
    layers = sum(len(pit[-1]) for pit in _PITS)
    whole = {"projects": 1, "calicatas": len(_PITS), "calicata_cortes": layers}
    files = dict.fromkeys(
        ("registro-legado.xlsx", "registro-legado.xls", "registro-web.xls", "registro.xml", "formulario-kobo.jsonl"), whole)
    # A depth that is no number, and the stratum of that pit with it.
    files["registro-plano.csv"] = whole | {"rejected": {"calicatas": 1}, "waiting": {"calicata_cortes": 1}}
    (folder / "expected.json").write_text(json.dumps(files, indent=2, ensure_ascii=False) + "\n", "utf-8")


_PIT_TITLES = ["Proyecto", "Nombre de la obra", "N° Calicata", "Progresiva", "Lado", "Este (m)", "Norte (m)", "Cota (msnm)", "Prof. (m)", "N.F. (m)",
               "Fecha", "Observaciones"]
_LAYER_TITLES = ["Proyecto", "N° Calicata", "De (m)", "A (m)", "SUCS", "AASHTO", "Descripción del material"]


def _sheets(code, name, days):
    """A title over each table, a blank line before it, a line that sums up below the pits."""
    pits = [["REGISTRO DE CALICATAS"], [name], None, _PIT_TITLES]
    layers = [["PERFIL ESTRATIGRÁFICO"], None, _LAYER_TITLES]
    for pit, chainage, side, easting, northing, altitude, depth, water, day, remark, strata in _PITS:
        pits.append([code, name, pit, chainage, side, easting, northing, altitude, depth, "NP" if water is None else water, days(day), remark])
        layers += [[code, pit, top, base, symbol, group, text] for top, base, symbol, group, text in strata]
    pits.append([None, None, None, None, None, None, None, "Total", sum(pit[6] for pit in _PITS)])
    return pits, layers


def _workbooks(folder):
    pits, layers = _sheets("SAM-2011", "Carretera Moyobamba - Calzada", lambda day: datetime.date(*day))
    pits[-1][-1] = workbook.Formula("SUM(I5:I10)", pits[-1][-1])
    workbook.write(
        folder / "registro-legado.xlsx",
        [workbook.Sheet("Calicatas", pits, merged=["A1:L1"], bold={1, 4}), workbook.Sheet("Estratos", layers, shared=False, bold={3}),
         workbook.Sheet("Notas", [["Hoja de trabajo; no se entrega."]], hidden=True)])
    pits, layers = _sheets("SAM-2010", "Carretera Rioja - Nueva Cajamarca", _day)
    legacy_xls.write(folder / "registro-legado.xls", [("Calicatas", pits), ("Estratos", layers)])


_FLAT_TITLES = ["Obra", "Nombre", "Calicata", "Progresiva", "Lado", "Este", "Norte", "Cota", "Profundidad", "NF", "Fecha", "Estrato", "Desde", "Hasta",
                "SUCS", "Descripción"]


def _flat(code, name):
    for pit, chainage, side, easting, northing, altitude, depth, water, day, _, strata in _PITS:
        for number, (top, base, symbol, _, text) in enumerate(strata, start=1):
            yield [code, name, pit, chainage, side, _comma(easting), _comma(northing), _comma(altitude), _comma(depth),
                   "NP" if water is None else _comma(water), _day(day), str(number), _comma(top), _comma(base), symbol, text]


def _csv(path, code):
    """Windows-1252, semicolons, decimal commas; one pit whose depth somebody wrote as a word."""
    rows = [_FLAT_TITLES] + list(_flat(code, "Carretera Tarapoto - Yurimaguas")) + [
        [code, "", "C-07", "3+150", "D", "614.200,10", "9.272.950,00", "", "hondo", "NP", "17/05/2012", "1", "0,00", "1,80", "GC", "Grava arcillosa."]]
    quoted = lambda text: '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ';"') else text
    path.write_bytes("".join(";".join(map(quoted, row)) + "\r\n" for row in rows).encode("cp1252"))


def _page(path, code):
    """What a field app writes: a page, named .xls."""
    cells = lambda row, tag: "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in row)
    rows = "".join(f"<tr>{cells(row, 'td')}</tr>\n" for row in _flat(code, "Carretera Juanjuí - Tocache"))
    path.write_text(
        '<html><head><meta charset="utf-8"><title>Registro</title></head><body>\n'
        f"<table border=1>\n<tr>{cells(_FLAT_TITLES, 'th')}</tr>\n{rows}</table>\n</body></html>\n", "utf-8")


def _xml(path, code):
    """Latin-1, a namespace, works around their pits around their strata."""
    lines = ['<?xml version="1.0" encoding="ISO-8859-1"?>', '<registro xmlns="urn:example:suelos:1">', f"  <obra codigo={quoteattr(code)}>",
             "    <nombre>Carretera Saposoa - Pasarraya</nombre>", "    <cliente>Gobierno Regional de San Martín</cliente>"]
    for pit, chainage, side, easting, northing, altitude, depth, water, day, remark, strata in _PITS:
        lines.append(f"    <calicata codigo={quoteattr(pit)}>")
        lines.append(f'      <progresiva lado="{side}">{chainage}</progresiva>')
        lines.append(f'      <utm este="{easting:.2f}" norte="{northing:.2f}" cota="{altitude:.2f}"/>')
        lines.append(f"      <profundidad>{depth:.2f}</profundidad>")
        if water is not None:
            lines.append(f"      <napa>{water:.2f}</napa>")
        lines.append(f"      <fecha>{_day(day)}</fecha>")
        if remark:
            lines.append(f"      <observaciones>{escape(remark)}</observaciones>")
        for number, (top, base, symbol, _, text) in enumerate(strata, start=1):
            lines.append(f'      <estrato numero="{number}"><desde>{top:.2f}</desde><hasta>{base:.2f}</hasta><sucs>{symbol}</sucs>'
                         f"<descripcion>{escape(text)}</descripcion></estrato>")
        lines.append("    </calicata>")
    lines += ["  </obra>", "</registro>"]
    path.write_bytes(("\n".join(lines) + "\n").encode("iso-8859-1"))


def _submissions(path, code):
    """What KoboToolbox gives of a form: every answer a text, groups in the names, strata as repeats, what the server adds around them."""
    lines = []
    for number, (pit, chainage, side, easting, northing, altitude, depth, water, day, remark, strata) in enumerate(_PITS, start=1):
        identifier = str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://example.pe/{code}/{pit}"))
        moment = datetime.datetime(*day, 16, 30 + number)
        answers = {
            "_id": 480_100 + number, "formhub/uuid": "6f0e5d3c2b1a49788796a5b4c3d2e1f0", "start": moment.isoformat() + ".000-05:00",
            "obra/codigo": code, "obra/nombre": "Carretera Picota - Shamboyacu", "obra/cliente": "Gobierno Regional de San Martín",
            "calicata/codigo": pit, "calicata/fecha": moment.date().isoformat(), "calicata/progresiva": chainage,
            "calicata/lado": {"D": "derecho", "I": "izquierdo"}[side], "calicata/ubicacion": f"{-6.59 - number / 1000:.6f} {-76.99 + number / 1000:.6f} {altitude:.2f} 4.8",
            "calicata/este": f"{easting:.2f}", "calicata/norte": f"{northing:.2f}", "calicata/profundidad": f"{depth:.2f}",
            "agua/presenta": "no" if water is None else "si",
        }
        if water is not None:
            answers["agua/nivel"] = f"{water:.2f}"
        answers["estratos"] = [
            {"estratos/desde": f"{top:.2f}", "estratos/hasta": f"{base:.2f}", "estratos/sucs": symbol, "estratos/descripcion": text,
             "estratos/ensayos": "bolsa cono_de_arena" if place == 0 else "bolsa"} | ({"estratos/aashto": group} if group else {})
            for place, (top, base, symbol, group, text) in enumerate(strata)]
        if remark:
            answers["calicata/observaciones"] = remark
        answers |= {
            "__version__": "vQ7cJ2yGkXnWm4", "meta/instanceID": "uuid:" + identifier, "_xform_id_string": "aCalicatas2012", "_uuid": identifier,
            "_attachments": [{"id": 91_000 + number, "mimetype": "image/jpeg", "filename": f"suelos/attachments/{identifier}/{pit}.jpg", "question_xpath": "calicata/foto"}],
            "_status": "submitted_via_web", "_geolocation": [-6.59 - number / 1000, -76.99 + number / 1000],
            "_submission_time": (moment + datetime.timedelta(hours=5)).isoformat(), "_tags": [], "_notes": [], "_validation_status": {}, "_submitted_by": None,
        }
        lines.append(json.dumps(answers, ensure_ascii=False) + "\n")
    path.write_text("".join(lines), "utf-8")


def build_broken(directory):
    """A register in CSV whose rows are wrong in every way that its mapping notices, and a table beside it that nobody asked for."""
    folder = directory / "register"
    folder.mkdir(parents=True)
    sound = next(_flat("ROTO-REGISTRO", "Carretera con faltas"))

    def row(**changed):
        return [changed.get(title, value) for title, value in zip(_FLAT_TITLES, sound, strict=True)] + ["gris"]

    rows = [
        _FLAT_TITLES + ["Tono"], row(), row(Calicata="C-02", Profundidad="hondo"), row(Calicata="C-03", Norte="9.271.12"),
        row(Calicata="C-04", Fecha="31/02/2012"), row(Calicata="C-05", Progresiva="junto al badén"), row(Calicata="C-06", Obra=""),
    ]
    folder.joinpath("a-registro.csv").write_text("".join(";".join(row) + "\r\n" for row in rows), "utf-8")
    folder.joinpath("notas.csv").write_text("Nota;Autor\r\nRevisar C-02;JP\r\n", "utf-8")
    # After a set that brings profiles.
    stated = {"after": "depths", "import": {"IMPORT-NO-NUMBER": 2, "IMPORT-NO-DATE": 1, "IMPORT-NO-CHAINAGE": 1, "IMPORT-NO-KEY": True, "IMPORT-UNUSED-COLUMN": 1,
                         "IMPORT-UNMAPPED-TABLE": 1, "IMPORT-WAITS": 4}}
    directory.joinpath("register.expected.json").write_text(json.dumps(beside.stated(folder, stated), indent=2) + "\n", "utf-8")
