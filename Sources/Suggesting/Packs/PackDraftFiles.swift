import Foundation
import Importing
package import Model

/// Writes a drafted pack as the files of its folder. Comments in the language of the command
/// explain open decisions.
///
/// All text from the source is quoted; in comments, its line breaks are removed.
package struct PackDraftFiles {
    let draft: PackDraft
    let words: DraftWords
    let language: Language

    /// - Parameter texts: the texts of the program's core.
    package init(_ draft: PackDraft, texts: Texts, language: Language) {
        (self.draft, self.language) = (draft, language)
        words = DraftWords(texts: texts)
    }

    /// The files by their paths below the pack's folder.
    package func files(timeZone: String) -> [(path: String, text: String)] {
        var files = [("pack.yaml", manifest(timeZone))]
        files += draft.tables.map { ("entities/\($0.name).yaml", entity($0)) }
        files += draft.vocabularies.map { ("vocabularies/\($0.name).yaml", vocabulary($0)) }
        if draft.tables.contains(where: { !$0.rules.isEmpty }) { files.append(("rules/checks.yaml", rules())) }
        let products = DraftProducts(draft: draft, words: words)
        files += draft.roots.map { ("exports/\(DraftProducts.title($0.name)).yaml", products.export(of: $0)) }
        if let root = products.mainRoot {
            let folder = "reports/\(DraftProducts.reportName(root))/"
            files.append((folder + "report.yaml", products.report(of: root)))
            files += draft.languages.map { (folder + $0.rawValue + ".yaml", products.reportTexts(of: root, $0)) }
        }
        if let mapping = DraftMapping(draft: draft, words: words, language: language).text() {
            files.append(("imports/\(DraftProducts.title(draft.name)).yaml", mapping))
        }
        files += draft.languages.map {
            ("texts/\($0.rawValue).yaml", DraftTexts(draft: draft, words: words, language: $0).text())
        }
        return files.map { (path: $0.0, text: $0.1) }
    }

    private func comments(_ notes: [DraftNote], indent: String = "") -> String {
        notes.map { words.comment($0, language, indent: indent) + "\n" }.joined()
    }

    // MARK: pack.yaml

    /// The roles of a new pack: one to administer, one to edit, one to read.
    static let roles = [
        (
            name: "ADMINISTRATOR",
            may: "read, validate, export, report, run, import, edit, mark, sync, resolve, administer",
            sees: "public, internal, personal"
        ),
        (
            name: "EDITOR", may: "read, validate, export, report, run, import, edit, sync, resolve",
            sees: "public, internal, personal"
        ),
        (name: "READER", may: "read, validate, export, report", sees: "public"),
    ]

    private func manifest(_ timeZone: String) -> String {
        var text = words.comment(DraftNote("title", ["source": draft.source]), language) + "\n" + comments(draft.notes)
        text += """
            format: 1
            name: \(draft.name)
            version: 0.1.0
            languages: [\(draft.languages.map(\.rawValue).joined(separator: ", "))]
            \(words.comment(DraftNote("time_zone"), language))
            timeZone: \(timeZone)
            project: {entity: \(draft.project.table), code: \(draft.project.code), name: \(draft.project.name)}
            \(words.comment(DraftNote("roles"), language))
            roles:

            """
        for role in Self.roles { text += "  - {name: \(role.name), may: [\(role.may)], sees: [\(role.sees)]}\n" }
        text += "records:\n"
        for root in draft.roots {
            text += "  - name: \(root.name)\n    root: \(root.name)\n"
            if let date = root.fields.first(where: { $0.type == .date || $0.type == .datetime }) {
                text += "    date: \(date.name)  \(words.comment(DraftNote("date"), language))\n"
            }
            if let latitude = root.latitude, let longitude = root.longitude {
                text += "    place: {latitude: \(latitude), longitude: \(longitude)}\n"
            }
            let searched = root.fields.filter { $0.type == .text && $0.vocabulary == nil }.prefix(4)
            if !searched.isEmpty { text += "    texts: [\(searched.map(\.name).joined(separator: ", "))]\n" }
            let parts = draft.parts(of: root)
            if !parts.isEmpty {
                text += "    parts:\n" + parts.map { "      - {entity: \($0.table.name), by: \($0.by)}\n" }.joined()
            }
        }
        return text
    }

    // MARK: Entities

    /// Fields about a photo's file, the same in every table of photos.
    private static let photoFields = """
          - {name: file_name, type: text, required: true, maxLength: 255}
          - {name: local_path, type: text, privacy: internal, maxLength: 1024}
          - {name: bytes, type: integer, unit: B, min: 1}
          - {name: sha256, type: text, pattern: '[0-9a-f]{64}'}
          - {name: width, type: integer, unit: px, min: 1, max: 30000}
          - {name: height, type: integer, unit: px, min: 1, max: 30000}
          - {name: latitude, type: decimal, unit: °, min: -90, max: 90, decimals: 6, privacy: internal}
          - {name: longitude, type: decimal, unit: °, min: -180, max: 180, decimals: 6, privacy: internal}
          - {name: taken, type: datetime}

        """

    /// Names of the fields about a photo's file.
    static let photoFacts = [
        "file_name", "local_path", "bytes", "sha256", "width", "height", "latitude", "longitude", "taken",
    ]

    private func entity(_ table: DraftTable) -> String {
        var text = comments(table.notes)
        text += "entity: \(table.name)\norigin: assumed\n"
        if isAlias(table) { text += "aliases: [\(SuggestedYAML.quoted(table.source))]\n" }
        if let project = table.project { text += "project: \(project)\n" }
        text += "key: [\(table.key.joined(separator: ", "))]\n"
        if let within = table.within { text += "within: \(within)\n" }
        text += "edits: [ADMINISTRATOR, EDITOR]\n"
        if table.isPhotos {
            text +=
                """
                file: {path: local_path, name: file_name, bytes: bytes, sha256: sha256, width: width, height: \
                height,\n  latitude: latitude, longitude: longitude, taken: taken}\n
                """
        }
        text += "fields:\n  - {name: id, type: uuid, required: true}\n"
        for field in table.fields {
            text += comments(field.notes, indent: "  ") + "  - {" + keys(field).joined(separator: ", ") + "}\n"
        }
        return text + (table.isPhotos ? Self.photoFields : "")
    }

    /// Whether the source's name becomes an alias of a table: no other table may have that name.
    private func isAlias(_ table: DraftTable) -> Bool {
        let isOwn = draft.tables.first { $0.source == table.source }?.name == table.name
        return !table.source.isEmpty && table.source != table.name && isOwn && draft.table(table.source) == nil
            && !draft.reserved.contains(table.source)
    }

    private func keys(_ field: DraftField) -> [String] {
        var keys = ["name: \(field.name)", "type: \(field.type.rawValue)"]
        if field.isRequired { keys.append("required: true") }
        if let condition = field.requiredWhen { keys.append("requiredWhen: \(SuggestedYAML.quoted(condition))") }
        if let references = field.references { keys.append("references: \(references)") }
        if field.deletesWithParent { keys.append("deletesWithParent: true") }
        if let vocabulary = field.vocabulary { keys.append("vocabulary: \(vocabulary)") }
        if field.isUnique { keys.append("unique: true") }
        if let unit = field.unit { keys.append("unit: \(SuggestedYAML.quoted(unit))") }
        if let minimum = field.minimum { keys.append("min: \(Self.number(minimum))") }
        if let maximum = field.maximum { keys.append("max: \(Self.number(maximum))") }
        if let decimals = field.decimals, field.type == .decimal { keys.append("decimals: \(decimals)") }
        if let minimum = field.minimumLength { keys.append("minLength: \(minimum)") }
        if let maximum = field.maximumLength { keys.append("maxLength: \(maximum)") }
        if let pattern = field.pattern { keys.append("pattern: \(SuggestedYAML.quoted(pattern))") }
        if field.isPersonal { keys.append("privacy: personal") }
        let synonyms = field.synonyms.filter { !$0.isEmpty }
        if !synonyms.isEmpty { keys.append("synonyms: \(SuggestedYAML.list(synonyms))") }
        return keys
    }

    private static func number(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }

    private func vocabulary(_ vocabulary: PackDraft.Vocabulary) -> String {
        var text = comments(vocabulary.notes) + "vocabulary: \(vocabulary.name)\nvalues:\n"
        for value in vocabulary.values {
            let own = SuggestedYAML.quoted(value.name)
            text +=
                value.alias.map { "  - {value: \(own), aliases: [\(SuggestedYAML.quoted($0))]}\n" } ?? "  - \(own)\n"
        }
        return text
    }

    private func rules() -> String {
        var text = "rules:\n"
        for table in draft.tables {
            for rule in table.rules {
                text += "  - code: \(rule.code)\n    entity: \(table.name)\n    severity: error\n"
                if let field = rule.field { text += "    field: \(field)\n" }
                text +=
                    """
                        check: row\n    require: \(SuggestedYAML.quoted(rule.requirement))\n    arguments: \
                    [\(rule.arguments.joined(separator: ", "))]\n
                    """
            }
        }
        return text
    }
}

