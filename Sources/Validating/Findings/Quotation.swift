import Model

/// Values as messages quote them: short, and hidden where they are private.
struct Quotation: Sendable {
    private static let maximumLength = 80
    private let pack: Pack

    init(pack: Pack) { self.pack = pack }

    func isOpen(_ field: Field?) -> Bool { pack.mayQuote(field) }

    func quote(_ value: String, of field: Field?) -> String {
        isOpen(field) ? Self.shortened(value) : Pack.hiddenValue
    }

    /// At most 80 Unicode scalars, without control characters that would break a line or a
    /// terminal.
    static func shortened(_ value: String) -> String {
        // Most values are short and have no character but of ASCII.
        let bytes = value.utf8
        if bytes.count <= maximumLength, bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return value }
        var scalars = String.UnicodeScalarView()
        for (index, scalar) in value.unicodeScalars.enumerated() {
            guard index < maximumLength else {
                scalars.removeLast()
                scalars.append("…")
                break
            }
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value)
            scalars.append(isControl ? "�" : scalar)
        }
        return String(scalars)
    }

    /// A cell as a message quotes it; nil for null.
    func quote(_ batch: borrowing RowBatch, _ row: Int, _ column: Int, of field: Field?) -> String? {
        let cell = batch.cell(row, column)
        let value = cell.kind == .real ? Self.number(cell.real) : batch.description(row, column)
        return value.map { quote($0, of: field) }
    }

    /// A number without a superfluous fraction: `30`, not `30.0`.
    static func number(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        return String(value)
    }

    /// A bound, or that there is none.
    static func minimum(_ value: Double?) -> String { value.map(number) ?? "−∞" }
    static func maximum(_ value: Double?) -> String { value.map(number) ?? "∞" }

    /// Some values in a row, as many as fit in a message.
    static func list(_ values: [String]) -> String {
        let few = values.prefix(12).map(shortened).joined(separator: ", ")
        return values.count > 12 ? few + ", …" : few
    }
}
