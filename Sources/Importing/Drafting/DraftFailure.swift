package import Model

/// Why no pack can be drafted from a source.
package enum DraftFailure: Failure, Hashable {
    /// It declares and holds no table.
    case nothing(path: String)
    /// Statements that cannot be read.
    case statements(path: String, reason: String)
    /// A pack of that name is there already.
    case exists(path: String)
    /// The drafted pack has a mistake: the program's fault.
    case unsound(mistake: String)

    package var code: String {
        switch self {
        case .nothing: "DRAFT-NOTHING"
        case .statements: "DRAFT-STATEMENTS"
        case .exists: "DRAFT-EXISTS"
        case .unsound: "DRAFT-UNSOUND"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .nothing, .statements: .badInput
        case .exists: .cannotCreateOutput
        case .unsound: .internalError
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .nothing(let path), .exists(let path): ["path": path]
        case .statements(let path, let reason): ["path": path, "reason": reason]
        case .unsound(let mistake): ["mistake": mistake]
        }
    }

    package var place: Place? {
        switch self {
        case .nothing(let path), .statements(let path, _): Place(file: path)
        case .exists, .unsound: nil
        }
    }
}
