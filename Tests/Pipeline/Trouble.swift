@testable import Model

/// A failure that ends with a given code.
struct Trouble: Failure, Equatable {
    var exitCode: Model.ExitCode
    var code: String { "TROUBLE" }
    var arguments: [String: String] { [:] }
}
