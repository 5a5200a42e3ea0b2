"""The forty types of the Anagrafica samples, and what an instance of each family is measured to be."""
import datetime

# (name, manufacturer, model, further type parameters), five for each family in the order of
# `families.NAMES`.
TYPES = {
    "Lighting": (
        ("Lumora 30W wall light", "Lumora", "WL-30", {"fixture": "plafoniera", "power": 30, "flux": 3200, "protection": "IP44"}),
        ("Lumora 600×600 LED panel", "Lumora", "PN-66/40", {"fixture": "pannello", "power": 40, "flux": 4400, "protection": "IP20"}),
        ("Chiaralux T8 2×36", "Chiaralux", "T8-236", {"fixture": "lineare", "power": 72, "flux": 6700}),
        ("Spot Alba 7.5W", "Alba Luce", "AL7.5", {"fixture": "faretto", "power": 7.5, "flux": 650, "protection": "IP65"}),
        ("Segnalux emergenza 1h", "Segnalux", "EM-1H", {"fixture": "emergenza", "power": 3.5, "flux": 240, "protection": "IP42"}),
    ),
    "Radiators": (
        ("Radiatore ghisa 8 elementi", "Termoval", "G8/680", {"material": "ghisa", "output": 1120, "elements": 8}),
        ("Radiatore ghisa 12 elementi", "Termoval", "G12/680", {"material": "ghisa", "output": 1680, "elements": 12}),
        ("Piastra acciaio 22/600×1200", "Caldosteel", "P22-612", {"material": "acciaio", "output": 2075, "elements": 1}),
        ("Alluminio Brezza 10", "Caldosteel", "BR-10", {"material": "alluminio", "output": 1450, "elements": 10}),
        ("Scaldasalviette Onda", "Termoval", "ON-50", {"material": "acciaio", "output": 620, "elements": 18}),
    ),
    "Access points": (
        ("Retiva A5 soffitto", "Retiva", "A5-C", {"standard": "Wi-Fi 5", "bands": ["2.4 GHz", "5 GHz"]}),
        ("Retiva A6 soffitto", "Retiva", "A6-C", {"standard": "Wi-Fi 6", "bands": ["2.4 GHz", "5 GHz"]}),
        ("Ondanet Pro 6E", "Ondanet", "P6E", {"standard": "Wi-Fi 6E", "bands": ["2.4 GHz", "5 GHz", "6 GHz"]}),
        ("Ondanet Wall", "Ondanet", "W6", {"standard": "Wi-Fi 6", "bands": ["5 GHz"]}),
        ("Campus AP esterno", "Retiva", "OUT-5", {"standard": "Wi-Fi 5", "bands": ["2.4 GHz"]}),
    ),
    "Fire extinguishers": (
        ("Estintore polvere 6 kg", "Sicurfuoco", "P6", {"agent": "polvere", "charge": 6, "rating": "34A 233B C"}),
        ("Estintore polvere 9 kg", "Sicurfuoco", "P9", {"agent": "polvere", "charge": 9, "rating": "55A 233B C"}),
        ("Estintore CO₂ 2 kg", "Antincendio Rovati", "K2", {"agent": "CO2", "charge": 2, "rating": "34B"}),
        ("Estintore CO₂ 5 kg", "Antincendio Rovati", "K5", {"agent": "CO2", "charge": 5, "rating": "113B"}),
        ("Estintore schiuma 6 l", "Sicurfuoco", "S6", {"agent": "schiuma", "charge": 6.5}),
    ),
    "Doors": (
        ("Porta aula 90", "Serramenti Dolo", "LA-90", {"rating": "nessuna", "width": 90, "leaves": 1}),
        ("Tagliafuoco EI 60 a due ante", "Portasicura", "TF-60/2", {"rating": "EI 60", "width": 180, "leaves": 2}),
        ("Tagliafuoco EI 120 singola", "Portasicura", "TF-120/1", {"rating": "EI 120", "width": 90, "leaves": 1}),
        ("Uscita di sicurezza vetrata", "Serramenti Dolo", "US-200", {"rating": "nessuna", "width": 200, "leaves": 2}),
        ("Porta WC 80", "Serramenti Dolo", "WC-80", {"rating": "nessuna", "width": 80, "leaves": 1}),
    ),
    "Split units": (
        ("Frescaria 2.5 kW parete", "Frescaria", "FW-25", {"cooling": 2.5, "refrigerant": "R32"}),
        ("Frescaria 3.5 kW parete", "Frescaria", "FW-35", {"cooling": 3.5, "refrigerant": "R32"}),
        ("Climatop canalizzato 7.1 kW", "Climatop", "CD-71", {"cooling": 7.1, "refrigerant": "R410A"}),
        ("Climatop cassetta 5 kW", "Climatop", "CC-50", {"cooling": 5, "refrigerant": "R410A"}),
        ("Verdeclima propano 2 kW", "Verdeclima", "VP-20", {"cooling": 2, "refrigerant": "R290"}),
    ),
    "Sockets/Electrical panels": (
        ("Presa bivalente 16 A", "Elettro Brenta", "PB16", {"poles": 2, "current": 16, "voltage": "230 V"}),
        ("Presa CEE 32 A", "Elettro Brenta", "CEE-32", {"poles": 4, "current": 32, "voltage": "400 V"}),
        ("Quadro di piano 125 A", "Quadrotec", "QP-125", {"poles": 4, "current": 125, "voltage": "400 V"}),
        ("Quadro generale 400 A", "Quadrotec", "QG-400", {"poles": 4, "current": 400, "voltage": "400 V"}),
        ("Centralino aula 40 A", "Quadrotec", "CA-40", {"poles": 2, "current": 40, "voltage": "230 V"}),
    ),
    "Smoke detectors": (
        ("Rilevatore ottico Vigil O1", "Vigil", "O1", {"principle": "ottico", "addressable": True}),
        ("Rilevatore termico Vigil T4", "Vigil", "T4", {"principle": "termico", "addressable": True}),
        ("Rilevatore combinato Vigil C2", "Vigil", "C2", {"principle": "combinato", "addressable": True}),
        ("Rilevatore convenzionale Fumostop", "Fumostop", "CV-8", {"principle": "ottico", "addressable": False}),
        ("Barriera ottica Fumostop 30 m", "Fumostop", "BO-30", {"principle": "ottico", "addressable": False}),
    ),
}


