"""YaQuedamos: two communities, sound in every way."""
from .community import Community
from .device import member
from .package import Package
from .people import YAQUEDAMOS, profile
from .seeded import instant, later, stamp

CREATED = "2025-11-30T15:00:00Z"
_ROLES = tuple((f"{mail}@example.co", role) for mail, _, role, _, _, seen in YAQUEDAMOS if seen)


def build(directory):
    communities = [
        Community("BOG-TEU", "Vecinos de Teusaquillo", "Bogotá", (4.6372, -74.0795), 48),
        Community("MED-LAU", "Parche de Laureles", "Medellín", (6.2447, -75.5916), 22, plans=4),
    ]
    package = Package(directory, "yaquedamos", CREATED, "Dos comunidades de vecinos: actividades, grupos, necesidades y logros")
    package.add("profiles", profiles())
    package.add("communities", [one.community for one in communities])
    package.add("project_members", [row for one in communities for row in members(one)])
    for (table, first), (_, second) in list(zip(communities[0].tables(), communities[1].tables()))[1:]:
        package.add(table, first + second)
    package.write()
    package.expect(**{"import": {}, "validate": {}, "export": {"TEXT-FORMULA": True}})


def profiles():
    return [profile(*person, "example.co", f"+57 300 000 00{index:02d}", stamp(instant("2025-11-29T12:30:00Z"))) for index, person in enumerate(YAQUEDAMOS)]


def members(community):
    return [member(community.id, email, role, later(instant(CREATED), days=-200)) for email, role in _ROLES]
