import Foundation
import Importing
import Model

/// Drafts a pack from headings and first rows of tables: a workbook, CSV, another kind of database.
struct TablesDraft {
    /// A table of the file (a sheet, for example), with the guessed properties of its columns.
    private struct Sheet {
        var sample: TableSample
        var columns: [SampledColumn]
        /// Index of the column that names the project.
        var project: Int?
        /// Index of the column that names the row.
        var key: Int?
        /// The sheet of the rows' parents, and the column of this sheet with the parents' key.
        var parent: (sheet: Int, column: Int)?
    }

    private static let projectWords: Set<String> = [
        "project", "proyecto", "progetto", "obra", "commessa", "cantiere", "site", "sito", "proyecto_codigo",
        "codigo_proyecto", "project_code", "project_id",
    ]
    private static let codeWords: Set<String> = [
        "code", "codigo", "codice", "cod", "id", "no", "n", "nro", "num", "numero", "number", "name", "nombre", "nome",
    ]

    private var sheets: [Sheet]
    private var draft: PackDraft
    private let language: Language

    /// - Parameter kind: the kind of the file, which the drafted mapping accepts.
    /// - Returns: nil if no table has headings.
    static func draft(_ samples: [TableSample], kind: String, name: String, language: Language, reserved: Set<String>)
        -> PackDraft?
    {
        // Mappings ignore accents and case in names of tables; a second such name is left out.
        var known: Set<String> = []
        let useful = samples.filter {
            known.insert(ColumnName.normal($0.name)).inserted && $0.hasHeading
                && $0.columns.contains { !$0.heading.isEmpty }
        }
        guard !useful.isEmpty else { return nil }
        var reader = TablesDraft(useful, name, language)
        reader.draft.accepts = [kind]
        reader.read(all: samples, reserved: reserved)
        return reader.draft
    }

    private init(_ samples: [TableSample], _ name: String, _ language: Language) {
        self.language = language
        sheets = samples.map { sample in
            let judge = ContentJudge(sample, pack: nil, known: JudgedContents())
            return Sheet(
                sample: sample, columns: sample.columns.indices.map { SampledColumn(sample, column: $0, judge: judge) })
        }
        draft = PackDraft(name: name, languages: [language])
        draft.title = [language: DraftNames.label(name)]
    }

    private mutating func read(all: [TableSample], reserved: Set<String>) {
        let left = all.map(\.name).enumerated().filter { index, name in
            !sheets.contains { $0.sample.name == name }
                || all[..<index].contains { ColumnName.normal($0.name) == ColumnName.normal(name) }
        }.map(\.element)
        if !left.isEmpty { draft.notes.append(DraftNote("left_out", ["names": left.joined(separator: ", ")])) }
        for index in sheets.indices {
            sheets[index].project = sheets[index].sample.columns.firstIndex {
                Self.projectWords.contains(DraftNames.plain($0.heading) ?? "") && !$0.filled.isEmpty
            }
            sheets[index].key = key(of: sheets[index])
        }
        for index in sheets.indices { sheets[index].parent = parent(of: index) }
        var names = DraftNames(reserved: reserved.union(["projects"]))
        let called = sheets.map { names.name($0.sample.name, other: "records") }
        for index in ordered { draft.tables.append(table(index, called)) }
        if let maker = ordered.first(where: { sheets[$0].project != nil }) { addProjects(from: maker) }
    }

    /// The sheets, parents first; the steps are limited, in case sheets form a cycle.
    private var ordered: [Int] {
        func depth(_ index: Int, _ steps: Int = 0) -> Int {
            steps > sheets.count ? 0 : sheets[index].parent.map { 1 + depth($0.sheet, steps + 1) } ?? 0
        }
        return sheets.indices.sorted { (depth($0), $0) < (depth($1), $1) }
    }

    // MARK: Keys and parents

    private func texts(_ sheet: Sheet, _ column: Int) -> [String] {
        sheet.sample.columns[column].filled.map { $0.text.trimmingSpaces }
    }

    private func key(of sheet: Sheet) -> Int? {
        let candidates = sheet.columns.indices.filter { index in
            guard [.text, .integer].contains(sheet.columns[index].type), sheet.columns[index].words.isEmpty,
                !sheet.sample.columns[index].heading.isEmpty, index != sheet.project
            else { return false }
            let values = texts(sheet, index)
            return values.count == sheet.sample.rows && !values.isEmpty && Set(values).count == values.count
                && values.allSatisfy { $0.count <= 60 }
        }
        func isCode(_ index: Int) -> Bool {
            (DraftNames.plain(sheet.sample.columns[index].heading) ?? "").split(separator: "_").contains {
                Self.codeWords.contains(String($0))
            }
        }
        return candidates.first(where: isCode) ?? candidates.first { sheet.columns[$0].type == .text }
    }

