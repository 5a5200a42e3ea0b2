"""A small healthy package of test pits for each broken set to spoil: what is wrong in a set is then all that is wrong."""
from .device import member
from .package import Package
from .pits import pits
from .places import PLACES
from .seeded import instant, later
from .survey_ingeplus import CREATED, profiles
from .survey_pits import calicata_row, corte_rows, photo, project_row, states

ACTOR = "coordinadora@example.pe"
_PEOPLE = (ACTOR, "admin@example.pe", "campo1@example.pe", "campo2@example.pe", "especialista@example.pe")


class Healthy:
    """Rows by table, ready to be changed; `package` then puts them into a package in load order."""

    def __init__(self, code, count=4, state="APROBADO", photos=True):
        place = dict(PLACES[0], code=code, pits=count, states=((state, "synced", count),), name=f"Conjunto de prueba {code}",
                     description="Filas erróneas a propósito; todo lo demás es correcto.")
        self.project = dict(project_row(place), **states("synced", instant(CREATED)))
        self.members = [member(self.project["id"], ACTOR, "COORDINADOR_PROYECTO", later(instant(CREATED), days=-200))]
        self.calicatas, self.cortes, self.photos, self.pictures = [], [], [], {}
        for pit in pits(place):
            calicata = calicata_row(self.project, pit)
            self.calicatas.append(calicata)
            self.cortes += corte_rows(calicata, pit)
            if photos:
                row, data = photo(self.project, calicata, pit, "wall", 0, 9_000)
                self.photos.append(row)
                self.pictures[row["id"]] = data
        for row in self.calicatas:
            row.update(observations=None)

    def cortes_of(self, index):
        return [row for row in self.cortes if row["calicata_id"] == self.calicatas[index]["id"]]

    def package(self, directory, description, lines=False):
        package = Package(directory, "ingeplus", CREATED, description)
        package.add("profiles", [row for row in profiles() if row["email"] in _PEOPLE])
        package.add("projects", [self.project])
        package.add("project_members", self.members)
        package.add("calicatas", self.calicatas)
        package.add("calicata_cortes", self.cortes, lines)
        package.add("calicata_photos", self.photos)
        for row in self.photos:
            data = self.pictures.get(row["id"])
            if data is not None:
                package.add_photo(row["filename"], "calicata_photos", row["id"], data)
        return package
