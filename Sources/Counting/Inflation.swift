internal import CISAL

/// Inflates an archive's entry piece by piece, up to the size that the directory states, or a
/// stream of zlib's format (RFC 1950) to its end. Uses ISA-L, because readers and writers use zlib.
@safe final class Inflation {
    let size: Int
    private let file: SourceFile
    private let isStored: Bool
    /// Whether the stream has an end mark: one of zlib's format has, an archive's entry has not.
    private let hasOwnEnd: Bool
    private let state: UnsafeMutablePointer<inflate_state>
    private var place: Int
    private var left: Int
    /// Number of inflated bytes returned so far.
    private var given = 0
    private var input: [UInt8] = []
    private var used = 0

    init(_ file: SourceFile, at place: Int, packed: Int, size: Int, isStored: Bool) {
        (self.file, self.place, left, self.size, self.isStored, hasOwnEnd) = (
            file, place, packed, size, isStored, false
        )
        unsafe state = .allocate(capacity: 1)
        // A raw deflate stream: the headers belong to the archive.
        unsafe isal_inflate_init(state)
    }

    /// Opens a stream of zlib's format, which has an end mark and a checksum of its content.
    init(_ file: SourceFile, zlib place: Int, packed: Int) throws(CountFault) {
        (self.file, self.place, left, size, isStored, hasOwnEnd) = (file, place, packed, .max, false, true)
        unsafe state = .allocate(capacity: 1)
        unsafe isal_inflate_init(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_ZLIB)
    }

    deinit { unsafe state.deallocate() }

    /// Fills a buffer from `start` with the next bytes and returns their number; 0 at the end.
    func read(into buffer: inout [UInt8], from start: Int) throws(CountFault) -> Int {
        let wanted = min(buffer.count - start, size - given)
        guard wanted > 0 else { return 0 }
        var made = 0
        while made == 0 {
            if hasOwnEnd, unsafe state.pointee.block_state == ISAL_BLOCK_FINISH {
                guard left == 0, used == input.count else { throw .damaged("a stream ends before its length") }
                return 0
            }
            if used == input.count, left > 0 {
                input = try file.read(at: place, min(left, 1 << 17))
                guard !input.isEmpty else { throw .damaged("an entry of the archive is cut off") }
                used = 0
                place += input.count
                left -= input.count
            }
            if isStored {
                made = min(wanted, input.count - used)
                guard made > 0 else { throw .damaged("an entry of the archive is cut off") }
                buffer.replaceSubrange(start..<(start + made), with: input[used..<(used + made)])
                used += made
            } else {
                made = try inflate(into: &buffer, start, wanted)
            }
        }
        given += made
        return made
    }

    /// Delivers output that ISA-L's state still contains before it reads more input.
    private func inflate(into buffer: inout [UInt8], _ start: Int, _ wanted: Int) throws(CountFault) -> Int {
        let most = min(wanted, Int(UInt32.max))
        let available = input.count - used
        let (result, taken, made) = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe buffer.withUnsafeMutableBufferPointer { target in
                unsafe state.pointee.next_in = source.baseAddress.map { unsafe $0 + used }
                unsafe state.pointee.avail_in = UInt32(available)
                unsafe state.pointee.next_out = target.baseAddress.map { unsafe $0 + start }
                unsafe state.pointee.avail_out = UInt32(most)
                let result = unsafe isal_inflate(state)
                return unsafe (result, available - Int(state.pointee.avail_in), most - Int(state.pointee.avail_out))
            }
        }
        used += taken
        guard result == ISAL_DECOMP_OK, taken > 0 || made > 0 else {
            throw .damaged(hasOwnEnd ? "a stream is cut off or damaged" : "an entry of the archive is damaged")
        }
        return made
    }
}
