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

/// An error after which a stage cannot continue. Each stage declares such errors, most of them as
/// `DeclaredFailure`.
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

/// A value that an error's message can show.
package protocol FailureArgument {
    var text: String { get }
}

extension String: FailureArgument {
    package var text: String { self }
}

extension Int: FailureArgument {
    package var text: String { String(self) }
}

extension [String]: FailureArgument {
    package var text: String { joined(separator: ", ") }
}

/// The failures of one part of the program. Each is declared once, by a static function that gives
/// its code, its exit code and its arguments.
///
/// `Part` is the type that fails. It only makes the failures of each part a type of their own.
package struct DeclaredFailure<Part>: Failure, Hashable {
    package let code: String
    package let exitCode: ExitCode
    package let arguments: [String: String]
    package let place: Place?

    package init(
        _ code: String, _ exitCode: ExitCode, _ arguments: [String: any FailureArgument] = [:], at place: Place? = nil
    ) {
        (self.code, self.exitCode, self.place) = (code, exitCode, place)
        self.arguments = arguments.mapValues(\.text)
    }

    /// A failure of a file, which is its place and its argument `path`.
    package init(
        _ code: String, _ exitCode: ExitCode, file path: String, _ arguments: [String: any FailureArgument] = [:]
    ) {
        self.init(code, exitCode, arguments.merging(["path": path]) { own, _ in own }, at: Place(file: path))
    }
}

extension Array where Element == String {
    /// The first names, and the number of further ones: `C-01, C-02, … + 7`.
    package func listed(_ limit: Int = 20, separator: String = ", ") -> String {
        let shown = prefix(limit).joined(separator: separator)
        return count > limit ? shown + separator + "… + \(count - limit)" : shown
    }
}
