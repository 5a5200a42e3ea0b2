import Foundation
import Importing
import JSONReading
import Model
import Replica

/// Runs one test of a pack on a copy of an empty replica, by the roads that imports, validations
/// and exports take.
struct PackTestRun {
    let test: PackTest
    let trial: TrialCopy
    let actor: Actor
    /// The language in which faults are told.
    let language: Language

    private var session: CommandSession { trial.session }
    private var texts: Texts { session.pack.texts }
    private var folder: String { session.replicaFolder }

    /// Where the outcome is not what the test says; nothing if it passed.
    func faults() throws -> [String] {
        let files = try rows() + test.files.map { .init(path: try write($0.text, to: $0.name), entity: $0.entity, mapping: $0.mapping, given: $0.options) }
        let outcome = try FileCheck(trial: trial, context: session.context(actor)).run(files)
        return try differences(in: outcome.all) + test.gives.flatMap(differences)
    }

    // MARK: Rows

    /// A file of JSON for each entity.
    private func rows() throws -> [FileCheck.Input] {
        var entities: [String] = []
        for row in test.rows where !entities.contains(row.entity) { entities.append(row.entity) }
        return try entities.compactMap { name in
            guard let entity = session.pack.entity(name) else { return nil }
            let rows = test.rows.filter { $0.entity == name }.map { row in
                JSONValue.object(row.values.map { pair in JSONValue.Member(key: pair.key, value: value(pair.value, of: entity.field(pair.key))) })
            }
            return .init(path: try write(JSONValue.array(rows).description, to: "rows-\(name).json"), entity: name)
        }
    }

    private func value(_ node: PackNode, of field: Field?) -> JSONValue {
        if case .list(let items) = node { return .array(items.map { value($0, of: field) }) }
        guard let text = node.text, let field else { return .null }
        switch field.type {
        case .uuid: return .string(id(text))
        case .list where field.references != nil: return .string(id(text))
        case .boolean: return Bool(text).map { .bool($0) } ?? .string(text)
        case .integer, .decimal, .json, .point, .polygon: return (try? JSONValue.parse(text)) ?? .string(text)
        case .text, .date, .time, .datetime, .list: return .string(text)
        }
    }

    /// The id that stands for a name in the test.
    private func id(_ name: String) -> String {
        guard UUID(uuidString: name) == nil else { return name }
        return "00000000-0000-8000-8000-" + FileDigest.sha256(of: Array(name.utf8)).prefix(12)
    }

    private func write(_ text: String, to name: String) throws -> String {
        let path = folder + "/" + URL(fileURLWithPath: name).lastPathComponent
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    // MARK: Outcome

    private func differences(in findings: [Finding]) -> [String] {
        var left = findings.filter { !test.ignores.contains($0.code) }
        var faults: [String] = []
        for expected in test.finds {
            if let index = left.firstIndex(where: { isMet(expected, by: $0) }) {
                left.remove(at: index)
            } else {
                faults.append(texts.text("cli.doctor.missing", in: language, ["finding": [expected.code, expected.row, expected.key].compactMap(\.self).joined(separator: " ")]))
            }
        }
        return faults + left.map { texts.text("cli.doctor.unexpected", in: language, ["finding": [$0.code, $0.place.key].compactMap(\.self).joined(separator: " "), "message": FindingText(texts, of: session.pack, in: language).message(of: $0)]) }
    }

    private func isMet(_ expected: PackTest.Expected, by finding: Finding) -> Bool {
        finding.code == expected.code && (expected.key == nil || finding.place.key == expected.key) && (expected.row == nil || finding.place.id == expected.row.map(id))
    }

    private func differences(of sheet: PackTest.Sheet) throws -> [String] {
        guard let export = session.pack.export(sheet.export) else { return [] }
        let request = FileRequest(
            name: export.name, formats: [.csv], selection: SelectionRequest(), policy: .mark, outputDirectory: folder + "/out", pattern: FileRequest.defaultPattern,
            line: .named("test"), draftName: "draft", allowsEmpty: true)
        let made = try RunScope.perform(session, trial.replica, session.context(actor), command: "export", waitSeconds: 0) { scope in
            (try FilePipeline(scope: scope, request: ExportRequest(definition: export, files: request)).run(), .done, "{}")
        }
        let paths = made.projects.flatMap(\.files).map(\.path).filter { $0.hasSuffix("-\(sheet.sheet).csv") }
        let text = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        let (found, wanted) = (lines(text), lines(sheet.csv))
        guard found != wanted else { return [] }
        let first = zip(found, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, wanted.count)
        func line(_ lines: [String]) -> String { first < lines.count ? lines[first] : "–" }
        return [
            texts.text(
                "cli.doctor.sheet", in: language, ["export": sheet.export, "sheet": sheet.sheet, "line": String(first + 1), "wanted": line(wanted), "found": line(found)])
        ]
    }

    private func lines(_ text: String) -> [String] {
        var lines = text.replacing("\u{FEFF}", with: "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.last?.isEmpty ?? false { lines.removeLast() }
        return lines
    }
}
