"""Descriptions and observations of pits, among them the awkward ones that real logs hold: quotes, line breaks, formulas, length."""

_LONG = (
    "Excavación efectuada en la plataforma existente, junto al pontón \"El Ñandú\" (luz ≈ 6.00 m). El primer estrato corresponde a material de "
    "préstamo compactado por capas; debajo se presenta el terreno natural, de origen aluvial, con lentes irregulares de arena fina y gravas "
    "subredondeadas de cuarcita, andesita & granodiorita de T.M. 3\". Las paredes se mantuvieron estables durante toda la excavación; a partir de "
    "1.10 m se observó un cambio gradual de color <beige → marrón rojizo>, sin contacto neto. Se tomaron muestras alteradas en bolsas de 40 kg para "
    "granulometría, límites de Atterberg, Próctor modificado y CBR, y una muestra inalterada Mib en tubo Shelby para corte directo. El propietario "
    "del predio (Sr. Núñez) autorizó el acceso de palabra; se repuso el terreno con el mismo material, compactado con pisón manual en capas de 0.25 m.")

_OBSERVATIONS = {
    ("CHU-2025", 2): "=ver croquis",
    ("CHU-2025", 5): "Paredes estables.\nSe repuso el terreno al finalizar.\nPropietario: comunidad campesina <Ñoma>.",
    ("CHU-2025", 9): "-0.15 m de sobreexcavación por error del operador",
    ("CHU-2025", 18): "Se corrigió la progresiva en gabinete (antes 8+950).",
    ("HYO-2025", 3): "Se encontró tubería de desagüe Ø 6\" a 0.70 m; se desplazó la calicata 1.2 m al N.",
    ("HYO-2025", 7): "@revisar: coordenadas tomadas con navegador, precisión ±3 m",
    ("JLP-2025", 4): "+ 2 bolsas adicionales para CBR & sales solubles",
    ("JLP-2025", 11): "Corregir: falta indicar forma de las partículas del estrato 3 (\"ver comentario\").",
    ("JLP-2025", 12): "Corregir la cota del fondo.",
    ("BAY-2025", 5): "Cota bajo el nivel del mar: verificar geoide EGM08.",
}


def sheet_description(pit):
    if (pit.place["code"], pit.index) == ("CHU-2025", 12):
        return _LONG
    purpose = "subrasante" if pit.place["kind"] == "road" else "cimentación"
    text = f"Calicata a cielo abierto para evaluación de {purpose}, {pit.depth:.2f} m de profundidad; {len(pit.strata)} estratos."
    if pit.strata[-1].symbol == "ROCA":
        text += " Excavación detenida por rechazo en roca."
    return text


def observations(pit):
    known = _OBSERVATIONS.get((pit.place["code"], pit.index))
    if known:
        return known
    if pit.water_status == "not_measured":
        return "Calicata repuesta el mismo día; no se midió el nivel freático."
    return None
