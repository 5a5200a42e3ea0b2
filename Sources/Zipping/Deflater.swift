import CZlib

/// Compresses a stream of bytes into raw deflate data (no zlib or gzip frame), as ZIP entries
/// contain it, and computes the CRC-32.
@safe package struct Deflater: ~Copyable, @unchecked Sendable {
    // Sendable is unchecked because of the pointer: this value is its only owner and cannot be
    // copied.
    /// zlib stores the address of its stream, so the stream is on the heap.
    private let stream: UnsafeMutablePointer<z_stream>
    private var output: [UInt8]
    package private(set) var crc: UInt32 = 0
    package private(set) var consumed: UInt64 = 0
    package private(set) var produced: UInt64 = 0

    /// - Parameter level: 1 is fastest, 9 gives the smallest output.
    package init(level: Int32) throws(ZipFailure) {
        output = [UInt8](repeating: 0, count: 1 << 17)
        let allocated = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe allocated.initialize(to: z_stream())
        // Negative window bits: raw deflate. Memory level 8: with 9, compressing a sheet's markup
        // took a sixth longer and gave more bytes.
        let result = unsafe deflateInit2_(
            allocated, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            unsafe allocated.deallocate()
            throw .compression(number: result)
        }
        unsafe stream = allocated
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Compresses `bytes`; `take` receives the output in pieces.
    package mutating func write(_ bytes: Span<UInt8>, _ take: (Span<UInt8>) throws -> Void) throws {
        guard bytes.count > 0 else { return }
        crc = bytes.crc32(continuing: crc)
        consumed += UInt64(bytes.count)
        try unsafe bytes.withUnsafeBufferPointer { input in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(input.count)
            try run(Z_NO_FLUSH, take)
        }
    }

    /// Ends the stream.
    package mutating func finish(_ take: (Span<UInt8>) throws -> Void) throws {
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.avail_in = 0
        try run(Z_FINISH, take)
    }

    private mutating func run(_ flush: Int32, _ take: (Span<UInt8>) throws -> Void) throws {
        var isFull = true
        while isFull {
            let room = output.count
            let result = unsafe output.withUnsafeMutableBufferPointer { buffer in
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                return unsafe deflate(stream, flush)
            }
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                throw ZipFailure.compression(number: result)
            }
            let made = room - Int(unsafe stream.pointee.avail_out)
            if made > 0 {
                produced += UInt64(made)
                try take(output.span.extracting(first: made))
            }
            isFull = made == room && result != Z_STREAM_END
        }
    }
}

extension Span<UInt8> {
    /// The CRC-32 of earlier bytes, whose checksum is `sum`, followed by these bytes.
    package func crc32(continuing sum: UInt32 = 0) -> UInt32 {
        unsafe withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return sum }
            return unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(sum), start, bytes.count))
        }
    }
}

/// Compresses and decompresses whole byte arrays in zlib's format (RFC 1950), as PDF files contain
/// them.
package enum ZlibStream {
    /// - Parameter level: 1 is fastest, 9 smallest.
    package static func compress(_ bytes: [UInt8], level: Int32) throws(ZipFailure) -> [UInt8] {
        let most = compressBound(UInt(bytes.count))
        var result = Z_OK
        // The memory is not zeroed first: for a picture, zeroing took a tenth of the time.
        let output = unsafe [UInt8](unsafeUninitializedCapacity: Int(most)) { room, count in
            var length = most
            result = unsafe bytes.withUnsafeBufferPointer {
                unsafe compress2(room.baseAddress, &length, $0.baseAddress, UInt($0.count), level)
            }
            count = result == Z_OK ? Int(length) : 0
        }
        guard result == Z_OK else { throw .compression(number: result) }
        return output
    }

    /// - Parameter most: the longest text that is accepted.
    package static func decompress(_ bytes: ArraySlice<UInt8>, most: Int = 1 << 28) throws(ZipFailure) -> [UInt8] {
        var room = min(max(bytes.count * 6, 4096), most)
        while true {
            var output = [UInt8](repeating: 0, count: room)
            var length = UInt(room)
            let result = unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe bytes.withUnsafeBufferPointer {
                    unsafe uncompress(output.baseAddress, &length, $0.baseAddress, UInt($0.count))
                }
            }
            if result == Z_BUF_ERROR, room < most {
                room = min(room * 2, most)
                continue
            }
            guard result == Z_OK else { throw .compression(number: result) }
            output.removeLast(room - Int(length))
            return output
        }
    }
}
