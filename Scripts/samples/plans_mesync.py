"""Two invented people of meSync, with what they want to do, have to do and take: the plans of half a year."""
from .seeded import instant, later, stamp, uuid7

BEGINS = instant("2025-06-01T05:00:00Z")    # the first day, midnight in Lima
DAYS = 183
JOINED = instant("2025-05-28T23:40:00Z")

# mail name, full name, how well she or he keeps to things, holidays (days from the beginning)
PEOPLE = (
    ("carmen", "Carmen Rosa Villanueva Tapia", 0.90, range(108, 118)),
    ("diego", "Diego Alonso Farfán Núñez", 0.68, range(60, 75)),
)
# person, name, description, frequency, details, hour, day of the plan on which it was made, how liked it is
HABITS = (
    ("carmen", "Caminar 30 minutos", "Por el malecón, con Lucha si puede", "daily", None, "07:00:00", 0, 1.0),
    ("carmen", "Medir la presión", "Antes del desayuno; anotar en la libreta", "daily", None, "06:30:00", 0, 1.06),
    ("carmen", "Coro de la parroquia", None, "weekly", {"days": [2, 4]}, "19:00:00", 3, 0.95),
    ("carmen", "Llamar a Martín y a las nietas 👧👧", None, "weekly", {"days": [7]}, "17:00:00", 12, 1.05),
    ("diego", "Correr", "5 km; «suave» los lunes", "weekly", {"days": [1, 3, 6]}, "06:15:00", 0, 0.85),
    ("diego", "Leer 20 páginas", None, "daily", None, "22:00:00", 0, 0.9),
    ("diego", "Meditar", "10 min — Insight Timer", "daily", None, "06:00:00", 41, 0.7),
    ("diego", "Revisar gastos", "=SUMA de la tarjeta y del efectivo", "monthly", {"days_of_month": [1, 15]}, "20:30:00", 0, 1.1),
    ("diego", "Regar las plantas", "cada vez que la tierra esté seca", "custom", None, "08:00:00", 20, 0.5),
)
# person, name, description, instructions, doses a day, hours, day on which it was prescribed, how liked it is
MEDICATIONS = (
    ("carmen", "Losartán 50 mg", "Presión", "Con el desayuno", 1, ["08:00:00"], 0, 1.05),
    ("carmen", "Metformina 850 mg", "Glucosa", "Con las comidas; no partir", 2, ["08:00:00", "20:00:00"], 0, 1.0),
    ("carmen", "Calcio + vitamina D", None, "Después del almuerzo", 1, ["13:30:00"], 30, 0.9),
    ("diego", "Salbutamol (inhalador)", "Asma", "2 inhalaciones", 3, ["07:00:00", "15:00:00", "23:00:00"], 95, 0.9),
)
# person, name, description, priority, made (day), due (day, hour), done (days after it was due; None: open, "skip": skipped)
TASKS = (
    ("carmen", "Renovar receta de losartán", "Posta de Magdalena, llevar DNI", "high", 5, (12, 15), -1),
    ("carmen", "Control con la doctora Quiroz", "Llevar la libreta de presión", "high", 10, (33, 16), 0),
    ("carmen", "Análisis de glucosa en ayunas", None, "high", 20, (30, 12), 0),
    ("carmen", "Pagar arbitrios 2.º trimestre", "Por la web del municipio", "medium", 45, (59, 22), 3),
    ("carmen", "Tejer la manta de Alba", None, "low", 30, (120, 20), "skip"),
    ("carmen", "Vacuna contra la influenza", "Centro de salud, de 8 a 12", "high", 70, (84, 14), 6),
    ("carmen", "Cambiar pilas del tensiómetro", "4 × AA", "medium", 130, (133, 18), 1),
    ("carmen", "Turno de dentista", None, "medium", 150, (172, 17), None),
    ("carmen", "Comprar lana verde", "la de O'Higgins, no la otra", "low", 160, (190, 20), None),
    ("carmen", "Renovar receta de metformina", None, "high", 176, (188, 15), None),
    ("diego", "Declarar impuestos", "Formulario 0616 \"virtual\"", "high", 1, (10, 23), -2),
    ("diego", "Arreglar la cadena de la bici", None, "low", 4, (15, 20), "skip"),
    ("diego", "Enviar propuesta a Kallpa", "v3, sin el anexo B", "high", 22, (29, 17), 0),
    ("diego", "Devolver libros a la biblioteca", "Rayuela; Los ríos profundos", "medium", 35, (49, 18), 9),
    ("diego", "Comprar pasajes a Arequipa", "-2 maletas de mano", "medium", 38, (52, 22), -3),
    ("diego", "Cita con neumóloga", "Espirometría", "high", 88, (95, 15), 0),
    ("diego", "Reponer inhalador", "@farmacia de la esquina", "high", 140, (160, 20), 2),
    ("diego", "Pintar el cuarto", None, "low", 100, (150, 20), None),
    ("diego", "Renovar brevete", "Examen médico antes", "medium", 141, (179, 16), None),
    ("diego", "Preparar charla de Swift", "45 min <demo> & preguntas", "medium", 170, (196, 18), None),
    ("diego", "Cumpleaños de mamá", "Torta de lúcuma\nvelas\nno decirle nada", "high", 165, (200, 12), None),
)


def user_id(mail):
    return uuid7(JOINED, "mesync", mail)


def users():
    return [{"id": user_id(mail), "email": f"{mail}@example.pe", "created_at": stamp(later(JOINED, minutes=17 * order))}
            for order, (mail, *_) in enumerate(PEOPLE)]


def made(day, *names):
    """When something was written down: in the evening of a day of the plan."""
    return later(BEGINS, days=day, hours=1 if day == 0 else 14, seconds=len("/".join(map(str, names))) * 7)


def habit_rows():
    rows = []
    for mail, name, description, frequency, details, hour, day, _ in HABITS:
        moment = made(day, mail, name)
        rows.append({
            "id": uuid7(moment, "habit", mail, name), "user_id": user_id(mail), "name": name, "description": description, "frequency": frequency,
            "frequency_details": details, "remind_at": hour, "created_at": stamp(moment), "updated_at": stamp(later(moment, days=2))})
    return rows


def medication_rows():
    rows = []
    for mail, name, description, instructions, doses, hours, day, _ in MEDICATIONS:
        moment = made(day, mail, name)
        rows.append({
            "id": uuid7(moment, "medication", mail, name), "user_id": user_id(mail), "name": name, "description": description,
            "instructions": instructions, "frequency": "daily", "times_per_day": doses, "reminder_times": hours,
            "created_at": stamp(moment), "updated_at": stamp(moment)})
    return rows


def task_rows():
    rows = []
    for mail, name, description, priority, day, (due_day, due_hour), done in TASKS:
        moment = made(day, mail, name)
        due = later(BEGINS, days=due_day, hours=due_hour)
        ended = None if done is None else later(due, days=0 if done == "skip" else done, hours=-2, minutes=-len(name))
        rows.append({
            "id": uuid7(moment, "task", mail, name), "user_id": user_id(mail), "name": name, "description": description, "priority": priority,
            "due_date": stamp(due), "completed_at": stamp(ended) if ended and done != "skip" else None,
            "skipped_at": stamp(ended) if done == "skip" else None, "created_at": stamp(moment), "updated_at": stamp(ended or moment)})
    return rows
