import Importing
import Model

/// The readers' bounds with their values and what they mean.
struct LimitDescription {
    struct Bound: Encodable {
        var name: String
        var unit: String
        var value: Int
        var standard: Int
        var highest: Int
    }

    let bounds: [Bound]

    init(_ limits: TableLimits) {
        bounds = ReadingBound.all.map { bound in
            Bound(
                name: bound.name, unit: bound.unit.rawValue, value: limits[bound], standard: bound.standard, highest: bound.highest)
        }
    }

    func text(_ texts: Texts, _ language: Language, isMarkdown: Bool) -> String {
        func word(_ key: String) -> String { texts.text(key, in: language) }
        if isMarkdown {
            let head = ["| \(word("cli.limits.name")) | \(word("cli.limits.value")) | \(word("cli.limits.meaning")) |", "| --- | --- | --- |"]
            return (head + bounds.map { "| `\($0.name)` | \(Self.short($0)) | \(word("bound." + $0.name)) |" }).joined(separator: "\n") + "\n"
        }
        var table = TextTable([word("cli.limits.name"), word("cli.limits.value"), word("cli.limits.meaning")], [.left, .right, .left])
        for bound in bounds { table.add([bound.name, Self.short(bound), word("bound." + bound.name)]) }
        return table.text + "\n\n" + word("cli.limits.remedy") + "\n"
    }

    /// As it can be given to `--limit`: 64M, 16384.
    static func short(_ bound: Bound) -> String {
        guard bound.unit == ReadingBound.Unit.bytes.rawValue else { return String(bound.value) }
        for (shift, letter) in [(30, "G"), (20, "M"), (10, "K")] where bound.value % (1 << shift) == 0 { return "\(bound.value >> shift)\(letter)" }
        return String(bound.value)
    }
}
