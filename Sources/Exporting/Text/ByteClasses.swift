/// The meaning of each of the 256 bytes for a format, as flags. The union of the flags of a text's
/// bytes decides how it is written: the usual text has no flag and is copied unchanged.
@safe struct ByteClasses: ~Copyable {
    /// A control character that the format must not contain: DEL, and all below space except tab,
    /// line feed and carriage return.
    static let control: UInt8 = 1
    /// Part of a character beyond ASCII, or of broken UTF-8.
    static let beyondASCII: UInt8 = 2
    /// The format writes something else instead.
    static let escaped: UInt8 = 4
    /// The format has to enclose the text.
    static let enclosing: UInt8 = 8
    /// A formula may begin here, if it is the first byte.
    static let leading: UInt8 = 16
    /// A space: the format has to enclose the text that begins or ends with it.
    static let space: UInt8 = 32

    /// The flags of which one anywhere in a text means that it cannot be copied unchanged.
    static let needsCare = control | beyondASCII | escaped | enclosing

    private let flags: UnsafeMutablePointer<UInt8>

    /// Classes with the given bytes marked beside controls and what is beyond ASCII.
    init(escaped: [UInt8], enclosing: [UInt8] = [], leading: [UInt8] = [], space: [UInt8] = []) {
        unsafe flags = .allocate(capacity: 256)
        for byte in 0..<256 {
            let isBreak = byte == 9 || byte == 10 || byte == 13
            unsafe flags[byte] = byte >= 0x80 ? Self.beyondASCII : (byte < 0x20 && !isBreak) || byte == 0x7F ? Self.control : 0
        }
        for byte in escaped { unsafe flags[Int(byte)] |= Self.escaped }
        for byte in enclosing { unsafe flags[Int(byte)] |= Self.enclosing }
        for byte in leading { unsafe flags[Int(byte)] |= Self.leading }
        for byte in space { unsafe flags[Int(byte)] |= Self.space }
    }

    deinit {
        unsafe flags.deallocate()
    }

    @inline(__always) subscript(byte: UInt8) -> UInt8 { unsafe flags[Int(byte)] }

    /// The flags of all bytes together.
    @inline(__always) func union(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
        var union: UInt8 = 0
        var index = 0
        let count = bytes.count
        // Four bytes in each step, in two independent chains that the processor can overlap.
        while index &+ 4 <= count {
            let low = unsafe flags[Int(bytes[index])] | flags[Int(bytes[index &+ 1])]
            let high = unsafe flags[Int(bytes[index &+ 2])] | flags[Int(bytes[index &+ 3])]
            union |= low | high
            index &+= 4
        }
        while index < count {
            unsafe union |= flags[Int(bytes[index])]
            index &+= 1
        }
        return union
    }

    /// The first index from `start` whose byte has one of the flags; `bytes.count` when there is
    /// none.
    @inline(__always) func first(_ wanted: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, unsafe flags[Int(bytes[index])] & wanted == 0 { index &+= 1 }
        return index
    }
}
