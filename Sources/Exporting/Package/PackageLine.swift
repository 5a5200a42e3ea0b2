import JSONReading
import Model

/// Formats a row as a line of NDJSON: fields by their names, without empty ones. JSON is copied
/// where reading it again gives the same text.
struct PackageLine {
    let fields: [Field]

    /// The names under which an import reads a row's own states.
    private static let states = ["syncStatus", "localVersion", "remoteUpdatedAt"]

    func append(_ batch: RowBatch, _ row: Int, to bytes: inout [UInt8]) {
        var isFirst = true
        func begin(_ name: String) {
            bytes.append(UInt8(ascii: isFirst ? "{" : ","))
            isFirst = false
            append(quoted: name)
            bytes.append(UInt8(ascii: ":"))
        }
        func append(quoted text: String) {
            var quoted = ""
            JSONString.append(text, to: &quoted)
            bytes += quoted.utf8
        }
        for (index, field) in fields.enumerated() {
            let cell = batch.cell(row, index)
            switch cell.kind {
            case .null: continue
            case .integer:
                begin(field.name)
                bytes += (field.type == .boolean ? (cell.integer == 0 ? "false" : "true") : String(cell.integer)).utf8
            case .real:
                begin(field.name)
                bytes += cell.real.description.utf8
            case .text:
                let text = batch.string(row, index) ?? ""
                begin(field.name)
                if [.json, .point, .polygon, .list].contains(field.type), let value = try? JSONValue.parse(text), value.description == text {
                    bytes += text.utf8
                } else {
                    append(quoted: text)
                }
            }
        }
        // That the remote has a row is true of every copy of the row. All other sync states are
        // true of one replica only, and are not written.
        if batch.string(row, fields.count) == SyncState.synced.rawValue {
            begin(Self.states[0])
            append(quoted: SyncState.synced.rawValue)
            begin(Self.states[1])
            bytes += String(batch.cell(row, fields.count + 1).integer).utf8
            if let time = batch.string(row, fields.count + 2) {
                begin(Self.states[2])
                append(quoted: time)
            }
        }
        bytes += (isFirst ? "{}\n" : "}\n").utf8
    }
}
