"""InGe+'s survey as rows: projects, calicatas, cortes and photos, in the central tables' own columns."""
import hashlib

from .exif import exif
from .ground import painted
from .people import profile_id
from .pit_photo import pit_photo
from .pits import pits
from .places import PLACES
from .seeded import generator, instant, later, stamp, uuid7
from .soils import KINDS, plasticity_word
from .utm import to_degrees
from .words import observations, sheet_description

ORGANISATION = uuid7(instant("2025-01-02T13:00:00Z"), "organisation", "geotecnia")
_LIMA = -5
# The only photo of an approved, synced pit that is not uploaded yet.
LATE_PHOTO = ("CHU-2025", 7, "spoil")
# One photo was taken before the phone had a position, so neither its row nor its camera data has
# one.
NO_FIX = ("CHU-2025", 10, "spoil")
_PHONES = (("samsung", "SM-G525F"), ("motorola", "moto g54 5G"), ("Apple", "iPhone SE"))
_KINDS = {"wall": ("pared", "pit", "Pared de la excavación"), "panorama": ("panoramica", "panorama", "Vista panorámica"),
          "spoil": ("material", "spoil", "Material excavado")}


def project_row(place, status="ACTIVO", code=None):
    began = instant(place["begins"])
    created = later(began, days=-20)
    return {
        "id": uuid7(created, "project", code or place["code"]), "code": code or place["code"], "name": place["name"],
        "client": place["client"], "location": place["location"], "description": place["description"], "status": status,
        "created_by": profile_id("admin@example.pe"), "created_at": stamp(created), "updated_at": stamp(later(created, days=2)),
        "org_id": ORGANISATION, "utm_zone": f"{place['zone']}S", "datum": "WGS84", "road_class": place["road_class"],
    }


def states(sync, changed, version=1):
    """The device's own columns: `remoteUpdatedAt` is what the server last said, nothing for what it has never seen."""
    return {"syncStatus": sync, "localVersion": version, "remoteUpdatedAt": None if sync == "local_only" else stamp(changed)}


