import Importing
import Logging
import Model
import Replica
import Validating

/// Determines the findings that a change caused in the changed records. Only these records are
/// validated, because a million rows would take too long.
struct ChangedRecords {
    private let session: WorkSession
    private let actor: Actor
    private let spots: [ReadSession.Spot]
    private let before: Set<Known>

    /// The most findings that are told. All that were there before are known, however many.
    private static let limit = 500

    /// A finding with its values, for comparison: another number out of range is a new finding. The
    /// record's name is not compared.
    private struct Known: Hashable {
        var fingerprint: String
        var arguments: [String: String]

        init(_ finding: Finding) { (fingerprint, arguments) = (finding.fingerprint, finding.arguments) }
    }

    /// Validates before the change. Returns nil if that fails; the change is still made.
    init?(_ session: WorkSession, _ actor: Actor, _ rows: [EnteredRows.Row]) {
        guard !rows.isEmpty else { return nil }
        (self.session, self.actor) = (session, actor)
        let pack = session.pack
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
            let reading = try Self.reading(session, actor)
            self.spots = spots + (try reading.references(of: known.map { ($0.entity, $0.row.id) }))
            var before: Set<Known> = []
            try Self.forEachFinding(reading, session, self.spots) { before.insert(Known($0)) }
            self.before = before
        } catch {
            Self.report(error, session)
            return nil
        }
    }

    /// Validates after the change. The stored change is reported even if this fails.
    func newFindings() -> [Finding]? {
        do {
            var new: [Finding] = []
            try Self.forEachFinding(Self.reading(session, actor), session, spots) { finding in
                if new.count < Self.limit, !before.contains(Known(finding)) { new.append(finding) }
            }
            return new
        } catch {
            Self.report(error, session)
            return nil
        }
    }

    private static func reading(_ session: WorkSession, _ actor: Actor) throws -> ReadSession {
        try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: [], timeZone: session.timeZone,
            asOf: session.asOf)
    }

    private static func forEachFinding(
        _ reading: ReadSession, _ session: WorkSession, _ spots: [ReadSession.Spot], _ body: (Finding) -> Void
    ) throws {
        try reading.lookAt(spots)
        _ = try session.validator.validate(reading, into: reading.findings)
        try reading.findings.forEach { body($0) }
    }

    private static func report(_ error: any Error, _ session: WorkSession) {
        session.log.warning(
            "the changed records are not judged", metadata: ["code": "\((error as? any Failure)?.code ?? "INTERNAL")"])
    }
}
