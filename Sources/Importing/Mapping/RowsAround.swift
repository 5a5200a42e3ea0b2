import JSONReading
import Model

/// What a row is given by the rows around it: its number in its record, and where the layer above ends. It is kept with a row that is
/// rejected, so that the row is converted in its place when it is tried again.
struct RowsAround {
    /// Where the layer above ends; nil where nothing is above.
    struct Edge {
        var value: String?
        /// The row that should have said it, where none did.
        var line: Int?
    }

    private enum Part {
        case number(Int)
        case edge(Edge)
    }

    private var parts: [(field: String, part: Part)] = []

    init() {}

    /// From `text`; of another text nothing is known.
    init(_ text: String) {
        for member in (try? JSONValue.parse(text))?.members ?? [] {
            if let number = Self.integer(member.value["number"]) {
                parts.append((member.key, .number(number)))
            } else {
                parts.append((member.key, .edge(Edge(value: member.value["above"]?.text, line: Self.integer(member.value["line"])))))
            }
        }
    }

    private static func integer(_ value: JSONValue?) -> Int? {
        if case .number(let digits)? = value { return Int(digits) }
        return nil
    }

    mutating func removeAll() { parts.removeAll(keepingCapacity: true) }
    mutating func note(_ number: Int, of field: String) { parts.append((field, .number(number))) }
    mutating func note(_ edge: Edge, of field: String) { parts.append((field, .edge(edge))) }

    func number(of field: String) -> Int? {
        for known in parts where known.field == field {
            if case .number(let number) = known.part { return number }
        }
        return nil
    }

    func edge(of field: String) -> Edge? {
        for known in parts where known.field == field {
            if case .edge(let edge) = known.part { return edge }
        }
        return nil
    }

    /// As JSON.
    var text: String {
        var text = "{"
        for (field, part) in parts {
            if text.utf8.count > 1 { text += "," }
            JSONString.append(field, to: &text)
            switch part {
            case .number(let number): text += ":{\"number\":\(number)}"
            case .edge(let edge):
                text += ":{"
                if let value = edge.value {
                    text += "\"above\":"
                    JSONString.append(value, to: &text)
                } else if let line = edge.line {
                    text += "\"line\":\(line)"
                }
                text += "}"
            }
        }
        return text + "}"
    }
}

/// Rejected rows of one target that are tried again, one by one in the order of their source.
final class RowsAgain {
    /// What was kept of the row that is tried.
    var kept = RowsAround()
    let repeated = RepeatedRows(isLasting: true)
    /// Where those tried so far end.
    private var edges: [String: String?] = [:]

    /// The edge above the row that is tried: as it was, or as the row above says it now.
    func edge(of field: String, record: String) -> RowsAround.Edge {
        var edge = kept.edge(of: field) ?? .init()
        if edge.value == nil, let line = edge.line { edge.value = edges[Self.name(field, record, line)] ?? nil }
        return edge
    }

    func note(_ edge: String?, of field: String, record: String, line: Int) { edges[Self.name(field, record, line)] = .some(edge) }

    private static func name(_ field: String, _ record: String, _ line: Int) -> String { "\(field)\u{1F}\(record)\u{1F}\(line)" }
}

extension ValuePlan {
    /// Whether rows around a row have a say in its value.
    var looksAround: Bool {
        switch self {
        case .ordinal, .layer: true
        case .parent(_, let parts), .object(let parts): parts.contains { $0.value.looksAround }
        case .identifier(let plans), .merge(let plans): plans.contains(where: \.looksAround)
        case .other(_, let plans): plans.contains(where: \.looksAround)
        case .column, .join, .constant, .expression: false
        }
    }
}
