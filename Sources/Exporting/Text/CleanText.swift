import Model

/// The changes in the texts of one sheet.
struct TextChanges: Hashable, Sendable {
    /// Characters replaced by U+FFFD: controls, broken UTF-8, U+FFFE and U+FFFF.
    var characters = 0
    /// Texts that got an apostrophe as prefix, because a spreadsheet would otherwise run them as
    /// formulas.
    var formulas = 0

    /// Adds one finding for each kind of change.
    func add(sheet: String, to findings: any FindingSink) throws {
        for (code, count) in [("TEXT-CHARACTER", characters), ("TEXT-FORMULA", formulas)] where count > 0 {
            try findings.add(
                Finding(
                    code, place: Place(sheet: sheet),
                    arguments: ["count": String(count), "sheet": sheet]))
        }
    }
}

extension ByteBuffer {
    /// Appends a text. Characters that are not allowed in any file are replaced by U+FFFD and
    /// counted; `escape` writes the bytes that `classes` marks as escaped; all other bytes are
    /// copied.
    @inline(__always) mutating func appendClean(
        _ bytes: UnsafeBufferPointer<UInt8>, _ classes: borrowing ByteClasses, replaced: inout Int,
        escape: (UInt8, inout ByteBuffer) -> Void
    ) {
        let stops = ByteClasses.control | ByteClasses.beyondASCII | ByteClasses.escaped
        var start = 0
        var index = 0
        while true {
            index = unsafe classes.first(stops, in: bytes, from: index)
            guard index < bytes.count else { break }
            let byte = unsafe bytes[index]
            if byte >= 0x80 {
                let sequence = unsafe UTF8Sequence(bytes, at: index)
                if !sequence.isCharacter {
                    unsafe append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                    appendReplacement(&replaced)
                    start = index &+ sequence.length
                }
                index &+= sequence.length
            } else {
                unsafe append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                if classes[byte] & ByteClasses.control != 0 {
                    appendReplacement(&replaced)
                } else {
                    escape(byte, &self)
                }
                index &+= 1
                start = index
            }
        }
        unsafe append(UnsafeBufferPointer(rebasing: bytes[start...]))
    }

    @inline(never) private mutating func appendReplacement(_ replaced: inout Int) {
        append("\u{FFFD}" as StaticString)
        replaced += 1
    }
}

/// One character beyond ASCII, or the broken beginning of one, in UTF-8 (RFC 3629, section 4).
struct UTF8Sequence: Hashable {
    /// The number of bytes. For a broken sequence: the longest part that could begin a character,
    /// at least 1, so that replacements match other programs (Unicode 15, section 3.9, "U+FFFD
    /// substitution of maximal subparts").
    var length: Int
    /// Whether it is a character that XML can contain as well: U+FFFE and U+FFFF are not.
    var isCharacter: Bool

    /// Reads the sequence that begins at `index` with a byte from 0x80 on.
    @inline(__always) init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        let lead = unsafe bytes[index]
        let following: Int
        // The bounds of the second byte exclude overlong forms, surrogates and values beyond
        // U+10FFFF.
        var lowest: UInt8 = 0x80
        var highest: UInt8 = 0xBF
        switch lead {
        case 0xC2...0xDF: following = 1
        case 0xE0...0xEF:
            following = 2
            if lead == 0xE0 { lowest = 0xA0 }
            if lead == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            following = 3
            if lead == 0xF0 { lowest = 0x90 }
            if lead == 0xF4 { highest = 0x8F }
        default:
            length = 1
            isCharacter = false
            return
        }
        length = 1
        isCharacter = false
        while length <= following {
            let next = index &+ length
            guard next < bytes.count, unsafe bytes[next] >= lowest, unsafe bytes[next] <= highest else { return }
            lowest = 0x80
            highest = 0xBF
            length &+= 1
        }
        let isNonCharacter = unsafe lead == 0xEF && bytes[index &+ 1] == 0xBF && bytes[index &+ 2] >= 0xBE
        isCharacter = !isNonCharacter
    }
}

/// The meaning of each of the 256 bytes for a format, as flags. The union of the flags of a text's
/// bytes decides how it is written: the usual text has no flag and is copied unchanged.
@safe struct ByteClasses: ~Copyable {
    /// A control character that the format must not contain: DEL, and all below space except tab,
    /// line feed and carriage return.
    static let control: UInt8 = 1
    /// Part of a character beyond ASCII, or of broken UTF-8.
    static let beyondASCII: UInt8 = 2
    /// A byte for which the format requires an escape.
    static let escaped: UInt8 = 4
    /// A byte that requires quotes around the text.
    static let enclosing: UInt8 = 8
    /// A byte with which a formula may begin.
    static let leading: UInt8 = 16
    /// A space: a text that begins or ends with it must be in quotes.
    static let space: UInt8 = 32

    /// A text with a byte of any of these flags cannot be copied unchanged.
    static let needsCare = control | beyondASCII | escaped | enclosing

    private let flags: UnsafeMutablePointer<UInt8>

    /// Classes with the given bytes marked, in addition to controls and bytes beyond ASCII.
    init(escaped: [UInt8], enclosing: [UInt8] = [], leading: [UInt8] = [], space: [UInt8] = []) {
        unsafe flags = .allocate(capacity: 256)
        for byte in 0..<256 {
            let isBreak = byte == 9 || byte == 10 || byte == 13
            unsafe flags[byte] =
                byte >= 0x80 ? Self.beyondASCII : (byte < 0x20 && !isBreak) || byte == 0x7F ? Self.control : 0
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

    /// The union of the flags of all bytes.
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
