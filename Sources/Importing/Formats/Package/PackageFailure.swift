package import Model
import Zipping

/// Reason why a survey package or a drawing is not imported: exit code 65, nothing is changed.
package typealias PackageFailure = DeclaredFailure<PackageSource>

extension PackageFailure {
    /// The package is truncated, or its checksum or sizes are wrong. `name` is the entry, empty for
    /// the archive as a whole.
    package static func damaged(path: String, name: String, reason: String) -> Self {
        Self(
            "PACKAGE-DAMAGED", .badInput,
            [
                "path": path, "name": name.isEmpty ? "-" : name, "reason": reason,
            ], at: Place(file: name.isEmpty ? path : path + "/" + name))
    }
    package static func encrypted(path: String, name: String) -> Self {
        Self(
            "PACKAGE-ENCRYPTED", .badInput,
            ["path": path, "name": name], at: Place(file: name.isEmpty ? path : path + "/" + name))
    }
    /// Two entries with the same name, or with names that some file systems treat as the same.
    package static func nameTwice(path: String, name: String) -> Self {
        Self(
            "PACKAGE-NAME-TWICE", .badInput,
            ["path": path, "name": name], at: Place(file: name.isEmpty ? path : path + "/" + name))
    }
    /// The package exceeds a limit on resources. `limit` is that limit's name for `--limit`,
    /// `value` the limit's current value. `found` is nil if reading stopped at the limit.
    package static func tooLarge(path: String, name: String, limit: String, value: String, found: String?) -> Self {
        Self(
            "PACKAGE-TOO-LARGE", .badInput,
            [
                "path": name.isEmpty ? path : path + "/" + name, "limit": limit, "value": value,
                "found": found ?? "> \(value)",
            ], at: Place(file: name.isEmpty ? path : path + "/" + name))
    }
    /// A drawing in a form that cannot be read: binary DXF, DWG.
    package static func drawingKind(path: String, kind: String) -> Self {
        Self("DRAWING-KIND", .badInput, file: path, ["kind": kind])
    }
    /// A line of the file is not valid DXF.
    package static func drawing(_ place: Place, reason: String) -> Self {
        Self(
            "DRAWING-DAMAGED", .badInput,
            ["path": place.file ?? "", "line": place.line.map(String.init) ?? "?", "reason": reason], at: place)
    }
    /// The project to which the drawing belongs is unknown: a drawing does not contain it.
    package static func drawingProject(path: String) -> Self { Self("DRAWING-PROJECT", .usage, file: path) }

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
