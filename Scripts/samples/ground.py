"""What a pit goes through: its strata from the surface to the bottom, with water, samples and words."""
from collections import namedtuple

from .places import COLOURS
from .soils import KINDS, compactness, described, structure_word, tested

# `values` is None where nothing was tested: fill, rock, peat. `sample` is (name, depth) or None.
Stratum = namedtuple("Stratum", "start end symbol aashto values colour moisture stiffness structure shape largest description roots sample")

_UNTESTED = {
    "RELLENO": ("Relleno no controlado de arena limosa con gravas {shape} de T.M. {largest}, restos de ladrillo, concreto y plástico, "
                "color {colour}, {moisture}, sin compactar. (R)"),
    "ROCA": ("Roca intrusiva (granodiorita) muy meteorizada y fracturada, color {colour}, {moisture}, bloques angulosos de hasta {largest}; "
             "se excava con dificultad, rechazo del cucharón al fondo."),
    "PT": "Turba fibrosa, color {colour}, {moisture}, muy blanda, esponjosa, olor orgánico fuerte, fibras parcialmente descompuestas. (PT)",
}
_WORD_OF_MOISTURE = {"seco": "seca", "húmedo": "húmeda", "mojado": "mojada"}


def strata(random, profile, depth, water):
    """The layers of a profile, fitted to the pit's depth; `water` is the depth of the table, None in a dry pit."""
    found, samples = [], 0
    for (start, end), (symbol, _, colour, moisture, shape, largest) in zip(_depths(random, profile, depth), profile):
        moisture = _moisture(moisture, start, end, water)
        rooted = start == 0 and symbol not in ("RELLENO", "ROCA") and random.random() < 0.7
        roots = round(random.uniform(0.1, min(0.35, end)), 2) if rooted else None
        if symbol in KINDS:
            values = tested(random, symbol, moisture)
            stiffness = compactness(random, symbol, start)
            structure = structure_word(random, symbol)
            extras = _extras(random, symbol, start, water)
            description = described(random, symbol, colour, moisture, stiffness, structure, values, shape, largest, roots, extras)
            samples += 1
            sample = (f"M-{samples}", round((start + end) / 2, 2))
            found.append(Stratum(start, end, symbol, values["aashto"], values, colour, moisture, stiffness, structure, shape, largest,
                                 description, roots, sample))
        else:
            words = _UNTESTED[symbol].format(shape=shape, largest=largest, colour=colour, moisture=_word(symbol, moisture))
            aashto = "A-8" if symbol == "PT" else None
            found.append(Stratum(start, end, symbol, aashto, None, colour, moisture, None, None, shape, largest, words, None, None))
    return found


def painted(layers):
    """The strata as `pit_photo` wants them."""
    return [(layer.start, layer.end, COLOURS[layer.colour], (layer.values or {"gravel": 30})["gravel"] / 100, layer.roots) for layer in layers]


def _depths(random, profile, depth):
    """Boundaries in steps of 5 cm: drawn, then stretched so that the last one is the bottom."""
    drawn = [random.uniform(*layer[1]) for layer in profile]
    stretch, level, found = depth / sum(drawn), 0.0, []
    for thickness in drawn:
        level += thickness * stretch
        end = round(round(level * 20) / 20, 2)
        found.append(end)
    found[-1] = depth
    for index in range(len(found) - 2, -1, -1):
        found[index] = min(found[index], round(found[index + 1] - 0.1, 2))
    return list(zip([0.0] + found[:-1], found))


def _moisture(usual, start, end, water):
    """Wet below the table, at least moist where the table lies in the stratum, never wet without one."""
    if water is not None and start >= water - 0.3:
        return "mojado"
    if water is not None and end > water and usual == "seco":
        return "húmedo"
    return "húmedo" if usual == "mojado" else usual


def _word(symbol, moisture):
    return moisture if symbol == "RELLENO" else _WORD_OF_MOISTURE[moisture]


def _extras(random, symbol, start, water):
    extras = []
    if symbol in ("OL", "OH"):
        extras.append("olor orgánico, con restos vegetales")
    elif symbol in ("CH", "MH") and random.random() < 0.6:
        extras.append("con vetas de óxido")
    elif symbol in ("SM", "SP-SM", "GM") and random.random() < 0.25:
        extras.append("con sales blanquecinas, reacción débil al HCl")
    elif symbol[0] == "G" and random.random() < 0.4:
        extras.append("paredes estables" if water is None else "paredes inestables bajo el nivel freático")
    return extras
