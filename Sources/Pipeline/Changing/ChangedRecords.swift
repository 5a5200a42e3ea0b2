import Importing
import Logging
import Model
import Replica
import Validating

/// Determines the findings that a change caused in the changed records. Only these records are
/// validated, because a million rows would take too long.
struct ChangedRecords {
    private let run: ChangeRun
    private let spots: [ReadSession.Spot]
    private let before: Set<Known>

    private static let limit = 500

    /// A finding with its values, for comparison: another number out of range is a new finding. The
    /// record's name is not compared.
    private struct Known: Hashable {
        var fingerprint: String
        var arguments: [String: String]

        init(_ finding: Finding) { (fingerprint, arguments) = (finding.fingerprint, finding.arguments) }
    }

    /// Validates before the change. Returns nil if that fails; the change is still made.
    init?(_ run: ChangeRun, _ rows: [EnteredRows.Row]) {
        guard !rows.isEmpty else { return nil }
        self.run = run
        let pack = run.session.pack
        let known = rows.compactMap { row in pack.entity(row.entity).map { (entity: $0, row: row) } }
        let spots = known.flatMap { entity, row in
            // The record itself, and the records that it will belong to.
            [ReadSession.Spot(entity: entity.name, id: row.id)] + row.values.compactMap { field, value in
                    guard let value, let field = entity.field(field), field.references != nil, field.type != .list
                    else { return nil }
                return ReadSession.Spot(entity: entity.name, field: field.name, id: value)
            }
        }
        do {
            let reading = try Self.reading(run)
            self.spots = spots + (try reading.references(of: known.map { ($0.entity, $0.row.id) }))
            before = Set(try Self.findings(reading, run, self.spots).map(Known.init))
        } catch {
            Self.report(error, run)
            return nil
        }
    }

    /// Validates after the change. The stored change is reported even if this fails.
    func newFindings() -> [Finding]? {
        do {
            return try Self.findings(Self.reading(run), run, spots).filter { !before.contains(Known($0)) }
        } catch {
            Self.report(error, run)
            return nil
        }
    }

    private static func reading(_ run: ChangeRun) throws -> ReadSession {
        let session = run.session
        return try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: run.actor, projects: [], timeZone: session.timeZone,
            asOf: session.asOf)
    }

    private static func findings(_ reading: ReadSession, _ run: ChangeRun, _ spots: [ReadSession.Spot]) throws
        -> [Finding]
    {
        try reading.lookAt(spots)
        _ = try run.session.validator.validate(reading, into: reading.findings)
        var found: [Finding] = []
        try reading.findings.forEach { if found.count < limit { found.append($0) } }
        return found
    }

    private static func report(_ error: any Error, _ run: ChangeRun) {
        run.session.log.warning(
            "the changed records are not judged", metadata: ["code": "\((error as? any Failure)?.code ?? "INTERNAL")"])
    }
}
