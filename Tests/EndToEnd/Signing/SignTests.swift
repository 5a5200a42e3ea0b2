import Foundation
import Testing
import Workbench

/// `fichero sign` and `fichero verify FILE`, on the office's own reports and on documents of other
/// programs.
@Suite struct SignTests {
    private let people: SignaturePeople

    init() throws { people = try SignaturePeople.shared.get() }

    private func sign(_ file: String, _ options: String...) -> [String] { people.sign(file, options) }

    private func verify(_ files: String...) -> [String] { people.verify(files) }

    /// An office with a report; its path.
    private func reported(_ system: String = "ingeplus", _ report: String = "ficha-calicata", project: String = "CHU-2025") throws -> (Office, String) {
        let office = try Office(system: system)
        let run = try office.run("report", report, "--project", project, "--format", "pdf,xlsx", "-o", "out", "--output-name", "{export}-v{version}")
        guard run.status == 0 else { throw Office.Trouble(run) }
        return (office, "out/\(report)-v1.pdf")
    }

    @Test func aRegisteredReportStaysAndItsSignedCopiesAreRegistered() throws {
        let (office, report) = try reported()
        let before = try Data(contentsOf: URL(fileURLWithPath: office.path(report)))
        let first = try office.run(sign(report, "--reason", "Revisado", "--json"))
        #expect(first.status == 0, "\(first.error)")
        let outcome = try Reading.json(first.output)
        #expect(outcome["version"] as? Int == 1 && outcome["level"] as? String == "B-B" && outcome["signer"] as? String == "Ana Núñez (CIP 12345)")
        let second = try office.run(["sign", "out/ficha-calicata-v1-signed.pdf", "--certificate", people.file("luis.pem"), "--key", people.file("luis.key"), "--as-of", people.now, "--allow-draft"])
        #expect(second.status == 0, "\(second.error)")
        #expect(try office.files("out") == ["ficha-calicata-v1-signed-2.pdf", "ficha-calicata-v1-signed.pdf", "ficha-calicata-v1.pdf", "ficha-calicata-v1.xlsx"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: office.path(report))) == before)
        #expect(try people.hanko(office.path("out/ficha-calicata-v1-signed-2.pdf")) == ["bottom ENTIRE_REVISION FORM_FILLING unstamped", "bottom ENTIRE_FILE NONE unstamped"])
        // The books: one delivery, of which nothing is replaced, and who signed.
        #expect(try office.sql("SELECT group_concat(document || v.version || e.status, ' ') FROM (SELECT * FROM exports ORDER BY rowid) e JOIN document_versions v ON v.export_id = e.id")
            == "ficha-calicata.pdf1registered ficha-calicata.xlsx1registered ficha-calicata.signed.pdf1registered ficha-calicata.signed-2.pdf1registered")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'export_registered' AND details LIKE '%\"signer\":\"Luis Rossi\"%'") == "1")
        #expect(try office.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'exports'") == "4")
        #expect(try office.run("verify", "-o", "out").status == 0)
        let verified = try office.run(verify("out/ficha-calicata-v1-signed-2.pdf"))
        #expect(verified.status == 0 && verified.output.contains("Ana Núñez (CIP 12345): the signature holds") && verified.output.contains("what was added later changes nothing that was signed"), "\(verified.output)")
        // Nothing changed: the report is not made anew, and what is there is not overwritten.
        #expect(try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--format", "pdf,xlsx", "-o", "out", "--output-name", "{export}-v{version}").status == 0)
        #expect(try office.files("out").count == 4)
        let again = try office.run(sign(report))
        #expect(again.status == 73 && again.error.contains("OUTPUT-EXISTS"), "\(again.error)")
        // A newer version replaces all of them.
        let newer = try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--output-name", "{export}-v{version}", "--again")
        #expect(newer.status == 0, "\(newer.error)")
        #expect(newer.output.contains("replaces a version that was signed: ficha-calicata-v1-signed-2.pdf, ficha-calicata-v1-signed.pdf.") || newer.output.contains("replaces a version that was signed: ficha-calicata-v1-signed.pdf, ficha-calicata-v1-signed-2.pdf."), "\(newer.output)")
        // Each page of it says so too, also when another version stands between.
        let third = try office.run("report", "ficha-calicata", "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--output-name", "{export}-v{version}", "--again")
        for made in [newer, third] { #expect(made.status == 0, "\(made.error)") }
        for version in 2...3 {
            let pages = try ProgramRun.program("/usr/bin/pdftotext", [office.path("out/ficha-calicata-v\(version).pdf"), "-"]).output.split(separator: "\u{0C}")
            #expect(pages.count > 1 && pages.dropLast().allSatisfy { $0.contains("Follows the signed version ficha-calicata-v1-signed-2.pdf, ficha-calicata-v1-signed.pdf") })
        }
        #expect(try office.sql("SELECT count(*) FROM exports WHERE status = 'superseded'") == "5")
        let old = try office.run(sign(report, "-o", "x.pdf"))
        #expect(old.status == 65 && old.error.contains("REGISTRATION-SUPERSEDED"), "\(old.error)")
        // No word of the password or the key anywhere.
        let log = try office.sql("SELECT group_concat(coalesce(details, '')) FROM activity_logs") + first.error + first.output
        #expect(!log.contains(SignaturePeople.password) && !log.contains("ana.p12"))
    }

