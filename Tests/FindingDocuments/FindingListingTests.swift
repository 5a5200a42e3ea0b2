import Foundation
import JSONReading
import Model
import Testing
@testable import FindingDocuments

@Suite struct FindingListingTests {
    private let text = FindingText(
        Texts([
            .spanish: [
                "finding.FIELD-RANGE": "Fuera de rango", "finding.FIELD-RANGE.message": "{field} de {key}: {value} no está entre {minimum} y {maximum} {unit}.",
                "finding.FIELD-RANGE.remedy": "Corrija {field}.", "rule.HOLE": "Hueco", "rule.HOLE.message": "{table} {key}: hueco, {missing}.",
                "rule.HOLE.remedy": "Complete.", "entity.pits.one": "Calicata", "field.pits.depth": "Profundidad", "word.severity.error": "error",
                "word.severity.warning": "aviso", "word.severity.note": "nota", "finding.FIELD-TYPE.message": "{value}: {type}", "word.type.date": "fecha",
            ]
        ]), in: .spanish)

    private func range(_ number: Int) -> Finding {
        Finding(
            code: "FIELD-RANGE", severity: .error, place: Place(table: "pits", id: "i\(number)", key: "P-1 / C-\(number)", field: "depth"),
            arguments: ["value": "45", "minimum": "0.1", "maximum": "30", "unit": "m"])
    }

    @Test func words() {
        #expect(text.message(of: range(1)) == "Profundidad de P-1 / C-1: 45 no está entre 0.1 y 30 m.")
        #expect(text.remedy(of: range(1)) == "Corrija Profundidad.")
        #expect(text.place(of: range(1)) == "Calicata P-1 / C-1 · Profundidad")
        #expect(text.message(of: Finding(code: "HOLE", severity: .warning, place: Place(table: "pits", id: "i9"))) == "Calicata i9: hueco, {missing}.")
        #expect(text.message(of: Finding(code: "FIELD-TYPE", severity: .error, arguments: ["value": "x", "type": "date"])) == "x: fecha")
        #expect(text.message(of: Finding(code: "NEW", severity: .error)) == "NEW")
        #expect(text.place(of: Finding(code: "NEW", severity: .error, place: Place(file: "a.json", line: 3, column: 4, pointer: "/3"))) == "a.json · 3:4 · /3")
    }

    /// A part in brackets goes where a value in it is missing; other brackets are ordinary text.
    @Test func partsWithoutTheirValueAreLeftOut() {
        let text = FindingText(
            Texts([.spanish: ["rule.HOLE.message": "{key}: hueco[ de {size} m][, {count} {count:vez|veces}] [sic]", "rule.HOLE.remedy": "Complete[: {what}]."]]), in: .spanish)
        func told(_ arguments: [String: String]) -> [String] {
            let finding = Finding(code: "HOLE", severity: .error, place: Place(table: "pits", key: "C-1"), arguments: arguments)
            return [text.message(of: finding), text.remedy(of: finding)]
        }
        #expect(told(["size": "2", "count": "1", "what": "todo"]) == ["C-1: hueco de 2 m, 1 vez [sic]", "Complete: todo."])
        #expect(told(["size": "", "count": "3"]) == ["C-1: hueco, 3 veces [sic]", "Complete."])
    }

    /// What a rule quotes is said as people say it: words of vocabularies by their labels, but for
    /// symbols, and days as the language writes them.
    @Test func rulesQuoteLabelsAndDays() throws {
        let pack = try FindingScene().pack
        func told(_ code: String, _ arguments: [String: String], _ language: Language) -> String {
            FindingText(pack.texts, of: pack, in: language).message(of: Finding(code: code, severity: .error, place: Place(table: "calicatas", key: "C-1"), arguments: arguments))
        }
        let state = ["status": "EN_REVISION", "count": "1", "minimum": "2"]
        #expect(told("CALICATA-SIN-CORTES", state, .spanish).contains("está en «En revisión» y"))
        #expect(told("CALICATA-SIN-CORTES", ["status": "ELSEWHERE"], .spanish).contains("ELSEWHERE"), "a word that the vocabulary lacks stays")
        #expect(told("CORTE-RARO-AASHTO", ["sucs": "GW", "aashto": "A-8"], .spanish).contains("«GW» no se da con «A-8»"))
        let days = ["start_date": "2026-03-04", "end_date": "2026-02-31"]
        #expect(told("CALICATA-FECHAS", days, .italian).contains("04/03/2026") && told("CALICATA-FECHAS", days, .english).contains("2026-03-04"))
        #expect(told("CALICATA-FECHAS", days, .italian).contains("2026-02-31"), "no day")
        // Instants by the office's clock, and no digits that a calculation only seems to have.
        let lima = FindingText(pack.texts, of: pack, in: .spanish, zone: TimeZone(identifier: "America/Lima"))
        let message = lima.message(of: Finding(
            code: "CALICATA-FECHAS", severity: .error, place: Place(table: "calicatas", key: "C-1"),
            arguments: ["start_date": "2026-03-04T03:30:00Z", "end_date": "0.8895606418489687"]))
        #expect(message.contains("03/03/2026 22:30") && message.contains("0.889561"), "\(message)")
    }