    /// The parent sheet: this sheet repeats its key in a column with the same heading, or with one
    /// that contains the parent sheet's name.
    private func parent(of index: Int) -> (sheet: Int, column: Int)? {
        let own = sheets[index]
        for (other, sheet) in sheets.enumerated() where other != index {
            guard let key = sheet.key else { continue }
            let known = Set(texts(sheet, key))
            let heading = DraftNames.plain(sheet.sample.columns[key].heading)
            for column in own.columns.indices where column != own.project && column != own.key {
                let values = Set(texts(own, column))
                guard !values.isEmpty, values.isSubset(of: known),
                    DraftNames.plain(own.sample.columns[column].heading) == heading
                        || isNamed(own.sample.columns[column].heading, after: sheet.sample.name),
                    own.sample.rows >= sheet.sample.rows / 2
                else { continue }
                return (other, column)
            }
        }
        return nil
    }

    private func isNamed(_ heading: String, after sheet: String) -> Bool {
        let words = (DraftNames.plain(heading) ?? "").split(separator: "_")
        let name = DraftNames.plain(sheet) ?? ""
        return words.contains { $0.count > 3 && name.hasPrefix($0.dropLast($0.count > 4 ? 1 : 0)) }
    }

    // MARK: Tables

    private mutating func table(_ index: Int, _ called: [String]) -> DraftTable {
        let sheet = sheets[index]
        var table = DraftTable(called[index], source: sheet.sample.name)
        table.labels = [language: DraftNames.cleaned(sheet.sample.name)]
        var reading = DraftTable.RowOrigin(table: sheet.sample.name, isNamed: sheets.count > 1)
        if let rows = sheet.sample.headingRows { reading.head.append("header: \(rows.lowerBound)-\(rows.upperBound)") }
        var names = DraftNames(reserved: DraftNames.reservedFields)
        var parentField: String?
        if let parent = sheet.parent {
            var link = DraftField(
                names.name(called[parent.sheet] + "_id", other: "parent_id"), .uuid,
                source: sheet.sample.columns[parent.column].heading)
            (link.references, link.isRequired, link.deletesWithParent) = (called[parent.sheet], true, true)
            link.labels = [language: DraftNames.cleaned(link.source)]
            link.reading = self.link(index, parent, called)
            table.fields.append(link)
            table.parent = .init(table: called[parent.sheet], field: link.name)
            parentField = link.name
        }
        for (column, found) in sheet.columns.enumerated()
        where column != sheet.parent?.column && column != sheet.project {
            guard let field = field(sheet, column, found, &names, table: table.name) else { continue }
            table.fields.append(field)
        }
        setKey(of: &table, sheet, parentField, &reading, &names)
        table.readings = [reading]
        return table
    }

