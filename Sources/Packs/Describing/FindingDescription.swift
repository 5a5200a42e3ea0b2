package import Model

/// Describes every code that the program or a pack can report, with severity, meaning, message and
/// remedy, for the catalogue of findings. The same pack and language give the same bytes.
package struct FindingDescription {
    private let pack: Pack
    private let language: Language

    /// A code with its origin.
    private struct Code {
        var code: String
        var severity: Severity
        /// The entity of a rule; nil for built-in codes, and for codes of mappings.
        var entity: String?
        /// The mappings that refuse files with this code.
        var mappings: [String] = []
        var arguments: [String]
        /// The prefix of its texts' keys.
        var key: String
    }

    package init(_ pack: Pack, language: Language) {
        self.pack = pack
        self.language = language
    }

    private var codes: [Code] {
        FindingCatalogue.declarations.map {
            Code(code: $0.code, severity: $0.severity, entity: nil, arguments: $0.arguments, key: "finding." + $0.code)
        } + pack.rules.filter { $0.findingCodes.contains($0.code) }.map { rule in
            var arguments = rule.arguments
            if case .count = rule.check { arguments += ["count", "minimum", "maximum"] }
                return Code(
                    code: rule.code, severity: rule.severity, entity: rule.entity, arguments: arguments,
                    key: "rule." + rule.code)
        } + refusals.map { refusal in
            let mappings = pack.imports.filter { $0.refusals.contains { $0.code == refusal.code } }.map(\.name)
                return Code(
                    code: refusal.code, severity: ImportMapping.Refusal.severity, mappings: mappings,
                    arguments: refusal.arguments, key: "rule." + refusal.code)
        }
    }

    /// Each reason for refusals once, since several mappings may share it.
    private var refusals: [ImportMapping.Refusal] {
        pack.refusals.reduce(into: []) { known, refusal in
            if !known.contains(where: { $0.code == refusal.code }) { known.append(refusal) }
        }
    }

    /// The catalogue as Markdown, for readers in one language.
    package func markdown() -> String {
        var layout = MarkdownLayout()
        layout.heading(
            1, pack.texts.text("cover.findings", in: language) + ": " + pack.texts.text("pack.title", in: language))
        let headers = ["cover.code", "cover.severity", "report.meaning", "cover.what", "report.remedy"]
        layout.table(headers.map { pack.texts.text($0, in: language) }, codes.map { code in
                [
                    code.code, pack.texts.text("severity." + code.severity.rawValue, in: language),
                    pack.texts.text(code.key, in: language),
                    pack.texts.text(code.key + ".message", in: language),
                    pack.texts.text(code.key + ".remedy", in: language),
                ]
        })
        return layout.output
    }

    /// The catalogue for programs, in every language of the pack.
    package func json() -> String {
        let described = codes.map { code -> JSONText in
            var members: [(key: String, value: JSONText)] = [
                ("code", .text(code.code)), ("severity", .text(code.severity.rawValue)),
                ("entity", .optional(code.entity)),
                ("arguments", .texts(code.arguments)),
            ]
            if !code.mappings.isEmpty { members.append(("mappings", .texts(code.mappings))) }
            for (name, part) in [("title", ""), ("message", ".message"), ("remedy", ".remedy")] {
                members.append(
                    (
                        name,
                        .object(pack.languages.map { ($0.rawValue, .text(pack.texts.text(code.key + part, in: $0))) })
                    ))
            }
            return .object(members)
        }
        return JSONText.object([
            ("pack", .text(pack.name)),
            ("title", .object(pack.languages.map { ($0.rawValue, .text(pack.texts.text("pack.title", in: $0))) })),
            ("codes", .list(described)),
        ]).rendered()
    }
}

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
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
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

    /// The text with Markdown's special characters escaped.
    private func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "\\`*_|<>[]#".contains(character) { escaped += "\\" }
            escaped.append(character == "\n" ? " " : character)
        }
        return escaped
    }
}
