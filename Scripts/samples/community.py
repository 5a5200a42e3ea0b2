"""YaQuedamos: a community of neighbours, its people and what they do together. Everything follows from the community's name."""
from .seeded import generator, instant, later, stamp, uuid7

# Points, levels and badges are right on this day.
TODAY = instant("2025-12-01T05:00:00Z")
FOUNDED = instant("2025-02-03T13:00:00Z")

_FIRST = ("Adriana Álvaro Ángela Andrés Beatriz Camilo Carolina César Daniela Diego Elena Esteban Fernanda Gabriel Gloria Hernán Inés Iván Juliana "
          "Julián Laura León Liliana Luis Manuela Marcos Mónica Nicolás Olga Pablo Rocío Santiago Sofía Tomás Valentina Ximena").split()
_LAST = ("Acosta Arango Bermúdez Cárdenas Castaño Duque Echeverri Fajardo Gaviria Giraldo Henao Ibarra Jaramillo Londoño Mejía Múnera Naranjo "
         "Ocampo Ospina Patiño Quintero Restrepo Salazar Tabares Uribe Valencia Yepes Zuluaga O'Neill Núñez").split()
_INTERESTS = "ajedrez ciclismo cocina danza fotografía huerta lectura música perros senderismo teatro voleibol".split()
_SKILLS = ("beginner", "intermediate", "advanced")
# Name, category, what is needed, places, days between two of them, hour (UTC).
_PLANS = (
    ("Caminata al cerro", "sports", ["zapatos cerrados", "agua"], 25, 21, 12),
    ("Club de lectura", "cultural", ["haber leído el primer capítulo"], 12, 28, 23),
    ("Torneo relámpago de ajedrez", "sports", [], 16, 35, 20),
    ("Huerta: siembra y compost", "environment", ["guantes"], 15, 30, 14),
    ("Noche de cuentos", "cultural", [], 30, 42, 0),
    ("Taller de reparación de bicicletas", "learning", ["la propia bicicleta"], 8, 33, 15),
    ("Almuerzo de vecinos", "social", ["un plato para compartir"], 40, 45, 17),
    ("Clase de salsa para principiantes", "learning", ["ropa cómoda"], 20, 26, 22),
)
_REMARKS = ("¡Nos vemos allá!", "¿Se puede llegar tarde?", "Llevo café para todos.", "Qué bueno estuvo.", "Con lluvia también, ¿no?", "Gracias por organizarlo 🙂",
            "=mejor a las 8", "¿Puede venir mi hija de 9 años?", "Yo llevo <la carpa> & las sillas")
_NEEDS = (
    ("Luminaria apagada en el parque", "La lámpara junto a los columpios no enciende desde hace dos semanas.", "resolved"),
    ("Hueco en la ciclorruta", "Frente a la panadería hay un hueco de unos 40 cm.", "in_progress"),
    ("Más canecas en la cancha", "Los domingos la basura queda en el suelo.", "open"),
    ("Cruce peligroso frente al colegio", "Falta el paso de cebra; ya hubo dos sustos.", "open"),
    ("Biblioteca abierta los sábados", "Hoy cierra justo cuando la gente tiene tiempo.", "open"),
    ("Árbol inclinado sobre la acera", "Las raíces levantaron las losas, y se inclina más cada mes.", "in_progress"),
    ("Ruido de madrugada", "Música hasta las cuatro, tres noches seguidas.", "rejected"),
)


def states(state, moment):
    """What a device's row says of the other side: it is there since `moment`."""
    return {"syncStatus": state, "localVersion": 1, "remoteUpdatedAt": stamp(moment)}


