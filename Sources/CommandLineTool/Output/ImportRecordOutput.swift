import Foundation
import Model
import Replica

/// Reports each record of an import as it is processed: lines for people; for programs the list
/// `records` of one JSON document whose `imports` are the results.
final class ImportRecordOutput {
    private let session: CommandSession
    private var isFirst = true

    init(_ session: CommandSession) {
        self.session = session
    }

    func report(_ record: ImportRecord) {
        if session.output.isJSON {
            StandardOutput.write((isFirst ? "{\"records\": [\n" : ",\n") + Self.line(record))
        } else if !session.output.isQuiet {
            StandardOutput.write(text(record) + "\n")
        }
        isFirst = false
    }

    /// The results after the records.
    func finish(_ results: [ImportCommand.Result], text: @autoclosure () -> String) {
        guard session.output.isJSON else {
            session.output.show(results, text: (isFirst ? "" : "\n") + text())
            return
        }
        StandardOutput.write((isFirst ? "{\"records\": [" : "\n") + "],\n\"imports\": \(JSONString.document(results))}\n")
    }

    private func text(_ record: ImportRecord) -> String {
        let place = record.place
        let spot = [place.file, place.sheet, place.line.map(String.init) ?? place.pointer].compactMap(\.self).joined(separator: ":")
        let name = record.key.flatMap { $0.isEmpty ? nil : $0 } ?? record.id ?? ""
        let head = [session.text("cli.import.columns." + record.outcome.rawValue), record.entity, name, spot].joined(separator: "  ")
        return ([head] + record.changes.map { "    \($0.field): \($0.before ?? "∅") → \($0.after ?? "∅")" }).joined(separator: "\n")
    }

    private static func line(_ record: ImportRecord) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(record)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
