"""Reports of a courier's devices, each of which is a source."""
from .page import Fixed
from .replica import latin


def _source(replica): return next(row for row in replica.table("sources") if row["code"] == replica.project)


def registro_fotografico(replica, page):
    photos = replica.selected("photos", source_id=_source(replica)["id"])
    size = sum(row["bytes"] for row in photos)
    page.line(len(photos), len(photos), Fixed(size / 1048576, 2), "MB", _source(replica)["app_version"])
    for row in photos:
        made = latin(replica.moment(row["created_at"]))
        page.line(row["photo_name"], made, Fixed(row["bytes"] / 1024, 1), row["width_px"], "×", row["height_px"])
    page.line("Total", Fixed(size / 1024, 1))


def consolidado(replica, page):
    """Asked for the server's project alone, it sees no device."""
    page.line(0, 0, 0, "—", len(replica.table("server_tables")), len(replica.table("localities")))


def control_esquema(replica, page):
    source = _source(replica)
    own = {row["local_table"].lower(): row for row in replica.table("schema_tables", source_id=source["id"])}
    wanted = {row["local_table"].lower(): row for row in replica.table("server_tables")}
    page.line(source["app_version"], len(wanted), len(own), len(wanted.keys() - own.keys()), len(own.keys() - wanted.keys()))
    for name in own.keys() & wanted.keys():
        here, there = own[name], wanted[name]
        if here["last_synced_at"] < there["synced_at"]: continue
        moments = latin(replica.moment(here["last_synced_at"])), latin(replica.moment(there["synced_at"]))
        page.line(there["local_table"], "Al día", *moments, here["sync_count"], there["field_count"], there["primary_key"])


def cambios_localidades(replica, page):
    page.says("{} " + latin(replica.now.astimezone(replica.zone)), len(replica.selected("localities")))
