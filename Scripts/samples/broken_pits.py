"""InGe+'s broken packages for the rules of the pack: each set spoils one side of the pits, rule by rule."""
import copy
import hashlib

from .broken_photo_files import with_exif
from .exif import exif
from .healthy import Healthy
from .seeded import instant, later, uuid7
from .survey_ingeplus import CREATED


def build(directory):
    for make in (_strata, _classification, _water, _depths, _incomplete, _places, _without_zone, _pit_photos):
        make(directory)


def _write(healthy, directory, name, description, **validate):
    package = healthy.package(directory / name, description)
    package.write()
    codes = {code.replace("_", "-"): count for code, count in validate.items()}
    package.expect(**{"import": {}, "validate": codes})


def _strata(directory):
    """How strata follow each other: one pit for each fault."""
    healthy = Healthy("ROTO-ESTRATOS", 8)
    cut = healthy.cortes_of(0)[1]
    cut["depth_from_m"] = round(cut["depth_from_m"] + 0.1, 2)
    _sample_inside(cut)
    overlapping = healthy.cortes_of(1)[1]
    overlapping["depth_from_m"] = round(overlapping["depth_from_m"] - 0.1, 2)
    first = healthy.cortes_of(2)[0]
    first["depth_from_m"] = 0.1
    _sample_inside(first)
    upside = healthy.cortes_of(4)[-1]
    upside["depth_from_m"], upside["depth_to_m"] = upside["depth_to_m"], upside["depth_from_m"]
    upside["sample_code"] = upside["sample_depth_m"] = None
    cortes = healthy.cortes_of(5)
    cortes[0]["number"], cortes[1]["number"] = 2, 1
    outside = next(row for row in healthy.cortes_of(6) if row["sample_code"])
    outside["sample_depth_m"] = round(outside["depth_to_m"] + 0.2, 2)
    _write(healthy, directory, "strata", "Estratos con huecos, traslapes, invertidos, mal numerados; muestras fuera del estrato",
           CORTE_HUECO=True, CORTE_TRASLAPE=1, CORTE_INICIO=1, CORTE_INVERTIDO=1, CORTE_NUMERACION=1, CORTE_MUESTRA_FUERA=1, CALICATA_CORTES_CORTOS=1)


def _classification(directory):
    healthy = Healthy("ROTO-SUELOS", 3)
    tested = [row for row in healthy.cortes if row["gravel_pct"] is not None]
    clean, plastic, fine, *other = tested
    clean.update(sucs="GP", aashto="A-7-6(14)", gravel_pct=58.0, sand_pct=39.0, fines_pct=3.0, liquid_limit=None, plastic_limit=None,
                 plasticity_index=None)
    clay = {"gravel_pct": 0.0, "sand_pct": 14.0, "fines_pct": 86.0}
    plastic.update(clay, sucs="CH", aashto="A-6(12)", liquid_limit=58, plastic_limit=25, plasticity_index=33)
    fine.update(clay, sucs="CL", aashto="A-1-a(0)", liquid_limit=38, plastic_limit=20, plasticity_index=18)
    other[0]["sucs"] = None
    other[1]["description"] = None
    other[2].update(gravel_pct=40.0, sand_pct=45.0, fines_pct=25.0, sucs="SM", aashto="A-2-4(0)")
    other[3].update(sucs="ML", aashto="A-4(3)", gravel_pct=10.0, sand_pct=55.0, fines_pct=35.0)
    other[4].update(liquid_limit=34, plastic_limit=20, plasticity_index=20)
    other[5].update(sucs="GP-GM", aashto="A-6(2)", gravel_pct=50.0, sand_pct=41.0, fines_pct=9.0)
    other[6].update(sucs="GW", aashto="A-3(0)", gravel_pct=60.0, sand_pct=37.0, fines_pct=3.0)
    _write(healthy, directory, "classification", "Clasificaciones que se contradicen y ensayos que no cuadran",
           CORTE_GRUESO_AASHTO=2, CORTE_RARO_AASHTO=1, CORTE_PLASTICO_AASHTO=1, CORTE_FINO_AASHTO=1, CORTE_SIN_CLASIFICACION=1, CORTE_SIN_DESCRIPCION=1,
           CORTE_GRANULOMETRIA=1, CORTE_FINOS_SUCS=1, CORTE_INDICE_PLASTICO=1)


def _water(directory):
    healthy = Healthy("ROTO-NAPA", 3)
    pits = healthy.calicatas
    pits[0].update(water_status="found", groundwater_depth_m=round(pits[0]["depth_m"] + 0.6, 2))
    pits[1].update(water_status="dry", groundwater_depth_m=1.1)
    pits[2].update(water_status="not_measured", groundwater_depth_m=1.2)
    healthy.cortes_of(1)[-1]["moisture"] = "seco"
    _write(healthy, directory, "water", "Nivel freático más profundo que la calicata, o medido donde no se presentó, o encima de un corte seco",
           CALICATA_NAPA_PROFUNDA=1, CALICATA_NAPA_CONTRADICE=2, CORTE_SECO_BAJO_NAPA=1)


