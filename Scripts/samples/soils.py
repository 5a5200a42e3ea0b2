"""Soils as a laboratory and a field log describe them: numbers that fit the symbol, and Spanish as engineers write it.

The numbers are drawn first (shares of gravel, sand and fines; liquid limit and plasticity index), within what ASTM D2487
allows for the symbol; AASHTO M 145 is then computed from them, so that the two classifications never disagree."""
from collections import namedtuple

# Shares in percent by mass; `plasticity` is (LL from, LL to, PI from, PI to), None for non-plastic
# soils.
Kind = namedtuple("Kind", "name gravel fines plasticity granular")

KINDS = {
    "GW": Kind("Grava bien graduada con arena", (52, 66), (1, 4), None, True),
    "GP": Kind("Grava mal graduada con arena", (54, 72), (1, 4), None, True),
    "GP-GM": Kind("Grava mal graduada con limo y arena", (50, 62), (6, 11), None, True),
    "GW-GM": Kind("Grava bien graduada con limo y arena", (50, 60), (6, 11), None, True),
    "GP-GC": Kind("Grava mal graduada con arcilla y arena", (50, 60), (6, 11), (22, 28, 8, 12), True),
    "GM": Kind("Grava limosa con arena", (46, 54), (14, 24), None, True),
    "GC": Kind("Grava arcillosa con arena", (44, 50), (16, 26), (26, 34, 11, 15), True),
    "GC-GM": Kind("Grava limo-arcillosa con arena", (44, 50), (16, 24), (20, 24, 4.2, 6.4), True),
    "SW": Kind("Arena bien graduada con grava", (18, 34), (1, 4), None, True),
    "SP": Kind("Arena mal graduada", (0, 8), (1, 4), None, True),
    "SP-SM": Kind("Arena mal graduada con limo", (0, 12), (6, 11), None, True),
    "SW-SM": Kind("Arena bien graduada con limo y grava", (16, 28), (6, 11), None, True),
    "SM": Kind("Arena limosa", (2, 18), (16, 34), None, True),
    "SC": Kind("Arena arcillosa", (1, 14), (20, 34), (27, 36, 11, 16), True),
    "SC-SM": Kind("Arena limo-arcillosa", (1, 12), (22, 38), (20, 24, 4.2, 6.4), True),
    "ML": Kind("Limo arenoso de baja plasticidad", (0, 4), (56, 82), (25, 34, 1.5, 3.6), False),
    "CL-ML": Kind("Arcilla limosa con arena", (0, 4), (60, 84), (21, 24.5, 4.3, 6.7), False),
    "CL": Kind("Arcilla de baja plasticidad con arena", (0, 4), (62, 92), (32, 46, 14, 24), False),
    "CH": Kind("Arcilla de alta plasticidad", (0, 1), (84, 97), (54, 68, 31, 41), False),
    "MH": Kind("Limo de alta plasticidad", (0, 1), (78, 94), (54, 62, 16, 22), False),
    "OL": Kind("Limo orgánico de baja plasticidad", (0, 2), (60, 84), (34, 44, 6, 9), False),
    "OH": Kind("Arcilla orgánica de alta plasticidad", (0, 1), (82, 95), (62, 76, 20, 28), False),
}

_MOISTURE = {"seco": (1.2, 4.8), "húmedo": (6.5, 15.0), "mojado": (18.0, 31.0)}
_DENSITIES = ("muy suelta", "suelta", "medianamente densa", "densa", "muy densa")
_CONSISTENCIES = ("muy blanda", "blanda", "firme", "dura", "muy dura")


