import Model

/// The changes in the texts of one sheet.
struct TextChanges: Hashable, Sendable {
    /// Characters replaced by U+FFFD: controls, broken UTF-8, U+FFFE and U+FFFF.
    var characters = 0
    /// Texts with an apostrophe as prefix, because a spreadsheet would have run them.
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
    /// Appends a text. What no file may have becomes U+FFFD and is counted; `escape` gets the bytes
    /// that `classes` marks as escaped; all else is copied.
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
