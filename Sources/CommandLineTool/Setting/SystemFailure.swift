import Foundation
import Model

/// An unexpected error, which is a fault of the program and not of its input.
struct InternalFailure: Failure {
    /// The kind of error and its number; its message is left out because it may quote confidential
    /// data.
    let reason: String

    init(_ error: any Error) {
        let described = error as NSError
        reason = "\(type(of: error)), \(described.domain) \(described.code)"
    }

    var code: String { "INTERNAL" }
    var exitCode: Model.ExitCode { .internalError }
    var arguments: [String: String] { ["reason": reason] }
}

/// An error of the system about a file or a folder for which no stage has a specific message: a
/// disk fault, lack of space or of permissions, never a fault of the program.
struct SystemFailure: Failure {
    private let number: Int32
    private let path: String

    /// Returns nil if the error has no system error number.
    init?(_ error: any Error) {
        let described = error as NSError
        let facts = described.userInfo
        path = facts[NSFilePathErrorKey] as? String ?? (facts[NSURLErrorKey] as? URL)?.path ?? "—"
        if let number = Self.number(of: error) {
            self.number = number
        } else if let cause = facts[NSUnderlyingErrorKey] as? any Error, let number = Self.number(of: cause) {
            self.number = number
        } else if described.domain == NSCocoaErrorDomain {
            // Foundation's error codes about files (0 to 1023); such an error may lack a system
            // error number.
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
