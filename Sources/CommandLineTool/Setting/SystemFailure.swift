import Foundation
import Model

/// What the system says of a file or a folder, where no stage has put it into words of its own: a disk's fault, a lack of room or of rights,
/// never one of the program.
struct SystemFailure: Failure {
    private let number: Int32
    private let path: String

    /// Nil where the error has no number of the system's.
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
            // Files and folders: numbers that Foundation gives without the system's.
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
