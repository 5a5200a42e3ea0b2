import JSONReading
import Model

/// The values that a row gets from neighbouring rows: its number within its record, and the lower
/// edge of the layer above. They are stored with a rejected row, so that a retry gives the row the
/// same values.
struct NeighbourValues {
    /// The lower edge of the layer above; nil if there is no layer above.
    struct Edge {
        var value: String?
        /// The row that should have contained the value, but did not.
        var line: Int?
    }

    private enum Part {
        case number(Int)
        case edge(Edge)
    }

    private var parts: [(field: String, part: Part)] = []

    init() {}

    /// Reads the stored form, `text`; any other text gives no values.
    init(_ text: String) {
        for member in (try? JSONValue.parse(text))?.members ?? [] {
            if let number = Self.integer(member.value["number"]) {
                parts.append((member.key, .number(number)))
            } else {
                parts.append(
                    (
                        member.key,
                        .edge(Edge(value: member.value["above"]?.text, line: Self.integer(member.value["line"])))
                    ))
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

    /// The values as JSON.
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

/// State shared by the rejected rows of one target while they are retried, one by one in the order
/// of their source.
final class RetryState {
    /// The neighbours' values that are stored with the current row.
    var kept = NeighbourValues()
    let repeated = RepeatedRows(isLasting: true)
    /// Lower edges of the rows retried so far.
    private var edges: [String: String?] = [:]

    /// The edge above the current row: the stored one or, if it is missing, the edge from the retry
    /// of the row above.
    func edge(of field: String, record: String) -> NeighbourValues.Edge {
        var edge = kept.edge(of: field) ?? .init()
        if edge.value == nil, let line = edge.line { edge.value = edges[Self.name(field, record, line)] ?? nil }
        return edge
    }

    func note(_ edge: String?, of field: String, record: String, line: Int) {
        edges[Self.name(field, record, line)] = .some(edge)
    }

    private static func name(_ field: String, _ record: String, _ line: Int) -> String {
        "\(field)\u{1F}\(record)\u{1F}\(line)"
    }
}

extension ValuePlan {
    /// Whether the value depends on neighbouring rows.
    var looksAround: Bool {
        switch self {
        case .ordinal, .layer: true
        case .parent(_, let parts), .object(let parts): parts.contains { $0.value.looksAround }
        case .identifier(let plans), .merge(let plans): plans.contains(where: \.looksAround)
        case .other(_, let plans): plans.contains(where: \.looksAround)
        case .column, .join, .constant, .expression, .named: false
        }
    }
}
