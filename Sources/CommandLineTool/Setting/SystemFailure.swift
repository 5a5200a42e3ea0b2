import Foundation
import Model

/// An error of the system about a file or a folder for which no stage has a message of its own: a
/// disk fault, lack of space or of permissions, never a fault of the program.
struct SystemFailure: Failure {
    private let number: Int32
    private let path: String

    /// Nil if the error has no system error number.
    init?(_ error: any Error) {
        let described = error as NSError
        path = described.userInfo[NSFilePathErrorKey] as? String ?? (described.userInfo[NSURLErrorKey] as? URL)?.path ?? "—"
        if let posix = error as? POSIXError {
            number = posix.code.rawValue
        } else if described.domain == NSPOSIXErrorDomain {
            number = Int32(described.code)
        } else if let cause = described.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain {
            number = Int32(cause.code)
        } else if described.domain == NSCocoaErrorDomain {
            // Error codes of Foundation about files and folders that come without a system error
            // number.
            guard (0..<1024).contains(described.code) else { return nil }
            number = EIO
        } else {
            return nil
        }
    }

    var code: String { "SYSTEM-IO" }
    var exitCode: Model.ExitCode { .inputOutput }
    var arguments: [String: String] { ["path": path, "reason": unsafe String(cString: strerror(number))] }
}
