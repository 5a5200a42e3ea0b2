"""A server that behaves over HTTP as Supabase does, over a real PostgreSQL database.

It serves Auth, PostgREST and Storage as far as a sync needs them, and makes requests fail when a
test asks for it. The README beside it says which facts it behaves out. Without an address it listens
on this machine alone. One program may serve many databases, each at a port of its own.
"""

import argparse
import json
import re
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

import files
import rows
import sessions
from database import Database, Refusal

KEY = "sb_publishable_test"


class Faults:
    """What tests want to go wrong, and which requests came."""

    def __init__(self):
        self.lock = threading.Lock()
        self.list = []
        self.requests = []

    def take(self, line):
        """The fault for a request, if one applies now."""
        with self.lock:
            for fault in self.list:
                if not re.search(fault["match"], line):
                    continue
                if fault.get("after", 0) > 0:
                    fault["after"] -= 1
                elif fault.setdefault("times", 1) > 0:
                    fault["times"] -= 1
                    return fault["do"]
        return {}

    def note(self, line, status, length):
        with self.lock:
            self.requests.append({"request": line, "status": status, "bytes": length})


class Answer:
    """What goes back: a status, headers and a body."""

    def __init__(self, status=200, body=b"", headers=None, kind="application/json; charset=utf-8"):
        self.status, self.headers = status, dict(headers or {})
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.headers.setdefault("Content-Type", kind)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version = "test"

    def log_message(self, *_):
        """Nothing is printed for each request."""

    def setup(self):
        super().setup()
        # Answers are written in two pieces, which must not wait for each other.
        self.connection.setsockopt(6, 1, 1)

    def handle_any(self):
        """Answers a request, or fails as a test wants it."""
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        line = f"{self.command} {self.path}"
        place = urlsplit(self.path)
        if place.path.startswith("/test/"):
            return self.send(self.test(place.path, body), {})
        fault = self.server.faults.take(line)
        if fault.get("close") == "before":
            return self.drop(line, length)
        if "hold" in fault:
            self.hold(fault["hold"])
            return self.drop(line, length)
        if "slow" in fault:
            time.sleep(fault["slow"])
        if fault.get("expire"):
            self.server.sessions.expire()
        if "status" in fault:
            headers = {"Retry-After": str(fault["retry_after"])} if "retry_after" in fault else {}
            answer = Answer(fault["status"], {"message": "a fault that a test made", "code": "TEST"}, headers)
        elif fault.get("garbage"):
            answer = Answer(200, b"<html><body>Please log in to this network</body></html>", kind="text/html")
        else:
            answer = self.answer(place, body)
        if fault.get("close") == "after":
            return self.drop(line, length)
        self.server.faults.note(line, answer.status, length)
        self.send(answer, fault)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def drop(self, line, length):
        """Breaks the connection without an answer."""
        self.server.faults.note(line, 0, length)
        self.close_connection = True
        try:
            self.connection.shutdown(2)
        except OSError:
            pass  # The other side is gone.

    def hold(self, pipe):
        """Tells a test by a named pipe that a request came, and waits until whoever asks is gone."""
        with open(pipe, "w", encoding="utf-8") as told:
            told.write("held")
        try:
            self.connection.recv(1)
        except OSError:
            pass

    def send(self, answer, fault):
        """Writes an answer, whole or in part."""
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        has_body = answer.status not in (204, 304)
        if has_body:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command == "HEAD" or not has_body:
            return
        if "cut" in fault:
            self.wfile.write(answer.body[: fault["cut"]])
            self.close_connection = True
            self.connection.shutdown(2)
            return
        self.wfile.write(answer.body)

    def test(self, path, body):
        """What tests ask about the server itself."""
        faults = self.server.faults
        with faults.lock:
            if self.command == "POST" and path == "/test/faults":
                faults.list = json.loads(body)
            elif self.command == "DELETE" and path == "/test/uploads":
                self.server.files.uploads.clear()
            elif self.command == "DELETE":
                faults.list, faults.requests = [], []
            return Answer(200, faults.requests)

    def answer(self, place, body):
        """The answer of the service that the path names."""
        if self.headers.get("apikey") != KEY:
            return Answer(401, {"message": "Invalid API key", "hint": "Double check your API key."})
        query = parse_qsl(place.query, keep_blank_values=True)
        try:
            if place.path.startswith("/auth/v1/"):
                return Answer(*self.server.sessions.answer(place.path[9:], dict(query), body, self.headers))
            claims = self.server.sessions.claims(self.headers.get("Authorization"))
            path = unquote(place.path)
            if path.startswith("/rest/v1/"):
                return Answer(*rows.answer(self.server, self.command, path[9:], query, self.headers, body, claims))
            if path.startswith("/storage/v1/"):
                return Answer(*files.answer(self.server, self.command, path[12:], self.headers, body, claims))
        except Refusal as refusal:
            if place.path.startswith("/storage/v1/"):
                return Answer(*files.refused(refusal))
            return Answer(refusal.status, refusal.body, refusal.headers)
        return Answer(404, {"message": "no Route matched with those values"})


def serve(arguments):
    """Begins to serve a database, as the options say. Returns the server with its address."""
    parser = argparse.ArgumentParser()
    for name in ("host", "user", "database", "files"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=5432)
    parser.add_argument("--cap", type=int, default=1000)
    parser.add_argument("--schemas", default="public,fichero")
    parser.add_argument("--lifetime", type=int, default=3600)
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    options = parser.parse_args(arguments)
    server = ThreadingHTTPServer((options.address, 0), Handler)
    server.daemon_threads = True
    server.database = Database(options)
    server.sessions = sessions.Sessions(server.database, options.lifetime)
    server.faults = Faults()
    server.cap, server.files = options.cap, files.Files(options.files)
    server.schemas = options.schemas.split(",")
    scheme = "http"
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
        # The handshake belongs to the connection's own thread.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        scheme = "https"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"{scheme}://{options.address}:{server.server_address[1]}"


def end(server):
    """Ends a server, which looks for that twice a second."""
    server.shutdown()
    server.server_close()


def main():
    """Serves one database, or those that standard input asks for, until it ends."""
    if sys.argv[1:] != ["--many"]:
        print("ready " + serve(sys.argv[1:])[1], flush=True)
        sys.stdin.read()
        return
    print("ready", flush=True)
    servers = {}
    for line in sys.stdin:
        words = json.loads(line)
        if words[0] == "end":
            threading.Thread(target=end, args=[servers.pop(words[1])], daemon=True).start()
            print("ended", flush=True)
            continue
        try:
            server, url = serve(words)
            servers[url] = server
            print("ready " + url, flush=True)
        except OSError as error:
            print(f"failed: {error}", flush=True)


main()