/// The mapping of a drafted pack, which reads the source that it was drafted from, as YAML.
struct DraftMapping {
    let draft: PackDraft
    let words: DraftWords
    let language: Language

    /// The mapping's text; nil if the draft has no table that can be read from the source.
    func text() -> String? {
        let order = draft.tables.flatMap { table in table.readings.map(\.table) }.reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        guard !order.isEmpty else { return nil }
        var text = "import: \(DraftProducts.title(draft.name))\n"
        if !draft.accepts.isEmpty { text += "accepts: \(SuggestedYAML.list(draft.accepts))\n" }
        if !draft.tables.contains(where: { $0.name == draft.project.table && !$0.readings.isEmpty }) {
            text += words.comment(DraftNote("project_option"), language) + "\n"
        }
        text += "tables:\n"
        for source in order {
            var head: [String] = []
            let givers = draft.tables.flatMap { table in
                table.readings.filter { $0.table == source }.map { (table, $0) }
            }
            guard let first = givers.first?.1 else { continue }
            if first.isNamed { head.append("tables: [\(SuggestedYAML.quoted(source))]") }
            head += givers.flatMap(\.1.head).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            head.append("rows:")
            text += head.enumerated().map { ($0.offset == 0 ? "  - " : "    ") + $0.element + "\n" }.joined()
            for (table, reading) in givers { text += row(table, reading) }
        }
        return text
    }

