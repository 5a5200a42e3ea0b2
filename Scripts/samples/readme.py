"""Writes Samples/README.md from what was made, so that its counts are true."""
import json
import pathlib

_HEAD = """# Samples

Real-looking input for every system and, beside it, small packages that are broken on purpose. All of it is made by
`Scripts/make-samples` (Debian's python3, python3-pil and python3-openpyxl); every value follows from a fixed seed, so that it makes the same bytes
again. Do not edit these files: change the script. People, firms and measurements are invented; mail addresses end in
`example.pe`, `example.it` or `example.co`.

Each set is a directory package: `manifest.json` (what it is, its files with rows and SHA-256, its photos), `data/` (one file a table,
a JSON array or, as `.ndjson`, one object a line; parents before children) and `photos/`. Beside the package, `NAME.expected.json`
says which findings must come out at import, validation and export: a number where exactly so many come, `true` where at least one
does; `after` names a package that has to be imported before, `mapping` the mapping to import it by. What comes beside what a set is about
stands under `beside`; anything else fails `BrokenSampleTests`. Floor plans and the app's folder have theirs in `anagrafica/broken` (`source`).

Rows may carry a device's own states: `syncStatus`, `localVersion`, `remoteUpdatedAt`. InGe+'s and meSync's files use the central tables'
snake_case, Anagrafica's and YaQuedamos' the app's camelCase.
"""

_INGEPLUS = """
## ingeplus/survey

Four projects: two roads in Piura (UTM 17 south; one of them below the level of the sea), a building in Huancayo (18), a road on the
plateau west of Lake Titicaca (19). Work as `coordinadora@example.pe`, who is a member of all of them.

{counts}

What it holds on purpose:

- every record state and every sync state; pits whose strata are in step and whose photo is not (CHU-2025 C-08); two conflicts with
  both payloads; a queue; {states}
- profiles of all nine roles, beside them one never validated online (`nuevo`), one inactive, one suspended, one pending
- dry pits, pits with water, pits where nobody measured; fill, peat and rock without tests; a pit refused in rock at 1.35 m
- accents, ñ, quotes, `<>&`, line breaks, a description of more than 500 characters (CHU-2025 C-13), texts that a spreadsheet would
  run as formulas (`=ver croquis`, `-0.15 m …`, `+ 2 bolsas …`, `@revisar …`), altitudes below zero (BAY-2025)
- photos with GPS, time, maker and orientation (some held upright) in their EXIF data; one without a GPS fix (CHU-2025 C-11);
  one draft without any photo (BAY-2025 C-08)
- no finding of severity error; see `survey.expected.json`
"""

_LEGACY = """
## ingeplus/legacy

What old programs and devices leave: FoxPro tables with memos in CP850, registers, workbooks of forms (one test pit each), an Access 2000
database tied by autonumbers, and the SQLite database of a field device. What is in them is told in `ingeplus/legacy/README.md`.
`ingeplus/brand` holds the look of an invented firm for documents: two logos and `brand.yaml`.
"""

_ANAGRAFICA = """
## anagrafica/survey

A school of three levels and forty rooms (rectangles and L-shapes that fill each floor without a gap), walked by two operators,
corrected and approved: 8 families, 40 types, 400 assets, 500 photos, and the log of events from which all of that follows. Beside it
a nursery in state Draft, half walked, with rows that wait, fail or are on their way. Work as `ufficio@example.it`.

{counts}

What it holds on purpose:

- parameter schemas in list form with every constraint: required, required when, minimum, maximum, step, options, pattern, lengths,
  defaults, units; texts, integers, decimals, booleans, dates, single and multiple choices; of type and of instance
- a family whose name no sheet can bear (`Sockets/Electrical panels`)
- both spellings of the events, a type made on site, an asset registered twice and taken back, values put right later
- photos that serve two assets; names in both documented forms, with operators whose ids hold an underscore. Of the school's 500
  photos {drawn} have a file here (a dozen at 1280 × 960); the others have their record only, uploaded and cleaned away: an export
  with photos must count them as missing
- four rooms without assets, each with a note that says why
- no finding of severity error; see `survey.expected.json`
"""

