import Foundation
import Model

/// Results on standard output: words for people, or one JSON document for programs.
struct ResultOutput {
    var isJSON: Bool
    var isQuiet: Bool

    /// Shows a result in the form that was asked for.
    func show(_ result: some Encodable, text: @autoclosure () -> String) {
        if isJSON {
            StandardOutput.write(Self.json(result) + "\n")
        } else if !isQuiet {
            StandardOutput.write(text() + "\n")
        }
    }

    /// Deterministic JSON: keys sorted, slashes as they are.
    static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Standard output, unbuffered, indifferent to a reader that has gone.
enum StandardOutput {
    static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

/// Standard error: logs, progress, failures.
enum StandardError {
    static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
