"""Workbooks of forms, one test pit to a form, as Peruvian offices fill them in: one to a sheet with merged cells, pictures and links;
with the strata on their side; four to a sheet. Beside each workbook, what must come out of it."""
import datetime
import io
import json
import re
import zipfile

from openpyxl import Workbook
from openpyxl.drawing.image import Image as Drawing
from openpyxl.styles import Alignment, Border, Font, Side
from PIL import Image

from . import seeded
from .picture import board

_PROJECT = ("FIC-2011", "Mejoramiento de la carretera Tambogrande - Las Lomas, tramo km 0+000 al 20+000", "Tambogrande, Piura, Piura")
_SOILS = [
    ("SM", "A-2-4(0)", "Arena limosa, color marrón claro, medianamente densa", "marrón claro"),
    ("CL", "A-6(9)", "Arcilla de baja plasticidad, color marrón oscuro, firme", "marrón oscuro"),
    ("SP-SM", "A-3(0)", "Arena mal graduada con limo, de grano fino", "beige"),
    ("GP", "A-1-a(0)", "Grava mal graduada con arena; bolonería aislada, T.M. 4\"", "gris"),
    ("ML", "A-4(5)", "Limo arenoso, color gris, seco; presencia de raíces < 5 mm", "gris"),
    ("SC", "A-2-6(1)", "Arena arcillosa, color rojizo, húmeda & cementada", "rojizo"),
    ("CH", "A-7-6(28)", "Arcilla de alta plasticidad, color verdoso", "verdoso"),
    ("GC", "A-2-6(0)", "Grava arcillosa con arena\n(ídem estrato anterior)", "rojizo"),
]
_STRATA = [3, 2, 4, 1, 5, 3, 2, 8, 3, 4, 2, 3, 6, 1, 3, 2, 4, 7, 3, 2]
_EDGE = Border(*[Side(style="thin")] * 4)
_WHEN = (2011, 9, 30, 12, 0, 0)


def build(folder):
    folder.mkdir(parents=True)
    pits = [_pit(index) for index in range(20)]
    (folder / "fotos").mkdir()
    for pit in pits:
        for number in pit["linked"]:
            (folder / "fotos" / f"{pit['code']}_{number}.jpg").write_bytes(_jpeg(pit, f"foto {number}"))
    _write(folder, "fichas-calicatas", _one_a_sheet(pits), pits)
    lateral = [dict(_pit(index), code=f"CL-{index - 29:02d}", pictures=0, linked=[]) for index in range(30, 33)]
    _write(folder, "fichas-laterales", _sideways(lateral), lateral)
    stacked = [dict(_pit(index), code=f"P-{index - 39:02d}", pictures=0, linked=[]) for index in range(40, 44)]
    _write(folder, "fichas-apiladas", _stacked(stacked), stacked)