class Community:
    """Rows by table, as the app's documents have them. `people`: how many accounts."""

    def __init__(self, code, name, city, centre, people, plans=None, domain="correo.example.co"):
        self.code, self.centre, self.domain = code, centre, domain
        self.id = uuid7(FOUNDED, "community", code)
        self.community = {"id": self.id, "code": code, "name": name, "city": city, "createdAt": stamp(FOUNDED), **states("synced", FOUNDED)}
        self.random = generator("community", code)
        self.users = [self._user(number) for number in range(people)]
        self.activities, self.attendances, self.posts, self.comments = [], [], [], []
        for number, plan in enumerate(_PLANS[:plans]):
            self._series(number, *plan)
        self.groups, self.members = [], []
        for number, interest in enumerate(("huerta", "ciclismo", "lectura")):
            self._group(number, interest)
        self.needs, self.votes = [], []
        for number, need in enumerate(_NEEDS):
            self._need(number, *need)
        self.notifications = self._notifications()
        self.achievements = []
        self.settle()

    def _id(self, moment, *names):
        return uuid7(moment, self.code, *names)

    def _user(self, number):
        random = self.random
        joined = later(FOUNDED, days=random.randrange(0, 200), minutes=random.randrange(0, 1400))
        first, last, second = random.choice(_FIRST), random.choice(_LAST), random.choice(_LAST)
        identifier = self._id(joined, "user", number)
        secret = generator("secret", identifier)
        row = {
            "userID": identifier, "communityId": self.id, "name": f"{first} {last} {second}", "email": f"{mail(first)}.{mail(last)}{number}@{self.domain}",
            "phone": f"+57 3{random.randrange(10, 24)} {random.randrange(100, 999)} {random.randrange(1000, 9999)}" if random.random() < 0.8 else None,
            "bio": f"Vivo en el barrio hace {random.randrange(1, 30)} años; me gusta la {random.choice(_INTERESTS)}." if random.random() < 0.5 else None,
            "passwordHash": canary_hash(secret), "sessionToken": canary_token(secret, "session"),
            "pushToken": canary_token(secret, "push") if random.random() < 0.7 else None,
            "profileImage": f"profiles/{identifier}.jpg" if random.random() < 0.6 else None,
            "interests": sorted(random.sample(_INTERESTS, random.randrange(0, 4))), "location": f"Carrera {random.randrange(15, 50)} # {random.randrange(30, 60)}-{random.randrange(1, 99):02d}",
            "homeLatitude": round(self.centre[0] + random.uniform(-0.02, 0.02), 6), "homeLongitude": round(self.centre[1] + random.uniform(-0.02, 0.02), 6),
            "experienceLevel": random.choice(_SKILLS), "visibility": random.choice(("public", "members", "members", "private")), "score": 0, "level": 1,
            "createdAt": stamp(joined), "lastSeenAt": stamp(later(TODAY, days=-random.randrange(0, 90), minutes=random.randrange(0, 1400))), **states("synced", joined),
        }
        if random.random() < 0.1:
            row.update(homeLatitude=None, homeLongitude=None)
        return row

    def _series(self, number, name, category, needed, places, days, hour):
        random = self.random
        organizer = self.users[number * 3 % len(self.users)]
        day = later(instant("2025-03-01T00:00:00Z"), days=number * 2)
        count = 0
        while day < later(TODAY, days=20):
            count += 1
            starts = later(day, hours=hour)
            self._activity(organizer, f"{name} n.º {count}", category, needed, places, starts)
            day = later(day, days=days + random.randrange(0, 3))

    def _activity(self, organizer, name, category, needed, places, starts):
        random = self.random
        made = later(starts, days=-15, minutes=random.randrange(0, 500))
        cost = category == "learning" and random.random() < 0.5
        row = {
            "activityID": self._id(made, "activity", name), "communityId": self.id, "title": name,
            "description": f"{name}. Nos encontramos diez minutos antes; quien no pueda venir, que libere su plaza.",
            "location": random.choice(("Parque Central, junto al kiosco", "Salón comunal", "Cancha múltiple", "Biblioteca del barrio", "Casa de la cultura \"La Ceiba\"")),
            "latitude": round(self.centre[0] + random.uniform(-0.03, 0.03), 6), "longitude": round(self.centre[1] + random.uniform(-0.03, 0.03), 6),
            "date": stamp(starts), "endsAt": stamp(later(starts, minutes=random.choice((90, 120, 180)))), "category": category, "organizerID": organizer["userID"],
            "attendees": [], "maxAttendees": places, "requirements": needed, "skillLevel": random.choice(("any", "any", "beginner", "intermediate")),
            "isPublic": random.random() < 0.85, "media": [], "hasCost": cost, "costAmount": random.choice((5000, 12000, 20000)) if cost else None,
            "createdAt": stamp(made), "updatedAt": stamp(made), **states("synced", made),
        }
        self.activities.append(row)
        there = [user for user in self.users if instant(user["createdAt"]) < made and user is not organizer]
        # Some come to nearly everything, most to little.
        eager = sorted(there, key=lambda user: random.random() * (1 + self.users.index(user) % 7))
        for user in eager[:min(len(there), random.randrange(places // 3, places + 1))]:
            joined = later(made, minutes=random.randrange(10, 18000))
            left = later(joined, minutes=random.randrange(60, 2000)) if random.random() < 0.08 else None
            present = None if starts >= TODAY or left else random.random() < 0.85
            self.attend(row, user, joined, left, present)
        self._talk(row, organizer, there, starts)

    def attend(self, activity, user, joined, left=None, present=None):
        row = {
            "id": self._id(joined, "attendance", activity["activityID"], user["userID"]), "activityID": activity["activityID"], "userID": user["userID"],
            "joinedAt": stamp(joined), "leftAt": stamp(left) if left else None, "attended": present, **states("synced", joined),
        }
        self.attendances.append(row)
        if left is None:
            activity["attendees"].append(user["userID"])
        return row

    def _talk(self, activity, organizer, there, starts):
        random = self.random
        for number in range(random.randrange(0, 3)):
            if there:
                self.comment(random.choice(there), later(starts, hours=-random.randrange(2, 300)), number, activity=activity)
        if starts < TODAY and random.random() < 0.5:
            moment = later(starts, hours=4)
            post = {
                "postID": self._id(moment, "post", activity["activityID"]), "communityId": self.id, "authorID": organizer["userID"],
                "image": f"posts/{activity['activityID']}.jpg", "caption": f"Así fue: {activity['title']}", "likes": random.randrange(0, 40), "timestamp": stamp(moment), **states("synced", moment),
            }
            self.posts.append(post)
            for number in range(random.randrange(0, 4)):
                if there:
                    self.comment(random.choice(there), later(moment, minutes=random.randrange(5, 4000)), number, post=post)

    def comment(self, author, moment, number, activity=None, post=None):
        owner = (activity or {}).get("activityID") or (post or {}).get("postID")
        self.comments.append({
            "commentID": self._id(moment, "comment", owner, number, author["userID"]), "communityId": self.id, "postID": post and post["postID"],
            "activityID": activity and activity["activityID"], "authorID": author["userID"], "text": self.random.choice(_REMARKS), "timestamp": stamp(moment), **states("synced", moment),
        })
        return self.comments[-1]

    def _group(self, number, interest):
        made = later(FOUNDED, days=20 + number)
        row = {"groupID": self._id(made, "group", interest), "communityId": self.id, "title": f"Amigos de la {interest}", "description": f"Para quienes comparten {interest}.",
               "members": [], "isPublic": number != 2, "createdAt": stamp(made), **states("synced", made)}
        self.groups.append(row)
        for user in [user for user in self.users if interest in user["interests"]] or self.users[:2]:
            since = max(instant(user["createdAt"]), made)
            row["members"].append(user["userID"])
            self.members.append({"id": self._id(since, "member", interest, user["userID"]), "groupID": row["groupID"], "userID": user["userID"],
                                 "isOwner": len(row["members"]) == 1, "memberSince": stamp(later(since, hours=self.random.randrange(1, 900))), **states("synced", since)})

    def _need(self, number, title, description, status):
        random = self.random
        moment = later(instant("2025-09-01T13:00:00Z"), days=number * 9)
        voters = random.sample(self.users, min(len(self.users), random.randrange(2, 30)))
        row = {"reportID": self._id(moment, "need", title), "communityId": self.id, "authorID": voters[0]["userID"], "title": title, "description": description,
               "location": random.choice(("Parque Central", "Calle 45 con carrera 22", "Cancha múltiple")), "votes": len(voters), "status": status, "createdAt": stamp(moment), **states("synced", moment)}
        self.needs.append(row)
        for user in voters:
            voted = later(moment, minutes=random.randrange(5, 20000))
            self.votes.append({"id": self._id(voted, "vote", title, user["userID"]), "reportID": row["reportID"], "userID": user["userID"], "votedAt": stamp(voted), **states("synced", voted)})

    def _notifications(self):
        rows = []
        for user in self.users[:20]:
            activity = self.random.choice(self.activities)
            sent = later(instant(activity["date"]), hours=-1)
            rows.append({"notificationID": self._id(sent, "notification", user["userID"]), "userID": user["userID"], "type": "reminder",
                         "message": f"{user['name'].split()[0]}, en una hora: {activity['title']}", "readStatus": self.random.random() < 0.7, "pushEnabled": bool(user["pushToken"]),
                         "reminderTime": self.random.choice((30, 60, 1440)), "sentAt": stamp(sent), **states("synced", sent)})
        return rows

    def settle(self):
        """Gives everybody the points, level and badges that the rules give."""
        self.achievements = []
        day = stamp(TODAY)[:10]
        past = {row["activityID"] for row in self.activities if row["date"][:10] < day}
        for user in self.users:
            attended = sum(1 for row in self.attendances if row["userID"] == user["userID"] and row["attended"] and row["activityID"] in past)
            organized = [row["activityID"] for row in self.activities if row["organizerID"] == user["userID"] and row["activityID"] in past]
            user.update(score=10 * attended + 25 * len(organized), level=1 + (attended + len(organized)) // 5)
            present = lambda identifier: sum(1 for row in self.attendances if row["activityID"] == identifier and row["attended"])
            due = [f"attends_{n}" for n in (5, 10, 25) if attended >= n] + ["organizes_5"] * (len(organized) >= 5)
            due += ["popular_organizer"] * any(present(identifier) >= 20 for identifier in organized)
            for badge in due:
                self.achievements.append({"achievementID": self._id(TODAY, "badge", badge, user["userID"]), "userID": user["userID"], "name": badge, "icon": f"badges/{badge}.png",
                                          "date": "2025-11-30", **states("synced", TODAY)})

    def tables(self):
        """Each table with its rows, parents before children."""
        return (("communities", [self.community]), ("users", self.users), ("activities", self.activities), ("attendances", self.attendances), ("posts", self.posts),
                ("comments", self.comments), ("groups", self.groups), ("group_members", self.members), ("community_reports", self.needs), ("report_votes", self.votes),
                ("notifications", self.notifications), ("achievements", self.achievements))


def mail(word):
    """A name as it stands in an address: small letters without accents."""
    return word.lower().translate(str.maketrans("áéíóúüñ", "aeiouun")).replace("'", "")


_HASH = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def canary_hash(random):
    """The form of a bcrypt hash. Each begins alike, so that a search of a file for `CanaryHash` finds any of them."""
    return "$2b$12$CanaryHash" + "".join(random.choice(_HASH) for _ in range(43))


def canary_token(random, kind):
    """The form of a token; a search for `CanaryToken` finds any of them."""
    return f"CanaryToken.{kind}." + "".join(random.choice(_HASH[2:]) for _ in range(60))
