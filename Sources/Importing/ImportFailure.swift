package import Model

/// Why a source cannot be imported at all. Faults of single rows are findings, not failures.
package enum ImportFailure: Failure, Hashable {
    case notFound(path: String)
    case unreadable(path: String)
    case unknownKind(path: String, known: [String])
    case invalidManifest(path: String, reason: String)
    case otherPack(path: String, found: String, expected: String)
    case newerPackage(path: String, found: String, known: String)
    case escapingPath(path: String, name: String)
    case brokenFile(Place, reason: String)
    case unknownEntity(path: String, name: String, known: [String])
    case photoStore(path: String)

    package var code: String {
        switch self {
        case .notFound: "IMPORT-NOT-FOUND"
        case .unreadable: "IMPORT-UNREADABLE"
        case .unknownKind: "IMPORT-KIND"
        case .invalidManifest: "IMPORT-MANIFEST"
        case .otherPack: "IMPORT-OTHER-PACK"
        case .newerPackage: "IMPORT-NEWER"
        case .escapingPath: "IMPORT-PATH"
        case .brokenFile: "IMPORT-BROKEN"
        case .unknownEntity: "IMPORT-ENTITY"
        case .photoStore: "IMPORT-PHOTO-STORE"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .notFound: .noInput
        case .unreadable: .inputOutput
        case .photoStore: .cannotCreateOutput
        default: .badInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .notFound(let path), .unreadable(let path), .photoStore(let path): ["path": path]
        case .unknownKind(let path, let known): ["path": path, "known": known.joined(separator: ", ")]
        case .invalidManifest(let path, let reason): ["path": path, "reason": reason]
        case .otherPack(let path, let found, let expected): ["path": path, "found": found, "expected": expected]
        case .newerPackage(let path, let found, let known): ["path": path, "found": found, "known": known]
        case .escapingPath(let path, let name): ["path": path, "name": name]
        case .brokenFile(_, let reason): ["reason": reason]
        case .unknownEntity(let path, let name, let known): ["path": path, "name": name, "known": known.joined(separator: ", ")]
        }
    }

    package var place: Place? {
        switch self {
        case .brokenFile(let place, _): place
        case .notFound(let path), .unreadable(let path), .unknownKind(let path, _), .invalidManifest(let path, _), .otherPack(let path, _, _),
            .newerPackage(let path, _, _), .escapingPath(let path, _), .unknownEntity(let path, _, _), .photoStore(let path):
            Place(file: path)
        }
    }
}
