import Model
import Replica
import Validating

/// Checks a file against its mapping's conditions for refusal, before any of its rows is imported.
struct RefusalCheck {
    let session: WorkSession
    let actor: Actor
    var seconds = 60.0

    /// Most reasons that are listed: a refused file needs no more.
    private static let mostReasons = 100

    /// The reasons why the file is refused; empty when it may be imported.
    ///
    /// Throws `RefusalFailure` if a condition cannot be checked. The file must not be imported then
    /// either.
    ///
    /// - Parameter projectID: the id of the project given to the import.
    func reasons(_ mapping: ImportMapping, path: String, projectID: String?) throws -> [Finding] {
        guard !mapping.refusals.isEmpty else { return [] }
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: [], timeZone: session.timeZone,
            asOf: session.asOf)
        var values = mapping.given.mapValues(MemoryRows.Value.text)
        values["project"] = projectID.map(MemoryRows.Value.text)
        return try mapping.refusals.flatMap { refusal in
            do {
                return try reasons(refusal, mapping, path, reading, values)
            } catch let refused as QueryRefusal where refused != .hiddenField {
                throw ValidatingError.query(rule: refusal.code, isForbidden: refused == .notAllowed)
            } catch is QueryRefusal {
                throw RefusalFailure.hidden(path: path, condition: refusal.code)
            } catch let timeout as QueryTimeout {
                throw RefusalFailure.tooSlow(path: path, condition: refusal.code, seconds: timeout.seconds)
            }
        }
    }

    private func reasons(
        _ refusal: ImportMapping.Refusal, _ mapping: ImportMapping, _ path: String, _ reading: ReadSession,
        _ values: [String: MemoryRows.Value]
    ) throws -> [Finding] {
        let columns = refusal.arguments.filter { name in !mapping.options.contains { $0.name == name } }
        let rows = try reading.reasons(refusal.sql, columns: columns, binding: values, seconds: seconds)
        let options = refusal.arguments.filter { !columns.contains($0) }.map { ($0, mapping.given[$0] ?? "—") }
        var reasons: [Finding] = []
        var batch = RowBatch(columnCount: rows.columnCount)
        repeat {
            try rows.fill(&batch)
            for row in 0..<batch.rowCount where reasons.count < Self.mostReasons {
                let values = columns.enumerated().map { ($1, quoted(batch.description(row, $0), of: $1)) }
                reasons.append(
                    Finding(
                        code: refusal.code, severity: ImportMapping.Refusal.severity, place: Place(file: path),
                        arguments: Dictionary(uniqueKeysWithValues: values + options)))
            }
        } while batch.rowCount > 0 && reasons.count < Self.mostReasons
        return reasons
    }

    /// A column with the name of a field with personal data is treated as that field.
    private func quoted(_ value: String?, of name: String) -> String {
        guard session.pack.entities.allSatisfy({ session.pack.mayQuote($0.field(name)) }) else {
            return Pack.hiddenValue
        }
        return value ?? "—"
    }
}

/// Reason why a mapping's conditions for refusal could not be checked.
typealias RefusalFailure = DeclaredFailure<RefusalCheck>

extension RefusalFailure {
    /// The condition reads fields that the role may not see.
    static func hidden(path: String, condition: String) -> Self {
        Self("IMPORT-CONDITION-HIDDEN", .notPermitted, file: path, ["condition": condition])
    }
    static func tooSlow(path: String, condition: String, seconds: Double) -> Self {
        Self(
            "IMPORT-CONDITION-SLOW", .badConfiguration, file: path,
            ["condition": condition, "seconds": String(Int(seconds.rounded()))])
    }
}
