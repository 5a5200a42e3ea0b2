internal import JSONReading

/// Names with a number each, found by their bytes: sorted by hash and then by the bytes themselves,
/// so that no choice of names makes a search slow.
package final class KeyTable: Sendable {
    private let hashes: [UInt32]
    private let ranges: [Range<Int>]
    private let slots: [Int]
    private let text: [UInt8]

    package init(_ names: [(name: String, slot: Int)]) {
        let entries = names.map { name, slot -> (hash: UInt32, bytes: [UInt8], slot: Int) in
            let bytes = Array(name.utf8)
            return (JSONDocument.hash(bytes.span, 0..<bytes.count), bytes, slot)
        }
        var (hashes, ranges, slots, text) = ([UInt32](), [Range<Int>](), [Int](), [UInt8]())
        for entry in entries.sorted(by: { $0.hash != $1.hash ? $0.hash < $1.hash : $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            hashes.append(entry.hash)
            ranges.append(text.count..<text.count + entry.bytes.count)
            text += entry.bytes
            slots.append(entry.slot)
        }
        (self.hashes, self.ranges, self.slots, self.text) = (hashes, ranges, slots, text)
    }

    package var isEmpty: Bool { slots.isEmpty }

    /// The number of a name; -1 if it is not in the table.
    package func slot(_ hash: UInt32, _ bytes: [UInt8], _ range: Range<Int>) -> Int {
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            let isBelow = hashes[middle] != hash ? hashes[middle] < hash : order(middle, bytes, range) < 0
            if isBelow { low = middle + 1 } else { high = middle }
        }
        guard low < hashes.count, hashes[low] == hash, order(low, bytes, range) == 0 else { return -1 }
        return slots[low]
    }

    package func slot(_ name: String) -> Int {
        let bytes = Array(name.utf8)
        return slot(JSONDocument.hash(bytes.span, 0..<bytes.count), bytes, 0..<bytes.count)
    }

    private func order(_ entry: Int, _ bytes: [UInt8], _ range: Range<Int>) -> Int {
        let own = ranges[entry]
        for offset in 0..<min(own.count, range.count) {
            let (left, right) = (text[own.lowerBound + offset], bytes[range.lowerBound + offset])
            if left != right { return left < right ? -1 : 1 }
        }
        return own.count - range.count
    }
}
