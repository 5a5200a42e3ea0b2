import Foundation
import Importing
import JSONReading
import Model
import Packs
import Pipeline
import Replica

/// Runs one test of a pack on a copy of an empty replica, with the code of imports, validations and
/// exports.
struct PackTestRun {
    let test: PackTest
    let trial: TrialCopy
    let actor: Actor
    /// The language in which faults are reported.
    let language: Language

    private var session: WorkSession { trial.session }
    private var texts: Texts { session.pack.texts }
    private var folder: String { session.replicaFolder }

    /// The differences between the outcome and the test's expectation; empty if it passed.
    func faults() throws -> [String] {
        let files =
            try rows()
            + test.files.map {
                .init(path: try write($0.text, to: $0.name), entity: $0.entity, mapping: $0.mapping, given: $0.options)
            }
        let outcome = try FileCheck(trial: trial, context: session.context(actor)).run(files)
        return try differences(in: outcome.all) + test.gives.flatMap(differences)
    }

    // MARK: Rows

    /// Writes the test's rows into one JSON file for each entity.
    private func rows() throws -> [FileCheck.Input] {
        var entities: [String] = []
        for row in test.rows where !entities.contains(row.entity) { entities.append(row.entity) }
        return try entities.compactMap { name in
            guard let entity = session.pack.entity(name) else { return nil }
            let rows = test.rows.filter { $0.entity == name }.map { row in
                JSONValue.object(
                    row.values.map { pair in
                        JSONValue.Member(key: pair.key, value: value(pair.value, of: entity.field(pair.key)))
                    })
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

    /// Returns the id for a row's name in the test; a UUID is returned unchanged.
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
                faults.append(
                    texts.text(
                        "cli.doctor.missing", in: language,
                        [
                            "finding": [expected.code, expected.row, expected.key].compactMap(\.self).joined(
                                separator: " ")
                        ]))
            }
        }
        return faults
            + left.map {
                texts.text(
                    "cli.doctor.unexpected", in: language,
                    [
                        "finding": [$0.code, $0.place.key].compactMap(\.self).joined(separator: " "),
                        "message": FindingText(texts, of: session.pack, in: language).message(of: $0),
                    ])
            }
    }

    /// Whether a finding is the expected one: code, and key and row if the test gives them.
    private func isMet(_ expected: PackTest.Expected, by finding: Finding) -> Bool {
        finding.code == expected.code && (expected.key == nil || finding.place.key == expected.key)
            && (expected.row == nil || finding.place.id == expected.row.map(id))
    }

    private func differences(of sheet: PackTest.Sheet) throws -> [String] {
        guard let export = session.pack.export(sheet.export) else { return [] }
        var request = FileRequest(
            name: export.name, formats: [.csv], selection: SelectionRequest(), policy: .mark,
            outputDirectory: folder + "/out", line: .named("test"))
        (request.draftName, request.allowsEmpty) = ("draft", true)
        let made = try RunScope.perform(
            session, trial.replica, session.context(actor), command: "export", waitSeconds: 0
        ) { scope in
            (
                try FilePipeline(scope: scope, request: ExportRequest(definition: export, files: request)).run(), .done,
                "{}"
            )
        }
        let paths = made.projects.flatMap(\.files).map(\.path).filter { $0.hasSuffix("-\(sheet.sheet).csv") }
        let text = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        let (found, wanted) = (lines(text), lines(sheet.csv))
        guard found != wanted else { return [] }
        let first = zip(found, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, wanted.count)
        func line(_ lines: [String]) -> String { first < lines.count ? lines[first] : "–" }
        return [
            texts.text(
                "cli.doctor.sheet", in: language,
                [
                    "export": sheet.export, "sheet": sheet.sheet, "line": String(first + 1), "wanted": line(wanted),
                    "found": line(found),
                ])
        ]
    }

    private func lines(_ text: String) -> [String] {
        var lines = text.replacing("\u{FEFF}", with: "").split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map(String.init)
        while lines.last?.isEmpty ?? false { lines.removeLast() }
        return lines
    }
}

