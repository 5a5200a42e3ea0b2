/// Why a program that we started did not end successfully.
enum ProgramFault: Error, Equatable {
    case notFound(String)
    case cannotStart(number: Int32)
    /// It used all the processor time that it was allowed.
    case outOfTime
    /// It produced no output for longer than allowed, or did not end after its last output.
    case silent
    /// The program or one of its libraries reported that it got no more memory.
    case outOfMemory
    case tooMuchOutput
    /// Something killed it: the kernel for want of memory, or a person.
    case killed
    /// It was killed by a signal that it caused itself.
    case crashed(signal: Int32)
    case failed(code: Int32, message: String)

    /// In English, as the reason of a failure.
    func reason(_ program: String) -> String {
        switch self {
        case .notFound(let name): "\(name) is not installed"
        case .cannotStart(let number): "\(program) cannot be started (errno \(number))"
        case .outOfTime, .silent: "\(program) did not come to an end within its limits of time"
        case .outOfMemory: "\(program) needs more memory than it may have"
        case .tooMuchOutput: "\(program) printed more than it may"
        case .killed: "\(program) was killed by the system or by a person: perhaps the machine had no more memory"
        case .crashed(let signal): "\(program) was ended by signal \(signal)"
        case .failed(let code, let message): "\(program) ended with code \(code)\(message.isEmpty ? "" : ": \(message)")"
        }
    }
}
