import Foundation
import Importing
import Model

/// What a foreign file holds, as one document and as text for people: tables, columns with what their values are, the first rows.
struct FileDescription: Encodable {
    struct Table: Encodable {
        var name: String
        var hidden: Bool
        var rows: Int
        /// Row or line of the names, and how sure that is (0 to 1).
        var headerRow: Int?
        var headerConfidence: Double?
        var columns: [Column]
        var samples: [[String?]]
    }

    struct Column: Encodable {
        var name: String?
        var type: String
        var filled: Int
    }

    var file: String
    var kind: String
    /// Of files of text.
    var encoding: String?
    var separator: String?
    /// What was noticed when it was opened; nil where nothing was.
    var findings: [Finding]?
    var tables: [Table]

    /// Reads the whole file. `packs` is asked for where a package, a folder of the app or a drawing is to be read.
    init(path: String, options: TableOptions, packs: () throws -> [Pack]) throws {
        if let own = try Self.own(path, options, packs) {
            (file, kind, tables) = (path, own.kind, own.tables)
            return
        }
        let opened = try TableFiles.openFileOrFolder(path: path, options: options)
        file = path
        kind = type(of: opened).kind
        encoding = opened.encodingName
        findings = opened.findings.isEmpty ? nil : opened.findings
        if let text = opened as? CSVFile {
            separator = String(Character(Unicode.Scalar(text.dialect.separator)))
        }
        tables = try opened.tables.map { table in
            let survey = try TableSurvey(table)
            return Table(
                name: table.name, hidden: table.isHidden, rows: survey.rows, headerRow: survey.header?.row,
                headerConfidence: survey.header.map { ($0.confidence * 100).rounded() / 100 },
                columns: survey.columns.map { Column(name: $0.name, type: $0.type.rawValue, filled: $0.filled) }, samples: survey.samples)
        }
    }

    /// What `fichero import` takes without a mapping; nil for other files.
    private static func own(_ path: String, _ options: TableOptions, _ packs: () throws -> [Pack]) throws -> (kind: String, tables: [Table])? {
        var location = try SourceLocation(path: path)
        location.limits = options.limits
        location.options.limits = options.limits.packages
        guard let kind = SourceFormats.name(of: location) else { return nil }
        let surveys = try SourceSurvey.read(location, packs: kind == "json" ? [] : packs())?.tables ?? []
        let tables = surveys.map { survey in
            Table(
                name: survey.name, hidden: false, rows: survey.rows, headerRow: nil, headerConfidence: nil,
                columns: survey.columns.map { Column(name: $0.name, type: $0.type.rawValue, filled: $0.filled) }, samples: survey.samples)
        }
        return (kind, tables)
    }

    func text(_ texts: Texts, _ language: Language) -> String {
        func word(_ key: String, _ arguments: [String: String] = [:]) -> String { texts.text("cli.file." + key, in: language, arguments) }
        var blocks = [[file, kind, encoding, separator.map { $0 == "\t" ? "TAB" : $0 }].compactMap(\.self).joined(separator: " · ")]
        for finding in findings ?? [] {
            blocks.append([finding.code, texts.text("finding.\(finding.code).message", in: language, finding.arguments),
                texts.text("finding.\(finding.code).remedy", in: language, finding.arguments)].joined(separator: "\n  "))
        }
        for table in tables {
            var lines = [word(table.hidden ? "hidden_table" : "table", ["name": table.name, "rows": String(table.rows), "columns": String(table.columns.count)])]
            if let row = table.headerRow { lines.append(word("header", ["row": String(row)])) }
            var columns = TextTable(
                [word("column"), word("name"), word("type"), word("filled"), word("samples")], [.right, .left, .left, .right, .left])
            for (index, column) in table.columns.enumerated() {
                let share = table.rows == 0 ? 0 : Int((Double(column.filled) / Double(table.rows) * 100).rounded(.down))
                let samples = table.samples.map { Self.short($0.indices.contains(index) ? $0[index] : nil) }
                columns.add([String(index + 1), Self.short(column.name), word("type." + column.type), "\(share) %", samples.joined(separator: " | ")])
            }
            if !columns.isEmpty { lines.append(columns.text) }
            blocks.append(lines.joined(separator: "\n"))
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    /// One line of a terminal, without what would steer it.
    private static func short(_ text: String?) -> String {
        let line = String((text ?? "").prefix(40).map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
        return (text ?? "").count > 40 ? line + "…" : line
    }
}
