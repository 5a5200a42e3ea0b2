import Foundation
import Model

/// An error that no stage foresaw: a fault of the program, never of its input.
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
