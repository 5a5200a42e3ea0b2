"""The eight families of the Anagrafica samples: which parameters each has, and values that fit them.

Between them their schemas use every constraint that a parameter can have: required, required when, minimum, maximum, step,
options, pattern, lengths, defaults, units, how it adds up; texts, integers, decimals, booleans, dates, single and multiple choices; of the
type and of the instance."""


def _p(key, kind, scope, es, en, it, **more):
    return {"key": key, "label": {"es": es, "en": en, "it": it}, "type": kind, "scope": scope, **more}


def _maker():
    return [
        _p("manufacturer", "text", "type", "Fabricante", "Manufacturer", "Produttore", required=True, minLength=2, maxLength=60),
        _p("model", "text", "type", "Modelo", "Model", "Modello", required=True, minLength=1, maxLength=80),
    ]


def _condition():
    return [
        _p("condition", "enum", "instance", "Estado", "Condition", "Stato", required=True,
           options=["nuovo", "buono", "usurato", "danneggiato"], default="buono"),
        _p("defect", "text", "instance", "Defecto", "Defect", "Difetto", minLength=3, maxLength=500,
           requiredWhen="condition = 'danneggiato'"),
    ]


# name, icon, photoMin, photoMax, own parameters
_FAMILIES = (
    ("Lighting", "lightbulb", 1, 5, [
        _p("fixture", "enum", "type", "Tipo de luminaria", "Fixture", "Apparecchio", required=True,
           options=["plafoniera", "pannello", "lineare", "faretto", "emergenza"]),
        _p("power", "decimal", "type", "Potencia", "Power", "Potenza", required=True, unit="W", min=0.5, max=400, step=0.5, adds="sum"),
        _p("flux", "integer", "type", "Flujo luminoso", "Luminous flux", "Flusso luminoso", unit="lm", min=50, max=40000, step=10, adds="sum"),
        _p("protection", "text", "type", "Grado de protección", "Protection", "Grado di protezione", pattern="IP[0-6][0-9]"),
        _p("mounting", "enum", "instance", "Montaje", "Mounting", "Montaggio", required=True, options=["ceiling", "wall", "recessed", "pendant"]),
        _p("ceiling_height", "decimal", "instance", "Altura del techo", "Ceiling height", "Altezza soffitto", unit="m", min=2, max=12,
           step=0.05, requiredWhen="mounting = 'ceiling'", adds="mean"),
        _p("working", "boolean", "instance", "Funciona", "Working", "Funzionante", required=True, default=True),
    ]),
    ("Radiators", "thermometer", 1, 4, [
        _p("material", "enum", "type", "Material", "Material", "Materiale", required=True, options=["ghisa", "acciaio", "alluminio"]),
        _p("output", "integer", "type", "Potencia térmica", "Heat output", "Resa termica", required=True, unit="W", min=100, max=6000, adds="sum"),
        _p("elements", "integer", "type", "Elementos", "Elements", "Elementi", required=True, min=1, max=40, adds="sum"),
        _p("valve", "list", "instance", "Válvulas", "Valves", "Valvole", required=True,
           options=["termostatica", "manuale", "detentore", "sfiato"]),
        _p("last_purge", "date", "instance", "Última purga", "Last purge", "Ultimo spurgo"),
    ]),
    ("Access points", "wifi", 1, 3, [
        _p("standard", "enum", "type", "Norma", "Standard", "Standard", required=True, options=["Wi-Fi 5", "Wi-Fi 6", "Wi-Fi 6E"]),
        _p("bands", "list", "type", "Bandas", "Bands", "Bande", required=True, options=["2.4 GHz", "5 GHz", "6 GHz"]),
        _p("mac", "text", "instance", "Dirección MAC", "MAC address", "Indirizzo MAC", required=True, pattern="([0-9A-F]{2}:){5}[0-9A-F]{2}"),
        _p("poe", "boolean", "instance", "Alimentado por PoE", "Powered by PoE", "Alimentato PoE", required=True),
        _p("outlet", "text", "instance", "Toma de red", "Outlet", "Presa di rete", maxLength=12, requiredWhen="poe = true"),
    ]),
    ("Fire extinguishers", "fire-extinguisher", 1, 5, [
        _p("agent", "enum", "type", "Agente", "Agent", "Estinguente", required=True, options=["polvere", "CO2", "schiuma"]),
        _p("charge", "decimal", "type", "Carga", "Charge", "Carica", required=True, unit="kg", min=1, max=50, step=0.5, adds="sum"),
        _p("rating", "text", "type", "Clase de fuego", "Fire rating", "Classe di fuoco", pattern="([0-9]{1,2}A )?[0-9]{2,3}B( C)?"),
        _p("serial", "text", "instance", "Número de serie", "Serial number", "Matricola", required=True, minLength=6, maxLength=14),
        _p("inspected", "date", "instance", "Última revisión", "Last inspection", "Ultima revisione", required=True),
        _p("signed", "boolean", "instance", "Señalizado", "Signed", "Segnalato", required=True),
    ]),
    ("Doors", "door", 1, 4, [
        _p("rating", "enum", "type", "Resistencia al fuego", "Fire resistance", "Resistenza al fuoco", required=True,
           options=["nessuna", "EI 30", "EI 60", "EI 120"]),
        _p("width", "integer", "type", "Ancho de paso", "Clear width", "Luce netta", required=True, unit="cm", min=60, max=240, step=5, adds="none"),
        _p("leaves", "integer", "type", "Hojas", "Leaves", "Ante", required=True, min=1, max=2, adds="sum"),
        _p("panic_bar", "boolean", "instance", "Barra antipánico", "Panic bar", "Maniglione antipanico", required=True, default=False),
        _p("opening", "enum", "instance", "Apertura", "Opening", "Apertura", options=["interna", "esterna", "scorrevole"],
           requiredWhen="panic_bar = true"),
    ]),
    ("Split units", "air-conditioner", 1, 5, [
        _p("cooling", "decimal", "type", "Potencia frigorífica", "Cooling capacity", "Potenza frigorifera", required=True, unit="kW",
           min=1.5, max=20, step=0.1, adds="sum"),
        _p("refrigerant", "enum", "type", "Refrigerante", "Refrigerant", "Refrigerante", required=True, options=["R32", "R410A", "R290"]),
        _p("serial", "text", "instance", "Número de serie", "Serial number", "Matricola", required=True, pattern="[A-Z]{2}[0-9]{6,8}"),
        _p("installed", "date", "instance", "Instalación", "Installed", "Installazione"),
        _p("set_point", "decimal", "instance", "Consigna", "Set point", "Temperatura impostata", unit="°C", min=16, max=30, step=0.5, default=26, adds="mean"),
    ]),
    ("Sockets/Electrical panels", "plug", 1, 6, [
        _p("poles", "integer", "type", "Polos", "Poles", "Poli", required=True, min=1, max=4, adds="sum"),
        _p("current", "integer", "type", "Corriente nominal", "Rated current", "Corrente nominale", required=True, unit="A", min=6, max=630, adds="none"),
        _p("voltage", "enum", "type", "Tensión", "Voltage", "Tensione", required=True, options=["230 V", "400 V"]),
        _p("circuit", "text", "instance", "Circuito", "Circuit", "Circuito", required=True, pattern="Q[0-9]{1,2}\\.[0-9]{1,2}", maxLength=6),
        _p("residual_tested", "date", "instance", "Ensayo diferencial", "RCD tested", "Prova differenziale"),
        _p("height", "integer", "instance", "Altura", "Height", "Altezza", unit="cm", min=0, max=260, step=1, adds="mean"),
    ]),
    ("Smoke detectors", "smoke", 1, 3, [
        _p("principle", "enum", "type", "Principio", "Principle", "Principio", required=True, options=["ottico", "termico", "combinato"]),
        _p("addressable", "boolean", "type", "Direccionable", "Addressable", "Indirizzabile", required=True),
        _p("address", "integer", "instance", "Dirección", "Address", "Indirizzo", required=True, min=1, max=254, adds="none"),
        _p("tested", "date", "instance", "Ensayo", "Tested", "Prova"),
    ]),
)

NAMES = tuple(name for name, *_ in _FAMILIES)


def families():
    """(name, icon, photoMin, photoMax, schema) of each family."""
    return [(name, icon, least, most, _maker() + own + _condition()) for name, icon, least, most, own in _FAMILIES]
