import Glibc

/// A growing sequence of bytes that writers fill and empty repeatedly, without an allocation for
/// each value.
///
/// The buffer owns raw memory instead of an array, because a million rows mean a hundred million
/// appends. Each append is then a bounds check and a store. There are always `slack` spare bytes
/// after `count`, so that short values may be stored as whole words.
@safe package struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // Sendable is unchecked because of the pointer: the buffer is the only owner of its memory and
    // cannot be copied.
    @usableFromInline static var slack: Int { 64 }

    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var length = 0

    package init(capacity: Int = 1 << 16) {
        self.capacity = max(capacity, 64)
        unsafe base = .allocate(capacity: self.capacity + Self.slack)
    }

    deinit {
        unsafe base.deallocate()
    }

    @inlinable package var count: Int { length }
    @inlinable package var isEmpty: Bool { length == 0 }

    /// Removes the content and keeps the memory.
    @inlinable package mutating func removeAll() { length = 0 }

    /// Makes room for `extra` more bytes.
    @inlinable @inline(__always) package mutating func reserve(_ extra: Int) {
        if length &+ extra > capacity { grow(extra) }
    }

    @usableFromInline @inline(never) mutating func grow(_ extra: Int) {
        let larger = max(capacity * 2, length + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger + Self.slack)
        unsafe moved.update(from: base, count: length)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    // MARK: Bytes

    @inlinable @inline(__always) package mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base[length] = byte
        length &+= 1
    }

    /// Appends a literal, such as markup or a separator.
    @inlinable @inline(__always) package mutating func append(_ literal: StaticString) {
        let size = literal.utf8CodeUnitCount
        reserve(size)
        unsafe (base + length).update(from: literal.utf8Start, count: size)
        length &+= size
    }

    @inlinable package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    @inlinable @inline(__always) package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        unsafe (base + length).update(from: start, count: bytes.count)
        length &+= bytes.count
    }

    package mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    /// Appends a text that is written once, such as a header or a name.
    package mutating func append(utf8 string: String) {
        for byte in string.utf8 { append(byte) }
    }

    // MARK: Reading

    @inlinable package func withBytes<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        let bytes = unsafe UnsafeBufferPointer(start: base, count: length)
        return try unsafe body(Span(_unsafeElements: bytes))
    }

    /// A copy, for tests and for small content.
    package var array: [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: base, count: length))
    }

    package var string: String { String(decoding: array, as: UTF8.self) }
}

// Methods that store bytes after the content, in memory that the caller has reserved. The bytes
// become content only with `advance`.
extension ByteBuffer {
    /// Stores eight bytes at once. `advance` then decides how many of them are content.
    @inlinable @inline(__always) package func storeWord(_ word: UInt64) {
        unsafe UnsafeMutableRawPointer(base + length).storeBytes(of: word, as: UInt64.self)
    }

    @inlinable @inline(__always) package func storeByte(_ byte: UInt8) {
        unsafe base[length] = byte
    }

    @inlinable @inline(__always) package mutating func advance(_ count: Int) {
        assert(length &+ count <= capacity &+ Self.slack)
        length &+= count
    }
}