/// Advice for the author of a pack about parts that are valid but may be unintended.
struct PackAdvice {
    let pack: Pack
    let language: Language

    /// Advice about columns of a sheet that have the same heading. A workbook adds a number to the
    /// heading, which does not help a reader.
    var lines: [String] {
        pack.exports.flatMap { export in
            export.sheets.flatMap { sheet in
                let columns = pack.columns(of: sheet, in: language, isAnonymous: export.isAnonymous).compactMap(\.self)
                let alike = Dictionary(grouping: columns) { $0.header.lowercased() }.values.filter { $0.count > 1 }
                return alike.sorted { $0[0].name < $1[0].name }.map { columns in
                    pack.texts.text(
                        "cli.doctor.columns", in: language,
                        [
                            "export": export.name, "sheet": sheet.name, "label": columns[0].header,
                            "columns": columns.map(\.name).joined(separator: ", "),
                        ])
                }
            }
        }
    }
}

/// Tries a pack on a replica that is made for it and deleted afterwards: compiles its queries, and
/// runs its own tests.
struct PackTrial {
    private let session: WorkSession
    private let replica: Replica
    private let actor: Actor
    /// The language in which outcomes are reported; exports are in the pack's first language.
    private let language: Language

    /// The result of a test; it has no faults if the test passed.
    struct Verdict: Encodable, Hashable {
        var test: String
        var faults: [String]
    }

    /// - Parameter body: receives the trial.
    static func perform<Result>(
        _ pack: Pack, _ options: CommonOptions, templates: URL, _ body: (PackTrial) throws -> Result
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fichero-trial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var own = options
        (own.templates, own.replica, own.quiet, own.json) = (
            templates.path, folder.appendingPathComponent("trial.db").path, true, false
        )
        (own.actor, own.asOf, own.timeZone, own.lang) = (
            nil, options.asOf ?? "2026-01-01T12:00:00Z", nil, pack.languages.first?.rawValue
        )
        var session = try WorkSession.new(own, packName: pack.name)
        // The caller reports the pack's broken parts; the trial must not report them again.
        session.broken = []
        let language = pack.language(for: EarlySetting(CommandLine.arguments).language(of: pack))
        _ = try Replica.initialise(at: session.replicaPath, pack: session.pack, now: session.asOf)
        return try body(PackTrial(session, try session.openReplica(), language))
    }

    private init(_ session: WorkSession, _ replica: Replica, _ language: Language) throws {
        (self.session, self.replica, self.language) = (session, replica, language)
        let able =
            session.pack.roles.filter { $0.permissions.isSuperset(of: [.administer, .import]) }
            + session.pack.roles.filter { $0.permissions.contains(.administer) }
        let email = "trial@example.org"
        _ = try replica.addAdministrator(
            email: email, fullName: nil, role: able.first?.name ?? "", environment: session.environment,
            now: session.asOf)
        actor = try replica.actor(email: email)
    }

    /// Mistakes for the queries that cannot be compiled.
    func mistakes(in queries: [PackQuery]) throws -> [PackMistake] {
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: [], timeZone: session.timeZone,
            asOf: session.asOf)
        return queries.compactMap { query in
            reading.faults(inQuery: query.sql, columns: query.columns).map {
                PackMistake(.query, at: query.place, ["reason": $0])
            }
        }
    }

    /// Runs a test of the pack on a copy of the replica, with the test's time as the current time,
    /// if the test sets one.
    func verdict(on test: PackTest) -> Verdict {
        do {
            var session = session
            session.asOf = test.asOf.flatMap(Timestamp.parse) ?? session.asOf
            return try TrialCopy.perform(session, replica) { trial in
                let run = PackTestRun(test: test, trial: trial, actor: actor, language: language)
                return Verdict(test: test.name, faults: try run.faults())
            }
        } catch {
            let failure = error as? any Failure
            return Verdict(
                test: test.name,
                faults: [
                    failure.map { FailureText($0, texts: session.pack.texts, language: language).text } ?? "\(error)"
                ])
        }
    }
}
