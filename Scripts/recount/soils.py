"""Classes of soils by ASTM D2487 and AASHTO M 145, written from the norms' tables and from nothing of ours."""
import math

SIEVES = (75, 50, 37.5, 25, 19, 9.5, 4.75, 2, 0.85, 0.425, 0.25, 0.15, 0.106, 0.075)


def _grading(result):
    """The sieves that were used, from the finest on: size and per cent that passes."""
    sizes = [(size, result[f"passing_{str(size).replace('.', '_')}_mm"]) for size in reversed(SIEVES)]
    return [(size, passing) for size, passing in sizes if passing is not None]


def _size(grading, percent):
    """The size that a per cent passes, on a line over the logarithm between two sieves; None beyond them."""
    for (small, less), (large, more) in zip(grading, grading[1:]):
        if less <= percent <= more and more > less:
            return math.exp(math.log(small) + (percent - less) / (more - less) * (math.log(large) - math.log(small)))
    return None


def _fine(liquid, index):
    """The letter of the fine part, from the plasticity chart: C, M, or both between PI 4 and 7."""
    above = index >= 0.73 * (liquid - 20)
    if not above: return "M"
    if liquid >= 50 or index > 7: return "C"
    return "C-M" if index >= 4 else "M"


def unified_group(result):
    """The group by D2487; None where the results do not decide."""
    grading = _grading(result)
    fines, sand = result["passing_0_075_mm"], result["passing_4_75_mm"] - result["passing_0_075_mm"]
    gravel = 100 - result["passing_4_75_mm"]
    kind = "M" if result["non_plastic"] else _fine(result["liquid_limit"], result["plasticity_index"])
    if fines >= 50:
        high = not result["non_plastic"] and result["liquid_limit"] >= 50
        if kind == "C-M": return "CL-ML"
        return ("O" if result["organic"] else kind) + ("H" if high else "L")
    letter = "G" if gravel > sand else "S"
    if fines > 12: return f"{letter}C-{letter}M" if kind == "C-M" else letter + kind
    ten, thirty, sixty = (_size(grading, percent) for percent in (10, 30, 60))
    if None in (ten, thirty, sixty): return None
    uniformity, curvature = sixty / ten, thirty**2 / (ten * sixty)
    graded = letter + ("W" if uniformity >= (4 if letter == "G" else 6) and 1 <= curvature <= 3 else "P")
    if fines < 5: return graded
    return f"{graded}-{letter}{'C' if kind == 'C-M' else kind}"


def highway_group(result):
    """The group by M 145 with its index: from left to right, the first that the results fit, all as whole numbers."""
    ten, forty, fines = (_whole(result[f"passing_{size}_mm"]) for size in ("2", "0_425", "0_075"))
    liquid, index = (0, 0) if result["non_plastic"] else (_whole(result["liquid_limit"]), _whole(result["plasticity_index"]))
    plastic = not result["non_plastic"]
    if fines <= 35:
        if ten <= 50 and forty <= 30 and fines <= 15 and index <= 6: return "A-1-a (0)"
        if forty <= 50 and fines <= 25 and index <= 6: return "A-1-b (0)"
        if forty > 50 and fines <= 10 and not plastic: return "A-3 (0)"
        group = "A-2-" + {(False, False): "4", (True, False): "5", (False, True): "6", (True, True): "7"}[liquid > 40, index > 10]
        number = 0.01 * (fines - 15) * (index - 10) if group in ("A-2-6", "A-2-7") else 0
    else:
        group = {(False, False): "A-4", (True, False): "A-5", (False, True): "A-6", (True, True): "A-7"}[liquid > 40, index > 10]
        if group == "A-7": group += "-5" if index <= liquid - 30 else "-6"
        number = (fines - 35) * (0.2 + 0.005 * (liquid - 40)) + 0.01 * (fines - 15) * (index - 10)
    return f"{group} ({max(0, _whole(number))})"


def _whole(number): return math.floor(number + 0.5)
