import Foundation
import Testing
import Workbench

/// `fichero why` says of a record what the export itself does with it.
@Suite struct WhyCommandTests {
    private struct Answer: Decodable {
        struct File: Decodable {
            struct Reason: Decodable { var code: String, text: String, detail: String }
            struct Delivery: Decodable { var line: String, version: Int }
            var name: String, state: String, reasons: [Reason], deliveries: [Delivery]
        }
        struct RecordError: Decodable { var code: String, message: String, remedy: String, isAccepted: Bool }
        var id: String, isMember: Bool, files: [File], errors: [RecordError]
    }

    private func ask(_ office: Office, _ arguments: String...) throws -> Answer {
        let run = try office.run(["why"] + arguments + ["--json"])
        try #require(run.status == 0, "\(run.output)\(run.error)")
        return try JSONDecoder().decode(Answer.self, from: Data(run.output.utf8))
    }

    private func ids(_ office: Office, _ condition: String) throws -> [String] {
        try office.sql(
            "SELECT c.id FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE \(condition) ORDER BY c.id"
        ).split(separator: "\n").map(String.init)
    }

    @Test func theAnswerIsWhatTheExportDoes() throws {
        let office = try Office.pits()
        let faulty = try #require(try ids(office, "c.status = 'APROBADO' AND c.depth_m > 0").first)
        let draft = try #require(try ids(office, "c.status = 'BORRADOR' AND c.id <> '\(faulty)'").first)
        _ = try office.writableSQL(
            "UPDATE calicatas SET depth_m = -5, content_stamp = content_stamp + 1000000 WHERE id IN ('\(faulty)', '\(draft)')"
        )
        let options = ["--state", "APROBADO", "--from", "2000-01-01"]
        let run = try office.run(
            ["export", "calicatas", "--format", "csv", "-o", "out", "--fail-on", "never"] + options)
        #expect(run.status == 0, "\(run.error)")
        let script =
            "import csv, glob, sys; print('\\n'.join(r['id'] for f in glob.glob(sys.argv[1] + '/**/*-calicatas.csv', recursive=True) for r in csv.DictReader(open(f, newline=''))))"
        let exported = try Set(
            Reading.python(script, office.path("out")).output.split(separator: "\n").map(String.init))
        let sound = try #require(exported.sorted().first)
        var codes: [String: [String]] = [:]
        for id in [sound, faulty, draft] {
            let answer = try ask(office, id, "calicatas", "--state", "APROBADO", "--from", "2000-01-01")
            let file = try #require(answer.files.first)
            #expect(answer.id == id && answer.files.count == 1 && file.name == "calicatas")
            #expect((file.state == "in") == exported.contains(id), "\(file)")
            #expect(file.deliveries.map(\.version) == (exported.contains(id) ? [1] : []))
            codes[id] = file.reasons.map(\.code)
            if id != sound {
                #expect(
                    answer.errors.contains { $0.message.contains("5") && !$0.remedy.isEmpty && !$0.isAccepted },
                    "\(answer.errors)")
            }
        }
        #expect(codes == [sound: [], faulty: ["findings"], draft: ["state"]])
        // All reasons are named, where the export names the first.
        let both = try ask(office, draft, "calicatas", "--state", "APROBADO", "--to", "1990-01-01")
        #expect(both.files.first?.reasons.map(\.code) == ["state", "date"])
        #expect(both.files.first?.reasons.first.map { [$0.text, $0.detail] } == ["Because of its state", "Draft"])
    }

    @Test func partsPeopleAndDeletedRecordsHaveAnAnswer() throws {
        let office = try Office.pits()
        let part = try office.sql(
            "SELECT k.id || ' ' || c.id FROM calicata_cortes AS k JOIN calicatas AS c ON c.id = k.calicata_id ORDER BY k.id LIMIT 1"
        ).split(separator: " ").map(String.init)
        let whole = try ask(office, part[1]), below = try ask(office, part[0])
        #expect(
            whole.files.count > 3 && below.files.map(\.name) == whole.files.map(\.name)
                && below.files.map(\.state) == whole.files.map(\.state))
        #expect(whole.files.contains { $0.name == "calicatas" } && whole.files.contains { $0.name == "ficha-calicata" })
        // An administrator looks for records of all projects, but files hold only those of one's own.
        let other = try office.run("why", part[1], "--actor", Office.administrator, "--lang", "es")
        #expect(other.status == 0 && other.output.contains("no es miembro"), "\(other.output)\(other.error)")
        let unknown = try office.run("why", "C-999")
        #expect(unknown.status == 66 && unknown.error.contains("RECORD-UNKNOWN"))
        #expect(try office.run("why", part[1], "calicata").error.contains("calicatas"))
        #expect(
            try ask(office, office.sql("SELECT min(id) FROM projects"), "calicatas").files.map(\.state) == [
                "other-kind"
            ])
        let code = try office.sql("SELECT c.id FROM calicatas AS c WHERE c.status = 'BORRADOR' ORDER BY c.id LIMIT 1")
        let deleted = try office.run("delete", code, "--reason", "dug twice", "--actor", Office.administrator)
        #expect(deleted.status == 0, "\(deleted.error)")
        let gone = try office.run("why", code, "--lang", "it")
        #expect(
            gone.status == 0 && gone.output.contains("È stata cancellata") && gone.output.contains("dug twice"),
            "\(gone.output)\(gone.error)")
    }
}
