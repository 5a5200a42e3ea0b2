import Model

/// Why a command does not state a valid change.
enum ChangeStatementFailure: Failure, Equatable {
    case noStatement(String)
    case unknownField(String, known: [String])
    case unknownEntity(String, known: [String])
    /// The options by which a change would be stated.
    case nothingStated(options: String = "--set")
    /// The entity has no states.
    case noState(String)
    /// The owner of the new row is not stated.
    case noOwner(entity: String, owner: String)
    case unknownRole(String, known: [String])
    case unknownStatus(String, known: [String])
    /// Rows of the entity have no files.
    case noFile(String)
    /// Not a regular file, or one that cannot be read or is being written.
    case noSuchFile(String)
    /// The file of such a row is of one kind.
    case otherFile(String, ending: String)

    var code: String {
        switch self {
        case .noStatement: "CHANGE-STATEMENT"
        case .unknownField: "CHANGE-FIELD"
        case .unknownEntity: "CHANGE-TABLE"
        case .nothingStated: "CHANGE-NOTHING"
        case .noState: "CHANGE-NO-STATE"
        case .noOwner: "CHANGE-OWNER"
        case .unknownRole: "CHANGE-ROLE"
        case .unknownStatus: "CHANGE-STATUS"
        case .noFile: "CHANGE-NO-FILE"
        case .noSuchFile: "CHANGE-FILE"
        case .otherFile: "CHANGE-FILE-KIND"
        }
    }

    var exitCode: Model.ExitCode {
        switch self {
        case .noSuchFile, .otherFile: .badInput
        default: .usage
        }
    }

    var arguments: [String: String] {
        switch self {
        case .noStatement(let text): ["value": text]
        case .unknownField(let name, let known), .unknownEntity(let name, let known), .unknownRole(let name, let known), .unknownStatus(let name, let known):
            ["value": name, "known": known.joined(separator: ", ")]
        case .nothingStated(let options): ["options": options]
        case .noState(let entity), .noFile(let entity): ["name": entity]
        case .noSuchFile(let path): ["path": path]
        case .otherFile(let path, let ending): ["path": path, "ending": ending]
        case .noOwner(let entity, let owner): ["name": entity, "owner": owner]
        }
    }
}
