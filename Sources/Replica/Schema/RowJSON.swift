import Model

/// Rows and small objects as JSON, for payloads and details: members in the order given, texts as they are stored (a JSON column
/// stays a text within it, so that no number in it is written differently), numbers in shortest form.
struct RowJSON {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    var text: String { String(decoding: bytes, as: UTF8.self) + "}" }

    mutating func add(_ name: String, _ value: MemoryRows.Value) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
        case .real(let real): Self.append(real, to: &bytes)
        case .text(let text): appendQuoted(text)
        }
    }

    /// A text as a JSON string.
    static func quoted(_ text: String) -> String {
        var json = RowJSON()
        json.bytes.removeAll()
        json.appendQuoted(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in unsafe Self.appendQuoted(utf8, to: &bytes) }
    }

    static func append(_ integer: Int64, to bytes: inout [UInt8]) {
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(integer.magnitude, atLeast: 1, to: &bytes)
    }

    private static func appendDigits(_ number: UInt64, atLeast width: Int, to bytes: inout [UInt8]) {
        if number >= 10 || width > 1 { appendDigits(number / 10, atLeast: width - 1, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    static func append(_ real: Double, to bytes: inout [UInt8]) {
        // What has at most two decimals, as nearly every measurement, is as short as these: the general way takes five times as long.
        if abs(real) < 1e12, real != 0 {
            var (scale, decimals) = (1.0, 0)
            while decimals <= 2 {
                let scaled = (real * scale).rounded()
                if scaled / scale == real {
                    if real < 0 { bytes.append(UInt8(ascii: "-")) }
                    let (whole, part) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: UInt64(scale))
                    appendDigits(whole, atLeast: 1, to: &bytes)
                    bytes.append(UInt8(ascii: "."))
                    appendDigits(part, atLeast: max(1, decimals), to: &bytes)
                    return
                }
                scale *= 10
                decimals += 1
            }
        }
        bytes.append(contentsOf: (real.isFinite ? real.description : "null").utf8)
    }

    /// Text as a JSON string, in as few copies as its escapes allow.
    static func appendQuoted(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for index in 0..<text.count {
            let byte = unsafe text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            start = index + 1
            if byte < 0x20 {
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            } else {
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            }
        }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// An object with texts alone, its members sorted by name.
    static func object(_ members: [String: String]) -> String {
        var json = RowJSON()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { json.add(name, .text(value)) }
        return json.text
    }
}
