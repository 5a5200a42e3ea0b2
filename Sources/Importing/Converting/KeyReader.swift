import Model

/// Resolves natural keys to ids: keys seen before from memory, other keys through the replica, or
/// derived from the key.
final class KeyReader {
    private let entity: String
    private let parts: [(field: String, text: TextReader)]
    private let values: MappedValues
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
        // Moved out for the loop, because each access to a property of an object is checked for
        // exclusivity.
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
                // The record's own row is rejected for the same fault.
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
            // A separator between parts. It may also occur in a text, so the lengths are appended
            // below.
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
