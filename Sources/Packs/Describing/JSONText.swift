internal import Model

/// JSON with its keys in the given order or sorted, two spaces for each level, and the same bytes
/// every time.
indirect enum JSONText {
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case null
    case list([JSONText])
    case object([(key: String, value: JSONText)])

    static func texts(_ texts: [String]) -> JSONText { .list(texts.map { .text($0) }) }
    static func optional(_ text: String?) -> JSONText { text.map { .text($0) } ?? .null }

    /// The text with line breaks and indentation, and a line break at the end.
    func rendered(sortingKeys: Bool = false) -> String {
        var output = ""
        write(to: &output, indent: 0, sorted: sortingKeys)
        return output + "\n"
    }

    private func write(to output: inout String, indent: Int, sorted: Bool) {
        switch self {
        case .text(let text): JSONString.append(text, to: &output)
        case .integer(let integer): output += String(integer)
        case .number(let number):
            output += number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .boolean(let boolean): output += boolean ? "true" : "false"
        case .null: output += "null"
        case .list(let items):
            Self.write(items, "[", "]", to: &output, indent: indent) { item, output in
                item.write(to: &output, indent: indent + 1, sorted: sorted)
            }
        case .object(let pairs):
            Self.write(sorted ? pairs.sorted { $0.key < $1.key } : pairs, "{", "}", to: &output, indent: indent) { pair, output in
                JSONString.append(pair.key, to: &output)
                output += ": "
                pair.value.write(to: &output, indent: indent + 1, sorted: sorted)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], _ open: String, _ close: String, to output: inout String, indent: Int,
        _ write: (Item, inout String) -> Void
    ) {
        guard !items.isEmpty else {
            output += open + close
            return
        }
        output += open
        for (index, item) in items.enumerated() {
            output += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
            write(item, &output)
        }
        output += "\n" + String(repeating: "  ", count: indent) + close
    }
}
