import Importing
import Model

/// Adds a table of projects if the source has none: projects determine who sees which records.
enum DraftProjects {
    private static let names: Set<String> = [
        "projects", "project", "proyectos", "proyecto", "progetti", "progetto", "obras", "commesse", "sites",
    ]

    /// A table of projects with code and name.
    static func table() -> DraftTable {
        var table = DraftTable("projects")
        var code = DraftField("code", .text), name = DraftField("name", .text)
        (code.isRequired, code.isUnique, code.maximumLength, name.isRequired, name.maximumLength) = (
            true, true, 60, true, 200
        )
        table.fields = [code, name]
        table.key = ["code"]
        table.project = "id"
        return table
    }

    static func reference(reading: String?) -> DraftField {
        var field = DraftField("project_id", .uuid)
        (field.references, field.isRequired, field.reading) = ("projects", true, reading)
        return field
    }

    /// Chooses or adds the table of projects, and sets each table's path to its project.
    static func settle(_ draft: inout PackDraft) {
        chooseTable(in: &draft)
        for index in draft.tables.indices where draft.tables[index].name != draft.project.table {
            connect(index, in: &draft)
        }
    }

    private static func chooseTable(in draft: inout PackDraft) {
        if let own = draft.tables.firstIndex(where: { names.contains($0.name) }),
            let (code, name) = codeAndName(draft.tables[own])
        {
            draft.project = (draft.tables[own].name, code, name)
            draft.tables[own].project = "id"
            (draft.tables[own].parent, draft.tables[own].within) = (nil, nil)
        } else {
            var table = table()
            while draft.table(table.name) != nil { table.name += "_2" }
            draft.project.table = table.name
            draft.tables.insert(table, at: 0)
            draft.notes.append(DraftNote("project"))
        }
    }

    /// Sets a table's path to its project. A table that has none gets a reference to projects.
    private static func connect(_ index: Int, in draft: inout PackDraft) {
        let project = draft.project.table
        if draft.tables[index].parent?.table == project { draft.tables[index].parent = nil }
        let path = path(from: draft.tables[index], in: draft)
        if path == nil, let other = self.path(from: draft.tables[index], in: draft, takesOptional: true) {
            draft.tables[index].project = other
            draft.tables[index].notes.append(DraftNote("optional_project", ["path": other]))
            return
        }
        if path == nil, draft.tables[index].parent == nil {
            // Other tables refer to the source's projects; this one is a catalogue of no project.
            if draft.table(project)?.source.isEmpty == false,
                draft.tables.contains(where: { $0.fields.contains { $0.references == project } })
            {
                draft.tables[index].notes.append(DraftNote("catalogue"))
                return
            }
            addReference(to: project, &draft.tables[index])
        }
        draft.tables[index].project = self.path(from: draft.tables[index], in: draft)
        if draft.tables[index].within == nil, draft.tables[index].idReading == nil,
            let link = draft.tables[index].fields.first(where: { $0.references == project && $0.isRequired })
        {
            draft.tables[index].within = link.name
            draft.tables[index].readings = draft.tables[index].readings.map { reading in
                var reading = reading
                if link.reading != nil, !reading.key.contains(link.name) { reading.key.insert(link.name, at: 0) }
                return reading
            }
        }
    }

    private static func addReference(to project: String, _ table: inout DraftTable) {
        var field = reference(reading: nil)
        field.references = project
        while table.field(field.name) != nil { field.name += "_2" }
        table.fields.insert(field, at: 0)
        // Rows of two sources may have the same numbers.
        if table.within == nil, table.idReading == nil { table.within = field.name }
    }

    private static func codeAndName(_ table: DraftTable) -> (String, String)? {
        let texts = table.fields.filter { $0.type == .text }
        guard
            let code = texts.first(where: { $0.isUnique && $0.isRequired }) ?? texts.first(where: { $0.isUnique })
                ?? texts.first(where: { $0.isRequired })
        else { return nil }
        let name = texts.first { ["name", "nombre", "nome", "title", "titulo", "titolo"].contains($0.name) } ?? code
        return (code.name, name.name)
    }

    /// The shortest path over required references to the project's id.
    ///
    /// - Parameter takesOptional: whether optional references are allowed too.
    private static func path(from table: DraftTable, in draft: PackDraft, takesOptional: Bool = false) -> String? {
        var ways: [(table: DraftTable, path: [String])] = [(table, [])]
        var seen: Set<String> = [table.name]
        while !ways.isEmpty {
            let (here, path) = ways.removeFirst()
            let links = here.fields.filter {
                $0.references != nil && $0.type == .uuid && ($0.isRequired || takesOptional)
            }
            if let link = links.first(where: { $0.references == draft.project.table }) {
                return (path + [link.name]).joined(separator: ".")
            }
            guard path.count < 6 else { continue }
            for link in links.sorted(by: { $0.isRequired && !$1.isRequired }) {
                guard let target = link.references.flatMap(draft.table), seen.insert(target.name).inserted else {
                    continue
                }
                ways.append((target, path + [link.name]))
            }
        }
        return nil
    }
}

/// A field of a drafted table.
struct DraftField {
    var name: String
    /// The field's name in the source; empty if the source does not contain the field.
    var source = ""
    var labels: [Language: String] = [:]
    var type: FieldType
    var isRequired = false
    var requiredWhen: String?
    var unit: String?
    var minimum: Double?
    var maximum: Double?
    var minimumLength: Int?
    var maximumLength: Int?
    var decimals: Int?
    var pattern: String?
    var vocabulary: String?
    var references: String?
    var deletesWithParent = false
    var isUnique = false
    var isPersonal = false
    /// Headings of other files that also mean this field.
    var synonyms: [String] = []
    var notes: [DraftNote] = []
    /// The mapping's value for the field, as YAML; nil if the source has none.
    var reading: String?

    init(_ name: String, _ type: FieldType, source: String = "") {
        (self.name, self.type, self.source) = (name, type, source)
    }
}
