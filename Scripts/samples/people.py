"""Who works with the samples: invented people with addresses under example.pe, example.it and example.co only."""
from .plans_mesync import user_id
from .seeded import instant, stamp, uuid7

_JOINED = "2025-01-15T14:00:00Z"

# The numbers of two engineers in the register of their profession.
_REGISTERED = {"coordinadora@example.pe": "CIP 104233", "especialista@example.pe": "CIP 151907"}

# mail name, full name, role, status, position, whether the device has seen the profile online
INGEPLUS = (
    ("gerencia", "Rosario Quintanilla Béjar", "GERENCIA", "ACTIVO", "Gerente general", True),
    ("admin", "Elías Ñaupari Contreras", "ADMINISTRADOR_GENERAL", "ACTIVO", "Administrador del sistema", True),
    ("coordinadora", "Maribel Ccahuana Ríos", "COORDINADOR_PROYECTO", "ACTIVO", "Coordinadora de geotecnia", True),
    ("administracion", "Yolanda Peñaherrera Soto", "ADMINISTRACION", "ACTIVO", "Asistente contable", True),
    ("logistica", "Wilmer Tolentino Vargas", "LOGISTICA", "ACTIVO", "Jefe de almacén", True),
    ("especialista", "Hernán Olórtegui Paz", "ESPECIALISTA_TECNICO", "ACTIVO", "Ingeniero geotecnista", True),
    ("campo1", "Delia Huamaní Yupanqui", "CAMPO", "ACTIVO", "Técnica de suelos", True),
    ("campo2", "Rubén Chiroque Saavedra", "CAMPO", "ACTIVO", "Técnico de suelos", True),
    ("asistente", "Nadia Flores O'Brien", "ASISTENTE", "ACTIVO", "Asistente de gabinete", True),
    ("lector", "Supervisión de obra (invitado)", "LECTOR", "ACTIVO", "Supervisión", True),
    ("nuevo", "Aldo Mamani Quispe", "CAMPO", "ACTIVO", "Técnico de suelos", False),
    ("excampo", "Iván Zevallos Luna", "CAMPO", "INACTIVO", "Técnico de suelos", True),
    ("suspendida", "Carla Benavides Toro", "ESPECIALISTA_TECNICO", "SUSPENDIDO", "Ingeniera geóloga", True),
    ("pendiente", "Óscar Lizárraga Meza", "ASISTENTE", "PENDIENTE", None, False),
)
ANAGRAFICA = (
    ("ufficio", "Silvia Marangon", "UFFICIO", "ACTIVO", "Ufficio tecnico", True),
    ("amministratore", "Lucia Baldan", "AMMINISTRATORE", "ACTIVO", "Amministratrice del sistema", True),
    ("tecnico", "Piero Scattolin", "TECNICO", "ACTIVO", "Perito impiantista", True),
    ("operatore", "Dario Pellizzari", "OPERATORE", "ACTIVO", "Rilevatore", True),
    ("operatrice", "Noemi D'Agostin", "OPERATORE", "ACTIVO", "Rilevatrice", True),
    ("committente", "Comune di Valdorsa – Lavori pubblici", "LETTORE", "ACTIVO", "Committente", True),
    ("cessato", "Ettore Frigo", "OPERATORE", "INACTIVO", "Rilevatore", True),
    ("nuova", "Giada Zorzi", "OPERATORE", "ACTIVO", "Rilevatrice", False),
)
MESYNC = (
    ("admin", "Paola Espejo Linares", "ADMINISTRADOR", "ACTIVO", "Administra la copia", True),
    ("carmen", "Carmen Rosa Villanueva Tapia", "TITULAR", "ACTIVO", None, True),
    ("diego", "Diego Alonso Farfán Núñez", "TITULAR", "ACTIVO", None, True),
    ("soporte", "Mesa de ayuda", "SOPORTE", "ACTIVO", None, True),
)
YAQUEDAMOS = (
    ("administracion", "Marcela Ibáñez Rueda", "ADMINISTRACION", "ACTIVO", "Administradora de la comunidad", True),
    ("moderacion", "Óscar Peñuela Toro", "MODERACION", "ACTIVO", "Moderador", True),
    ("organizacion", "Lucía Arbeláez D'Costa", "ORGANIZACION", "ACTIVO", "Organizadora", True),
    ("analisis", "Tomás Quiroga Neira", "ANALISIS", "ACTIVO", "Analista", True),
    ("lectura", "Junta de acción comunal (invitada)", "LECTURA", "ACTIVO", "Junta", True),
    ("nueva", "Paola Rincón Vélez", "ORGANIZACION", "ACTIVO", "Organizadora", False),
)


def profile_of_user(mail):
    """A profile of meSync. Whoever uses the app has the same id as a user of the server and as a profile here."""
    index, person = next((index, person) for index, person in enumerate(MESYNC) if person[0] == mail)
    row = profile(*person, "example.pe", f"+51 900 000 1{index:02d}", "2025-11-30T22:00:00Z")
    if person[2] == "TITULAR":
        row["id"] = user_id(mail)
        row["avatar_url"] = None
    return row


def profile_id(mail):
    return uuid7(instant(_JOINED), "profile", mail)


def profile(mail, name, role, status, position, seen, domain, phone, cached_at):
    """One row of profiles; `cachedAt` only where the device has validated the profile online."""
    row = {
        "id": profile_id(f"{mail}@{domain}"), "email": f"{mail}@{domain}", "full_name": name, "role": role, "status": status,
        "position": position, "phone": phone, "avatar_url": f"avatars/users/{profile_id(f'{mail}@{domain}')}/avatar.png" if seen else None,
        "created_at": _JOINED, "updated_at": stamp(instant("2025-02-01T12:00:00Z")),
    }
    if row["email"] in _REGISTERED:
        row["registration_number"] = _REGISTERED[row["email"]]
    if seen:
        row["cachedAt"] = cached_at
    return row
