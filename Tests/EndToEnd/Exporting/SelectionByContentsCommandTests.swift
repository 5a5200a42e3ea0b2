import Foundation
import Testing
import Workbench

/// `--near`, `--within` and `--text` on the command line and in a job.
@Suite struct SelectionByContentsCommandTests {
    private let moderator = "moderacion@example.co"

    /// How many activities the files have, by another program.
    private func count(_ office: Office, _ options: [String]) throws -> Int {
        let out = office.path("out-" + UUID().uuidString)
        let run = try office.run(["export", "actividades", "--format", "csv", "-o", out, "--fail-on", "never", "--allow-empty", "--actor", moderator] + options)
        try #require(run.status == 0, "\(run.output)\(run.error)")
        let script = "import csv, glob, sys; print(sum(len(list(csv.DictReader(open(f, newline='')))) for f in glob.glob(sys.argv[1] + '/*/*-actividades.csv')))"
        return try Int(ProgramRun.program("/usr/bin/python3", ["-c", script, out]).output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }

    @Test func recordsAreChosenByPlaceAndByWords() throws {
        let office = try Office(system: "yaquedamos")
        // The law of cosines, where the program has haversines.
        let script = """
            import math, sqlite3, sys
            rows = sqlite3.connect(sys.argv[1]).execute("SELECT latitude, longitude, lower(name || ' ' || description || ' ' || coalesce(place_name, '')) FROM activities").fetchall()
            r = math.radians
            near = [a for a in rows if a[0] is not None and 6371008.8 * math.acos(min(1, math.sin(r(4.65)) * math.sin(r(a[0])) + math.cos(r(4.65)) * math.cos(r(a[0])) * math.cos(r(a[1] + 74.06)))) <= 3000]
            print(len(near), len([a for a in rows if 'cerro' in a[2]]), len(rows))
            """
        let expected = try ProgramRun.program("/usr/bin/python3", ["-c", script, office.replica]).output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(expected.count == 3 && expected[0] > 0 && expected[0] < expected[2] && expected[1] > 0 && expected[1] < expected[2], "\(expected)")
        #expect(try count(office, []) == expected[2])
        #expect(try count(office, ["--near", "4.65,-74.06", "--within", "3km"]) == expected[0])
        #expect(try count(office, ["--text", "CERRO"]) == expected[1])
        #expect(try count(office, ["--near", "-12.0677,-75.2102", "--within", "1km"]) == 0)
    }

    @Test(arguments: [
        (["export", "actividades", "--near", "4.6,-74"], 64, "--within"), (["export", "actividades", "--near", "4.6", "--within", "1km"], 64, "CIRCLE-INVALID"),
        (["export", "actividades", "--text", "- \""], 64, "WORDS-EMPTY"), (["export", "mis-datos", "--near", "4.6,-74", "--within", "1km"], 64, "RECORD-NO-PLACE"),
        (["export", "mis-datos", "--text", "ana"], 64, "RECORD-NO-TEXTS"), (["export", "actividades", "--near", "-91,-74", "--within", "1km"], 64, "CIRCLE-INVALID"),
    ])
    func whatCannotBeChosenIsSaid(_ arguments: [String], _ status: Int32, _ code: String) throws {
        let office = try Office(system: "yaquedamos")
        let run = try office.run(arguments + ["-o", office.path("out"), "--actor", moderator])
        #expect(run.status == status && run.error.contains(code), "\(run.output)\(run.error)")
        #expect(!FileManager.default.fileExists(atPath: office.path("out")))
    }
}