    /// Who signs a draft vouches for what nobody has approved.
    @Test func aDraftIsSignedOnlyWhenThatIsSaid() throws {
        let (office, report) = try reported()
        let given = sign(report).filter { $0 != "--allow-draft" }
        let refused = try office.run(given)
        #expect(refused.status == 65 && refused.error.contains("SIGN-DRAFT") && refused.error.contains("the first is"), "\(refused.error)")
        #expect(try office.files("out").count == 2)
        #expect(try office.run(given + ["--allow-draft"]).status == 0)
        // Of a registered draft no page need say so.
        let table = try office.run("report", "cuadro-resumen-ensayos", "--project", "CHU-2025", "--format", "pdf", "-o", "out", "--output-name", "cuadro")
        #expect(table.status == 0, "\(table.error)")
        let plain = sign("out/cuadro.pdf").filter { $0 != "--allow-draft" }
        _ = try office.writableSQL("UPDATE exports SET is_draft = 1 WHERE local_path LIKE '%cuadro.pdf'")
        let draft = try office.run(plain)
        #expect(draft.status == 65 && draft.error.contains("SIGN-DRAFT-DELIVERY"), "\(draft.error)")
        _ = try office.writableSQL("UPDATE exports SET is_draft = 0 WHERE local_path LIKE '%cuadro.pdf'")
        #expect(try office.run(plain).status == 0)
    }

