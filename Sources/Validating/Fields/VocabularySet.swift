import Digests
import Model
import Patterns

/// The values of a vocabulary as bytes, in a hash table. A test allocates no memory.
///
/// It is a class, so that a pass over a million rows counts one reference and not several.
final class VocabularySet: Sendable {
    private struct Slot {
        var hash: UInt32
        /// Where the value's bytes are; a negative start means that the slot is free.
        var start: Int32
        var count: Int32
    }

    let vocabulary: Vocabulary
    private let slots: [Slot]
    private let bytes: [UInt8]
    private let mask: Int
    private let also: Pattern?

    init(_ vocabulary: Vocabulary) throws(PatternError) {
        self.vocabulary = vocabulary
        also = if let source = vocabulary.alsoPattern { try Pattern(source) } else { nil }
        var size = 8
        while size < vocabulary.entries.count * 3 { size *= 2 }
        mask = size - 1
        var slots = Array(repeating: Slot(hash: 0, start: -1, count: 0), count: size)
        var bytes: [UInt8] = []
        for value in vocabulary.values {
            let start = bytes.count
            bytes += Array(value.utf8)
            let range = start..<bytes.count
            let hash = Self.hash(bytes.span, range)
            var slot = Int(hash) & mask
            while slots[slot].start >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Slot(hash: hash, start: Int32(start), count: Int32(range.count))
        }
        self.slots = slots
        self.bytes = bytes
    }

    func contains(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let hash = Self.hash(text, range)
        var slot = Int(hash) & mask
        while slots[slot].start >= 0 {
            if slots[slot].hash == hash, slots[slot].count == Int32(range.count), equals(slots[slot], text, range.lowerBound) { return true }
            slot = (slot &+ 1) & mask
        }
        guard let also else { return false }
        return also.matchesWhole(text.extracting(range)) == .matched
    }

    private func equals(_ slot: Slot, _ text: Span<UInt8>, _ start: Int) -> Bool {
        var index = 0
        while index < Int(slot.count) {
            if bytes[Int(slot.start) &+ index] != text[start &+ index] { return false }
            index &+= 1
        }
        return true
    }

    private static func hash(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
        let hash = QuickDigest.Short(text.extracting(range)).value
        return hash ^ hash >> 15
    }
}
