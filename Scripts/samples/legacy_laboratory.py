"""The workbook that a laboratory sends: results of the survey's pits that have none yet, a sample a line."""
import datetime
import json

from . import workbook
from .laboratory import SIEVES, grading, highway, sample_rows, unified
from .seeded import generator, later
from .survey_pits import all_pits, calicata_row, corte_rows, project_row

_NAMES = {75: '3"', 50: '2"', 37.5: '1 1/2"', 25: '1"', 19: '3/4"', 9.5: '3/8"', 4.75: "N° 4", 2: "N° 10", 0.85: "N° 20", 0.425: "N° 40", 0.25: "N° 60",
          0.15: "N° 100", 0.106: "N° 140", 0.075: "N° 200"}
_TITLES = ["Proyecto", "Calicata", "Muestra", "Tipo", "De", "A", "Laboratorio", "Informe", "Fecha", *_NAMES.values(), "LL", "LP", "IP", "w", "Gs", "SUCS", "AASHTO",
           "IG", "MDS", "OCH", "CBR 95 %", "CBR 100 %", "Expansión"]


def build(folder):
    folder.mkdir(parents=True, exist_ok=True)
    place, pits = all_pits()[0]
    project = project_row(place)
    lines, samples = [], 0
    for pit in pits:
        if pit.status not in ("OBSERVADO", "EN_REVISION"):
            continue
        calicata = calicata_row(project, pit)
        taken = sample_rows(calicata, pit, corte_rows(calicata, pit))
        values = {layer.sample[0]: (layer.symbol, layer.values) for layer in pit.strata if layer.sample}
        # One more from the bottom, which nobody had written down.
        extra = dict(taken[-1], code="M-9", kind="Mab", depth_from_m=round(pit.depth - 0.1, 2), depth_to_m=pit.depth)
        values["M-9"] = values[taken[-1]["code"]]
        samples += len(taken)
        for sample in [*taken, extra]:
            lines.append(_line(project, pit, calicata, sample, *values[sample["code"]], len(lines)))
    rows = [["RESUMEN DE ENSAYOS DE LABORATORIO"], [project["name"]], None, _TITLES, *lines]
    workbook.write(folder / "resultados.xlsx", [workbook.Sheet("Resumen", rows, bold={1, 4})])
    stated = {"calicata_samples": len(lines) - samples, "calicata_lab_results": len(lines)}
    (folder / "expected.json").write_text(json.dumps({"resultados.xlsx": stated}, indent=2) + "\n", "utf-8")


def _line(project, pit, calicata, sample, symbol, found, number):
    random = generator("laboratory workbook", calicata["id"], sample["code"])
    passing = grading(random, symbol, found)
    day = later(pit.ended, days=12).date()
    limits = [found["ll"], found["pl"], found["pi"]] if found["pi"] is not None else ["NP", "NP", "NP"]
    group, index = highway(passing, found["ll"], found["pi"])
    return [project["code"], pit.code, sample["code"], sample["kind"], sample["depth_from_m"], sample["depth_to_m"], sample["laboratory"],
            f"LMS-{day:%Y}-{900 + number}", datetime.date(day.year, day.month, day.day), *[passing[size] for size, _ in SIEVES], *limits,
            found["moisture"], round(random.uniform(2.6, 2.75), 3), unified(passing, found["ll"], found["pi"], symbol in ("OL", "OH")) or "-", group, index,
            "-", "-", "-", "-", "-"]
