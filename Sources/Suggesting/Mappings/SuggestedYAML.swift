import Foundation
import Importing
package import Model

/// Writes a suggested mapping as a file of a pack, `imports/NAME.yaml`. Comments explain the
/// choices and the remaining work.
///
/// All text from the external file is quoted; in comments, its line breaks are removed.
package struct SuggestedYAML {
    private let pack: Pack
    private let language: Language
    private var lines: [String] = []

    package static func text(of suggestion: MappingSuggestion, pack: Pack, language: Language) -> String {
        var yaml = SuggestedYAML(pack: pack, language: language)
        yaml.write(suggestion)
        return yaml.lines.joined(separator: "\n") + "\n"
    }

    private init(pack: Pack, language: Language) {
        (self.pack, self.language) = (pack, language)
    }

    private func text(_ key: String, _ arguments: [String: String] = [:]) -> String {
        Self.line(pack.texts.text("suggest." + key, in: language, arguments))
    }

    private mutating func write(_ suggestion: MappingSuggestion) {
        let arguments = ["file": suggestion.file, "name": suggestion.name, "pack": pack.name]
        lines = ["title", "place", suggestion.needsProject ? "try_project" : "try"].map { "# " + text($0, arguments) }
        if !suggestion.unusedTables.isEmpty {
            lines.append("# " + text("tables", ["tables": suggestion.unusedTables.joined(separator: ", ")]))
        }
        lines.append("import: " + Self.quoted(suggestion.name))
        lines.append("title: " + Self.quoted(suggestion.file))
        lines.append("accepts: [" + Self.quoted(suggestion.kind) + "]")
        if !suggestion.lookups.isEmpty {
            lines += ["# " + text("lookup"), "lookups:"]
            for (name, words) in suggestion.lookups.sorted(by: { $0.key < $1.key }) {
                lines.append("  \(name):")
                for (word, value) in words.sorted(by: { $0.key < $1.key }) {
                    lines.append("    " + Self.quoted(word) + ": " + Self.quoted(value))
                }
            }
        }
        if !suggestion.tables.isEmpty { lines.append("tables:") }
        for table in suggestion.tables { write(table) }
        if !suggestion.forms.isEmpty { lines.append("forms:") }
        for form in suggestion.forms { write(form) }
    }

    private mutating func write(_ table: MappingSuggestion.Table) {
        var head: [String] = []
        if table.isNamed { head.append("tables: [" + Self.quoted(table.name) + "]") }
        if !table.hasHeading { head.append("header: none") }
        if let rows = table.headingRows { head.append("header: \(rows.lowerBound)-\(rows.upperBound)") }
        if table.isBlock { head.append("block: true") }
        if !table.down.isEmpty { head.append("down: " + Self.list(table.down) + "  # " + text("down")) }
        if let notes = table.notes {
            head += ["columns:", "  \(notes.name): {column: \(Self.quoted(notes.heading)), convert: [trim]}"]
        }
        if !table.requires.isEmpty { head.append("requires: " + Self.list(table.requires)) }
        if let notes = table.notes {
            let texts = notes.texts.map { "'\($0)'" }.joined(separator: ", ")
            head.append("where: " + Self.quoted("\(notes.name) not in (\(texts))") + "  # " + text("notes"))
        }
        head.append("rows:")
        lines += head.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
        for target in table.targets { write(target) }
        write(table.unused)
    }

    private mutating func write(_ unused: [MappingSuggestion.Unused]) {
        guard !unused.isEmpty else { return }
        lines.append("    # " + text("unused"))
        lines += unused.map { "    #   " + Self.line(Self.quoted($0.heading)) + ": " + reason($0.reason) }
    }

    private mutating func write(_ form: MappingSuggestion.Form) {
        var head: [String] = []
        if !form.sheets.isEmpty { head.append("sheets: " + Self.list(form.sheets)) }
        if form.start != SheetCell(row: 0, column: 0) { head.append("start: " + form.start.name) }
        let every = [form.every.rows.map { "rows: \($0)" }, form.every.columns.map { "columns: \($0)" }].compactMap(
            \.self)
        if !every.isEmpty { head.append("every: {" + every.joined(separator: ", ") + "}") }
        if !form.present.isEmpty { head.append("present: " + Self.list(form.present)) }
        head.append("values:")
        for value in form.values {
            var parts = ["label: " + (value.labels.count == 1 ? Self.quoted(value.labels[0]) : Self.list(value.labels))]
            if case .label(_, .below, _) = value.place { parts.append("at: below") }
            if case .label(_, .away(let rows, let columns), _) = value.place {
                parts.append("at: {row: \(rows), column: \(columns)}")
            }
            if value.isOptional { parts.append("optional: true") }
            head.append("  " + value.name + ": {" + parts.joined(separator: ", ") + "}")
        }
        if !form.tables.isEmpty { head.append("tables:") }
        for table in form.tables {
            head.append("  " + table.name + ":")
            if let rows = table.headingRows { head.append("    headingRows: \(rows)") }
            if table.isSideways { head.append("    sideways: true") }
            head.append("    columns:")
            head += table.columns.map { "      " + $0.name + ": " + Self.list($0.headings) }
        }
        head.append("rows:")
        lines += head.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
        for row in form.targets { write(row.target, of: row.ofTable ? form.tables.first?.name : nil) }
        write(form.unused)
    }

    private mutating func write(_ target: MappingSuggestion.Target, of table: String? = nil) {
        lines.append("      - entity: " + target.entity.name)
        if let table { lines.append("        of: " + table) }
        lines.append("        key: " + Self.list(target.key))
        if target.repeats { lines.append("        repeats: true") }
        if !target.requires.isEmpty { lines.append("        requires: " + Self.list(target.requires)) }
        lines.append("        fields:")
        for choice in target.fields {
            lines.append("          " + choice.field.name + ": " + Self.value(choice.field) + note(choice))
            if choice.share ?? 1 < 0.995, !choice.misfits.isEmpty {
                lines.append(
                    "          # " + text("misfits", ["values": choice.misfits.map(Self.line).joined(separator: " | ")])
                )
            }
        }
        for field in target.missing {
            let values = field.vocabulary.flatMap(pack.vocabulary)?.values.prefix(12).joined(separator: ", ")
            lines.append("          # " + text("missing") + (values.map { " " + $0 } ?? ""))
            lines.append("          # " + field.name + (field.vocabulary == nil ? ": {column: \"…\"}" : ": {value: …}"))
        }
    }

    /// The comment on a choice, with its score and samples: `  # 0.93 · SAM-2013 | SAM-2014`
    private func note(_ choice: MappingSuggestion.Choice) -> String {
        guard let score = choice.score else { return "" }
        var parts = [String(format: "%.2f", locale: Locale(identifier: "en_US_POSIX"), score)]
        if choice.isByContent { parts.append(text("content")) }
        if let share = choice.share, share < 0.995 { parts.append(text("share", ["share": String(Int(share * 100))])) }
        if choice.isUncertain {
            let isDate = choice.field.conversions.contains { if case .date = $0 { true } else { false } }
            parts.append(text(isDate ? "uncertain" : "thousands"))
        }
        if !choice.samples.isEmpty { parts.append(choice.samples.map(Self.line).joined(separator: " | ")) }
        return "  # " + parts.joined(separator: " · ")
    }

    private func reason(_ reason: MappingSuggestion.Unused.Reason) -> String {
        switch reason {
        case .empty: text("empty")
        case .unknown: text("unknown")
        case .sameHeading: text("same")
        case .noHeading: text("nameless")
        case .valuesDoNotFit(let field): text("misfit", ["field": field])
        case .taken(let field): text("taken", ["field": field])
        }
    }

    // MARK: YAML

    private static func value(_ field: ImportMapping.Field) -> String {
        var parts: [String] = []
        switch field.value {
        case .column(let headings):
            parts.append("column: " + (headings.count == 1 ? quoted(headings[0]) : list(headings)))
        case .constant(let text): parts.append("value: " + quoted(text))
        case .ordinal(let headings): parts.append("ordinal: " + list(headings))
        case .layer(let layer):
            parts.append((layer.given == .bottom ? "above: " : "thickness: ") + list(layer.headings))
            if layer.given == .thickness { parts.append("edge: " + layer.edge.rawValue) }
            if !layer.unless.isEmpty { parts.append("unless: " + list(layer.unless)) }
            if !layer.within.isEmpty { parts.append("within: " + list(layer.within)) }
        case .parent(let entity, let by):
            parts += [
                "parent: " + entity, "by: {" + by.map { $0.name + ": " + value($0) }.joined(separator: ", ") + "}",
            ]
        // Suggestions never contain values of these kinds.
        case .join, .option, .ofTable, .expression, .named, .other, .identifier, .object, .merge: break
        }
        if !field.conversions.isEmpty {
            parts.append("convert: [" + field.conversions.map(conversion).joined(separator: ", ") + "]")
        }
        return "{" + parts.joined(separator: ", ") + "}"
    }

    static func conversion(_ conversion: CellConversion) -> String {
        switch conversion {
        case .date(let forms): "{date: " + list(forms) + "}"
        case .blank(let words): "{blank: " + list(words) + "}"
        case .lookup(let name): "{lookup: " + quoted(name) + "}"
        case .range(let end): "{range: " + end.rawValue + "}"
        case .thousands(let mark): "{thousands: " + quoted(mark) + "}"
        case .unit(let units): "{unit: " + list(units) + "}"
        case .since(let year, let part): "{since: \(year)" + (part == .instant ? "" : ", as: " + part.rawValue) + "}"
        default: CellConversion.words.first { $0.conversion == conversion }?.word ?? "trim"
        }
    }

    static func list(_ texts: [String]) -> String { "[" + texts.map(quoted).joined(separator: ", ") + "]" }

    /// Words that YAML would interpret as other types.
    private static let reserved: Set<String> = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]

    private static let plainWords = CachedRegex(/[A-Za-z][A-Za-z0-9_.-]*( [A-Za-z0-9_.-]+)*/)

    /// Returns a plain word unchanged and everything else in double quotes, with all special
    /// characters escaped.
    static func quoted(_ text: String) -> String {
        if text.wholeMatch(of: plainWords.regex) != nil, !reserved.contains(text.lowercased()) { return text }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                let isPlain =
                    scalar.value >= 0x20 && !scalar.properties.isWhitespace
                    && CharacterSet.controlCharacters.contains(scalar) == false
                    && scalar.value != 0xFEFF && scalar.value <= 0xFFFF || scalar == " "
                result += isPlain ? String(scalar) : String(format: "\\U%08X", scalar.value)
            }
        }
        return result + "\""
    }

    /// Reduces a text to a single line, for use in a comment.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { scalar in
                    CharacterSet.controlCharacters.contains(scalar) || CharacterSet.newlines.contains(scalar)
                        || scalar.value == 0xFEFF ? " " : scalar
        }))
    }
}
