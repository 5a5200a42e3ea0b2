"""InGe+'s broken package of samples, laboratory results, water readings and field tests: a fault of each rule."""
from .healthy import Healthy
from .laboratory import field_test_rows, reading_rows, result_rows, sample_rows
from .people import profile_id
from .pits import pits
from .places import PLACES
from .seeded import instant, later, stamp


def build(directory):
    healthy = Healthy("ROTO-ENSAYOS", 6)
    place = dict(PLACES[0], code="ROTO-ENSAYOS", pits=6, states=(("APROBADO", "synced", 6),))
    samples, results, readings, tests = [], [], [], []
    for pit, calicata in zip(pits(place), healthy.calicatas):
        taken = sample_rows(calicata, pit, healthy.cortes_of(pit.index))
        samples.append(taken)
        results.append(result_rows(calicata, pit, taken))
        readings.append(reading_rows(calicata, pit))
        tests.append(field_test_rows(calicata, pit))
    _spoil(healthy, samples, results)
    day = later(instant(healthy.calicatas[0]["created_at"]), days=-3)
    readings[0][0].update(read_at=stamp(day))
    readings[2][0].update(water_status="found", depth_m=round(healthy.calicatas[2]["depth_m"] + 0.4, 2))
    readings[3] = [dict(readings[3][0], water_status="dry", depth_m=1.2)]
    probing = [row for rows in tests for row in rows if row["kind"] == "DPL"]
    probing[0]["depth_to_m"] = probing[0]["depth_from_m"]
    density = next(row for rows in tests for row in rows if row["kind"] == "densidad")
    density["dry_density"] = round(density["wet_density"] + 0.2, 3)
    healthy.calicatas[4].update(signed_by=None, signed_at=None)
    healthy.calicatas[5]["signed_by"] = profile_id("admin@example.pe")
    package = healthy.package(directory / "laboratory", "Muestras, ensayos y lecturas que se contradicen; una calicata aprobada sin firma")
    for entity, rows in (("samples", samples), ("lab_results", results), ("water_readings", readings), ("field_tests", tests)):
        package.add(f"calicata_{entity}", [row for part in rows for row in part])
    package.write()
    package.expect(**{"import": {}}, validate={
        "MUESTRA-INVERTIDA": 1, "MUESTRA-BAJO-FONDO": 1, "MUESTRA-OTRA-CALICATA": 1, "ENSAYO-OTRA-CALICATA": 1, "ENSAYO-TAMICES": 1,
        "ENSAYO-INDICE-PLASTICO": 1, "ENSAYO-NO-PLASTICO": 1, "ENSAYO-SUCS": 1, "ENSAYO-ESTRATO": 1, "ENSAYO-AASHTO": 1, "ENSAYO-INDICE-GRUPO": 1,
        "NAPA-LECTURA-ANTES": 1, "NAPA-LECTURA-BAJO-FONDO": 1, "NAPA-LECTURA-CONTRADICE": 1, "ENSAYO-CAMPO-INVERTIDO": 1,
        "ENSAYO-CAMPO-DENSIDAD": 1, "CALICATA-SIN-FIRMA": 1, "CALICATA-FIRMA-SIN-REGISTRO": 1})


def _spoil(healthy, samples, results):
    first = samples[0][0]
    first["depth_to_m"] = first["depth_from_m"]
    last = samples[1][-1]
    last.update(depth_from_m=healthy.calicatas[1]["depth_m"], depth_to_m=round(healthy.calicatas[1]["depth_m"] + 0.2, 2))
    samples[2][0]["corte_id"] = healthy.cortes_of(3)[0]["id"]
    plastic = [row for rows in results for row in rows if row["plasticity_index"] is not None and row["sucs"]]
    granular = [row for rows in results for row in rows if row["non_plastic"] and row["sucs"]]
    plastic[0]["plastic_limit"] += 4
    plastic[1]["sucs"] = "CH"
    plastic[2]["group_index"] += 3
    granular[0]["aashto"] = "A-7-6(12)"
    granular[1]["plasticity_index"] = 5
    granular[2]["passing_0_425_mm"] = round(granular[2]["passing_0_85_mm"] + 6, 1)
    granular[3]["calicata_id"] = healthy.calicatas[5]["id"] if granular[3]["calicata_id"] != healthy.calicatas[5]["id"] else healthy.calicatas[0]["id"]
    _mistake_stratum(healthy, samples[4], results[4])


def _mistake_stratum(healthy, samples, results):
    """A sample is said to be of another stratum than it was taken from: sand where the field logged clay."""
    soils = {row["id"]: row["sucs"][0] for row in healthy.cortes_of(4) if row["sucs"][0] in "GS" or row["sucs"] in ("CL", "ML", "CH", "MH")}
    tested = {row["sample_id"]: row["sucs"][0] for row in results if row["sucs"]}
    for sample in samples:
        for stratum, soil in soils.items():
            kinds = {"fine" if kind in "CM" else kind for kind in (soil, tested.get(sample["id"], soil))}
            if len(kinds) == 2:
                sample["corte_id"] = stratum
                return
    raise AssertionError("no sample can be of another stratum")
