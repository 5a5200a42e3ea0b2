import Model
import Replica

/// Conflicts for people.
struct ConflictsText {
    private let session: CommandSession

    init(_ session: CommandSession) {
        self.session = session
    }

    func list(_ conflicts: [RowConflict]) -> String {
        guard !conflicts.isEmpty else { return session.text("cli.conflicts.none") }
        var table = TextTable(["id", "entity", "key", "when", "state", "field"].map { session.text("cli.columns." + $0) }, Array(repeating: .left, count: 6))
        for conflict in conflicts {
            table.add([
                String(conflict.id.suffix(8)), conflict.entity, conflict.key ?? conflict.rowID, time(conflict.detectedAt), state(conflict),
                [
                    conflict.differences.map(\.field).joined(separator: ", "),
                    conflict.isDeletion || conflict.differences.isEmpty ? sentence(conflict) ?? "" : "",
                ].filter { !$0.isEmpty }.joined(separator: ". "),
            ])
        }
        return table.text
    }

    /// Both versions side by side, with the version before them if it is known.
    func whole(_ conflict: RowConflict) -> String {
        let head = "\(conflict.entity) \(conflict.key ?? conflict.rowID)  \(conflict.id)  \(time(conflict.detectedAt))  \(state(conflict))"
        if conflict.isDeletion, conflict.differences.isEmpty {
            return [head, sentence(conflict)].compactMap(\.self).joined(separator: "\n\n")
        }
        let sides = (conflict.hasBase ? ["base"] : []) + ["local", "remote"]
        var table = TextTable([session.text("cli.columns.field")] + sides.map { session.text("cli.conflicts." + $0) }, Array(repeating: .left, count: sides.count + 1))
        for difference in conflict.differences {
            table.add([difference.field] + (conflict.hasBase ? [difference.base ?? "—"] : []) + [difference.local ?? "—", difference.remote ?? "—"])
        }
        return [head, sentence(conflict), table.text].compactMap(\.self).joined(separator: "\n\n")
    }

    /// Which side has no row any more.
    private func sentence(_ conflict: RowConflict) -> String? {
        if conflict.isDeletion { return session.text("cli.conflicts.deleted") }
        return conflict.isRemovedHere && conflict.status == "open" ? session.text("cli.conflicts.removed") : nil
    }

    private func state(_ conflict: RowConflict) -> String { session.text("cli.conflicts.status." + conflict.status) }

    private func time(_ stored: String) -> String { Timestamp.parse(stored).map { OfficeDay.time(of: $0, in: session.timeZone) } ?? stored }
}
