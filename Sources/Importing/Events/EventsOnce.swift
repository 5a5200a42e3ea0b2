import Crypto
import JSONReading
import Model

/// The rows of a log without exact duplicates of events: those are read and left out. An event with
/// a known id but different contents stays, so that the import rejects it.
final class EventsOnce: NamedRows {
    private let rows: any NamedRows
    /// The fingerprint of the first event with an id, by the fingerprint of the id.
    private var first: [UInt64: UInt64] = [:]
    var names: [String] { rows.names }

    init(_ rows: any NamedRows) { self.rows = rows }

    func fill(_ batch: inout ForeignBatch) throws {
        try rows.fill(&batch)
        guard let column = rows.names.firstIndex(of: "id") else { return }
        for row in 0..<batch.rowCount {
            guard let id = batch.string(row, column)?.lowercased(), let value = try? JSONValue.parse(Array(batch.text[batch.rowText(row)])) else {
                continue
            }
            let (own, said) = (Self.fingerprint(id), Self.fingerprint(StateText.plain(value).description))
            if let known = first[own] {
                if known == said { batch.leaveOut(row) }
            } else {
                first[own] = said
            }
        }
    }

    /// The event's contents include its id: a false match would need a collision of both
    /// fingerprints.
    private static func fingerprint(_ text: String) -> UInt64 {
        SHA256.hash(data: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
