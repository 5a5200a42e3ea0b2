import Foundation

extension Span<UInt8> {
    /// The next position of a byte, from a start position on.
    func position(of byte: UInt8, from start: Int) -> Int? {
        guard start < count else { return nil }
        return unsafe withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, let found = unsafe memchr(base + start, CInt(byte), bytes.count - start) else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}
