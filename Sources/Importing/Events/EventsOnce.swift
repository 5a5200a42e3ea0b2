import Digests
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

    /// What an event says holds its id too: both would have to be alike by chance.
    private static func fingerprint(_ text: String) -> UInt64 { SHA256.digest(of: text).first }
}
