import Model

/// Resolves natural keys to ids. Keys that occurred before are resolved from memory. For other
/// keys, the replica is searched; if it lacks the record, the id is derived from the key.
final class KeyReader {
    private let entity: String
    private let parts: [(field: String, text: TextReader)]
    private let values: MappedValues
    /// Ids of the keys that were resolved before.
    private var known = BytesMemo<[UInt8]>()
    private var key: [UInt8] = []
    private var ends: [Int] = []
    /// Whether a part of the last key is missing.
    private var isIncomplete = false

    init(entity: String, parts: [(field: String, text: TextReader)], _ values: MappedValues) {
        (self.entity, self.parts, self.values) = (entity, parts, values)
    }

    /// Appends the id of the record that the key in an external row refers to; false if a part of
    /// the key is missing.
    func appendID(_ batch: borrowing ForeignBatch, _ row: Int, to buffer: inout [UInt8]) throws -> Bool {
        // Moved to local variables for the loop: Swift checks each access to an object's property
        // for exclusivity.
        var (key, ends): ([UInt8], [Int]) = ([], [])
        swap(&key, &self.key)
        swap(&ends, &self.ends)
        defer {
            swap(&key, &self.key)
            swap(&ends, &self.ends)
        }
        key.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        isIncomplete = false
        for part in parts {
            let start = key.count
            do {
                isIncomplete = try !part.text.append(batch, row, to: &key)
            } catch let fault as MappingFault {
                // The row of the referenced record is itself rejected for the same fault.
                guard values.naming?.standIn(row: row, for: entity) != nil else { throw fault }
                isIncomplete = true
                key.removeLast(key.count - start)
            }
            if isIncomplete {
                guard let id = values.naming?.standIn(row: row, for: entity) else { return false }
                buffer.append(contentsOf: id.utf8)
                return true
            }
            ends.append(key.count)
            // A separator between parts. A text may also contain this byte, so the parts' lengths
            // are appended below.
            key.append(0x1F)
        }
        for end in ends { Self.append(end, to: &key) }
        if let id = known.value(of: key.span) {
            buffer.append(contentsOf: id)
            return true
        }
        var start = 0
        let texts = zip(parts, ends).map { part, end in
            defer { start = end + 1 }
            return (field: part.field, value: String(decoding: key[start..<end], as: UTF8.self))
        }
        let id = Array(try values.id(of: entity, texts).utf8)
        known.remember(id, of: key.span)
        buffer.append(contentsOf: id)
        return true
    }

    /// The last key in readable form.
    var shown: String {
        var start = 0
        let texts = zip(parts, ends).map { part, end in
            defer { start = end + 1 }
            return part.text.shown ?? String(decoding: key[start..<end], as: UTF8.self)
        }
        return (texts + (isIncomplete ? ["—"] : [])).joined(separator: " / ")
    }

    static func append(_ number: Int, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) {
            unsafe bytes.append(contentsOf: $0)
        }
    }
}
