/// Why a program that we started did not end well.
enum ProgramFault: Error, Equatable {
    case notFound(String)
    case cannotStart(number: Int32)
    /// It used all the seconds of the processor that it may.
    case outOfTime
    /// It said nothing for longer than it may, or did not end after its last word.
    case silent
    /// It, or a library of its, said that it got no more memory.
    case outOfMemory
    case tooMuchOutput
    /// Ended by a signal of its own doing.
    case crashed(signal: Int32)
    case failed(code: Int32, message: String)

    /// In English, for a failure's reason.
    func reason(_ program: String) -> String {
        switch self {
        case .notFound(let name): "\(name) is not installed"
        case .cannotStart(let number): "\(program) cannot be started (errno \(number))"
        case .outOfTime, .silent: "\(program) did not come to an end within its limits of time"
        case .outOfMemory: "\(program) needs more memory than it may have"
        case .tooMuchOutput: "\(program) printed more than it may"
        case .crashed(let signal): "\(program) was ended by signal \(signal)"
        case .failed(let code, let message): "\(program) ended with code \(code)\(message.isEmpty ? "" : ": \(message)")"
        }
    }
}
