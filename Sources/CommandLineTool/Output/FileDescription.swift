import Foundation
import Importing
import Model
import Suggesting

/// The content of an external file, as JSON and as text: tables, columns with the kinds of their
/// values, the first rows.
struct FileDescription: Encodable {
    struct Table: Encodable {
        var name: String
        var hidden: Bool
        var rows: Int
        /// Row or line that contains the column names; `headerConfidence` is the certainty of this
        /// (0 to 1).
        var headerRow: Int?
        var headerConfidence: Double?
        var columns: [Column]
        var samples: [[String?]]
        /// Labels with their values, of a sheet that is a form or has text above its table.
        var pairs: [Pair]?
        /// Tables within the sheet, each below its headings.
        var blocks: [Block]?
        /// Whether the sheet is a form rather than a table.
        var isForm = false

        private enum CodingKeys: String, CodingKey {
            case name, hidden, rows, headerRow, headerConfidence, columns, samples, pairs, blocks
        }
    }

    struct Pair: Encodable {
        var label: String, cell: String, value: String, valueCell: String
        /// The position of the value relative to the label: right, below or same.
        var stands: String
    }

    struct Block: Encodable {
        var range: String
        var sideways: Bool
        var headingRows: Int
        var headings: [String]
        var rows: Int
        var samples: [[String?]]
    }

    struct Column: Encodable {
        var name: String?
        var type: String
        var filled: Int
    }

    var file: String
    var kind: String
    /// The encoding and the separator; only for text files.
    var encoding: String?
    var separator: String?
    /// Findings from opening the file; nil if there are none.
    var findings: [Finding]?
    var tables: [Table]

    /// Reads the whole file. `packs` is called if a package, a folder of the app or a drawing has
    /// to be read.
    init(path: String, options: TableOptions, packs: () throws -> [Pack]) throws {
        if let own = try Self.own(path, options, packs) {
            (file, kind, tables) = (path, own.kind, own.tables)
            return
        }
        let opened = try TableFiles.openFileOrFolder(path: path, options: options)
        file = path
        kind = opened is TableFolder ? TableFolder.kind : opened.contentKind
        encoding = opened.encodingName
        findings = opened.findings.isEmpty ? nil : opened.findings
        if let text = opened as? CSVFile {
            separator = String(Character(Unicode.Scalar(text.dialect.separator)))
        }
        // Finds known field names in labels. Without packs, a form is recognised by its layout
        // alone.
        let names = ((try? packs()) ?? []).map { MappingSuggester(pack: $0) }
        tables = try opened.tables.flatMap { table -> [Table] in
            // A folder's files are read as tables of other programs; one of lines of JSON is not.
            if let file = table.file, file != path, let own = try Self.own(file, options, packs) { return own.tables }
            let survey = try TableSurvey(table)
            var described = Table(
                name: table.name, hidden: table.isHidden, rows: survey.rows, headerRow: survey.header?.row,
                headerConfidence: survey.header.map { ($0.confidence * 100).rounded() / 100 },
                columns: survey.columns.map { Column(name: $0.name, type: $0.type.rawValue, filled: $0.filled) },
                samples: survey.samples)
            // A sheet with more filled cells than a form may have is not a form.
            guard survey.columns.reduce(0, { $0 + $1.filled }) <= options.limits.form.cells else { return [described] }
            if let form = try FormSurvey(
                table, path: path, limits: options.limits.form, isName: { text in names.contains { $0.isName(text) } })
            {
                described.take(form)
            }
            return [described]
        }
    }

    /// The tables of a file that `fichero import` accepts without a mapping; nil for other files.
    private static func own(_ path: String, _ options: TableOptions, _ packs: () throws -> [Pack]) throws -> (
        kind: String, tables: [Table]
    )? {
        var location = try SourceLocation(path: path)
        location.limits = options.limits
        location.options.limits = options.limits.packages
        if location.isDirectory { location.options.folders = try packs().compactMap(\.plans?.folder) }
        guard let kind = SourceFormats.name(of: location) else { return nil }
        let surveys = try SourceSurvey.read(location, packs: kind == "json" ? [] : packs())?.tables ?? []
        let tables = surveys.map { survey in
            Table(
                name: survey.name, hidden: false, rows: survey.rows, headerRow: nil, headerConfidence: nil,
                columns: survey.columns.map { Column(name: $0.name, type: $0.type.rawValue, filled: $0.filled) },
                samples: survey.samples)
        }
        return (kind, tables)
    }

    /// The numbers of pairs, and of a block's rows, that are shown.
    private static let shownPairs = 60
    private static let shownRows = 3

    private static func text(_ pair: Pair, _ word: (String) -> String) -> [String] {
        [short(pair.label), pair.cell, short(pair.value), pair.valueCell, word("side." + pair.stands)]
    }

