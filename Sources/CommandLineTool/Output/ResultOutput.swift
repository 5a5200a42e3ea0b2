import Foundation
import Glibc
import Model
import OutputFiles
import Synchronization

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

/// Standard output, unbuffered. A reader that has gone is no fault; a disk without room is.
enum StandardOutput {
    private static let trouble = Atomic<Int32>(0)

    static func write(_ text: String) {
        note(Descriptor.write(Array(TerminalText.harmless(text).utf8), to: STDOUT_FILENO))
    }

    /// Data that a program may read: as they are, but harmless where a terminal would obey them.
    static func write(data bytes: [UInt8]) {
        guard isatty(STDOUT_FILENO) == 0 else { return write(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")) }
        note(Descriptor.write(bytes, to: STDOUT_FILENO))
    }

    private static func note(_ number: Int32?) {
        if let number, number != EPIPE { trouble.store(number, ordering: .relaxed) }
    }

    /// Why something could not be shown.
    static var failure: OutputFailure? {
        let number = trouble.load(ordering: .relaxed)
        return number == 0 ? nil : OutputFailure.system(number, path: "/dev/stdout")
    }
}

/// Standard error: logs, progress, failures.
enum StandardError {
    static func write(_ text: String) {
        control(TerminalText.harmless(text))
    }

    /// Writes what moves the cursor, which only the program itself may.
    static func control(_ text: String) {
        _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }
}

private enum Descriptor {
    /// Writes all bytes, or gives the error's number.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]).baseAddress, bytes.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            done += count
        }
        return nil
    }
}

/// Texts of records on their way to a terminal, which obeys what it reads.
enum TerminalText {
    /// Control characters, and those that turn the direction of a line or are not seen at all, become visible, as JSON writes them: within
    /// JSON they are the same value.
    static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            guard isControl(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x7F else { return scalar.value < 0x20 && scalar != "\n" && scalar != "\t" }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
