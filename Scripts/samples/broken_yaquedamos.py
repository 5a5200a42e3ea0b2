"""YaQuedamos' broken packages: each is a small sound community of its own, spoiled in one way."""
from .community import TODAY, Community, canary_hash, canary_token
from .package import Package
from .seeded import generator, instant, later, stamp, uuid7
from .survey_yaquedamos import CREATED, members, profiles

_NOWHERE = uuid7(instant("2025-01-01T00:00:00Z"), "nowhere")


def build(directory):
    for make in (_activities, _written, _people, _fields, _unique, _rows, _secrets, _texts):
        make(directory)


def _community(code):
    return Community(code, f"Conjunto de prueba {code}", "Bogotá", (4.65, -74.06), 14, plans=3, domain=f"{code.lower()}.example.co")


def _package(directory, community, description):
    package = Package(directory, "yaquedamos", CREATED, description)
    package.add("profiles", profiles())
    package.add("communities", [community.community])
    package.add("project_members", members(community))
    for table, rows in community.tables()[1:]:
        package.add(table, rows)
    return package


def _past(community):
    return [row for row in community.activities if row["date"] < stamp(TODAY)]


def _signed(community, activity):
    return [row for row in community.attendances if row["activityID"] == activity["activityID"] and not row["leftAt"]]


def _activities(directory):
    community = _community("ACTIVIDADES")
    full, late, left, before, free, priced, twice = [row for row in _past(community) if len(row["attendees"]) > 2][:7]
    future = next(row for row in community.activities if row["date"] > stamp(TODAY) and row["attendees"])
    full["maxAttendees"] = len(full["attendees"]) - 1                       # more came than there is room
    _signed(community, late)[0]["joinedAt"] = stamp(later(instant(late["date"]), hours=3))
    row = _signed(community, left)[0]                                       # left after it began, and was there all the same
    row.update(leftAt=stamp(later(instant(left["date"]), hours=1)), attended=True)
    row = _signed(community, before)[0]                                     # left before signing up
    row.update(leftAt=stamp(later(instant(row["joinedAt"]), days=-1)), attended=None)
    _signed(community, future)[0]["attended"] = True                        # was there before it was
    free.update(hasCost=False, costAmount=7000)
    priced.update(hasCost=True, costAmount=None)
    twice.update(endsAt=stamp(later(instant(twice["date"]), hours=-2)), latitude=None, longitude=None)
    again = dict(full, activityID=uuid7(instant(full["createdAt"]), "again", full["activityID"]), title=full["title"] + ".", attendees=[], maxAttendees=20)
    community.activities.append(again)
    community.settle()
    package = _package(directory / "activities", community, "Actividades sin plazas, inscripciones y retiros a destiempo, fechas y costos que se contradicen")
    package.write()
    package.expect(**{"import": {}, "validate": {
        "CUPO-EXCEDIDO": 1, "LISTA-EXCEDE-CUPO": 1, "ASISTENTES-NO-COINCIDEN": 2, "INSCRIPCION-TARDIA": 1, "SALIDA-TARDIA": 1, "SALIDA-ANTES-DE-ENTRAR": 1,
        "PRESENTE-SIN-INSCRIPCION": 1, "PRESENTE-ANTES-DE-TIEMPO": 1, "ACTIVIDAD-FECHAS": 1, "ACTIVIDAD-SIN-COORDENADAS": 1, "COSTO-SIN-MONTO": 1,
        "MONTO-SIN-COSTO": 1, "ACTIVIDAD-DOBLE": 1}})


def _written(directory):
    """Comments, votes and groups."""
    community = _community("ESCRITOS")
    other = _community("ESCRITOS-OTRA")
    author, activity, post = community.users[0], _past(community)[0], community.posts[0]
    moment = instant(post["timestamp"])
    community.comment(author, later(moment, hours=1), 90)                                           # below nothing
    community.comment(author, later(moment, hours=2), 91, activity=activity)["postID"] = post["postID"]     # below two things
    community.comment(author, later(moment, days=-2), 92, post=post)                                # before the post
    community.comment(author, later(moment, hours=3), 93, post=post)["text"] = "Escríbanme a ximena.canaria@example.co"
    activity["description"] += " Informes: organiza.canaria@example.co."
    community.needs[0]["votes"] += 5
    community.votes[-1]["votedAt"] = "2025-01-01T10:00:00Z"
    community.groups[0]["members"].append(community.users[-1]["userID"])
    for row in community.members:
        if row["groupID"] == community.groups[1]["groupID"]:
            row["isOwner"] = False
    stranger = other.users[0]
    community.attend(_past(community)[1], stranger, later(instant(_past(community)[1]["createdAt"]), hours=3))
    community.settle()
    package = _package(directory / "written", community, "Comentarios, votos y grupos que no cuadran")
    package.rows("communities").append(other.community)
    package.rows("users").append(stranger)
    package.rows("project_members").extend(members(other))
    stranger.update(score=0, level=1)
    package.write()
    package.expect(**{"import": {}, "validate": {
        "COMENTARIO-SIN-LUGAR": 1, "COMENTARIO-DOS-LUGARES": 1, "COMENTARIO-ANTES": 1, "TEXTO-CON-CORREO": 1, "DESCRIPCION-CON-CORREO": 1, "VOTOS-NO-CUADRAN": 1,
        "VOTO-ANTES": 1, "GRUPO-SIN-RESPONSABLE": 1, "MIEMBROS-NO-COINCIDEN": 1, "OTRA-COMUNIDAD": 1}})