    private static func text(of table: Table, _ word: (String, [String: String]) -> String) -> [String] {
        var lines: [String] = []
        let plain = { word($0, [:]) }
        if let pairs = table.pairs, !pairs.isEmpty {
            var list = TextTable(
                ["label", "cell", "value", "cell", "side"].map(plain), [.left, .left, .left, .left, .left])
            for pair in pairs.prefix(shownPairs) { list.add(text(pair, plain)) }
            lines.append(list.text)
            if pairs.count > shownPairs { lines.append("… (\(pairs.count))") }
        }
        for block in table.blocks ?? [] {
            lines.append(
                word(block.sideways ? "block_sideways" : "block", ["range": block.range, "rows": String(block.rows)]))
            var list = TextTable(block.headings.map(short), block.headings.map { _ in .left })
            for row in block.samples.prefix(shownRows) { list.add(row.map(short)) }
            lines.append(list.text)
        }
        return lines
    }

    func text(_ texts: Texts, _ language: Language) -> String {
        func word(_ key: String, _ arguments: [String: String] = [:]) -> String {
            texts.text("cli.file." + key, in: language, arguments)
        }
        var blocks = [
            [file, kind, encoding, separator.map { $0 == "\t" ? "TAB" : $0 }].compactMap(\.self).joined(
                separator: " · ")
        ]
        for finding in findings ?? [] {
            blocks.append(
                [
                    finding.code, texts.text("finding.\(finding.code).message", in: language, finding.arguments),
                    texts.text("finding.\(finding.code).remedy", in: language, finding.arguments),
                ].joined(separator: "\n  "))
        }
        for table in tables {
            var lines = [
                word(
                    table.hidden ? "hidden_table" : "table",
                    ["name": table.name, "rows": String(table.rows), "columns": String(table.columns.count)])
            ]
            if table.isForm {
                blocks.append((lines + Self.text(of: table, word)).joined(separator: "\n"))
                continue
            }
            if let row = table.headerRow { lines.append(word("header", ["row": String(row)])) }
            var columns = TextTable(
                [word("column"), word("name"), word("type"), word("filled"), word("samples")],
                [.right, .left, .left, .right, .left])
            for (index, column) in table.columns.enumerated() {
                let share = table.rows == 0 ? 0 : Int((Double(column.filled) / Double(table.rows) * 100).rounded(.down))
                let samples = table.samples.map { Self.short($0.indices.contains(index) ? $0[index] : nil) }
                columns.add([
                    String(index + 1), Self.short(column.name), word("type." + column.type), "\(share) %",
                    samples.joined(separator: " | "),
                ])
            }
            if !columns.isEmpty { lines.append(columns.text) }
            lines += Self.text(of: table, word)
            blocks.append(lines.joined(separator: "\n"))
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    /// One line for a terminal, without control characters.
    private static func short(_ text: String?) -> String {
        let line = String(
            (text ?? "").prefix(40).map {
                $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0
            })
        return (text ?? "").count > 40 ? line + "…" : line
    }
}

extension FileDescription.Table {
    /// Adds the survey's label-value pairs and blocks; three known labels make the sheet a form. A
    /// single ordinary table adds nothing: its columns are already described.
    fileprivate mutating func take(_ survey: FormSurvey) {
        let labels = survey.pairs.count(where: \.isKnown)
        guard
            labels > 0 || survey.blocks.count > 1
                || survey.blocks.contains(where: { $0.headingLines > 1 || $0.isSideways })
        else { return }
        isForm = labels >= 3
        pairs = survey.pairs.map { pair in
            let stands = switch pair.side {
            case .below: "below"
            case .same: "same"
            case .right, .away: "right"
            }
            return .init(
                label: pair.label, cell: pair.labelCell, value: pair.valueText, valueCell: pair.valueCell,
                stands: stands)
        }
        blocks = survey.blocks.map { block in
            .init(
                range: block.range, sideways: block.isSideways, headingRows: block.headingLines,
                headings: block.columns.map(\.heading), rows: block.texts.count,
                samples: Array(block.texts.prefix(3)))
        }
    }
}

/// The readers' limits with their values and meanings.
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
                name: bound.name, unit: bound.unit.rawValue, value: limits[bound], standard: bound.standard,
                highest: bound.highest)
        }
    }

    func text(_ texts: Texts, _ language: Language, isMarkdown: Bool) -> String {
        func word(_ key: String) -> String { texts.text(key, in: language) }
        if isMarkdown {
            let head = [
                "| \(word("cli.limits.name")) | \(word("cli.limits.value")) | \(word("cli.limits.meaning")) |",
                "| --- | --- | --- |",
            ]
            return (head + bounds.map { "| `\($0.name)` | \(Self.short($0)) | \(word("bound." + $0.name)) |" }).joined(
                separator: "\n") + "\n"
        }
        var table = TextTable(
            [word("cli.limits.name"), word("cli.limits.value"), word("cli.limits.meaning")], [.left, .right, .left])
        for bound in bounds { table.add([bound.name, Self.short(bound), word("bound." + bound.name)]) }
        return table.text + "\n\n" + word("cli.limits.remedy") + "\n"
    }

    /// The value in the form that `--limit` accepts: 64M, 16384.
    static func short(_ bound: Bound) -> String {
        guard bound.unit == ReadingBound.Unit.bytes.rawValue else { return String(bound.value) }
        for (shift, letter) in [(30, "G"), (20, "M"), (10, "K")] where bound.value % (1 << shift) == 0 {
            return "\(bound.value >> shift)\(letter)"
        }
        return String(bound.value)
    }
}