def aashto(gravel, fines, liquid_limit, plasticity_index, fine_sand):
    """AASHTO M 145 with its group index."""
    ll, pi = liquid_limit or 0, plasticity_index or 0
    if fines <= 35:
        if pi <= 6 and fines <= 10 and gravel < 15 and fine_sand:
            return "A-3(0)"
        if pi <= 6 and fines <= 15 and gravel >= 50:
            return "A-1-a(0)"
        if pi <= 6 and fines <= 25 and gravel >= 15:
            return "A-1-b(0)"
        group = {(False, False): "A-2-4", (True, False): "A-2-5", (False, True): "A-2-6", (True, True): "A-2-7"}[ll > 40, pi > 10]
        index = round(max(0, 0.01 * (fines - 15) * (pi - 10))) if pi > 10 else 0
        return f"{group}({index})"
    if pi <= 10:
        group = "A-5" if ll > 40 else "A-4"
    elif ll <= 40:
        group = "A-6"
    else:
        group = "A-7-5" if pi <= ll - 30 else "A-7-6"
    index = (fines - 35) * (0.2 + 0.005 * (ll - 40)) + 0.01 * (fines - 15) * (pi - 10)
    return f"{group}({max(0, round(index))})"


def tested(random, symbol, moisture):
    """Laboratory values for a symbol: percentages with one decimal that add up to 100, limits, moisture."""
    kind = KINDS[symbol]
    fines = round(random.uniform(*kind.fines), 1)
    gravel = round(random.uniform(*kind.gravel), 1)
    if gravel + fines > 98:
        gravel = round(98 - fines, 1)
    sand = round(100 - gravel - fines, 1)
    ll = pi = pl = None
    if kind.plasticity:
        low, high, least, most = kind.plasticity
        share = random.random()
        ll = round(low + share * (high - low))
        pi = round(least + share * (most - least)) if kind.granular or most > 8 else round(least + share * (most - least), 1)
        pl = round(ll - pi, 1)
    water = round(random.uniform(*_MOISTURE[moisture]) * (1.3 if not kind.granular and moisture != "seco" else 1), 1)
    return {
        "gravel": gravel, "sand": sand, "fines": fines, "ll": ll, "pl": pl, "pi": pi, "moisture": water,
        "aashto": aashto(gravel, fines, ll, pi, fine_sand=symbol in ("SP", "SP-SM")),
    }


def plasticity_word(pi):
    if not pi:
        return "nula"
    return "baja" if pi <= 7 else "media" if pi <= 17 else "alta"


def structure_word(random, symbol):
    """Structure of a fine soil; granular soils have none to see."""
    if KINDS[symbol].granular:
        return None
    return random.choice(("homogénea", "estratificada", "laminada", "homogénea", "fisurada"))


def compactness(random, symbol, depth):
    """How dense or firm, growing with depth; a word of the field vocabulary."""
    words = _DENSITIES if KINDS[symbol].granular else _CONSISTENCIES
    place = 1 + depth * 0.7 + random.uniform(-0.6, 0.6)
    return words[max(0, min(4, int(place)))]


def described(random, symbol, colour, moisture, stiffness, structure, values, shape, largest, roots_to=None, extras=()):
    """A log's description: name, colour, moisture, compactness, plasticity, structure, particles, roots, symbol."""
    kind = KINDS[symbol]
    name = kind.name + (" con grava" if 15 <= values["gravel"] < 35 and "grava" not in kind.name else "")
    parts = [name, f"color {colour}", _feminine(moisture), stiffness]
    if not kind.granular or values["pi"]:
        parts.append(f"de plasticidad {plasticity_word(values['pi'])}")
    if not kind.granular:
        parts.append(f"estructura {structure}")
    if values["gravel"] >= 4:
        word = "con gravas" if values["gravel"] < 35 else "gravas"
        parts.append(f"{word} {shape} de T.M. {largest}")
    if values["gravel"] >= 50 and random.random() < 0.5:
        parts.append(f"con bolonería aislada ({random.randrange(3, 15)} %) de hasta {random.choice((8, 10, 12))}\"")
    parts.extend(extras)
    if roots_to:
        parts.append(f"raíces hasta {roots_to:.2f} m")
    return ", ".join(parts) + f". ({symbol})"


def _feminine(moisture):
    return moisture[:-1] + "a"
