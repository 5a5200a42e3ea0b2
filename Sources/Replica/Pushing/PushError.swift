import Model

/// How a failure is kept in the queue: in one short line, without what the server quotes of the
/// row.
enum PushError {
    static let longest = 300

    static func text(_ failure: PushFailureClass, _ message: String) -> String {
        var line = String(message.split(whereSeparator: \.isNewline).first ?? "")
        // `Key (email)=(ana@example.pe) already exists`
        line.replace(/=\s*\(.*\)/, with: "=(•••)")
        // `invalid input syntax for type uuid: "Ana"`
        line.replace(/:\s*".*"/, with: ": •••")
        line.replace(/'[^']*'/, with: "•••")
        line.replace(/[^\s@]+@[^\s@]+/, with: "•••")
        return String("\(failure.rawValue): \(line)".prefix(longest))
    }

    /// The class of a kept failure; one from elsewhere may be any text.
    static func kind(of text: String) -> PushFailureClass {
        text.firstIndex(of: ":").flatMap { PushFailureClass(rawValue: String(text[..<$0])) } ?? .sync
    }
}
