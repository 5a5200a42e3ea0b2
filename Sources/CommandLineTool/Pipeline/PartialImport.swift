import Model

/// A file that cannot be imported, after others of the same command were.
struct PartialImport: Failure {
    let cause: any Failure
    let results: [ImportCommand.Result]

    var code: String { cause.code }
    var exitCode: Model.ExitCode { cause.exitCode }
    var place: Place? { cause.place }

    /// `imported`: the imported files.
    var arguments: [String: String] {
        cause.arguments.merging(["imported": results.map(\.source).joined(separator: ", ")]) { own, _ in own }
    }
}
