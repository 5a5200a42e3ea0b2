internal import CZlib

/// The bytes of an archive's entry, inflated piece by piece; no more than its directory states.
@safe final class Inflation {
    let size: Int
    private let file: SourceFile
    private let isStored: Bool
    private let stream: UnsafeMutablePointer<z_stream>
    private var place: Int
    private var left: Int
    private var given = 0
    private var input: [UInt8] = []
    private var used = 0

    init(_ file: SourceFile, at place: Int, packed: Int, size: Int, isStored: Bool) throws(CountFault) {
        (self.file, self.place, left, self.size, self.isStored) = (file, place, packed, size, isStored)
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // A bare stream: the archive has heads of its own.
        guard unsafe inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .tooLarge("memory")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// Fills a buffer from a place on with what comes next, and tells how much that is; nothing at the end.
    func read(into buffer: inout [UInt8], from start: Int) throws(CountFault) -> Int {
        let wanted = min(buffer.count - start, size - given)
        guard wanted > 0 else { return 0 }
        var made = 0
        while made == 0 {
            if used == input.count {
                input = try file.read(at: place, min(left, 1 << 17))
                guard !input.isEmpty else { throw .damaged("an entry of the archive is cut off") }
                used = 0
                place += input.count
                left -= input.count
            }
            if isStored {
                made = min(wanted, input.count - used)
                buffer.replaceSubrange(start..<(start + made), with: input[used..<(used + made)])
                used += made
            } else {
                made = try inflate(into: &buffer, start, wanted)
            }
        }
        given += made
        return made
    }

    private func inflate(into buffer: inout [UInt8], _ start: Int, _ wanted: Int) throws(CountFault) -> Int {
        let most = min(wanted, Int(UInt32.max))
        let available = input.count - used
        let (result, taken, made) = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe buffer.withUnsafeMutableBufferPointer { target in
                unsafe stream.pointee.next_in = source.baseAddress.map { unsafe $0 + used }
                unsafe stream.pointee.avail_in = UInt32(available)
                unsafe stream.pointee.next_out = target.baseAddress.map { unsafe $0 + start }
                unsafe stream.pointee.avail_out = UInt32(most)
                let result = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                return unsafe (result, available - Int(stream.pointee.avail_in), most - Int(stream.pointee.avail_out))
            }
        }
        used += taken
        guard result == Z_OK || (result == Z_STREAM_END && made > 0) || (result == Z_BUF_ERROR && taken > 0) else {
            throw .damaged("an entry of the archive is damaged")
        }
        return made
    }
}
