"""Auth: passwords, access tokens that expire, refresh tokens that are good for one use."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time

from database import Refusal

SECRET = b"only for tests"


def encoded(data):
    """Base64 for addresses, without filling."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Sessions:
    """The people who have logged in."""

    def __init__(self, database, lifetime):
        self.database, self.lifetime = database, lifetime
        self.lock = threading.Lock()
        # Access tokens of an earlier generation have expired.
        self.generation = 0
        # Refresh tokens: the person, and whether it was used.
        self.tokens = {}

    def expire(self):
        """All access tokens have expired from now on."""
        with self.lock:
            self.generation += 1

    def answer(self, path, query, body, headers):
        """Answers `token` and `logout`."""
        is_dated = headers.get("X-Supabase-Api-Version") == "2024-01-01"

        def refused(status, code, message):
            content = {"code": code, "message": message} if is_dated else {"code": status, "error_code": code, "msg": message}
            return status, content, {"x-sb-error-code": code}

        if path == "logout":
            return 204, b""
        if path != "token":
            return refused(404, "not_found", "no such path")
        asked = json.loads(body or b"{}")
        if query.get("grant_type") == "refresh_token":
            with self.lock:
                known = self.tokens.get(asked.get("refresh_token"))
                if known is None:
                    return refused(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
                person, is_used = known
                if is_used:
                    # A token that comes twice was stolen: the whole session ends.
                    self.tokens = {token: (owner, True) for token, (owner, _) in self.tokens.items() if owner == person} | {
                        token: entry for token, entry in self.tokens.items() if entry[0] != person}
                    return refused(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
                self.tokens[asked["refresh_token"]] = (person, True)
            return 200, self.tokens_of(person)
        email = (asked.get("email") or "").lower()
        with self.database.owning() as cursor:
            cursor.execute("SELECT id::text, email FROM public.profiles WHERE lower(email) = %s", [email])
            found = cursor.fetchone()
        # Auth knows people whose profile is not there, too.
        if asked.get("password") != "test-" + email:
            return refused(400, "invalid_credentials", "Invalid login credentials")
        return 200, self.tokens_of(found or ("99999999-0000-4000-8000-000000000000", email))

    def tokens_of(self, person):
        """New tokens of a person."""
        now = int(time.time())
        claims = {"sub": person[0], "email": person[1], "role": "authenticated", "exp": now + self.lifetime, "gen": self.generation}
        head = encoded(b'{"alg":"HS256","typ":"JWT"}') + "." + encoded(json.dumps(claims).encode())
        access = head + "." + encoded(hmac.new(SECRET, head.encode(), hashlib.sha256).digest())
        refresh = secrets.token_urlsafe(12)
        with self.lock:
            self.tokens[refresh] = (person, False)
        return {
            "access_token": access, "refresh_token": refresh, "token_type": "bearer", "expires_in": self.lifetime,
            "expires_at": now + self.lifetime, "user": {"id": person[0], "email": person[1]}}

    def claims(self, authorization):
        """The claims of a token; None: nobody has logged in."""
        if not authorization:
            return None
        token = authorization.removeprefix("Bearer ")
        head, _, signature = token.rpartition(".")
        if not hmac.compare_digest(encoded(hmac.new(SECRET, head.encode(), hashlib.sha256).digest()), signature):
            raise Refusal(401, "PGRST301", "JWSError JWSInvalidSignature")
        body = head.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        if claims["exp"] < time.time() or claims["gen"] < self.generation:
            raise Refusal(401, "PGRST301", "JWT expired", headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
        return claims