_COBIE = """
## anagrafica/legacy

`cobie/edificio.xlsx`: a COBie 2.4 workbook of a town hall: 3 floors (in no order), 7 spaces, 5 types (one without a category), 11
components (two in two spaces each, one in a space that is not there), 13 attributes; `n/a` in empty cells, a sheet of instructions, a
hidden one of lists, a document. `cobie/expected.json` tells what must come of it.
"""

_COURIER = """
## interrapidisimo/survey

Three couriers' devices and their server, as one package: each source takes the place of a project. Work as `supervisora@example.co`, who
is a member of all of them.

{counts}

What it holds on purpose:

- a name that two devices gave to different photos (`recogida_003.jpg`); a device without any row (R-19)
- versions that a comparison of texts would put in the wrong order (100.10.0 is newer than 100.2.0)
- names of localities with backslashes, accents and a comma; a schema whose statements hold commas within brackets
- no finding of severity error; see `survey.expected.json`

## interrapidisimo/legacy

`devices/*.db` are the SQLite files as the app leaves them: a row in `users` for each login and in `schema_tables` for each sync, photos as
BLOBs, times in UTC without a zone. `server/` has the server's answers in every shape that was seen: the version as text and as number, the
schema under either spelling of its keys, the localities as an array, wrapped, with ids that are numbers, and a later catalogue. Mappings
read the same answers as CSV. `sources.csv` is the office's list of devices. `expected.json` tells what must come of each file, in its order.

    fichero import sources.csv --mapping fuentes --join
    fichero import server/localities.csv --mapping localidades --project SERVIDOR
    fichero import devices/R-07.db --mapping base-dispositivo --project R-07 --option app_version=100.2.1
"""

_BROKEN = """
## {system}/broken

Each is a small sound package with its own project, spoiled in one way; all can be imported into one replica, beside the survey or
alone. Work as `{actor}`.

| set | what is wrong | rows | findings |
| --- | --- | --- | --- |
{lines}
"""


_PLANS = """
## anagrafica/plans, anagrafica/app-folder

`plans/school.dxf` is a sound floor plan (millimetres; two levels, the upper one drawn first; five rooms, among them an L, one with a
round end, an old-style polyline, a label in a paragraph text). `plans/school-broken.dxf` breaks each rule once. `app-folder/` has the
form of the files that the Anagrafica app itself carries: a doubly escaped pattern, levels out of order, a ring with a repeated
point, a room with a default name, a background that is missing.

    fichero import Samples/anagrafica/app-folder
    fichero import Samples/anagrafica/plans/school.dxf --project "Rilievo 7C2E4B1A" --dry-run
"""

_MESYNC = """
## mesync/survey

Two people, mother and son, from June to November 2025: what they want to do, have to do and take, and what became of each day. Work
as `admin@example.pe`, who sees both, or as `carmen@example.pe`, who sees herself; her son sees her too, as her carer.

{counts}

What it holds on purpose:

- habits of every frequency (daily, days of the week, days of the month, whenever needed); medicines of one, two and three doses; one
  medicine and two habits that begin later
- days that are done, skipped, left open, and days without a row because nobody opened the app; Sundays and evenings are worse, every
  month a little, holidays (17 to 26 September for her, 31 July to 14 August for him) much
- tasks that are done early, on the day and late, skipped, overdue and still to come, in three priorities
- texts with accents, quotes, `<&>`, line breaks, emoji, and texts that a spreadsheet would run as formulas
- no finding of severity error; see `survey.expected.json`

`mesync/supabase` has the same rows as the server's console writes them, one CSV file a table: instants as `2025-06-01 13:07:00+00`,
arrays as `{{08:00:00,20:00:00}}`. `mesync/device` is what the app leaves on a device, `mesync/version-1` the store of the app before it;
what is in them is told in `device.md` and in its `README.md`.
"""

