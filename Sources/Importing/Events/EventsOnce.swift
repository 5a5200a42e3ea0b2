import JSONReading
import Model

/// The rows of a log without events that were sent twice, word for word: they are read and left out. One that says something else under a
/// known id stays, for the import to refuse.
final class EventsOnce: NamedRows {
    private let rows: any NamedRows
    private let repeated: Set<String>
    private var first: [String: JSONValue] = [:]
    var names: [String] { rows.names }

    /// - Parameter repeated: ids that several events bear.
    init(_ rows: any NamedRows, repeated: Set<String>) {
        (self.rows, self.repeated) = (rows, repeated)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        try rows.fill(&batch)
        guard let column = rows.names.firstIndex(of: "id") else { return }
        for row in 0..<batch.rowCount {
            guard let id = batch.string(row, column)?.lowercased(), repeated.contains(id),
                let value = try? JSONValue.parse(Array(batch.text[batch.rowText(row)]))
            else { continue }
            let plain = StateText.plain(value)
            if let known = first[id] {
                if known == plain { batch.leaveOut(row) }
            } else {
                first[id] = plain
            }
        }
    }
}
