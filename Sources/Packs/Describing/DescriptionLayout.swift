/// The layout of a description: the same headings, lists and tables as plain text or Markdown.
protocol DescriptionLayout {
    var output: String { get }
    mutating func heading(_ level: Int, _ text: String)
    mutating func list(_ items: [String])
    mutating func table(_ headers: [String], _ rows: [[String]])
}

struct PlainLayout: DescriptionLayout {
    private(set) var output = ""

    mutating func heading(_ level: Int, _ text: String) {
        if !output.isEmpty { output += "\n" }
        output += text + "\n"
        if level < 3 { output += String(repeating: level == 1 ? "=" : "-", count: text.count) + "\n" }
    }

    mutating func list(_ items: [String]) {
        for item in items { output += "  " + item + "\n" }
    }

    mutating func table(_ headers: [String], _ rows: [[String]]) {
        let widths = headers.indices.map { column in ([headers] + rows).map { $0[column].count }.max() ?? 0 }
        for row in [headers] + rows {
            var line = "  "
            for (cell, width) in zip(row, widths) { line += cell + String(repeating: " ", count: width - cell.count + 2) }
            while line.last == " " { line.removeLast() }
            output += line + "\n"
        }
    }
}

struct MarkdownLayout: DescriptionLayout {
    private(set) var output = ""

    mutating func heading(_ level: Int, _ text: String) {
        if !output.isEmpty { output += "\n" }
        output += String(repeating: "#", count: level) + " " + escape(text) + "\n\n"
    }

    mutating func list(_ items: [String]) {
        for item in items { output += "- " + escape(item) + "\n" }
    }

    mutating func table(_ headers: [String], _ rows: [[String]]) {
        // Without an empty line, the table would become part of the list above.
        if output.last == "\n", !output.hasSuffix("\n\n") { output += "\n" }
        output += line(headers) + line(headers.map { _ in "---" })
        for row in rows { output += line(row.map(escape)) }
    }

    private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    /// The text with escapes for Markdown's own characters.
    private func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "\\`*_|<>[]#".contains(character) { escaped += "\\" }
            escaped.append(character == "\n" ? " " : character)
        }
        return escaped
    }
}
