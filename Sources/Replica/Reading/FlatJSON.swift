import JSONReading

/// Names and texts as one JSON object, ordered by name.
enum FlatJSON {
    static func write(_ members: [String: String]) -> String {
        guard !members.isEmpty else { return "{}" }
        let sorted = members.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }
        return JSONValue.object(sorted).description
    }

    static func read(_ text: String) -> [String: String] {
        guard text != "{}", let members = (try? JSONValue.parse(text))?.members else { return [:] }
        return Dictionary(members.compactMap { member in member.value.text.map { (member.key, $0) } }, uniquingKeysWith: { first, _ in first })
    }
}
