import Foundation
import Importing
import Model

/// The exports and the report of a drafted pack, as YAML.
struct DraftProducts {
    let draft: PackDraft
    let words: DraftWords

    /// A name in the form used in titles and file names, with hyphens instead of underscores.
    static func title(_ name: String) -> String { name.replacing("_", with: "-") }

    /// The table whose records the report describes: of the tables of records with fields to show,
    /// the one with the most parts.
    var mainRoot: DraftTable? {
        draft.roots.filter { !shown($0).isEmpty }.enumerated().max {
            (draft.parts(of: $0.element).count, -$0.offset) < (draft.parts(of: $1.element).count, -$1.offset)
        }?.element
    }

    /// The path to the human-readable name of the row that a reference leads to.
    private func name(of field: DraftField) -> (path: String, label: String)? {
        guard let target = field.references.flatMap(draft.table), let key = target.key.first(where: { $0 != "id" }),
            target.field(key)?.references == nil
        else { return nil }
        return ("\(field.name).\(key)", field.name)
    }

    // MARK: Exports

    private func sheet(_ table: DraftTable) -> String {
        var text = "  - sheet: \(table.name)\n    entity: \(table.name)\n    columns:\n"
        for field in table.fields where field.type == .uuid && field.references != nil {
            guard let (path, _) = name(of: field) else { continue }
            text += "      - {field: \(path), name: \(field.name)_name, label: field.\(table.name).\(field.name)}\n"
        }
        for field in table.fields where field.references == nil { text += "      - \(field.name)\n" }
        if table.isPhotos { text += PackDraftFiles.photoFacts.map { "      - \($0)\n" }.joined() }
        text += "      - id\n"
        for field in table.fields where field.references != nil { text += "      - \(field.name)\n" }
        return text
    }

    func export(of root: DraftTable) -> String {
        "export: \(Self.title(root.name))\nrecord: \(root.name)\nformats: [xlsx, csv, xml]\npolicy: mark\nsheets:\n"
            + ([root] + draft.parts(of: root).map(\.table)).map(sheet).joined()
    }

    // MARK: Report

    /// The report's name. It differs from the export's name, because both names identify files.
    static func reportName(_ root: DraftTable) -> String { title(root.name) + "-report" }

    /// The largest number of columns in a table of the report.
    private static let widest = 8
    /// The most fields of a record in the report.
    private static let mostFields = 40

    /// The fields that the report can show: not references, JSON, points or polygons.
    private func shown(_ table: DraftTable) -> [DraftField] {
        table.fields.filter { $0.references == nil && ![.json, .point, .polygon].contains($0.type) }
    }

    /// The field that identifies a record in the report: the first of its key that is not an id.
    private func heading(_ root: DraftTable) -> String {
        root.key.first { $0 != "id" && root.field($0)?.references == nil } ?? shown(root).first { $0.type == .text }?
            .name ?? shown(root).first?.name ?? "id"
    }

    func report(of root: DraftTable) -> String {
        "report: \(Self.reportName(root))\nrecord: \(root.name)\nformats: [pdf, xlsx]\npolicy: mark\n"
            + queries(of: root) + sections(of: root)
    }

    /// The references of a record to rows with a human-readable name, except the one to its project.
    private func links(_ root: DraftTable) -> [(field: DraftField, path: String)] {
        root.fields.compactMap { field in
            field.references == draft.project.table ? nil : name(of: field).map { (field, $0.path) }
        }
    }

    private func queries(of root: DraftTable) -> String {
        let fields = shown(root).prefix(Self.mostFields).map(\.name)
        let linked = links(root).map {
            "{field: \($0.path), name: \($0.field.name)_name, label: field.\(root.name).\($0.field.name)}"
        }
        var text =
            """
            queries:
              records:\n    entity: \(root.name)\n    fields: [\((fields + linked).joined(separator: ", "))]\n    \
            order: [\(heading(root))]\n
            """
        for (part, by) in draft.parts(of: root) {
            let columns =
                part.isPhotos
                ? ["file_name", "local_path", "taken"] + shown(part).map(\.name)
                : shown(part).prefix(Self.mostFields).map(\.name)
            guard !columns.isEmpty else { continue }
            text +=
                """
                  \(part.name):\n    entity: \(part.name)\n    fields: [\(columns.joined(separator: ", "))]\n    of: \
                {\(by): id}\n
                """
            let ownKey = part.key.first { $0 != "id" && part.field($0)?.references == nil }
            text += "    order: [\(ownKey ?? (part.isPhotos ? "file_name" : "id"))]\n"
        }
        return text
    }

    private func sections(of root: DraftTable) -> String {
        let heading = heading(root), names = shown(root).map(\.name)
        let list = ([heading] + names.filter { $0 != heading }).prefix(Self.widest)
        let columns = names.prefix(Self.mostFields) + links(root).map { "\($0.field.name)_name" }
        let items = columns.map { "{column: \($0), hideEmpty: true}" }
        let text = """
            sections:
              - section: list
                title: title
                blocks:
                  - {block: summary, title: title, query: records, text: summary, one: summary_one, empty: empty}
                  - {block: table, query: records, columns: [\(list.joined(separator: ", "))]}
              - section: record
                each: records
                title: '{\(heading)}'
                blocks:
                  - {block: title, text: '{\(heading)}', level: 1}
                  - {block: fields, columns: 2, items: [\(items.joined(separator: ", "))]}

            """
        return text + draft.parts(of: root).map { block(of: $0.table) }.joined()
    }

    /// The block of a record's parts: photos, or a table; empty if nothing of them can be shown.
    private func block(of part: DraftTable) -> String {
        if part.isPhotos {
            return """
                      - {block: photos, title: part_\(part.name), query: \(part.name), path: local_path, caption: \
                '{file_name}[ · {taken}]', columns: 2, height: 70}\n
                """
        }
        let columns = shown(part).prefix(Self.widest).map { "{column: \($0.name), hideEmpty: true}" }
        guard !columns.isEmpty else { return "" }
        return """
                  - {block: table, title: part_\(part.name), query: \(part.name), \
            columns: [\(columns.joined(separator: ", "))], empty: empty}\n
            """
    }

    func reportTexts(of root: DraftTable, _ language: Language) -> String {
        let title = words.label(root.labels, root.name, language)
        let pairs =
            [
                ("title", title), ("summary", words.word("report.summary", language)),
                ("summary_one", words.word("report.summary_one", language)),
                ("empty", words.word("report.empty", language)),
            ]
            + draft.parts(of: root).map {
                ("part_" + $0.table.name, words.label($0.table.labels, $0.table.name, language))
            }
        return pairs.map { $0.0 + ": " + DraftTexts.quoted($0.1) + "\n" }.joined()
    }
}
