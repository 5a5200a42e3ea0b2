package import Model

/// Why a change cannot be undone; nothing has changed.
package enum UndoFailure: Failure, Equatable {
    /// What depends on an import, with the records concerned.
    package enum Obstacle: String, Sendable {
        /// A row, or the decision on a conflict, changed since.
        case changed = "UNDO-CHANGED"
        /// A removal that the remote contested since: the decision about it counts.
        case contested = "UNDO-CONTESTED"
        case synced = "UNDO-SYNCED"
        case exported = "UNDO-EXPORTED"
        /// Rows of another origin refer to rows of the import.
        case referred = "UNDO-REFERRED"
        /// A later import changed rows of this one, or imported rows that this one had rejected.
        case later = "UNDO-LATER"
        /// The records are in a state in which the actor's role may not change them.
        case barred = "UNDO-STATE"
        /// The records are closed, and no reason is given.
        case closed = "UNDO-CLOSED"
    }

    case unknown(String)
    /// There is no last change to undo.
    case nothing
    case ambiguous(String)
    case alreadyUndone(String, at: String)
    /// The change that made the administrator, or the registration and marks of a run: these are
    /// not a person's changes.
    case ownAct(String)
    /// The import was made by a version that did not keep the trail.
    case noTrail(String)
    /// It changed rows of projects of which the actor is no member.
    case notMember(String)
    case builtOn(String, Obstacle, records: [String], count: Int)

    package var code: String {
        switch self {
        case .unknown: "UNDO-UNKNOWN"
        case .nothing: "UNDO-NOTHING"
        case .ambiguous: "UNDO-AMBIGUOUS"
        case .alreadyUndone: "UNDO-DONE"
        case .noTrail: "UNDO-NO-TRAIL"
        case .notMember: "UNDO-NOT-MEMBER"
        case .ownAct: "UNDO-OWN-ACT"
        case .builtOn(_, let obstacle, _, _): obstacle.rawValue
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .unknown, .nothing: .noInput
        case .ambiguous, .alreadyUndone, .noTrail, .ownAct: .usage
        case .builtOn(_, .barred, _, _), .notMember: .notPermitted
        case .builtOn: .badInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .unknown(let name), .ambiguous(let name), .noTrail(let name), .notMember(let name), .ownAct(let name): ["import": name]
        case .nothing: [:]
        case .alreadyUndone(let name, let time): ["import": name, "time": time]
        case .builtOn(let name, _, let records, let count):
            ["import": name, "records": records.joined(separator: "; "), "count": String(count)]
        }
    }
}
