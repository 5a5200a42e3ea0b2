import Digests
import Foundation
import Glibc
import Model
import OutputFiles
import Pipeline
import Replica
import Synchronization

/// Results on standard output: text, or one JSON document.
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

/// Standard output, unbuffered. A pipe whose reader has exited is not a failure; a full disk is.
enum StandardOutput {
    private static let trouble = Atomic<Int32>(0)

    static func write(_ text: String) {
        note(Descriptor.write(Array(TerminalText.harmless(text).utf8), to: STDOUT_FILENO))
    }

    /// Writes bytes unchanged to a file or pipe. On a terminal, control characters are escaped.
    static func write(data bytes: [UInt8]) {
        guard isatty(STDOUT_FILENO) == 0 else {
            return write(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n"))
        }
        note(Descriptor.write(bytes, to: STDOUT_FILENO))
    }

    private static func note(_ number: Int32?) {
        if let number, number != EPIPE { trouble.store(number, ordering: .relaxed) }
    }

    /// An error that prevented writing; nil if everything was written.
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

    /// Writes a text without escaping its control sequences; only for texts that the program itself
    /// makes.
    static func control(_ text: String) {
        _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }
}

private enum Descriptor {
    /// Writes all bytes; returns the error's number if that fails.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]).baseAddress, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            done += count
        }
        return nil
    }
}

/// Makes texts of records safe for a terminal, which would interpret control characters.
enum TerminalText {
    /// Replaces control characters, invisible characters and those that change the writing
    /// direction by JSON escapes. Within JSON, the escaped value is the same.
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

/// Reports each record of an import as it is processed: as lines of text, or as one JSON document
/// with the lists `records` and `imports` (the results).
final class ImportRecordOutput {
    private let session: WorkSession
    private let output: ResultOutput
    private var isFirst = true

    init(_ session: WorkSession, _ output: ResultOutput) {
        (self.session, self.output) = (session, output)
    }

    func report(_ record: ImportRecord) {
        if output.isJSON {
            StandardOutput.write((isFirst ? "{\"records\": [\n" : ",\n") + Self.line(record))
        } else if !output.isQuiet {
            StandardOutput.write(text(record) + "\n")
        }
        isFirst = false
    }

    /// Writes the results after the records.
    func finish(_ results: [ImportResult], text: @autoclosure () -> String) {
        guard output.isJSON else {
            output.show(results, text: (isFirst ? "" : "\n") + text())
            return
        }
        StandardOutput.write(
            (isFirst ? "{\"records\": [" : "\n") + "],\n\"imports\": \(JSONString.document(results))}\n")
    }

    private func text(_ record: ImportRecord) -> String {
        let place = record.place
        let spot = [place.file, place.sheet, place.line.map(String.init) ?? place.pointer].compactMap(\.self).joined(
            separator: ":")
        return RecordWords(session).text(record, at: spot)
    }

    private static func line(_ record: ImportRecord) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(record)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
