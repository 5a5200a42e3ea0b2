"""Where the pits of the InGe+ samples are: alignments, ground and landscape of four invented projects in real country.

A profile is what a pit goes through from the top: (symbol, thickness from–to in metres, colour, moisture, shape, largest particle).
Symbols beside those of ASTM D2487: RELLENO (fill) and ROCA (weathered rock)."""

COLOURS = {
    "beige claro": (206, 186, 148), "beige": (190, 166, 124), "marrón claro": (168, 132, 92), "marrón": (128, 94, 62),
    "marrón oscuro": (88, 66, 46), "marrón rojizo": (146, 84, 58), "gris": (134, 132, 126), "gris claro": (172, 170, 162),
    "gris verdoso": (120, 128, 108), "gris oscuro": (82, 82, 80), "negro": (50, 46, 42), "amarillento": (198, 166, 96),
    "blanquecino": (214, 208, 194), "pardo amarillento": (174, 140, 86),
}

# Alluvial fans and terraces at the foot of the western cordillera, with dry forest; residual soils
# on intrusive rock further up.
_PIURA = (
    (("SM", (0.25, 0.5), "beige claro", "seco", "subredondeadas", '½"'),
     ("SP-SM", (0.4, 0.8), "beige", "seco", "subredondeadas", '¾"'),
     ("SC", (0.4, 0.8), "marrón claro", "húmedo", "subangulosas", '½"'),
     ("GP-GM", (0.5, 0.9), "gris claro", "húmedo", "redondeadas", '3"')),
    (("SM", (0.2, 0.4), "marrón claro", "seco", "subangulosas", '¾"'),
     ("CL", (0.5, 0.9), "marrón", "húmedo", "subangulosas", '⅜"'),
     ("SC", (0.5, 0.8), "marrón rojizo", "húmedo", "subangulosas", '1"'),
     ("SC-SM", (0.4, 0.7), "pardo amarillento", "húmedo", "angulosas", '1½"')),
    (("RELLENO", (0.2, 0.4), "gris", "seco", "angulosas", '2"'),
     ("SM", (0.4, 0.7), "beige", "seco", "subredondeadas", '1½"'),
     ("GM", (0.4, 0.8), "pardo amarillento", "seco", "subangulosas", '2½"'),
     ("SW-SM", (0.5, 0.9), "beige claro", "húmedo", "subredondeadas", '1"'),
     ("GC", (0.3, 0.6), "marrón rojizo", "húmedo", "angulosas", '3"')),
    (("SC-SM", (0.3, 0.5), "marrón", "seco", "angulosas", '1"'),
     ("GC", (0.4, 0.7), "marrón rojizo", "seco", "angulosas", '2"'),
     ("ROCA", (0.4, 0.8), "gris verdoso", "seco", "angulosas", '10"')),
)
# Terraces of the Mantaro: fluvial gravels under silt and clay, Quaternary, with thin peat beside
# old channels.
_JUNIN = (
    (("RELLENO", (0.4, 0.9), "gris oscuro", "húmedo", "angulosas", '4"'),
     ("CL", (0.5, 1.1), "marrón", "húmedo", "subredondeadas", '½"'),
     ("ML", (0.4, 0.8), "pardo amarillento", "húmedo", "subredondeadas", '½"'),
     ("GC", (0.6, 1.2), "marrón claro", "húmedo", "subredondeadas", '3"'),
     ("GP", (1.0, 2.4), "gris", "mojado", "redondeadas", '5"')),
    (("OL", (0.3, 0.5), "negro", "húmedo", "subredondeadas", '⅜"'),
     ("CL-ML", (0.6, 1.1), "marrón claro", "húmedo", "subredondeadas", '½"'),
     ("GP-GC", (0.8, 1.5), "marrón", "húmedo", "subredondeadas", '3"'),
     ("GW-GM", (0.8, 1.6), "gris", "húmedo", "redondeadas", '4"'),
     ("GP", (0.8, 1.6), "gris claro", "mojado", "redondeadas", '6"')),
)
# Lacustrine and alluvial plain west of Lake Titicaca: organic topsoil, silts and plastic clays,
# high water table; gravel on the fans.
_PUNO = (
    (("OL", (0.2, 0.35), "negro", "húmedo", "subredondeadas", '⅜"'),
     ("CL", (0.4, 0.8), "marrón oscuro", "húmedo", "subredondeadas", '½"'),
     ("CH", (0.5, 0.9), "gris verdoso", "mojado", "subredondeadas", '⅜"'),
     ("SM", (0.4, 0.7), "gris oscuro", "mojado", "subredondeadas", '½"')),
    (("PT", (0.15, 0.3), "negro", "mojado", "", ""),
     ("OH", (0.3, 0.6), "gris oscuro", "mojado", "subredondeadas", '⅜"'),
     ("MH", (0.5, 0.9), "gris", "mojado", "subredondeadas", '⅜"'),
     ("SP-SM", (0.5, 0.8), "gris claro", "mojado", "redondeadas", '½"')),
    (("RELLENO", (0.2, 0.35), "marrón rojizo", "seco", "subangulosas", '2"'),
     ("ML", (0.3, 0.6), "marrón claro", "seco", "subredondeadas", '½"'),
     ("GC-GM", (0.4, 0.7), "marrón rojizo", "húmedo", "subangulosas", '2"'),
     ("GM", (0.5, 0.9), "marrón", "húmedo", "subredondeadas", '3"'),
     ("GW", (0.3, 0.6), "gris", "húmedo", "redondeadas", '3"')),
)
# The depression of Bayóvar, below the sea: wind-blown sand over salty marine clay and shell beds.
_SECHURA = (
    (("SP", (0.5, 0.9), "beige claro", "seco", "redondeadas", '⅜"'),
     ("SP-SM", (0.5, 0.8), "amarillento", "seco", "redondeadas", '½"'),
     ("CH", (0.4, 0.8), "gris verdoso", "húmedo", "subredondeadas", '⅜"')),
    (("SP", (0.3, 0.6), "beige claro", "seco", "redondeadas", '⅜"'),
     ("SW", (0.3, 0.6), "blanquecino", "húmedo", "subangulosas", '1"'),
     ("SM", (0.4, 0.7), "gris claro", "húmedo", "subredondeadas", '½"'),
     ("CL", (0.4, 0.8), "gris verdoso", "mojado", "subredondeadas", '⅜"')),
)

