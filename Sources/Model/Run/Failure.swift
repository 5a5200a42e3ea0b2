/// Exit codes, following sysexits.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    /// Done, with findings at or above the chosen severity.
    case findings = 1
    case usage = 64
    case badInput = 65
    case noInput = 66
    /// A server cannot be reached, or cannot do its work at present.
    case unavailable = 69
    case internalError = 70
    case cannotCreateOutput = 73
    case inputOutput = 74
    case busy = 75
    case notPermitted = 77
    case badConfiguration = 78
}

/// An error after which a stage cannot continue. Each stage declares one enum of such errors.
///
/// Texts: `error.CODE.message` (the error) and `error.CODE.remedy` (the remedy), with placeholders
/// from `arguments`.
package protocol Failure: Error, Sendable {
    /// Stable code for programs: `REPLICA-NEWER`.
    var code: String { get }
    var exitCode: ExitCode { get }
    /// Values for the placeholders; never secrets or personal data.
    var arguments: [String: String] { get }
    /// The place of the error, when it is in a file.
    var place: Place? { get }
}

extension Failure {
    package var place: Place? { nil }
}

extension Array where Element == String {
    /// The first names, and the number of further ones: `C-01, C-02, … + 7`.
    package func listed(_ limit: Int = 20, separator: String = ", ") -> String {
        let shown = prefix(limit).joined(separator: separator)
        return count > limit ? shown + separator + "… + \(count - limit)" : shown
    }
}
