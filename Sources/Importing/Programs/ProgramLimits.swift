/// What a program that we start may use before it is ended.
package struct ProgramLimits: Sendable {
    package var processorSeconds = 60
    /// Bytes of address space.
    package var memory = 1 << 30
    /// Bytes of a file that it may write; 0 for a program that only prints.
    package var fileBytes = 0
    /// Bytes that it may print.
    package var output = 4 << 30
    /// Seconds without a word from it.
    package var silentSeconds = 60

    package init() {}
}

/// Why a program that we started did not end well.
enum ProgramFault: Error, Equatable {
    case notFound(String)
    case cannotStart(number: Int32)
    /// It used all the time or memory that it may.
    case outOfTime
    case tooMuchOutput
    /// Ended by a signal of its own doing.
    case crashed(signal: Int32)
    case failed(code: Int32, message: String)

    /// In English, for a failure's reason.
    func reason(_ program: String) -> String {
        switch self {
        case .notFound(let name): "\(name) is not installed"
        case .cannotStart(let number): "\(program) cannot be started (errno \(number))"
        case .outOfTime: "\(program) did not come to an end within its limits of time"
        case .tooMuchOutput: "\(program) printed more than it may"
        case .crashed(let signal): "\(program) was ended by signal \(signal)"
        case .failed(let code, let message): "\(program) ended with code \(code)\(message.isEmpty ? "" : ": \(message)")"
        }
    }
}
