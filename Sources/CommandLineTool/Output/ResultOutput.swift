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
        try? FileHandle.standardOutput.write(contentsOf: Data(TerminalText.harmless(text).utf8))
    }
}

/// Standard error: logs, progress, failures.
enum StandardError {
    static func write(_ text: String) {
        control(TerminalText.harmless(text))
    }

    /// Writes what moves the cursor, which only the program itself may.
    static func control(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// Texts of records on their way to a terminal, which obeys what it reads.
enum TerminalText {
    /// Control characters become visible, as JSON writes them: within JSON they are the same value.
    static func harmless(_ text: String) -> String {
        let isControl: (Unicode.Scalar) -> Bool = { ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F...0x9F).contains($0.value) }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
