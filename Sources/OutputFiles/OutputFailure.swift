import Glibc
package import Model

/// Why an export's or a report's file could not be written.
package enum OutputFailure: Failure, Equatable {
    case diskFull(path: String)
    case directoryMissing(path: String)
    case notPermitted(path: String)
    case nameRefused(path: String)
    case inputOutput(path: String, reason: String)
    /// The number of rows differs from the count in the same transaction.
    case rowCount(sheet: String, expected: Int, found: Int)
    case tooManyColumns(sheet: String, count: Int, limit: Int)
    case noColumns(sheet: String)
    /// A library refused its input, or returned something unusable: a fault of this program.
    case library(name: String, reason: String)
    /// A library wrote a file that lacks something; its temporary files lie in `folder`.
    case libraryFileDamaged(name: String, reason: String, folder: String)

    package var code: String {
        switch self {
        case .diskFull: "OUTPUT-DISK-FULL"
        case .directoryMissing: "OUTPUT-DIRECTORY"
        case .notPermitted: "OUTPUT-PERMISSION"
        case .nameRefused: "OUTPUT-NAME"
        case .inputOutput: "OUTPUT-IO"
        case .rowCount: "EXPORT-ROW-COUNT"
        case .tooManyColumns: "XLSX-COLUMNS"
        case .noColumns: "EXPORT-NO-COLUMNS"
        case .library: "EXPORT-LIBRARY"
        case .libraryFileDamaged: "OUTPUT-LIBRARY-FILE"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .directoryMissing, .notPermitted, .nameRefused: .cannotCreateOutput
        case .diskFull, .inputOutput, .libraryFileDamaged: .inputOutput
        case .tooManyColumns, .noColumns: .badConfiguration
        case .rowCount, .library: .internalError
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .diskFull(let path), .directoryMissing(let path), .notPermitted(let path), .nameRefused(let path): ["path": path]
        case .inputOutput(let path, let reason): ["path": path, "reason": reason]
        case .rowCount(let sheet, let expected, let found):
            ["sheet": sheet, "expected": String(expected), "found": String(found)]
        case .tooManyColumns(let sheet, let count, let limit): ["sheet": sheet, "count": String(count), "limit": String(limit)]
        case .noColumns(let sheet): ["sheet": sheet]
        case .library(let name, let reason): ["name": name, "reason": reason]
        case .libraryFileDamaged(let name, let reason, let folder): ["name": name, "reason": reason, "folder": folder]
        }
    }

    /// The failure for a system error number while writing a file.
    package static func system(_ number: Int32, path: String) -> OutputFailure {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
        case ENOENT, ENOTDIR: .directoryMissing(path: path)
        case EACCES, EPERM, EROFS: .notPermitted(path: path)
        case ENAMETOOLONG, EISDIR, EINVAL, EILSEQ: .nameRefused(path: path)
        default: .inputOutput(path: path, reason: unsafe String(cString: strerror(number)))
        }
    }
}