def _people(directory):
    community = _community("PERSONAS")
    first, second, third, fourth = community.users[:4]
    first["phone"], second["phone"] = "+57 310 555 1234", "+57 3105551234"
    third["score"] += 15
    fourth["level"] += 3
    first["homeLatitude"] = None
    first["homeLongitude"] = -74.05
    badges = {(row["userID"], row["name"]) for row in community.achievements}
    new = community.users[-1]
    given = {"userID": new["userID"], "name": "attends_25", "icon": "badges/attends_25.png", "date": "2025-11-30"}
    assert (new["userID"], "attends_25") not in badges
    community.achievements += [dict(given, achievementID=uuid7(TODAY, community.code, "given"))]
    community.achievements += [dict(community.achievements[0], achievementID=uuid7(later(TODAY, hours=1), community.code, "twice"))]
    package = _package(directory / "people", community, "Cuentas dobles, puntos, niveles y logros que las reglas no dan")
    package.write()
    package.expect(**{"import": {}, "validate": {
        "PERSONA-DOBLE": 1, "PUNTOS-NO-CUADRAN": 1, "NIVEL-NO-CUADRA": 1, "LOGRO-SIN-MERITO": 1, "LOGRO-DOBLE": 1, "CASA-SIN-PAR": 1}})


def _fields(directory):
    """An activity needs a title, a description, a location and a date."""
    community = _community("CAMPOS")
    rows = _past(community)
    rows[0]["description"] = None
    rows[1]["location"] = None
    rows[2]["title"] = "X"
    rows[3]["category"] = "politics"
    rows[4]["latitude"] = 94.6372
    community.users[0]["phone"] = "llamar a la vecina"
    community.users[1]["visibility"] = "nobody"
    community.notifications[0]["reminderTime"] = -15
    community.posts[0]["image"] = "posts/" + "x" * 1100 + ".jpg"
    package = _package(directory / "fields", community, "Campos: longitud, rango, forma, vocabulario, obligatorios")
    package.write()
    package.expect(**{"import": {}, "validate": {"FIELD-REQUIRED": 2, "FIELD-LENGTH": 2, "FIELD-VOCABULARY": 2, "FIELD-RANGE": 2, "FIELD-PATTERN": 1}})


def _unique(directory):
    """Two accounts of one address, two votes and two places of one person."""
    community = _community("DOBLES")
    community.users[1]["email"] = community.users[0]["email"]
    vote = community.votes[0]
    community.votes.append(dict(vote, id=uuid7(later(instant(vote["votedAt"]), hours=1), "again", vote["id"])))
    community.needs[0]["votes"] += 1
    row = _signed(community, _past(community)[0])[0]
    community.attendances.append(dict(row, id=uuid7(later(instant(row["joinedAt"]), hours=1), "again", row["id"]), attended=False))
    package = _package(directory / "unique", community, "Cuentas, votos e inscripciones que se repiten")
    package.write()
    package.expect(**{"import": {}, "validate": {"FIELD-UNIQUE": True, "ASISTENTES-NO-COINCIDEN": 1}})


def _rows(directory):
    """Rows that an import must not take as they are. Two of them hold secrets."""
    community = _community("FILAS")
    secret = generator("rejected")
    community.users.append(dict(community.users[0], userID=uuid7(TODAY, community.code, "score"), email="muchos@filas.example.co", phone=None, score="muchos",
                                passwordHash=canary_hash(secret)))
    community.users.append({"name": "Sin Identidad", "email": "sin.identidad@filas.example.co", "visibility": "public",
                            "passwordHash": canary_hash(secret), "sessionToken": canary_token(secret, "session")})
    community.users[2]["apiKey"] = canary_token(secret, "unknown")     # a field that nobody knows
    lonely = dict(community.activities[0], activityID=uuid7(TODAY, community.code, "day"), title="Sin día", attendees=[], date="el sábado")
    community.activities.append(lonely)
    community.comments[0]["authorID"] = _NOWHERE
    package = _package(directory / "import-rows", community, "Filas que la importación rechaza")
    package.write()
    package.expect(**{"import": {"FIELD-TYPE": 2, "IMPORT-NO-ID": 1, "FIELD-REFERENCE": 1, "IMPORT-UNKNOWN-FIELD": 1}, "validate": {}})


def _secrets(directory):
    """Hashes and tokens of a wrong form. Nobody sees them, so no check judges them, and no finding quotes them."""
    community = _community("SECRETOS")
    secret = generator("long")
    community.users[0]["passwordHash"] = canary_hash(secret) * 5
    community.users[1]["sessionToken"] = canary_token(secret, "session") * 70
    package = _package(directory / "secrets", community, "Resúmenes y fichas demasiado largos")
    package.write()
    package.expect(**{"import": {}, "validate": {}})


def _texts(directory):
    """Names that a spreadsheet runs, that a page takes for markup, that break lines."""
    community = _community("TEXTOS")
    community.users[0]["name"] = "=HYPERLINK(\"http://mal.example\";\"clic\")"
    community.users[1]["name"] = "<script>alert(1)</script>"
    community.users[2]["bio"] = "línea una\nlínea dos\ttabulada\x07con campana"
    community.users[3]["name"] = "'; DROP TABLE users; --"
    community.activities[0]["title"] = "Caminata\nBEGIN:VEVENT\nATTENDEE:mailto:nadie@example.co"
    community.activities[1]["title"] = "+57 300 000 0000, @todos"
    package = _package(directory / "texts", community, "Textos que un formato no puede llevar tal cual")
    package.write()
    package.expect(**{"import": {}, "validate": {}, "export": {"TEXT-FORMULA": True, "TEXT-CHARACTER": 3}})
