import Model

/// Rows and small objects as JSON, for payloads and details: members in the order given, texts as
/// they are stored (a JSON column stays a text, so that no number in it is written differently),
/// numbers in shortest form.
struct RowJSON {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    var text: String { String(decoding: bytes, as: UTF8.self) + "}" }

    mutating func add(_ name: String, _ value: MemoryRows.Value) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .integer(let integer): unsafe JSONWriter.append(to: &bytes, room: 32) { unsafe $0.write(integer) }
        case .real(let real): unsafe JSONWriter.append(to: &bytes, room: 32) { unsafe $0.write(real) }
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
        text.withUTF8 { utf8 in
            let utf8 = UnsafeRawBufferPointer(utf8)
            unsafe JSONWriter.append(to: &bytes, room: 6 * utf8.count + 2) { unsafe $0.quote(utf8) }
        }
    }

    /// An object whose members are all texts, sorted by name.
    static func object(_ members: [String: String]) -> String {
        var json = RowJSON()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { json.add(name, .text(value)) }
        return json.text
    }
}