def type_parameters(manufacturer, model, own):
    return {"manufacturer": manufacturer, "model": model, **own}


def instance_parameters(random, family, count, day):
    """Values of one instance, the `count`th of its family, surveyed on `day`: all that its family's schema asks for."""
    values = _OWN[family](random, count, day)
    values["condition"] = random.choices(("buono", "nuovo", "usurato", "danneggiato"), (60, 14, 20, 6))[0]
    if values["condition"] == "danneggiato":
        values["defect"] = random.choice(_DEFECTS)
    return values


_DEFECTS = ("Staffa allentata", "Vetro incrinato", "Perdita d'acqua dalla valvola", "Etichetta illeggibile – \"lotto ?\"",
            "Non si accende", "Ammaccato sul lato destro\nda verificare con il manutentore", "=guasto: vedi foto", "Manca il coperchio & 2 viti")


def _date(random, day, least, most):
    return (day - datetime.timedelta(days=random.randrange(least, most))).strftime("%Y-%m-%d")


def _lighting(random, count, day):
    mounting = random.choices(("ceiling", "wall", "recessed", "pendant"), (50, 20, 22, 8))[0]
    values = {"mounting": mounting, "working": random.random() > 0.06}
    if mounting == "ceiling" or random.random() < 0.15:
        values["ceiling_height"] = random.choice((3, 3.2, 3.35, 3.6, 4.05))
    return values


def _radiator(random, count, day):
    valves = ["termostatica" if random.random() < 0.4 else "manuale"] + random.sample(["detentore", "sfiato"], random.randrange(0, 3))
    return {"valve": valves, **({"last_purge": _date(random, day, 60, 500)} if random.random() < 0.6 else {})}


def _access_point(random, count, day):
    poe = random.random() < 0.8
    mac = f"02:5E:10:{random.randrange(256):02X}:{random.randrange(256):02X}:{count:02X}"
    return {"mac": mac, "poe": poe, **({"outlet": f"TP-{count:03d}"} if poe else {})}


def _extinguisher(random, count, day):
    return {"serial": f"EST{random.randrange(100000, 999999)}", "inspected": _date(random, day, 5, 170), "signed": random.random() < 0.9}


def _door(random, count, day):
    bar = random.random() < 0.25
    return {"panic_bar": bar, **({"opening": random.choice(("esterna", "interna"))} if bar or random.random() < 0.5 else {})}


def _split(random, count, day):
    values = {"serial": f"{random.choice(('FR', 'CT', 'VC'))}{random.randrange(100000, 99999999)}", "set_point": random.choice((22, 24, 25.5, 26))}
    if random.random() < 0.7:
        values["installed"] = _date(random, day, 200, 4000)
    return values


def _panel(random, count, day):
    values = {"circuit": f"Q{1 + count % 12}.{1 + count % 9}", "height": random.choice((30, 45, 110, 115, 150))}
    if random.random() < 0.4:
        values["residual_tested"] = _date(random, day, 20, 400)
    return values


def _detector(random, count, day):
    return {"address": 1 + count % 254, **({"tested": _date(random, day, 10, 300)} if random.random() < 0.7 else {})}


_OWN = {
    "Lighting": _lighting, "Radiators": _radiator, "Access points": _access_point, "Fire extinguishers": _extinguisher,
    "Doors": _door, "Split units": _split, "Sockets/Electrical panels": _panel, "Smoke detectors": _detector,
}