    private func row(_ table: DraftTable, _ reading: DraftTable.RowOrigin) -> String {
        var text = "      - entity: \(table.name)\n"
        if table.idReading == nil { text += "        key: [\(reading.key.joined(separator: ", "))]\n" }
        if reading.repeats { text += "        repeats: true\n" }
        if !reading.requires.isEmpty { text += "        requires: \(SuggestedYAML.list(reading.requires))\n" }
        if let photo = reading.photo { text += "        photo: \(photo)\n" }
        text += "        fields:\n"
        if let id = table.idReading { text += "          id: \(id)\n" }
        for field in table.fields {
            guard let value = reading.values[field.name] ?? field.reading else { continue }
            text += "          \(field.name): \(value)\n"
        }
        for (name, value) in reading.values.sorted(by: { $0.key < $1.key }) where table.field(name) == nil {
            text += "          \(name): \(value)\n"
        }
        return text
    }
}

/// The draft of a pack for a system without one, made from a form, a database's schema or a
/// workbook.
package struct PackDraft {
    struct Vocabulary {
        struct Value {
            /// The stored value: a name in the pack's form, or the source's text.
            var name: String
            /// The source's text, if it differs from the stored value.
            var alias: String?
            var labels: [Language: String] = [:]
        }

        var name: String
        var values: [Value]
        /// Whether further values are allowed.
        var isOpen = false
        var notes: [DraftNote] = []
    }

    package let name: String
    /// The languages of the pack's texts, the default one first.
    package internal(set) var languages: [Language]
    var title: [Language: String] = [:]
    /// Parents come before the tables that refer to them.
    var tables: [DraftTable] = []
    var vocabularies: [Vocabulary] = []
    /// The table of projects, and its fields with the project's code and name.
    var project = (table: "projects", code: "code", name: "name")
    var notes: [DraftNote] = []
    /// Kinds of files that the mapping accepts; empty if there is no mapping.
    package internal(set) var accepts: [String] = []
    /// Names of tables that every pack has; the draft cannot use them.
    var reserved: Set<String> = []
    /// Name of the source's file, for comments.
    var source = ""

    init(name: String, languages: [Language]) { (self.name, self.languages) = (name, languages) }

    func table(_ name: String) -> DraftTable? { tables.first { $0.name == name } }

    /// Tables of records: those that belong to a project and are not parts of another table.
    var roots: [DraftTable] {
        tables.filter { $0.name != project.table && $0.parent == nil && $0.project != nil && !$0.isPhotos }
    }

    /// The tables of a root's parts, and of the parts of these, each with the path of references to
    /// the root. A deeper part whose path to the project avoids the root is left out.
    func parts(of root: DraftTable) -> [(table: DraftTable, by: String)] { parts(of: root, to: root, by: "") }

    private func parts(of table: DraftTable, to root: DraftTable, by path: String) -> [(table: DraftTable, by: String)]
    {
        tables.flatMap { part -> [(table: DraftTable, by: String)] in
            guard let parent = part.parent, parent.table == table.name else { return [] }
            let by = parent.field + path
            guard path.isEmpty || part.project == root.project.map({ by + "." + $0 }) else { return [] }
            return [(part, by)] + parts(of: part, to: root, by: "." + by)
        }
    }
}
