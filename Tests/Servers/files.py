"""Storage: plain uploads, uploads in pieces (TUS 1.0.0), downloads. Policies of the database decide."""

import base64
import hashlib
import json
import os
import threading
import uuid

from database import Refusal

PIECE = 6 << 20
TUS = {"Tus-Resumable": "1.0.0"}


class Files:
    """The binaries, in a folder, and the uploads that are not complete."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()
        self.uploads = {}

    def path(self, bucket, name):
        """Where a file is on this disk."""
        parts = [bucket, *name.split("/")]
        if any(part in ("", ".", "..") for part in parts):
            raise Refusal(400, "InvalidKey", f"Invalid key: {name}")
        return os.path.join(self.folder, *parts)

    def keep(self, bucket, name, data):
        """Writes a file."""
        path = self.path(bucket, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


def refused(refusal):
    """Most errors have the status 400, and the real one as a text."""
    status = refusal.status
    if refusal.code == "42501":
        return 400, {"statusCode": "403", "error": "Unauthorized", "message": "new row violates row-level security policy"}
    if refusal.code.startswith("PGRST"):
        return 400, {"statusCode": "403", "error": "Unauthorized", "message": "\"exp\" claim timestamp check failed"}
    return 400, {"statusCode": str(status), "error": refusal.code, "message": refusal.body["message"]}


def record(cursor, bucket, name, data, kind, is_upsert):
    """Writes the row of a file; policies may refuse it."""
    facts = json.dumps({"size": len(data), "mimetype": kind, "eTag": hashlib.md5(data).hexdigest()})
    cursor.execute("SELECT 1 FROM storage.objects WHERE bucket_id = %s AND name = %s", [bucket, name])
    if cursor.fetchone():
        if not is_upsert:
            raise Refusal(409, "Duplicate", "The resource already exists")
        cursor.execute(
            "UPDATE storage.objects SET metadata = %s, updated_at = now() WHERE bucket_id = %s AND name = %s RETURNING id::text", [facts, bucket, name])
    else:
        cursor.execute(
            "INSERT INTO storage.objects (bucket_id, name, owner, metadata) VALUES (%s, %s, fichero.actor(), %s) RETURNING id::text", [bucket, name, facts])
    return cursor.fetchone()[0]


def answer(server, method, path, headers, body, claims):
    """Answers a request."""
    if path.startswith("upload/resumable"):
        return resumable(server, method, path[len("upload/resumable"):].strip("/"), headers, body, claims)
    words = path.split("/")
    if words[0] != "object":
        raise Refusal(404, "not_found", "Route not found")
    is_info = words[1:2] == ["info"]
    rest = words[2:] if is_info else words[1:]
    rest = rest[1:] if rest and rest[0] == "authenticated" else rest
    bucket, name = rest[0], "/".join(rest[1:])
    files = server.files
    with server.database.asking(claims) as cursor:
        if method in ("POST", "PUT"):
            files.path(bucket, name)
            is_upsert = method == "PUT" or headers.get("x-upsert") == "true"
            identity = record(cursor, bucket, name, body, headers.get("Content-Type", ""), is_upsert)
            files.keep(bucket, name, body)
            return 200, {"Id": identity, "Key": f"{bucket}/{name}"}
        cursor.execute("SELECT id::text, metadata FROM storage.objects WHERE bucket_id = %s AND name = %s", [bucket, name])
        found = cursor.fetchone()
        if not found:
            raise Refusal(404, "not_found", "Object not found")
        if method == "DELETE":
            cursor.execute("DELETE FROM storage.objects WHERE id = %s::uuid", [found[0]])
            return 200, {"message": "Successfully deleted"}
    if is_info:
        return 200, {"id": found[0], "name": name, "bucket_id": bucket, "size": found[1]["size"], "content_type": found[1]["mimetype"], "etag": found[1]["eTag"]}
    with open(files.path(bucket, name), "rb") as file:
        return 200, file.read(), {"ETag": '"' + found[1]["eTag"] + '"'}, found[1]["mimetype"]


def resumable(server, method, identity, headers, body, claims):
    """Uploads in pieces: they go on where they stopped, and their address lives for a while."""
    files = server.files
    if claims is None:
        raise Refusal(403, "Unauthorized", "no token")
    if headers.get("Tus-Resumable") != "1.0.0":
        return 412, b"", TUS
    if method == "POST":
        facts = dict(part.split(" ", 1) if " " in part else (part, "") for part in headers.get("Upload-Metadata", "").split(","))
        facts = {key: base64.b64decode(value).decode() for key, value in facts.items()}
        files.path(facts["bucketName"], facts["objectName"])
        with server.database.asking(claims) as cursor:
            # Policies are asked before the first byte comes.
            record(cursor, facts["bucketName"], facts["objectName"], b"", "", headers.get("x-upsert") == "true")
            cursor.connection.rollback()
        identity = uuid.uuid4().hex
        with files.lock:
            files.uploads[identity] = {"facts": facts, "length": int(headers["Upload-Length"]), "data": bytearray(), "upsert": headers.get("x-upsert") == "true"}
        return 201, b"", TUS | {"Location": f"http://storage.internal:5000/storage/v1/upload/resumable/{identity}"}
    with files.lock:
        upload = files.uploads.get(identity)
        if upload is None:
            return 404, b"The file for this url was not found", TUS
        state = TUS | {"Upload-Offset": str(len(upload["data"])), "Upload-Length": str(upload["length"])}
        if method == "HEAD":
            return 200, b"", state
        if method == "DELETE":
            del files.uploads[identity]
            return 204, b"", TUS
        if int(headers.get("Upload-Offset", -1)) != len(upload["data"]):
            return 409, b"Upload-Offset conflict", TUS
        upload["data"] += body
        is_last = len(upload["data"]) == upload["length"]
        if not is_last and len(body) != PIECE:
            return 400, b"pieces have 6 MiB", TUS
    if is_last:
        with server.database.asking(claims) as cursor:
            facts = upload["facts"]
            record(cursor, facts["bucketName"], facts["objectName"], bytes(upload["data"]), facts.get("contentType", ""), upload["upsert"])
            files.keep(facts["bucketName"], facts["objectName"], bytes(upload["data"]))
    return 204, b"", TUS | {"Upload-Offset": str(len(upload["data"]))}
