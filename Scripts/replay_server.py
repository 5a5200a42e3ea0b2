#!/usr/bin/python3
"""Keeps what a server answers, and gives it again without any work: then only the asker's own time is left.

    Scripts/replay_server.py record FOLDER URL     passes all requests on, and keeps them with their answers
    Scripts/replay_server.py replay FOLDER         gives the answers again, those of equal requests in their order
    Scripts/replay_server.py curl FOLDER URL N     writes the requests after the first N as options for `curl -K`, whose answers go nowhere

A server prints its address, listens on this machine alone, and ends with its standard input.
"""
import http.client
import json
import sys
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

# Headers that belong to a connection and not to the answer.
HOP = {"connection", "transfer-encoding", "date", "server"}


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Nothing is printed for each request."""

    def setup(self):
        super().setup()
        # Answers are written in two pieces, which must not wait for each other.
        self.connection.setsockopt(6, 1, 1)

    def handle_any(self):
        """Answers a request."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, headers, answer = self.server.answer(self, body)
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any


class Recorder(ThreadingHTTPServer):
    """Asks another server, and keeps what it says."""

    daemon_threads = True

    def __init__(self, folder, url):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.place, self.lock, self.count = folder, urlsplit(url).netloc, threading.Lock(), 0
        self.local = threading.local()

    def answer(self, request, body):
        """The other server's answer."""
        if not hasattr(self.local, "upstream"):
            self.local.upstream = http.client.HTTPConnection(self.place)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP}
        self.local.upstream.request(request.command, request.path, body, headers)
        found = self.local.upstream.getresponse()
        answer = found.read()
        kept = [(name, value) for name, value in found.getheaders() if name.lower() not in HOP]
        with self.lock:
            self.count += 1
            stem = self.folder / f"{self.count:06}"
        stem.with_suffix(".body").write_bytes(answer)
        asked = {"method": request.command, "path": request.path, "body": body.decode("latin-1"), "sent": headers, "status": found.status, "headers": kept}
        stem.with_suffix(".json").write_text(json.dumps(asked))
        return found.status, kept, answer


class Player(ThreadingHTTPServer):
    """Gives the answers that were kept."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.lock = defaultdict(list), threading.Lock()
        for file in sorted(folder.glob("*.json")):
            kept = json.loads(file.read_text())
            self.answers[kept["method"], kept["path"], kept["body"]].append((kept["status"], kept["headers"], file.with_suffix(".body")))

    def answer(self, request, body):
        """The answer to the same request; the last one again and again."""
        with self.lock:
            found = self.answers.get((request.command, request.path, body.decode("latin-1")))
            if not found:
                return 501, [("Content-Length", "0")], b""
            status, headers, file = found.pop(0) if len(found) > 1 else found[0]
        return status, headers, file.read_bytes()


def options(folder, url, after):
    """The requests for one run of curl, which keeps its connection."""
    requests = []
    for file in sorted(folder.glob("*.json"))[after:]:
        kept = json.loads(file.read_text())
        lines = [f'url = "{url}{kept["path"]}"', 'output = "/dev/null"', "silent", f'request = "{kept["method"]}"']
        lines += [f'header = "{name}: {value}"' for name, value in kept["sent"].items() if name.lower() not in ("host", "content-length", "expect")]
        if kept["body"]:
            lines.append(f"data-raw = {json.dumps(kept['body'])}")
        requests.append("\n".join(lines))
    return "\nnext\n".join(requests)


def main():
    """Runs one of the three."""
    mode, folder = sys.argv[1], Path(sys.argv[2])
    if mode == "curl":
        print(options(folder, sys.argv[3], int(sys.argv[4])))
        return
    server = Recorder(folder, sys.argv[3]) if mode == "record" else Player(folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    sys.stdin.read()


main()
