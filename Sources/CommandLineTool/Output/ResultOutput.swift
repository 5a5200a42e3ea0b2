import Digests
import Foundation
import Glibc
import Model
import OutputFiles
import Synchronization

/// Results on standard output: words for people, or one JSON document for programs.
struct ResultOutput {
    var isJSON: Bool
    var isQuiet: Bool

    /// Shows a result in the requested form.
    func show(_ result: some Encodable, text: @autoclosure () -> String) {
        if isJSON {
            StandardOutput.write(JSONString.document(result) + "\n")
        } else if !isQuiet {
            StandardOutput.write(text() + "\n")
        }
    }
}

/// Standard output, unbuffered. A reader that has ended is no failure; a full disk is.
enum StandardOutput {
    private static let trouble = Atomic<Int32>(0)

    static func write(_ text: String) {
        note(Descriptor.write(Array(TerminalText.harmless(text).utf8), to: STDOUT_FILENO))
    }

    /// Writes data that a program may read: unchanged, except that control characters are made
    /// harmless for a terminal.
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

    /// Writes sequences that move the cursor, which only the program itself may send.
    static func control(_ text: String) {
        _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }
}

private enum Descriptor {
    /// Writes all bytes; returns the error's number if that fails.
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

/// Texts of records on their way to a terminal, which would interpret control characters.
enum TerminalText {
    /// Replaces control characters, and characters that turn the direction of a line or are
    /// invisible, by JSON escapes: within JSON they are the same value.
    static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            guard isControl(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                result += "\\u" + unit.hexadecimal(4)
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