def calicata_row(project, pit):
    crew = profile_id("campo1@example.pe" if pit.index % 2 == 0 else "campo2@example.pe")
    reviewed = pit.status in ("REVISADO", "APROBADO", "EXPORTADO", "ARCHIVADO")
    approved = reviewed and pit.status != "REVISADO"
    changed = later(pit.ended, days=9 if reviewed else 1)
    road = pit.place["kind"] == "road"
    length, width = (pit.place["shape"] if pit.depth < 3 else (2.4, 1.5))
    return {
        "id": uuid7(pit.begun, "calicata", project["code"], pit.code), "project_id": project["id"], "code": pit.code,
        "title": f"Calicata {pit.code}" + (f", km {pit.chainage}" if pit.chainage else ""),
        "location": pit.place["sector"].format(n=1 + pit.index // 6), "progresiva": pit.chainage, "easting": pit.easting,
        "northing": pit.northing, "altitude_m": pit.altitude, "depth_m": pit.depth, "groundwater_depth_m": pit.water,
        "description": sheet_description(pit), "observations": observations(pit), "status": pit.status, "created_by": crew,
        "created_at": stamp(pit.begun), "updated_at": stamp(changed), "side": pit.side,
        "excavation_method": "MAQUINA" if pit.depth > 2.2 or not road else "MANUAL",
        "start_date": _local_day(pit.begun), "end_date": _local_day(pit.ended), "logged_by": crew,
        "reviewed_by": profile_id("especialista@example.pe") if reviewed else None, "water_status": pit.water_status,
        "length_m": length, "width_m": width, "shoring": "Entibado parcial con tablestacas de madera" if pit.depth > 4.5 else None,
        "equipment": "Retroexcavadora sobre llantas" if pit.depth > 2.2 or not road else None, "end_reason": _end_reason(pit) if reviewed else None,
        "backfill": "Material propio, compactado con pisón manual" if reviewed else None, "revision": 0 if approved else None,
        "signed_by": profile_id("coordinadora@example.pe") if approved else None,
        "signed_at": _local_day(later(pit.ended, days=9)) if approved else None,
        "stability": "inestable" if pit.water and pit.strata[-1].symbol[0] == "S" else "desprendimientos" if pit.water else "estable",
        **states(pit.sync, changed, 1 + pit.index % 4),
    }


def _end_reason(pit):
    if pit.strata[-1].symbol == "ROCA":
        return "rechazo"
    return "agua" if pit.water and pit.depth < 1.5 else "profundidad prevista"


def corte_rows(calicata, pit):
    rows = []
    for number, layer in enumerate(pit.strata, start=1):
        values = layer.values or {}
        granular = layer.symbol in KINDS and KINDS[layer.symbol].granular
        rows.append({
            "id": uuid7(later(pit.begun, minutes=15 * number), "corte", calicata["id"], number), "calicata_id": calicata["id"],
            "number": number, "depth_from_m": layer.start, "depth_to_m": layer.end, "description": layer.description,
            "sucs": layer.symbol, "aashto": layer.aashto, "color": layer.colour, "moisture": layer.moisture,
            "consistency": None if granular else layer.stiffness, "compactness": layer.stiffness if granular else None,
            "plasticity": plasticity_word(values.get("pi")) if values else None, "structure": layer.structure,
            "particle_size": f"T.M. {layer.largest}" if values.get("gravel", 0) >= 4 else None,
            "particle_shape": _singular(layer.shape) if values.get("gravel", 0) >= 4 else None,
            "odor": "orgánico" if layer.symbol in ("OL", "OH", "PT") else "sin olor" if values else None,
            "organics": f"raíces hasta {layer.roots:.2f} m" if layer.roots else None,
            "cementation": "débil" if "sales" in layer.description else None,
            "hcl_reaction": "débil" if "HCl" in layer.description else "ninguna" if values else None,
            "gravel_pct": values.get("gravel"), "sand_pct": values.get("sand"), "fines_pct": values.get("fines"),
            "liquid_limit": values.get("ll"), "plastic_limit": values.get("pl"), "plasticity_index": values.get("pi"),
            "moisture_pct": values.get("moisture"), "sample_code": layer.sample[0] if layer.sample else None,
            "sample_depth_m": layer.sample[1] if layer.sample else None,
            "field_test": _field_test(layer, granular), "created_by": calicata["created_by"], "created_at": calicata["created_at"],
            "updated_at": calicata["updated_at"], **states(_part(pit.sync), later(pit.ended, days=1)),
        })
    return rows


def photo(project, calicata, pit, view, number, limit=24_500):
    """A photo's row and its JPEG; the GPS of a phone is off by a few metres."""
    random = generator("photo", calicata["id"], view)
    name_part, kind, caption = _KINDS[view]
    taken = later(pit.begun, minutes=70 + 9 * number + random.randrange(8), seconds=random.randrange(60))
    drift = [random.gauss(0, 3.5) for _ in range(2)]
    latitude, longitude = to_degrees(pit.easting + drift[0], pit.northing + drift[1], pit.place["zone"])
    latitude, longitude, altitude = round(latitude, 7), round(longitude, 7), round(pit.altitude + random.gauss(0, 2), 1)
    altitude, accuracy = max(-39.0, altitude), round(random.uniform(3, 9), 1)
    position = None if (project["code"], pit.index, view) == NO_FIX else (latitude, longitude, altitude)
    make, model = _PHONES[pit.index % 3]
    turned = view == "wall" and pit.index % 8 == 5
    local = later(taken, hours=_LIMA)
    name = f"{project['code']}_{pit.code}_{name_part}_{local.strftime('%Y%m%d-%H%M%S')}.jpg"
    board = [f"{project['code']}  {pit.code}", f"KM {pit.chainage} {pit.side[:3]}." if pit.chainage else pit.place["location"].split(",")[0],
             f"PROF. {pit.depth:.2f} m  {local.strftime('%d/%m/%y')}"]
    data = pit_photo(view, random, painted(pit.strata), pit.depth, pit.water, board, local.strftime("%d/%m/%Y %H:%M"),
                     pit.place["landscape"],
                     exif(taken, _LIMA, make, model, "InGe+ Campo 2.3", 6 if turned else 1, position, accuracy), turned, limit)
    row = {
        "id": uuid7(taken, "photo", calicata["id"], view), "calicata_id": calicata["id"], "entity_type": "calicatas", "corte_id": None,
        "kind": kind, "filename": name, "local_path": f"photos/{name}", "mime_type": "image/jpeg",
        "storage_path": f"project-files/orgs/{ORGANISATION}/projects/{project['id']}/calicatas/{calicata['id']}/photos/{name}",
        "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "width_px": 640, "height_px": 480,
        "latitude": latitude, "longitude": longitude, "altitude_m": altitude,
        "gps_json": {"lat": latitude, "lon": longitude, "alt": altitude, "accuracy": accuracy, "time": stamp(taken)},
        "depth_m": pit.depth if view == "wall" else None, "taken_at": stamp(taken),
        "author": "Delia Huamaní Yupanqui" if pit.index % 2 == 0 else "Rubén Chiroque Saavedra",
        "caption": f"{caption}, calicata {pit.code}" + (f", km {pit.chainage}" if pit.chainage else ""),
        "created_at": stamp(taken), "updated_at": stamp(later(taken, hours=8)), **states(_part(pit.sync), later(taken, hours=8)),
    }
    if (project["code"], pit.index, view) == LATE_PHOTO:
        row.update(states("pending_upload", later(taken, hours=8)))   # so that an approved pit is not wholly synced
    if position is None:
        row.update(latitude=None, longitude=None, altitude_m=None, gps_json=None)
    if row["syncStatus"] in ("local_only", "pending_upload"):
        row["storage_path"] = None
    return row, data


def views(pit):
    """Every pit has its wall and its surroundings, each third one the heap as well; the newest draft has none yet."""
    if pit.place["code"] == "BAY-2025" and pit.index == 7:
        return ()
    return ("wall", "panorama", "spoil") if pit.index % 3 == 1 else ("wall", "panorama")


def all_pits():
    return [(place, pits(place)) for place in PLACES]


def _part(sync):
    """Strata and photos of a pit in conflict are in step themselves."""
    return "synced" if sync in ("conflict", "error", "pending_download") else sync


def _singular(shape):
    return {"subangulosas": "subangular", "angulosas": "angular"}.get(shape, shape.removesuffix("s"))


def _local_day(moment):
    return later(moment, hours=_LIMA).strftime("%Y-%m-%d")


def _field_test(layer, granular):
    if layer.values and layer.start >= 0.8 and granular:
        return "Densidad in situ (cono de arena) pendiente" if layer.start < 1.2 else "Penetrómetro dinámico ligero: ver hoja DPL"
    return None
