/// Writes text between tags and in attributes (XML 1.0, sections 2.4, 2.11 and 3.3.3). References
/// replace what a reader would take for markup or would normalise away.
struct XMLEscape: ~Copyable {
    private(set) var replaced = 0
    private let content = ByteClasses(escaped: Array("<>&\r".utf8))
    private let attribute = ByteClasses(escaped: Array("<>&\r\n\t\"".utf8))

    @inline(__always) mutating func append(content bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
        if unsafe content.union(bytes) == 0 {
            unsafe buffer.append(bytes)
        } else {
            unsafe append(careful: bytes, to: &buffer)
        }
    }

    @inline(never) private mutating func append(careful bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
        unsafe buffer.appendClean(bytes, content, replaced: &replaced, escape: Self.reference)
    }

    mutating func append(attribute bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
        unsafe buffer.appendClean(bytes, attribute, replaced: &replaced, escape: Self.reference)
    }

    mutating func append(content text: String, to buffer: inout ByteBuffer) {
        var text = text
        text.withUTF8 { unsafe append(content: $0, to: &buffer) }
    }

    /// ` name="value"`
    mutating func append(attribute name: String, _ value: String, to buffer: inout ByteBuffer) {
        var value = value
        buffer.append(UInt8(ascii: " "))
        buffer.append(utf8: name)
        buffer.append("=\"" as StaticString)
        value.withUTF8 { unsafe append(attribute: $0, to: &buffer) }
        buffer.append(UInt8(ascii: "\""))
    }

    private static func reference(_ byte: UInt8, _ buffer: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "<"): buffer.append("&lt;" as StaticString)
        case UInt8(ascii: ">"): buffer.append("&gt;" as StaticString)
        case UInt8(ascii: "&"): buffer.append("&amp;" as StaticString)
        case UInt8(ascii: "\""): buffer.append("&quot;" as StaticString)
        case 0x09: buffer.append("&#9;" as StaticString)
        case 0x0A: buffer.append("&#10;" as StaticString)
        default: buffer.append("&#13;" as StaticString)
        }
    }
}
