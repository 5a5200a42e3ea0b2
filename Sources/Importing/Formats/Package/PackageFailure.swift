package import Model
import Zipping

/// Reason why a survey package or a drawing is not imported: exit code 65, nothing is changed.
package enum PackageFailure: Failure, Hashable {
    /// The package is truncated, or its checksum or sizes are wrong. `name` is the entry, empty for
    /// the archive as a whole.
    case damaged(path: String, name: String, reason: String)
    case encrypted(path: String, name: String)
    /// Two entries with the same name, or with names that some file systems treat as the same.
    case nameTwice(path: String, name: String)
    /// The package exceeds a limit on resources. `limit` is that limit's name for `--limit`,
    /// `value` the limit's current value. `found` is nil if reading stopped at the limit.
    case tooLarge(path: String, name: String, limit: String, value: String, found: String?)
    /// A drawing in a form that cannot be read: binary DXF, DWG.
    case drawingKind(path: String, kind: String)
    /// A line of the file is not valid DXF.
    case drawing(Place, reason: String)
    /// The project to which the drawing belongs is unknown: a drawing does not contain it.
    case drawingProject(path: String)

    package var code: String {
        switch self {
        case .damaged: "PACKAGE-DAMAGED"
        case .encrypted: "PACKAGE-ENCRYPTED"
        case .nameTwice: "PACKAGE-NAME-TWICE"
        case .tooLarge: "PACKAGE-TOO-LARGE"
        case .drawingKind: "DRAWING-KIND"
        case .drawing: "DRAWING-DAMAGED"
        case .drawingProject: "DRAWING-PROJECT"
        }
    }

    package var exitCode: ExitCode {
        if case .drawingProject = self { return .usage }
        return .badInput
    }

    package var arguments: [String: String] {
        switch self {
        case .damaged(let path, let name, let reason):
            ["path": path, "name": name.isEmpty ? "-" : name, "reason": reason]
        case .encrypted(let path, let name), .nameTwice(let path, let name): ["path": path, "name": name]
        case .tooLarge(let path, let name, let limit, let value, let found):
            [
                "path": name.isEmpty ? path : path + "/" + name, "limit": limit, "value": value,
                "found": found ?? "> \(value)",
            ]
        case .drawingKind(let path, let kind): ["path": path, "kind": kind]
        case .drawing(let place, let reason):
            ["path": place.file ?? "", "line": place.line.map(String.init) ?? "?", "reason": reason]
        case .drawingProject(let path): ["path": path]
        }
    }

    package var place: Place? {
        switch self {
        case .damaged(let path, let name, _), .encrypted(let path, let name), .nameTwice(let path, let name),
            .tooLarge(let path, let name, _, _, _):
            Place(file: name.isEmpty ? path : path + "/" + name)
        case .drawing(let place, _): place
        case .drawingKind(let path, _), .drawingProject(let path): Place(file: path)
        }
    }

    /// Reports a fault of the archive as a fault of the package.
    static func translated(_ failure: ZipFailure, path: String) -> any Failure {
        switch failure {
        case .cannotOpen: ImportFailure.unreadable(path: path)
        case .notAnArchive: PackageFailure.damaged(path: path, name: "", reason: "the archive's end is missing")
        case .damaged(_, let entry):
            PackageFailure.damaged(path: path, name: entry ?? "", reason: "cut off, or a checksum differs")
        case .nameRefused(let name): ImportFailure.escapingPath(path: path, name: String(name.prefix(200)))
        case .duplicateName(let name): PackageFailure.nameTwice(path: path, name: name)
        case .encrypted(let name): PackageFailure.encrypted(path: path, name: name)
        case .tooManyEntries(let count, let limit):
            PackageFailure.tooLarge(
                path: path, name: "", limit: "packageEntries", value: String(limit), found: String(count))
        case .tooLarge(let name, let size, let limit):
            PackageFailure.tooLarge(
                path: path, name: name, limit: "packageEntryBytes", value: String(limit), found: String(size))
        case .methodUnknown(let name, let method):
            PackageFailure.damaged(
                path: path, name: name, reason: "compression method \(method) is not 0 (stored) or 8 (deflated)")
        case .entryMissing(let name): PackageFailure.damaged(path: path, name: name, reason: "the entry is gone")
        case .compression: PackageFailure.damaged(path: path, name: "", reason: "\(failure)")
        }
    }
}