    /// Killed after its registration, and before it could say so.
    @Test func aKilledSigningIsRecognised() throws {
        // A copied office would have its files in another place than the registered one.
        var (killed, report) = try reported()
        let command = sign(report, "--reason", "Revisado"), copy = "out/ficha-calicata-v1-signed.pdf"
        let writes = BrokenCall(paths: "*/fichero.db-wal", calls: "write")
        let calls = try writes.count(command, in: killed)
        // One of the last writes comes after the registration.
        for number in stride(from: calls, to: calls - 4, by: -1) {
            (killed, report) = try reported()
            #expect(try writes.run(command, in: killed, at: number, .kill).status == 128 + SIGKILL)
            if try killed.sql("SELECT count(*) FROM exports WHERE local_path LIKE '%-signed.pdf'") == "1" { break }
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: killed.path(copy)))
        let again = try killed.run(command)
        #expect(again.status == 0 && again.output.contains("signed so and registered before"), "\(again.output) \(again.error)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: killed.path(copy))) == before)
        #expect(try killed.sql("SELECT count(*) FROM exports WHERE local_path LIKE '%-signed.pdf'") == "1")
        #expect(try killed.run("verify", "-o", "out").status == 0)
        // Another signature is another document.
        #expect(try killed.run(sign(report, "--reason", "Otra")).status == 73)
    }

    /// A folder without a replica, in which nobody notes what a killed run leaves.
    private func plain() throws -> Office {
        let (office, report) = try reported()
        let folder = try Office(as: "a folder for signing", system: "ingeplus") { _ in }
        try FileManager.default.copyItem(atPath: office.path(report), toPath: folder.path("a.pdf"))
        return folder
    }

    @Test(arguments: [[], ["-o", "b.pdf"]]) func aKilledSigningWithoutAReplicaLeavesNothing(options: [String]) throws {
        let folder = try plain()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.pdf")))
        let killed = try BrokenCall(paths: folder.folder + "/.*", calls: "write").run(sign("a.pdf") + options, in: folder, at: 1, .kill)
        #expect(killed.status == 128 + SIGKILL)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("a.pdf"))) == before)
        let again = try folder.run(sign("a.pdf") + options)
        #expect(again.status == 0, "\(again.error)")
        #expect(try folder.files("") == (options.isEmpty ? ["a.pdf"] : ["a.pdf", "b.pdf"]))
    }

    @Test func aDiskThatDoesNotConfirmTheNameIsToldAsItIs() throws {
        let folder = try plain()
        let run = try BrokenCall(paths: folder.folder, calls: "sync").run(sign("a.pdf"), in: folder, at: 1, .fault)
        #expect(run.status == 74 && run.error.contains("OUTPUT-UNCONFIRMED"), "\(run.status) \(run.error)")
        #expect(try folder.files("") == ["a.pdf"])
        #expect(try folder.run(verify("a.pdf")).output.contains("Ana Núñez (CIP 12345): the signature holds"))
    }

    @Test func whoMaySignARegisteredReport() throws {
        let (office, report) = try reported()
        let reader = try office.sql("SELECT email FROM profiles WHERE status = 'ACTIVO' AND cached_at IS NOT NULL AND role = 'LECTOR' LIMIT 1")
        let stranger = try office.run(sign(report, "--actor", reader))
        #expect(stranger.status == 77 && stranger.error.contains("ACTOR-NOT-ALLOWED"), "\(stranger.error)")
        #expect(try office.files("out").count == 2)
        // Where the replica does not know the file, anybody may.
        try FileManager.default.copyItem(atPath: office.path(report), toPath: office.path("copy.pdf"))
        #expect(try office.run(sign("copy.pdf", "--actor", reader)).status == 0)
        #expect(try people.hanko(office.path("copy.pdf")) == ["bottom ENTIRE_FILE NONE unstamped"])
        #expect(try office.sql("SELECT count(*) FROM exports") == "2")
    }

    /// The registered file is the same one, whatever links lead to its folder.
    @Test func aLinkToItsFolderDoesNotHideARegisteredReport() throws {
        let (office, report) = try reported()
        try FileManager.default.createSymbolicLink(atPath: office.path("alias"), withDestinationPath: office.path("out"))
        let path = "alias/" + report.dropFirst("out/".count)
        let refused = try office.run(sign(path, "--actor", "lector@example.pe"))
        #expect(refused.status == 77, "\(refused.output)\(refused.error)")
        let signed = try office.run(sign(path))
        #expect(signed.status == 0, "\(signed.error)")
        #expect(try office.files("out").contains { $0.hasSuffix("-signed.pdf") })
        #expect(try office.run("verify", "-o", "out").status == 0)
    }

    /// Of two who sign one file at once, one is told that the file is another one by now.
    @Test func twoAtOnceLoseNoSignature() async throws {
        let (office, report) = try reported()
        try FileManager.default.copyItem(atPath: office.path(report), toPath: office.path("own.pdf"))
        let all = [sign("own.pdf"), ["sign", "own.pdf", "--certificate", people.file("luis.pem"), "--key", people.file("luis.key"), "--as-of", people.now, "--allow-draft"]]
        let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for arguments in all { group.addTask { try office.run(arguments).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.allSatisfy { $0 == 0 || $0 == 75 } && codes.contains(0), "\(codes)")
        let found = try office.run(verify("own.pdf"))
        #expect(found.output.components(separatedBy: ": the signature holds").count - 1 == codes.count { $0 == 0 }, "\(found.output)")
    }

    @Test func signsAReportOfBuildings() throws {
        let (office, report) = try reported("anagrafica", "inventario", project: "Scuola primaria \"Il Faggio\" – Valdorsa")
        #expect(try office.run(sign(report)).status == 0)
        #expect(try people.hanko(office.path(report.replacing(".pdf", with: "-signed.pdf"))) == ["bottom ENTIRE_FILE NONE unstamped"])
    }

    /// Without a replica, beside it, and with a time stamp.
    @Test func signsDocumentsOfOtherPrograms() throws {
        let place = try TemporaryFolder(), (url, program) = try people.timestamps()
        let environment = ["FICHERO_TEMPLATES": ProgramRun.root + "/Templates", "FICHERO_LANG": "en", "HOME": place.path]
        try place.write("<html><body><h1>Informe</h1></body></html>", to: "page.html")
        let printed = try ProgramRun.program("/usr/bin/chromium", ["--headless", "--no-sandbox", "--print-to-pdf=" + place.file("chromium.pdf"), place.file("page.html")], in: place.path, environment: environment)
        #expect(printed.status == 0, "\(printed.error)")
        try place.write("a;b\n1;2\n", to: "office.csv")
        let converted = try ProgramRun.program("/usr/bin/soffice", ["--headless", "--convert-to", "pdf", "--outdir", place.path, place.file("office.csv")], in: place.path, environment: environment)
        #expect(converted.status == 0, "\(converted.error)")
        let packed = try ProgramRun.program("/usr/bin/qpdf", ["--object-streams=generate", place.file("office.pdf"), place.file("packed.pdf")])
        #expect(packed.status == 0)
        try withExtendedLifetime(program) {
            for name in ["chromium.pdf", "office.pdf", "packed.pdf"] {
                let signed = try ProgramRun.fichero(sign(name, "--timestamp", url + "/", "--timestamp-trust", people.file("ca.pem"), "-o", "signed-" + name), in: place.path, environment: environment)
                #expect(signed.status == 0 && signed.output.contains("PAdES B-T"), "\(signed.error)")
                let hanko = try people.hanko(place.file("signed-" + name))
                #expect(hanko == ["bottom ENTIRE_FILE NONE stamped"], "\(name): \(hanko)")
                let verified = try ProgramRun.fichero(verify("signed-" + name) + ["--json"], in: place.path, environment: environment)
                #expect(verified.status == 0 && verified.output.contains("\"authority\" : \"Office Clock\""), "\(verified.output)\(verified.error)")
            }
        }
        // Nobody trusts the authority here, and an unsigned document holds no signature.
        let untrusted = try ProgramRun.fichero(["verify", "signed-office.pdf"], in: place.path, environment: environment)
        #expect(untrusted.status == 1 && untrusted.output.contains("is not proven") && untrusted.output.contains("--trust"), "\(untrusted.output)")
        let unsigned = try ProgramRun.fichero(verify("office.pdf"), in: place.path, environment: environment)
        #expect(unsigned.status == 1 && unsigned.output.contains("no signature"), "\(unsigned.output)")
        // In place, in each language.
        for (language, word) in [("es", "Firmado por"), ("it", "Firmato da"), ("en", "Signed by")] {
            let run = try ProgramRun.fichero(sign("office.pdf", "--lang", language), in: place.path, environment: environment)
            #expect(run.status == 0 && run.output.contains(word), "\(run.output)\(run.error)")
        }
        #expect(try people.hanko(place.file("office.pdf")).map { $0.prefix(6) } == ["bottom", "bottom", "bottom"])
        #expect(try !place.names.contains { $0.hasPrefix(".") && $0.hasSuffix(".partial") })
    }

    @Test func failuresHaveCodesAndLeaveNothing() throws {
        let office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.copyItem(atPath: people.file("ca.pem"), toPath: office.path("text.pdf"))
        try Data(Self.document.utf8).write(to: URL(fileURLWithPath: office.path("a.pdf")))
        let store = people.file("ana.p12"), before = try office.files(".")
        let cases: [([String], Int32, String)] = [
            (sign("none.pdf"), 66, "FILE-MISSING"), (sign("."), 65, "FILE-KIND"), (sign("text.pdf"), 65, "SIGN-DOCUMENT"),
            (["sign", "a.pdf", "--certificate", store, "--as-of", people.now, "--allow-draft"], 77, "SIGN-PASSWORD-MISSING"),
            (["sign", "a.pdf", "--certificate", store, "--password-file", people.file("ca.pem"), "--as-of", people.now, "--allow-draft"], 77, "SIGN-PASSWORD"),
            (["sign", "a.pdf", "--certificate", people.file("ana.pem"), "--as-of", people.now, "--allow-draft"], 65, "SIGN-KEY-MISSING"),
            (["sign", "a.pdf", "--certificate", people.file("ana.pem"), "--key", people.file("luis.key"), "--as-of", people.now, "--allow-draft"], 65, "SIGN-KEY-OTHER"),
            (["sign", "a.pdf", "--certificate", people.file("tls.pem"), "--key", people.file("tls.key"), "--as-of", people.now, "--allow-draft"], 65, "SIGN-PURPOSE"),
            (sign("a.pdf", "--as-of", "2057-01-01T00:00:00Z"), 65, "SIGN-EXPIRED"), (sign("a.pdf", "-o", "text.pdf"), 73, "OUTPUT-EXISTS"),
            (sign("a.pdf", "-o", "fichero.db-wal"), 73, "OUTPUT-OF-REPLICA"), (sign("a.pdf", "--timestamp", "http://127.0.0.1:1/"), 69, "TIMESTAMP-UNREACHABLE"),
            (sign("a.pdf", "--timestamp", "ftp://example.org"), 64, "--timestamp"), (["verify", "a.pdf", "-o", "."], 64, "--output-dir"), (["verify", "text.pdf"], 65, "SIGN-DOCUMENT"),
        ]
        for (arguments, status, code) in cases {
            let run = try office.run(arguments)
            #expect(run.status == status && run.error.contains(code), "\(arguments) \(run.status) \(run.error)")
        }
        #expect(try office.files(".") == before)
        var given = office
        given.environment["FICHERO_CERTIFICATE_PASSWORD"] = SignaturePeople.password
        #expect(try given.run("sign", "a.pdf", "--certificate", store, "--as-of", people.now, "--allow-draft", "--quiet").status == 0)
        #expect(try people.hanko(office.path("a.pdf")) == ["bottom ENTIRE_FILE NONE unstamped"])
    }

    /// Killed at any call that writes, or with a full disk, there is the whole copy or none, and the
    /// next run does it.
    @Test func aKilledRunLeavesAllOrNothing() throws {
        let (office, report) = try reported(), arguments = sign(report)
        let calls = try BrokenCall.any(in: office).count(arguments, in: office)
        for part in 1...6 {
            let (office, report) = try reported()
            let killed = try BrokenCall.any(in: office).run(sign(report), in: office, at: max(1, calls * part / 7), .kill)
            #expect(killed.status == 128 + SIGKILL)
            let copy = office.path("out/ficha-calicata-v1-signed.pdf")
            if FileManager.default.fileExists(atPath: copy) { #expect(try people.hanko(copy) == ["bottom ENTIRE_FILE NONE unstamped"]) }
            let run = try office.run(sign(report))
            #expect(run.status == 0 || run.error.contains("OUTPUT-EXISTS"), "\(run.error)")
            #expect(try office.files("out") == ["ficha-calicata-v1-signed.pdf", "ficha-calicata-v1.pdf", "ficha-calicata-v1.xlsx"], "call \(calls * part / 7) of \(calls)")
            #expect(try office.sql("SELECT count(*) FROM exports") == "3")
            #expect(try office.run("verify", "-o", "out").status == 0)
        }
        let (full, other) = try reported()
        let run = try BrokenCall(paths: full.folder + "/out/*").run(sign(other), in: full, at: 2, .full)
        #expect(run.status == 74 && run.error.contains("DISK-FULL"), "\(run.status) \(run.error)")
        #expect(try full.files("out") == ["ficha-calicata-v1.pdf", "ficha-calicata-v1.xlsx"])
    }

    private static let document = """
        %PDF-1.4
        1 0 obj
        << /Type /Catalog /Pages 2 0 R >>
        endobj
        2 0 obj
        << /Type /Pages /Kids [3 0 R] /Count 1 >>
        endobj
        3 0 obj
        << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>
        endobj
        xref
        0 4
        0000000000 65535 f\u{20}
        0000000009 00000 n\u{20}
        0000000058 00000 n\u{20}
        0000000115 00000 n\u{20}
        trailer
        << /Size 4 /Root 1 0 R >>
        startxref
        182
        %%EOF

        """
}
