package import Model
import Zipping

/// Why a package for a client could not be made.
package enum BundleFailure: Failure, Equatable {
    /// A name that leaves its folder, or that no file system takes.
    case nameRefused(String)
    /// Two records with one photo name, or two files with one name.
    case nameTwice(String)
    /// A finished file is gone, or no longer what its writer wrote.
    case fileChanged(path: String)
    case fileUnreadable(path: String, reason: String)
    /// The archive could not be written for a reason of its own: a mistake of this program.
    case archive(reason: String)

    init(_ failure: ZipFailure) {
        switch failure {
        case .nameRefused(let name): self = .nameRefused(name)
        case .duplicateName(let name): self = .nameTwice(name)
        default: self = .archive(reason: "\(failure)")
        }
    }

    package var code: String {
        switch self {
        case .nameRefused: "BUNDLE-NAME"
        case .nameTwice: "BUNDLE-NAME-TWICE"
        case .fileChanged: "BUNDLE-FILE-CHANGED"
        case .fileUnreadable: "BUNDLE-FILE-UNREADABLE"
        case .archive: "BUNDLE-ARCHIVE"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .nameRefused, .nameTwice: .badInput
        case .fileChanged, .fileUnreadable: .inputOutput
        case .archive: .internalError
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .nameRefused(let name), .nameTwice(let name): ["name": name]
        case .fileChanged(let path): ["path": path]
        case .fileUnreadable(let path, let reason): ["path": path, "reason": reason]
        case .archive(let reason): ["reason": reason]
        }
    }
}
