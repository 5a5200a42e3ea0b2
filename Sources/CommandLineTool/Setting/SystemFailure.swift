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
        let facts = described.userInfo
        path = facts[NSFilePathErrorKey] as? String ?? (facts[NSURLErrorKey] as? URL)?.path ?? "—"
        if let number = Self.number(of: error) {
            self.number = number
        } else if let cause = facts[NSUnderlyingErrorKey] as? any Error, let number = Self.number(of: cause) {
            self.number = number
        } else if described.domain == NSCocoaErrorDomain {
            // Error codes of Foundation about files and folders that come without a system error
            // number.
            guard (0..<1024).contains(described.code) else { return nil }
            number = EIO
        } else {
            return nil
        }
    }

    private static func number(of error: any Error) -> Int32? {
        if let posix = error as? POSIXError { return posix.code.rawValue }
        let described = error as NSError
        return described.domain == NSPOSIXErrorDomain ? Int32(described.code) : nil
    }

    var code: String { "SYSTEM-IO" }
    var exitCode: Model.ExitCode { .inputOutput }
    var arguments: [String: String] { ["path": path, "reason": unsafe String(cString: strerror(number))] }
}