_YAQUEDAMOS = """
## yaquedamos/survey

Two communities of neighbours, one in Bogotá and one in Medellín, from March to December 2025. Work as `administracion@example.co`;
`analisis@example.co` sees nothing personal. Points, levels and badges are right on 1 December 2025.

{counts}

What it holds on purpose:

- a hash and tokens for every account: each begins with `CanaryHash` or `CanaryToken`, so that one search tells whether any of them left
- people with and without a telephone, a picture, a place; profiles for all, for members, private
- activities that are over and that come, full and empty, free and with a cost; people who gave their place back, people who stayed away
- accents, quotes, an emoji, `<>&`, a comment that a spreadsheet would run (`=mejor a las 8`), telephones with a plus
- no finding at all; see `survey.expected.json`
"""

_ACCOUNTS = """
## yaquedamos/legacy

`cuentas.csv`: accounts as a console writes them, hashes among them. `inscripciones.csv`: an organiser's sign-ups in Windows-1252, one of
them by somebody without an account. Both need `--project BOG-TEU`, after the survey; `expected.json` tells what must come of them.
"""


def write(target):
    target = pathlib.Path(target)
    parts = [_HEAD]
    for system, text, actor in (("ingeplus", _INGEPLUS, "coordinadora@example.pe"), ("anagrafica", _ANAGRAFICA, "ufficio@example.it"),
                                 ("interrapidisimo", _COURIER, "supervisora@example.co"),
                                 ("mesync", _MESYNC, "admin@example.pe"),
                                 ("yaquedamos", _YAQUEDAMOS, "administracion@example.co")):
        manifest = _read(target / system / "survey/manifest.json")
        parts.append(text.format(counts=_counts(manifest), states=_states(target / system), drawn=_drawn(target / system, manifest)))
        lines = [_line(path) for path in sorted((target / system / "broken").iterdir()) if path.is_dir()]
        parts.append(_BROKEN.format(system=system, actor=actor, lines="\n".join(lines)))
        if system == "ingeplus":
            parts.append(_LEGACY)
        elif system == "anagrafica":
            parts.append(_PLANS)
            parts.append(_COBIE)
        elif system == "yaquedamos":
            parts.append(_ACCOUNTS)
    (target / "README.md").write_text("".join(parts), encoding="utf-8")


def _read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def _counts(manifest):
    rows = "\n".join(f"| `{entry['entity']}` | {entry['rows']} |" for entry in manifest["entities"])
    return f"| table | rows |\n| --- | --- |\n{rows}\n| files in `photos/` | {len(manifest['photos'])} |"


def _states(directory):
    """How many pits stand in each state; nothing for a system without pits."""
    path = directory / "survey/data/calicatas.json"
    if not path.exists():
        return ""
    counts = {}
    for row in _read(path):
        counts[row["status"]] = counts.get(row["status"], 0) + 1
    return "pits by state: " + ", ".join(f"{state} {count}" for state, count in sorted(counts.items()))


def _drawn(directory, manifest):
    path = directory / "survey/data/photos.json"
    if not (directory / "survey/data/projects.json").exists() or not path.exists():
        return 0
    school = _read(directory / "survey/data/projects.json")[0]["id"]
    return sum(1 for row in _read(path) if row["projectId"] == school and row["filepath"])


def _line(path):
    expected = _read(path.with_name(path.name + ".expected.json"))
    if (path / "manifest.json").exists():
        manifest = _read(path / "manifest.json")
        description, rows = manifest["description"], sum(entry["rows"] for entry in manifest["entities"])
    else:
        description = "Tablas de otro programa: lo que nota su mapeo"
        rows = sum(len(table.read_bytes().splitlines()) - 1 for table in path.glob("*.csv"))
    after = "".join(f" ({word} `{expected[key]}`)" for key, word in (("after", "after"), ("mapping", "by")) if key in expected)
    return f"| `{path.name}`{after} | {description} | {rows} | [what is found]({path.parent.parent.name}/broken/{path.name}.expected.json) |"
