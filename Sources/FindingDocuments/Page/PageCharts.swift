import Model

/// Draws charts of counts as inline pictures: horizontal bars with their numbers, and a hatch for
/// each severity.
struct PageCharts {
    let tally: FindingTally
    let text: FindingText

    private static let width = 560.0
    private static let labelWidth = 236.0
    private static let row = 24.0
    /// The maximum number of bars in a chart; the page's sections below show all codes.
    private static let mostBars = 15

    private struct Bar {
        var label: String
        var link: String?
        var parts: [(severity: Severity, count: Int)]
        var count: Int { parts.reduce(0) { $0 + $1.count } }
    }

    func html() -> String {
        let codes = tally.entries.sorted { ($1.count, $0.code) < ($0.count, $1.code) }.prefix(Self.mostBars).map {
            entry in
            Bar(label: entry.code, link: "#code=" + entry.code, parts: [(entry.severity, entry.count)])
        }
        let projects = tally.projects.sorted { $0.key < $1.key }.prefix(Self.mostBars).map { code, counts in
            Bar(
                label: code, link: "#project=" + code.percentEncoded(),
                parts: Severity.allCases.reversed().map { ($0, counts[$0] ?? 0) })
        }
        var html = "<div class=\"charts\">\n"
        html += figure(text.word("report.by_code"), Array(codes))
        if !projects.isEmpty { html += figure(text.word("report.by_project"), Array(projects)) }
        return html + "</div>\n"
    }

    private func figure(_ title: String, _ bars: [Bar]) -> String {
        let n = PageText.number
        let most = Double(max(1, bars.map(\.count).max() ?? 1))
        let height = Double(bars.count) * Self.row + 4
        let room = Self.width - Self.labelWidth - 70
        var svg =
            """
            <svg role=\"img\" aria-label=\"\(PageText.escaped(title))\" width=\"\(n(Self.width))\" \
            height=\"\(n(height))\" viewBox=\"0 0 \(n(Self.width)) \(n(height))\">
            """
        for (index, bar) in bars.enumerated() {
            let y = Double(index) * Self.row + 2
            let name = PageText.escaped(String(bar.label.prefix(30)))
            let label = "<text x=\"\(n(Self.labelWidth - 8))\" y=\"\(n(y + 15))\" text-anchor=\"end\">\(name)</text>"
            svg += bar.link.map { "<a href=\"\(PageText.escaped($0))\">\(label)</a>" } ?? label
            var x = Self.labelWidth
            for part in bar.parts where part.count > 0 {
                let width = max(2, Double(part.count) / most * room)
                svg +=
                    """
                    <rect x=\"\(n(x))\" y=\"\(n(y + 2))\" width=\"\(n(width))\" height=\"18\" \
                    fill=\"url(#h-\(part.severity.rawValue))\" stroke=\"#1b1f24\" stroke-width=\".8\"/>
                    """
                x += width
            }
            svg += "<text x=\"\(n(x + 6))\" y=\"\(n(y + 15))\">\(bar.count)</text>"
        }
        return "<figure><figcaption>\(PageText.escaped(title))</figcaption>\(svg)</svg></figure>\n"
    }
}

/// Makes text safe for a page, between tags and in quoted attributes.
enum PageText {
    /// The text with `& < > " '` as references. Control characters, which are not allowed in HTML,
    /// and characters that change the writing direction become U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where isRefused(scalar.value): result.unicodeScalars.append("\u{FFFD}")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isRefused(_ value: UInt32) -> Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || (0x202A...0x202E).contains(value)
            || (0x2066...0x2069).contains(value)
            || value & 0xFFFE == 0xFFFE || value == 0x2028 || value == 0x2029
    }

    /// A coordinate with at most one decimal, so that the digits are the same on every machine.
    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e6 else { return "0" }
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
