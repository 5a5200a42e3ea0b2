"""Offices with the samples, for scripts that try the program. Each has a replica in a folder of its own."""
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ADMINISTRATOR = "admin@example.org"
# Who works with the samples of each system.
PEOPLE = {
    "anagrafica": "ufficio@example.it", "ingeplus": "coordinadora@example.pe", "mesync": "admin@example.pe",
    "interrapidisimo": "supervisora@example.co", "yaquedamos": "administracion@example.co",
}
# No command takes so many seconds, even on a busy machine.
PATIENCE = 300


def survey(system):
    """The import of a system's samples."""
    return ["import", f"{ROOT}/Samples/{system}/survey", "--fail-on", "never", "--actor", ADMINISTRATOR]


class SampleOffice:
    def __init__(self, program, place, base=None, system="ingeplus"):
        self.program, self.place, self.system = program, place, system
        if base:
            shutil.copytree(base.place, place, dirs_exist_ok=True)
        os.makedirs(place + "/tmp", exist_ok=True)

    def begin(self):
        """Makes the replica."""
        self.run(["init", "--pack", self.system, "--admin", ADMINISTRATOR]).check_returncode()

    def run(self, words, **variables):
        """Runs a command in English at a fixed time. No setting of the machine counts."""
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": self.place, "LANG": "C.UTF-8", "TMPDIR": self.place + "/tmp",
            "FICHERO_REPLICA": self.place + "/fichero.db", "FICHERO_TEMPLATES": ROOT + "/Templates",
            "FICHERO_ACTOR": PEOPLE[self.system], "FICHERO_ORG_ID": "0198a000-0000-7000-8000-00000000f1c0",
            # A program that is built for coverage would leave a file in the folder.
            "FICHERO_LANG": "en", "LLVM_PROFILE_FILE": "/dev/null", **variables}
        return subprocess.run(
            [self.program, *words, "--as-of", "2025-12-01T14:00:00Z"], cwd=self.place, env=environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