def _depths(directory):
    healthy = Healthy("ROTO-PROFUNDIDAD", 3)
    pits = healthy.calicatas
    pits[0]["depth_m"] = round(pits[0]["depth_m"] - 0.05, 2)
    healthy.photos[0]["depth_m"] = pits[0]["depth_m"]
    pits[1]["depth_m"] = round(pits[1]["depth_m"] + 0.3, 2)
    pits[2].update(depth_m=1.2, groundwater_depth_m=None, water_status="dry")
    keep = [row for row in healthy.cortes_of(2) if row["depth_from_m"] < 1.2]
    keep[-1].update(depth_to_m=1.2)
    _sample_inside(keep[-1])
    gone = {row["id"] for row in healthy.cortes_of(2)} - {row["id"] for row in keep}
    healthy.cortes = [row for row in healthy.cortes if row["id"] not in gone]
    healthy.photos[2]["depth_m"] = 1.2
    _write(healthy, directory, "depths", "Estratos que no terminan donde termina la calicata; calicata de menos de 1.50 m",
           CALICATA_CORTES_LARGOS=1, CALICATA_CORTES_CORTOS=1, CALICATA_POCO_PROFUNDA=1)


def _incomplete(directory):
    """Approved and unapproved pits without strata or photos: an error for the first, a warning for the others."""
    healthy = Healthy("ROTO-INCOMPLETO", 5)
    for index, state in enumerate(("APROBADO", "APROBADO", "BORRADOR", "EN_REVISION", "REVISADO")):
        healthy.calicatas[index]["status"] = state
    without_strata = {healthy.calicatas[0]["id"], healthy.calicatas[2]["id"]}
    without_photo = {healthy.calicatas[1]["id"], healthy.calicatas[3]["id"]}
    healthy.cortes = [row for row in healthy.cortes if row["calicata_id"] not in without_strata]
    healthy.photos = [row for row in healthy.photos if row["calicata_id"] not in without_photo]
    _write(healthy, directory, "incomplete", "Calicatas sin estratos o sin fotos",
           CALICATA_SIN_CORTES=1, CALICATA_AUN_SIN_CORTES=1, CALICATA_SIN_FOTO=1, CALICATA_AUN_SIN_FOTO=1)


def _places(directory):
    healthy = Healthy("ROTO-LUGAR", 6)
    pits = healthy.calicatas
    pits[0]["easting"] = 300123.45          # west of the coast in zone 17
    pits[1].update(easting=pits[2]["easting"], northing=pits[2]["northing"])
    pits[3]["progresiva"] = "0+200"         # behind the pit before it
    pits[4]["progresiva"] = None
    pits[5].update(start_date=pits[5]["end_date"], end_date=pits[0]["start_date"])
    _write(healthy, directory, "places", "Coordenadas, progresivas y fechas que no pueden ser",
           CALICATA_FUERA_DE_ZONA=1, CALICATA_MISMO_LUGAR=1, CALICATA_PROGRESIVA_DESORDEN=1, CALICATA_SIN_PROGRESIVA=1, CALICATA_FECHAS=1,
           FOTO_LEJOS=2)


def _without_zone(directory):
    healthy = Healthy("ROTO-ZONA", 2)
    healthy.project.update(utm_zone=None, datum=None)
    _write(healthy, directory, "without-zone", "Proyecto sin zona UTM ni datum", PROYECTO_SIN_ZONA=1)


def _pit_photos(directory):
    healthy = Healthy("ROTO-REGISTRO-FOTOS", 5)
    photos = healthy.photos
    photos[0]["corte_id"] = healthy.cortes_of(1)[0]["id"]
    photos[1]["depth_m"] = round(healthy.calicatas[1]["depth_m"] + 1, 2)
    photos[2]["taken_at"] = healthy.project["created_at"]
    # Neither the row nor the camera has a position: an import would take it from the file.
    blind = healthy.pictures[photos[3]["id"]]
    blind = with_exif(blind, exif(instant(photos[3]["taken_at"]), -5, "samsung", "SM-G525F", "InGe+ Campo 2.3"))
    healthy.pictures[photos[3]["id"]] = blind
    photos[3].update(latitude=None, longitude=None, altitude_m=None, gps_json=None, bytes=len(blind), sha256=hashlib.sha256(blind).hexdigest())
    again = dict(copy.deepcopy(photos[4]), id=uuid7(later(instant(CREATED), seconds=1), "again"), filename="copia-de-otra.jpg")
    again["local_path"] = "photos/copia-de-otra.jpg"
    healthy.photos.append(again)
    healthy.pictures[again["id"]] = healthy.pictures[photos[4]["id"]]
    _write(healthy, directory, "pit-photos", "Fotos de otra calicata, repetidas, sin posición o de antes de empezar",
           FOTO_OTRA_CALICATA=1, FOTO_PROFUNDIDAD=1, FOTO_ANTES_DE_INICIO=1, FOTO_SIN_GPS=1, FOTO_REPETIDA=1)


def _sample_inside(row):
    if row["sample_code"]:
        row["sample_depth_m"] = round((row["depth_from_m"] + row["depth_to_m"]) / 2, 2)
