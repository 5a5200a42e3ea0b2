"""The database behind the test server: one connection for each thread, each request a transaction."""

import json
import threading
from contextlib import contextmanager

import psycopg2

# HTTP statuses of SQLSTATEs, as PostgREST 12 gives them; others of class 22 and 23 are 400.
STATUSES = {"23503": 409, "23505": 409, "42883": 404, "42P01": 404, "42P17": 500, "21000": 500, "P0001": 400, "25006": 405}
CLASSES = {"08": 503, "09": 500, "0L": 403, "0P": 403, "25": 500, "28": 403, "2D": 500, "38": 500, "39": 500, "3B": 500, "40": 500, "53": 503, "54": 500, "55": 500, "57": 500, "58": 500, "F0": 500, "HV": 500, "XX": 500}


class Refusal(Exception):
    """A request that is refused: a status and a body."""

    def __init__(self, status, code, message, details=None, hint=None, headers=None):
        super().__init__(message)
        self.status, self.code, self.headers = status, code, headers or {}
        self.body = {"code": code, "details": details, "hint": hint, "message": message}


class Database:
    """Gives transactions in which one person asks."""

    def __init__(self, options):
        self.options = options
        self.local = threading.local()

    def connection(self):
        """This thread's connection."""
        if getattr(self.local, "connection", None) is None or self.local.connection.closed:
            options = self.options
            self.local.connection = psycopg2.connect(host=options.host, port=options.port, user=options.user, dbname=options.database)
        return self.local.connection

    @contextmanager
    def asking(self, claims, read_only=False):
        """A cursor for one transaction; nil claims: nobody has logged in."""
        connection = self.connection()
        try:
            with connection, connection.cursor() as cursor:
                if claims is not None or read_only:
                    cursor.execute("SET TRANSACTION " + ("READ ONLY" if read_only else "READ WRITE"))
                cursor.execute("SELECT set_config('request.jwt.claims', %s, true)", [json.dumps(claims or {"role": "anon"})])
                cursor.execute("SET LOCAL ROLE " + ("authenticated" if claims else "anon"))
                yield cursor
        except psycopg2.Error as error:
            raise self.refusal(error, claims) from error

    @contextmanager
    def owning(self):
        """A cursor with the owner's rights, for the server's own business."""
        connection = self.connection()
        with connection, connection.cursor() as cursor:
            yield cursor

    @staticmethod
    def refusal(error, claims):
        """What PostgREST says of an error of the database."""
        state = error.pgcode or "08006"
        if state == "42501":
            status = 403 if claims else 401
        elif state in STATUSES:
            status = STATUSES[state]
        else:
            status = CLASSES.get(state[:2], 400)
        message = (error.diag.message_primary or str(error)).strip()
        return Refusal(status, state, message, error.diag.message_detail, error.diag.message_hint)
