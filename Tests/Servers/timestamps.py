"""A server of time stamps (RFC 3161), for tests: `openssl ts` answers. It listens on this machine alone and ends with its
standard input. The path says what goes wrong: see README.md.

python3 -B Tests/Servers/timestamps.py FOLDER    (with tsa.pem, tsa.key)
"""
import http.server
import os
import subprocess
import sys
import tempfile
import threading

folder = os.path.abspath(sys.argv[1])
hanging = threading.Event()

CONFIGURATION = """
[own]
serial = {place}/serial
signer_cert = {folder}/tsa.pem
certs = {folder}/ca.pem
signer_key = {folder}/tsa.key
signer_digest = sha256
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256
ess_cert_id_alg = sha256
"""


def reply(query, other=False):
    with tempfile.TemporaryDirectory() as place:
        with open(place + "/tsa.cnf", "w") as file:
            file.write(CONFIGURATION.format(place=place, folder=folder))
        if other:
            # The same question about other bytes, with another number.
            subprocess.run(["openssl", "ts", "-query", "-sha256", "-cert", "-digest", "00" * 32, "-out", place + "/query"], check=True, stderr=subprocess.DEVNULL)
        else:
            with open(place + "/query", "wb") as file:
                file.write(query)
        made = subprocess.run(
            ["openssl", "ts", "-reply", "-config", place + "/tsa.cnf", "-section", "own", "-queryfile", place + "/query", "-out", place + "/reply"],
            capture_output=True, check=False)
        if not os.path.exists(place + "/reply"):
            sys.stderr.write(made.stderr.decode())
        with open(place + "/reply", "rb") as file:
            return file.read()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        query = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/hang":
            self.send_response(200)
            self.end_headers()
            self.wfile.flush()
            hanging.wait()
            return
        if self.path == "/endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(bytes(1 << 16))
            except OSError:
                return
        answer = {
            "/garbage": lambda: b"<html>Please log in</html>",
            "/empty": lambda: b"",
            "/other": lambda: reply(query, other=True),
            "/refused": lambda: bytes.fromhex("30053003020102"),
            "/cut": lambda: reply(query)[:-200],
        }.get(self.path, lambda: reply(query))()
        self.send_response(404 if self.path == "/missing" else 200)
        self.send_header("Content-Type", "application/timestamp-reply")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"ready http://127.0.0.1:{server.server_address[1]}", flush=True)
sys.stdin.read()
os._exit(0)
