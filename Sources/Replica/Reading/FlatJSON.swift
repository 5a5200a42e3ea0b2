import JSONReading

/// Names and texts as one JSON object, ordered by name.
enum FlatJSON {
    static func write(_ members: [String: String]) -> String {
        guard !members.isEmpty else { return "{}" }
        let sorted = members.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }
        return JSONValue.object(sorted).description
    }

    /// Writes the same in place of what the writer has.
    static func write(_ members: [String: String], with writer: inout JSONTextWriter) {
        writer.removeAll()
        writer.write(.startObject, [UInt8]().span)
        if members.count < 2 {
            for (key, value) in members { write(key, value, with: &writer) }
        } else {
            for (key, value) in members.sorted(by: { $0.key < $1.key }) { write(key, value, with: &writer) }
        }
        writer.write(.endObject, [UInt8]().span)
    }

    private static func write(_ key: String, _ value: String, with writer: inout JSONTextWriter) {
        writer.write(.key, key.utf8Span.span)
        writer.write(.string, value.utf8Span.span)
    }

    static func read(_ text: String) -> [String: String] {
        guard text != "{}", let members = (try? JSONValue.parse(text))?.members else { return [:] }
        return Dictionary(members.compactMap { member in member.value.text.map { (member.key, $0) } }, uniquingKeysWith: { first, _ in first })
    }
}