_COAST = {"sky": (176, 204, 226), "hills": (150, 138, 108), "ground": (182, 162, 122), "road": (158, 150, 138), "relief": 44}
_DESERT = {"sky": (202, 214, 222), "hills": (196, 176, 136), "ground": (204, 186, 148), "road": (170, 162, 148), "relief": 14}
_VALLEY = {"sky": (150, 186, 224), "hills": (104, 116, 78), "ground": (140, 126, 92), "road": (146, 142, 136), "relief": 76}
_PLATEAU = {"sky": (120, 170, 228), "hills": (150, 140, 98), "ground": (168, 152, 104), "road": (142, 134, 124), "relief": 36}

# `line`: (latitude, longitude, altitude) along the axis; `first` and `spacing` in metres of
# chainage.
PLACES = (
    {
        "code": "CHU-2025", "kind": "road", "zone": 17, "pits": 24, "first": 0, "spacing": 500, "road_class": "CARRETERA_3",
        "name": "Mejoramiento de la carretera vecinal Chulucanas – Frías, tramo km 0+000 al km 12+000",
        "client": "Consorcio Vial Alto Piura", "location": "Chulucanas, Morropón, Piura",
        "description": "Estudio de suelos, canteras y fuentes de agua a nivel definitivo; ancho de calzada 6.60 m.",
        "line": ((-5.0920, -80.1520, 96), (-5.0655, -80.1120, 128), (-5.0300, -80.0880, 176), (-4.9985, -80.0660, 262)),
        "profiles": _PIURA, "depths": (1.5, 2.4), "wet": 0.15, "landscape": _COAST, "sector": "Sector {n}, quebrada Seca",
        "begins": "2025-03-03T13:00:00Z", "shape": (1.2, 0.9),
    },
    {
        "code": "HYO-2025", "kind": "building", "zone": 18, "pits": 12, "first": None, "spacing": 22, "road_class": None,
        "name": "Edificio de laboratorios \"Pabellón Ñ\" – Campus El Tambo",
        "client": "Instituto Técnico Valle del Mantaro S.A.C.", "location": "El Tambo, Huancayo, Junín",
        "description": "Estudio de mecánica de suelos con fines de cimentación (NTE E.050): 5 pisos, 1 sótano, área 2 900 m².",
        "line": ((-12.0562, -75.2218, 3268),), "profiles": _JUNIN, "depths": (3.0, 6.0), "wet": 0.35, "landscape": _VALLEY,
        "sector": "Bloque {n}", "begins": "2025-05-12T13:30:00Z", "shape": (1.8, 1.2),
    },
    {
        "code": "JLP-2025", "kind": "road", "zone": 19, "pits": 22, "first": 12300, "spacing": 400, "road_class": "CARRETERA_2",
        "name": "Rehabilitación de la carretera Juliaca – Lampa, km 12+300 al km 21+000",
        "client": "Constructora Altiplano & Hermanos S.R.L.", "location": "Lampa, Puno",
        "description": "Evaluación geotécnica de la subrasante y diseño de pavimento <alternativa B>.",
        "line": ((-15.4460, -70.2140, 3836), (-15.4210, -70.2610, 3852), (-15.3960, -70.2960, 3880)),
        "profiles": _PUNO, "depths": (1.5, 2.6), "wet": 0.55, "landscape": _PLATEAU, "sector": "Pampa {n}",
        "begins": "2025-08-18T14:00:00Z", "shape": (1.0, 1.0),
    },
    {
        "code": "BAY-2025", "kind": "road", "zone": 17, "pits": 8, "first": 0, "spacing": 250, "road_class": "TROCHA",
        "name": "Acceso vial a la planta de salmueras de la depresión de Bayóvar",
        "client": "Salinera del Desierto S.A.", "location": "Sechura, Piura",
        "description": "Acceso no pavimentado de 1.9 km; cotas bajo el nivel del mar.",
        "line": ((-5.9480, -80.7920, 4), (-5.9560, -80.7830, -17), (-5.9640, -80.7760, -33)),
        "profiles": _SECHURA, "depths": (1.5, 2.0), "wet": 0.3, "landscape": _DESERT, "sector": "Pampa salina {n}",
        "begins": "2025-10-06T13:00:00Z", "shape": (1.0, 1.0),
    },
)
