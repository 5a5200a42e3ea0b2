import Digests

/// A memo of a pure function's results, found by the bytes of a text: columns of words, days and
/// codes repeat their values. Its size is limited, and a newer text replaces an older one in the
/// same slot.
struct BytesMemo<Value> {
    private struct Slot {
        var hash: UInt64 = 0
        var start = 0
        var count = -1
        var value = 0
    }

    /// Longer texts rarely occur twice.
    private static var longest: Int { 96 }
    private static var slotCount: Int { 512 }
    private static var poolSize: Int { 1 << 16 }

    private var slots: [Slot] = []
    private var pool: [UInt8] = []
    private var values: [Value] = []

    @inline(__always) private static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var digest = QuickDigest()
        digest.add(bytes)
        return digest.value ^ digest.value >> 29
    }

    func value(of bytes: Span<UInt8>) -> Value? {
        guard !slots.isEmpty, bytes.count <= Self.longest else { return nil }
        let hash = Self.hash(bytes)
        let slot = slots[Int(hash & UInt64(Self.slotCount - 1))]
        guard slot.count == bytes.count, slot.hash == hash else { return nil }
        for index in 0..<bytes.count where pool[slot.start + index] != bytes[index] { return nil }
        return values[slot.value]
    }

    mutating func remember(_ value: Value, of bytes: Span<UInt8>) {
        guard bytes.count <= Self.longest else { return }
        if slots.isEmpty || pool.count > Self.poolSize || values.count > 8 * Self.slotCount {
            slots = Array(repeating: Slot(), count: Self.slotCount)
            pool.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
        }
        let hash = Self.hash(bytes)
        slots[Int(hash & UInt64(Self.slotCount - 1))] = Slot(hash: hash, start: pool.count, count: bytes.count, value: values.count)
        unsafe bytes.withUnsafeBufferPointer { unsafe pool.append(contentsOf: $0) }
        values.append(value)
    }
}