def _pit(index):
    random = seeded.generator("fichas", str(index))
    count = _STRATA[index % len(_STRATA)]
    depth = round(1.5 + random.randrange(0, 31) * 0.05, 2)
    cuts = sorted(random.sample(range(3, round(depth * 20) - 2), count - 1))
    levels = [0.0] + [round(cut * 0.05, 2) for cut in cuts] + [depth]
    strata = []
    for number in range(count):
        symbol, group, text, colour = _SOILS[(index + number * 3) % len(_SOILS)]
        strata.append({
            "number": number + 1, "from": levels[number], "to": levels[number + 1], "sucs": symbol, "aashto": group, "description": text,
            "color": colour, "sample": f"M-{number + 1}" if number % 2 == 0 else None, "humidity": round(random.uniform(4, 28), 1)})
    metres = 250 + index * 985
    water = None if index % 4 else round(depth * 0.8, 2)
    return {
        "code": f"C-{index + 1:02d}", "chainage": f"{metres // 1000}+{metres % 1000:03d}", "side": "DERECHO" if index % 2 else "IZQUIERDO",
        "easting": round(571200.5 + index * 640.25, 2), "northing": round(9454100.25 + index * 512.5, 2), "altitude": round(68 + index * 1.35, 2),
        "date": (datetime.date(2011, 8, 1) + datetime.timedelta(days=index // 2)).isoformat(), "depth": depth, "water": water,
        "remarks": f"Pared estable; se extrajo muestra de {strata[0]['sucs']}." if index % 3 == 0 else None,
        "strata": strata, "pictures": {2: 2, 6: 1, 11: 1}.get(index, 0), "linked": {4: [1, 2], 11: [1]}.get(index, [])}


def _one_a_sheet(pits):
    book = Workbook()
    index = book.active
    index.title = "Índice"
    for row, pit in enumerate(pits, 3):
        index.cell(row, 1, pit["code"])
        index.cell(row, 2, pit["chainage"])
    index["A1"] = "ÍNDICE DE CALICATAS"
    for number, pit in enumerate(pits):
        sheet = book.create_sheet(pit["code"])
        # One of the sheets has another row at the top: somebody wrote the name of the office twice.
        _form(sheet, pit, number, 1 if number == 16 else 0)
    blank = book.create_sheet("C-00 plantilla")
    _form(blank, None, 0, 0)
    blank.sheet_state = "hidden"
    return book


def _form(sheet, pit, number, down):
    def put(cells, value):
        first, _, last = cells.partition(":")
        first, last = _moved(first, down), _moved(last or first, down)
        if first != last:
            sheet.merge_cells(f"{first}:{last}")
        sheet[first] = value
        sheet[first].border = _EDGE
        sheet[first].alignment = Alignment(wrap_text=True, vertical="center")

    def value(key):
        return None if pit is None else pit[key]

    sheet.add_image(_drawing(_logo(), "A1"))
    put("C1:J1", "REGISTRO DE EXCAVACIÓN - PERFIL ESTRATIGRÁFICO")
    sheet[_moved("C1", down)].font = Font(bold=True, size=13)
    if number == 11:
        # The label and its value in one cell.
        put("A4:J4", f"PROYECTO : {_PROJECT[1]}")
        put("A6:J6", f"UBICACIÓN: {_PROJECT[2]}")
    else:
        put("A4:B4", "PROYECTO:")
        put("C4:J4", _PROJECT[1])
        put("A6:B6", "UBICACIÓN")
        put("C6", ":")
        put("D6:J6", _PROJECT[2])
    put("A5:B5", "CÓDIGO:")
    put("C5:E5", _PROJECT[0])
    put("F5:G5", "REALIZADO POR:")
    put("A7:B7", "POZO Nº" if number % 5 == 3 else "CALICATA N°:")
    put("C7", value("code"))
    put("D7:E7", "PROGRESIVA:")
    put("F7", pit and ("Km " if number % 2 else "") + pit["chainage"])
    put("G7", "LADO:")
    put("H7", pit and {"DERECHO": "Der.", "IZQUIERDO": "IZQ"}[pit["side"]])
    put("A8:B9", "COORDENADAS UTM")
    put("C8", "ESTE:")
    put("D8:E8", value("easting"))
    put("F8", "NORTE:")
    put("G8:H8", value("northing"))
    put("I8", "ZONA:")
    put("J8", "17 S")
    put("C9:D9", "COTA (m.s.n.m.):")
    put("E9", pit and (str(pit["altitude"]).replace(".", ",") if number % 7 == 5 else pit["altitude"]))
    put("F9", "FECHA:")
    day = pit and datetime.date.fromisoformat(pit["date"])
    put("G9:H9", day and (day.strftime("%d/%m/%Y") if number % 6 == 4 else day))
    put("A10:B10", "PROF. (m)")
    put("C10", value("depth"))
    put("D10:F10", "NIVEL FREÁTICO (m):")
    put("G10", pit and (pit["water"] if pit["water"] else ("NP" if number % 3 else "No presenta")))
    put("H10", "EXCAVACIÓN:")
    put("I10:J10", pit and ("Manual" if number % 2 else "Retroexcavadora"))
    for cells, title in (("A12:A13", "N°"), ("B12:C12", "PROFUNDIDAD (m)"), ("B13", "DE"), ("C13", "A"), ("D12:D13", "SUCS"),
                         ("E12:E13", "AASHTO"), ("F12:H13", "DESCRIPCIÓN DEL MATERIAL"), ("I12:I13", "MUESTRA"), ("J12:J13", "HUMEDAD (%)")):
        put(cells, title)
    row = 14
    # In every third form a stratum takes two rows, merged.
    height = 2 if number % 3 == 1 else 1
    for stratum in pit["strata"] if pit else []:
        last = row + height - 1
        for column, key in zip("ABCDEFIJ", ("number", "from", "to", "sucs", "aashto", "description", "sample", "humidity")):
            end = "H" if column == "F" else column
            put(f"{column}{row}:{end}{last}" if (end, last) != (column, row) else f"{column}{row}", stratum[key])
        row = last + 1
    put(f"A{row}:B{row}", "OBSERVACIONES:")
    put(f"C{row}:J{row}", value("remarks"))
    row += 2
    put(f"A{row}:J{row}", "PANEL FOTOGRÁFICO")
    for picture in range(pit["pictures"] if pit else 0):
        cell = f"{'BF'[picture]}{row + 1}"
        put(cell, f"Vista {picture + 1}")
        sheet.add_image(_drawing(_jpeg(pit, f"vista {picture + 1}"), _moved(cell, down)))
    for link in pit["linked"] if pit else []:
        cell = _moved(f"A{row + 8 + link}", down)
        sheet[cell] = f"Foto {link}"
        sheet[cell].hyperlink = f"fotos/{pit['code']}_{link}.jpg"
    if pit and pit["linked"]:
        cell = _moved(f"A{row + 12}", down)
        sheet[cell] = "Mapa"
        sheet[cell].hyperlink = "https://mapas.example.pe/?c=" + pit["code"]


def _sideways(pits):
    book = Workbook()
    for number, pit in enumerate(pits):
        sheet = book.active if number == 0 else book.create_sheet()
        sheet.title = f"Calicata {pit['code']}"
        for row, (label, value) in enumerate((
                ("PROYECTO", _PROJECT[1]), ("CÓDIGO", _PROJECT[0]), ("CALICATA", pit["code"]), ("PROGRESIVA", pit["chainage"]),
                ("ESTE", pit["easting"]), ("NORTE", pit["northing"]), ("COTA", pit["altitude"]), ("FECHA", pit["date"]),
                ("PROFUNDIDAD", pit["depth"]), ("NIVEL FREÁTICO", pit["water"] or "No presenta")), 2):
            sheet.cell(row, 2, label)
            sheet.cell(row, 4, value)
            sheet.merge_cells(start_row=row, start_column=2, end_row=row, end_column=3)
        for row, (label, key) in enumerate((
                ("ESTRATO", "number"), ("DE (m)", "from"), ("A (m)", "to"), ("SUCS", "sucs"), ("AASHTO", "aashto"), ("COLOR", "color"),
                ("DESCRIPCIÓN", "description")), 14):
            sheet.cell(row, 2, label)
            sheet.merge_cells(start_row=row, start_column=2, end_row=row, end_column=3)
            for column, stratum in enumerate(pit["strata"], 4):
                sheet.cell(row, column, stratum[key])
        sheet.cell(22, 2, "OBSERVACIONES")
        sheet.cell(22, 4, pit["remarks"])
        sheet.merge_cells("B22:C22")
    return book


def _stacked(pits):
    """Two beside each other and two below, 25 rows and 8 columns apart; two more are printed and were never filled in."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Calicatas"
    sheet["A1"] = "REGISTRO DE CALICATAS, HOJA RESUMEN"
    for number, pit in enumerate(pits + [None, None]):
        top, left = 3 + number // 2 * 25, 1 + number % 2 * 8

        def put(row, column, value, top=top, left=left):
            sheet.cell(top + row, left + column, value)

        for row, column, label, key in (
                (0, 0, "CÓDIGO", None), (1, 0, "CALICATA:", "code"), (1, 3, "PROGRESIVA:", "chainage"), (2, 0, "ESTE", "easting"),
                (2, 3, "NORTE", "northing"), (3, 0, "COTA", "altitude"), (3, 3, "FECHA", "date"), (4, 0, "PROFUNDIDAD", "depth")):
            put(row, column, label)
            put(row, column + 1, _PROJECT[0] if key is None else pit and pit[key])
        put(0, 3, "PROYECTO")
        put(0, 4, _PROJECT[1])
        put(4, 3, "N.F.")
        put(4, 4, pit and (pit["water"] or "No presenta"))
        for column, title in enumerate(("Nº", "Desde", "Hasta", "SUCS", "AASHTO", "Descripción")):
            put(6, column, title)
        for row in range(8):
            put(7 + row, 0, row + 1)
        for row, stratum in enumerate(pit["strata"] if pit else []):
            for column, key in enumerate(("number", "from", "to", "sucs", "aashto", "description")):
                put(7 + row, column, stratum[key])
        put(16, 0, "OBSERVACIONES:")
        put(16, 2, pit and pit["remarks"])
    return book


def _write(folder, name, book, pits):
    book.properties.creator = "Oficina técnica"
    book.properties.created = datetime.datetime(*_WHEN)
    buffer = io.BytesIO()
    book.save(buffer)
    # The library writes down the time of the day.
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(folder / f"{name}.xlsx", "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "docProps/core.xml":
                content = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2011-09-30T12:00:00Z", content)
            info = zipfile.ZipInfo(entry.filename, _WHEN)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            target.writestr(info, content)
    expected = {"project": dict(zip(("code", "name", "location"), _PROJECT)), "calicatas": pits}
    (folder / f"{name}.expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _moved(cell, down):
    match = re.fullmatch("([A-Z]+)([0-9]+)", cell)
    return f"{match[1]}{int(match[2]) + down}"


def _drawing(data, cell):
    drawing = Drawing(io.BytesIO(data))
    drawing.width, drawing.height = 160, 120
    drawing.anchor = cell
    return drawing


def _logo():
    picture = Image.new("RGB", (48, 32), (196, 60, 40))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _jpeg(pit, caption):
    picture = Image.new("RGB", (320, 240), (150, 118, 84))
    board(picture, (16, 16), [pit["code"], caption, pit["date"]])
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=60)
    return buffer.getvalue()