    @Test func aTextForATerminal() {
        let report = FindingListing(text, first: 2)
        let hole = Finding(code: "HOLE", severity: .warning, place: Place(table: "pits", key: "C-1"), arguments: ["missing": "1 m"])
        report.add(hole)
        for number in 1...5 { report.add(range(number)) }
        #expect(report.render() == """
            error  FIELD-RANGE  Fuera de rango  × 5
              Calicata P-1 / C-1 · Profundidad  [\(range(1).fingerprint.prefix(8))]
                Profundidad de P-1 / C-1: 45 no está entre 0.1 y 30 m.
              Calicata P-1 / C-2 · Profundidad  [\(range(2).fingerprint.prefix(8))]
                Profundidad de P-1 / C-2: 45 no está entre 0.1 y 30 m.
              … + 3
              → Corrija Profundidad.

            aviso  HOLE  Hueco  × 1
              Calicata C-1  [\(hole.fingerprint.prefix(8))]
                Calicata C-1: hueco, 1 m.
              → Complete.

            error: 5  aviso: 1  nota: 0

            """)
        #expect(FindingListing(text).render() == "error: 0  aviso: 0  nota: 0\n")
    }

    /// Remedies that differ stand below their own findings, those that follow each other once.
    @Test func remediesThatDifferStandBelowTheirFindings() {
        let text = FindingText(Texts([.english: ["finding.FIELD-VOCABULARY.message": "{value}", "finding.FIELD-VOCABULARY.remedy": "Use {values}."]]), in: .english)
        let report = FindingListing(text)
        for (value, values) in [("red", "a, b"), ("blue", "a, b"), ("5", "c")] {
            report.add(Finding(code: "FIELD-VOCABULARY", severity: .error, place: Place(table: "pits", key: value), arguments: ["value": value, "values": values]))
        }
        let lines = report.render().split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("pits") }
        #expect(lines.dropFirst().dropLast() == ["red", "blue", "→ Use a, b.", "5", "→ Use c."], "\(lines)")
    }

    @Test func acceptedFindingsAreShownAsSuch() throws {
        let scene = try FindingScene.everything()
        let report = FindingListing(scene.text(.spanish))
        for reported in scene.reported { report.add(reported.finding) }
        #expect(report.render().contains("    Aceptado por jefe@example.pe hasta el 2026-01-31: Known <since> May\n"))
    }

    @Test func jsonForPrograms() throws {
        var written = ""
        let json = FindingJSON(text) { written += $0 }
        try json.add(range(1))
        try json.add(Finding(code: "HOLE", severity: .warning, place: Place(file: "\"x\"\n", line: 7), arguments: ["b": "2", "a": "1"]))
        try json.finish()
        let value = try JSONValue.parse(written)
        #expect(value.items?.count == 2)
        #expect(value[0]?.description == """
            {"code":"FIELD-RANGE","severity":"error","title":"Fuera de rango","message":"Profundidad de P-1 / C-1: 45 no está entre 0.1 y 30 m.",\
            "remedy":"Corrija Profundidad.","fingerprint":"\(range(1).fingerprint)",\
            "place":{"table":"pits","id":"i1","key":"P-1 / C-1","field":"depth","label":"Profundidad"},\
            "arguments":{"maximum":"30","minimum":"0.1","unit":"m","value":"45"}}
            """)
        #expect(value[1]?["place"]?.description == #"{"file":"\"x\"\n","line":7}"#)
        var empty = ""
        try FindingJSON(text) { empty += $0 }.finish()
        #expect(empty == "[]\n")
    }
}

/// If a command was refused, the remedy is about the command and not about an imported file.
@Suite struct CommandRemedyTests {
    @Test(arguments: ["IMPORT-CLOSED", "IMPORT-CLOSED-PART", "IMPORT-SAME-KEY", "IMPORT-NOT-ALLOWED"], [Language.english, .spanish, .italian])
    func speakOfNoImport(code: String, language: Language) throws {
        let pack = try FindingScene().pack
        let finding = Finding(code: code, severity: .error, place: Place(table: "calicatas"), arguments: [:])
        let (command, file) = (
            FindingText(pack.texts, in: language, isCommand: true).remedy(of: finding), FindingText(pack.texts, in: language).remedy(of: finding))
        #expect(!command.isEmpty && command != file)
        #expect(!command.lowercased().contains("import") && !command.contains("rejects"), "\(command)")
    }
}