    private mutating func field(
        _ sheet: Sheet, _ column: Int, _ found: SampledColumn, _ names: inout DraftNames, table: String
    ) -> DraftField? {
        let heading = sheet.sample.columns[column].heading
        guard !heading.isEmpty else { return nil }
        let isAgain = sheet.sample.columns[..<column].contains {
            ColumnName.normal($0.heading) == ColumnName.normal(heading)
        }
        var field = DraftField(
            names.name(
                heading.replacing(/\([^)]*\)/, with: ""), other: "column_\(ColumnName.letters(column).lowercased())"),
            found.type, source: heading)
        field.labels = [language: DraftNames.cleaned(heading.replacing(/\([^)]*\)/, with: " "))]
        field.unit = heading.firstMatch(of: /\(\s*([^()\s]{1,6})\s*\)/).map { String($0.1) }.flatMap {
            found.type == .decimal || found.type == .integer ? $0 : nil
        }
        field.decimals = found.decimals
        field.isRequired = column == sheet.key
        field.isPersonal = DraftNames.isPersonal(heading)
        field.reading = SampledColumn.reading(heading, found.conversions)
        field.synonyms = [heading]
        // A mapping finds a column by its heading, so a repeated heading cannot be read.
        if isAgain {
            (field.reading, field.synonyms, field.isRequired) = (nil, [], false)
            field.notes.append(DraftNote("same", ["heading": heading]))
        }
        if sheet.sample.columns[column].filled.isEmpty { field.notes.append(DraftNote("empty")) }
        if found.isUncertain { field.notes.append(DraftNote("uncertain")) }
        if !found.words.isEmpty {
            let name = table + "_" + field.name
            field.vocabulary = String(name.prefix(60))
            var slugs = DraftNames(reserved: [])
            draft.vocabularies.append(.init(name: field.vocabulary ?? name, values: found.words.map { word in
                let slug = slugs.name(word, other: "value")
                return .init(name: slug, alias: slug == word ? nil : word, labels: [language: DraftNames.cleaned(word)])
            }, notes: [DraftNote("words", ["count": String(TableSample.maximumRows)])]))
        }
        return field
    }

    private func setKey(
        of table: inout DraftTable, _ sheet: Sheet, _ parent: String?, _ reading: inout DraftTable.RowOrigin,
        _ names: inout DraftNames
    ) {
        if let key = sheet.key, let field = table.field(source: sheet.sample.columns[key].heading) {
            table.key = [field.name]
        } else {
            // Rows without a key are numbered, separately for each parent if there are parents.
            let among = sheet.parent.map { SuggestedYAML.quoted(sheet.sample.columns[$0.column].heading) } ?? ""
            var number = DraftField(names.name("number", other: "number"), .integer)
            (number.isRequired, number.minimum, number.reading) = (true, 1, "{ordinal: [\(among)]}")
            table.fields.insert(number, at: sheet.parent == nil ? 0 : 1)
            table.key = [number.name]
            table.notes.append(DraftNote("numbered"))
        }
        table.within = parent
        reading.key = [parent].compactMap(\.self) + table.key
    }

    /// The mapping's value that finds the parent by its key, as YAML.
    private func link(_ index: Int, _ parent: (sheet: Int, column: Int), _ called: [String]) -> String {
        let own = sheets[index], outer = sheets[parent.sheet]
        guard let key = outer.key else { return "" }
        let heading = own.sample.columns[parent.column].heading
        let name = draft.table(called[parent.sheet])?.field(source: outer.sample.columns[key].heading)?.name ?? "code"
        var by = [name + ": " + SampledColumn.reading(heading, own.columns[parent.column].conversions)]
        if let link = outer.parent, let field = draft.table(called[parent.sheet])?.parent?.field {
            // The parent's key is unique only within the parent of the parent.
            let middle = sheets[link.sheet]
            let take = outer.sample.columns[link.column].heading
            let from =
                """
                {from: \(SuggestedYAML.quoted(outer.sample.name)), key: \
                [\(SuggestedYAML.quoted(outer.sample.columns[key].heading))], by: [\(SuggestedYAML.quoted(heading))], \
                take: \(SuggestedYAML.quoted(take))}
                """
            if let middleKey = middle.key,
                let middleName = draft.table(called[link.sheet])?.field(
                    source: middle.sample.columns[middleKey].heading)?.name
            {
                by.insert(field + ": {parent: \(called[link.sheet]), by: {\(middleName): \(from)}}", at: 0)
            }
        }
        if let project = projectReading(parent.sheet, by: heading, of: index), outer.parent == nil {
            by.insert("project_id: {parent: projects, by: {code: \(project)}}", at: 0)
        }
        return "{parent: \(called[parent.sheet]), by: {" + by.joined(separator: ", ") + "}}"
    }

    /// The mapping's value for a row's project: a column of this sheet or of the parent's sheet.
    private func projectReading(_ outer: Int, by heading: String, of index: Int) -> String? {
        if let own = sheets[index].project {
            return SampledColumn.reading(sheets[index].sample.columns[own].heading, [.trim])
        }
        guard let column = sheets[outer].project, let key = sheets[outer].key else { return nil }
        let (from, keyName) = (
            SuggestedYAML.quoted(sheets[outer].sample.name),
            SuggestedYAML.quoted(sheets[outer].sample.columns[key].heading)
        )
        return
            """
            {from: \(from), key: [\(keyName)], by: [\(SuggestedYAML.quoted(heading))], take: \
            \(SuggestedYAML.quoted(sheets[outer].sample.columns[column].heading)), convert: [trim]}
            """
    }

    // MARK: Projects

    /// Adds the projects from the first sheet with a column for them; each row refers to its
    /// project.
    private mutating func addProjects(from maker: Int) {
        let sheet = sheets[maker]
        guard let column = sheet.project else { return }
        let read = SampledColumn.reading(sheet.sample.columns[column].heading, [.trim])
        var projects = DraftProjects.table()
        projects.source = sheet.sample.name
        for index in projects.fields.indices { projects.fields[index].reading = read }
        var reading = DraftTable.RowOrigin(table: sheet.sample.name, isNamed: sheets.count > 1)
        (reading.key, reading.repeats) = (["code"], true)
        projects.readings = [reading]
        draft.tables.insert(projects, at: 0)
        for index in draft.tables.indices
        where draft.tables[index].parent == nil && draft.tables[index].name != projects.name {
            guard let own = sheets.first(where: { $0.sample.name == draft.tables[index].source }),
                let column = own.project
            else { continue }
            draft.tables[index].fields.insert(
                DraftProjects.reference(
                    reading:
                        """
                        {parent: projects, by: {code: \
                        \(SampledColumn.reading(own.sample.columns[column].heading, [.trim]))}}
                        """
                ), at: 0)
        }
    }
}
