import Model

/// Gives ids by natural keys: those that came before from memory, others from whoever knows the replica, or as they follow from the key.
final class DirectKey {
    private let entity: String
    private let parts: [(field: String, text: DirectText)]
    private let scene: DirectText.Scene
    private var known = BytesMemo<[UInt8]>()
    private var key: [UInt8] = []
    private var ends: [Int] = []

    init(entity: String, parts: [(field: String, text: DirectText)], _ scene: DirectText.Scene) {
        (self.entity, self.parts, self.scene) = (entity, parts, scene)
    }

    /// Appends the id of the row of this entity to which the key in a foreign row leads; nothing where a part of the key is missing.
    func appendID(_ batch: borrowing ForeignBatch, _ row: Int, to buffer: inout [UInt8]) throws -> DirectText.Outcome {
        key.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        for part in parts {
            let outcome = try part.text.append(batch, row, to: &key)
            guard outcome == .text else { return outcome }
            ends.append(key.count)
            // Keeps neighbours apart; that it may stand in a text is seen to by the lengths.
            key.append(0x1F)
        }
        for end in ends { Self.append(end, to: &key) }
        // Lent, for spans of what an object holds do not reach beyond one use.
        let key = key
        if let id = known.value(of: key.span) {
            buffer.append(contentsOf: id)
            return .text
        }
        var start = 0
        let values = zip(parts, ends).map { part, end in
            defer { start = end + 1 }
            return (field: part.field, value: String(decoding: key[start..<end], as: UTF8.self))
        }
        do {
            let id = Array(try scene.mapping.id(of: entity, values).utf8)
            known.remember(id, of: key.span)
            buffer.append(contentsOf: id)
            return .text
        } catch is MappingFault {
            return .unfit
        }
    }

    static func append(_ number: Int, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
