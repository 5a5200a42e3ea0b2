import Blocks
import Canvas

/// The widths of a table's columns in points. The contents decide them, unless the template gives
/// shares. Long words stay whole where there is room.
struct ColumnWidths {
    private(set) var widths: [Double] = []

    /// The number of rows that are measured, from the first.
    private static let sample = 120

    init(_ table: TableContent, flow: PageFlow, size: Double, padding: Double) {
        let head = flow.style.text(size, .bold), body = flow.style.text(size)
        let total = flow.width
        var least: [Double] = [], natural: [Double] = []
        for (index, column) in table.columns.enumerated() {
            var word = Self.widestWord(column.label, head, flow)
            var whole = min(flow.layout(column.label, head).width, 90)
            for row in table.rows.prefix(Self.sample) where row.kind == .data || row.kind == .total {
                let text = row.cells[index].text
                if text.isEmpty { continue }
                whole = max(whole, flow.layout(text, row.kind == .total ? head : body).width)
                // Numbers and dates must not break.
                if column.isNumeric || text.utf8.count <= 10 { word = max(word, flow.layout(text, body).width) } else { word = max(word, Self.widestWord(text, body, flow)) }
            }
            least.append(min(word, total / 3) + 2 * padding + 0.5)
            natural.append(min(whole, total * 0.6) + 2 * padding + 0.5)
        }
        let shares = table.columns.compactMap(\.width)
        if shares.count == table.columns.count, shares.reduce(0, +) > 0 {
            let sum = shares.reduce(0, +)
            widths = shares.map { total * $0 / sum }
            return
        }
        for (index, column) in table.columns.enumerated() {
            guard let share = column.width else { continue }
            natural[index] = max(natural[index] * share, least[index])
        }
        let leastSum = least.reduce(0, +), naturalSum = natural.reduce(0, +)
        if naturalSum <= total {
            // Text columns take the room that is left; numbers stay near their headings.
            let texts = table.columns.indices.filter { !table.columns[$0].isNumeric }
            let takers = texts.isEmpty ? Array(table.columns.indices) : texts
            let weight = takers.reduce(0) { $0 + natural[$1] }
            widths = natural
            for index in takers { widths[index] += (total - naturalSum) * natural[index] / weight }
        } else if leastSum <= total {
            let stretch = (total - leastSum) / max(0.001, naturalSum - leastSum)
            widths = zip(least, natural).map { $0 + ($1 - $0) * stretch }
        } else {
            // Long words break. Each column still holds a few letters.
            let floor = min(total / Double(least.count), 2 * padding + 3.5 * size)
            let excess = least.reduce(0) { $0 + max(0, $1 - floor) }
            let room = total - floor * Double(least.count)
            widths = least.map { floor + (excess > 0 ? room * max(0, $0 - floor) / excess : room / Double(least.count)) }
        }
    }

    private static func widestWord(_ text: String, _ style: TextStyle, _ flow: PageFlow) -> Double {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let longest = words.max(by: { $0.count < $1.count }) else { return 0 }
        return flow.layout(String(longest), style).width
    }
}
