@testable import Importing

/// Bytes in memory.
final class MemoryBytes: ByteSource {
    private let bytes: [UInt8]
    private var position = 0
    private let step: Int

    /// `step` is the largest number of bytes that one call reads.
    init(_ bytes: [UInt8], step: Int = .max) {
        self.bytes = bytes
        self.step = step
    }

    func read(into buffer: inout [UInt8], from offset: Int) -> Int {
        let count = min(bytes.count - position, buffer.count - offset, step)
        guard count > 0 else { return 0 }
        buffer.replaceSubrange(offset..<(offset + count), with: bytes[position..<(position + count)])
        position += count
        return count
    }
}
