import Foundation
import Workbench

/// A replica of a small system whose records go two steps deep: wells, their inspections, and the
/// spare parts that were used at them.
struct Borings {
    let place: TemporaryFolder
    static let (office, field) = ("office@example.org", "field@example.org")
    static let project = "10000000-0000-4000-8000-000000000001"

    /// - Parameter settings: further lines of the configuration.
    init(_ settings: String = "", withRows: Bool = true) throws {
        place = try TemporaryFolder()
        for (path, text) in Self.files { try place.write(text, to: "Templates/borings/" + path) }
        try FileManager.default.createSymbolicLink(atPath: place.file("Templates/core"), withDestinationPath: ProgramRun.root + "/Templates/core")
        try place.write("templates: Templates\nreplica: fichero.db\nlanguage: en\nenvironment: DEV\n\(settings)\n", to: "fichero.yaml")
        try run("init", "--pack", "borings", "--admin", Self.office)
        guard withRows else { return }
        for table in ["projects", "wells", "inspections", "spare_parts"] {
            try place.write(Self.rows[table] ?? "[]", to: table + ".json")
            try run("import", table + ".json", "--join")
        }
    }

    /// Runs a command, which must end with this status; returns all that it printed.
    @discardableResult
    func run(_ arguments: String..., as email: String = Borings.office, status: Int32 = 0) throws -> String {
        let done = try ProgramRun.fichero(arguments + ["--actor", email, "--as-of", Office.asOf], in: place.path)
        guard done.status == status else { throw Trouble(description: "\(arguments): \(done.status)\n\(done.output)\(done.error)") }
        return done.output + done.error
    }

    /// Asks the replica, through a program that is not ours.
    func sql(_ query: String) throws -> String {
        try OtherProgram.run("/usr/bin/sqlite3", ["-readonly", place.file("fichero.db"), query]).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The spare parts by their names, with what they cost.
    func parts() throws -> String { try sql("SELECT group_concat(name || ' ' || printf('%g', cost)) FROM (SELECT * FROM spare_parts ORDER BY name)") }

    struct Trouble: Error, CustomStringConvertible { var description: String }

    /// Two wells: W-1 with two inspections and three parts, W-2 with one of each.
    static let rows = [
        "projects": """
            [{"id": "10000000-0000-4000-8000-000000000001", "code": "P-1", "name": "Uno"}]
            """,
        "wells": """
            [{"id": "20000000-0000-4000-8000-000000000001", "project_id": "10000000-0000-4000-8000-000000000001", "code": "W-1", "most": 2, "state": "OPEN"},
             {"id": "20000000-0000-4000-8000-000000000002", "project_id": "10000000-0000-4000-8000-000000000001", "code": "W-2", "most": 2, "state": "OPEN"}]
            """,
        "inspections": """
            [{"id": "30000000-0000-4000-8000-000000000001", "well_id": "20000000-0000-4000-8000-000000000001", "number": 1},
             {"id": "30000000-0000-4000-8000-000000000002", "well_id": "20000000-0000-4000-8000-000000000001", "number": 2},
             {"id": "30000000-0000-4000-8000-000000000003", "well_id": "20000000-0000-4000-8000-000000000002", "number": 1}]
            """,
        "spare_parts": """
            [{"id": "40000000-0000-4000-8000-000000000001", "inspection_id": "30000000-0000-4000-8000-000000000001", "name": "rope", "cost": 20},
             {"id": "40000000-0000-4000-8000-000000000002", "inspection_id": "30000000-0000-4000-8000-000000000001", "name": "pump", "cost": 60},
             {"id": "40000000-0000-4000-8000-000000000003", "inspection_id": "30000000-0000-4000-8000-000000000002", "name": "seal", "cost": 15},
             {"id": "40000000-0000-4000-8000-000000000004", "inspection_id": "30000000-0000-4000-8000-000000000003", "name": "valve", "cost": 30}]
            """,
    ]

    static let files = [
        "pack.yaml": """
            format: 1
            name: borings
            version: 1.0.0
            languages: [en]
            environments: [DEV, PROD]
            timeZone: America/Lima
            project: {entity: projects, code: code, name: name}
            roles:
              - {name: OFFICE, may: [read, validate, export, report, run, import, edit, mark, sync, resolve, administer], sees: [public, internal, personal]}
              - {name: FIELD, may: [read, validate, import, edit, sync], sees: [public, internal, personal]}
            records:
              - name: well
                root: wells
                state: state
                parts:
                  - {entity: inspections, by: well_id}
                  - {entity: spare_parts, by: inspection_id.well_id}
            """,
        "entities/inspections.yaml": """
            entity: inspections
            project: well_id.project_id
            key: [number]
            within: well_id
            deletes: {roles: [OFFICE, FIELD], states: [OPEN]}
            fields:
              - {name: id, type: uuid, required: true}
              - {name: well_id, type: uuid, required: true, references: wells, deletesWithParent: true}
              - {name: number, type: integer, required: true}
            """,
        "entities/projects.yaml": """
            entity: projects
            project: id
            key: [code]
            fields:
              - {name: id, type: uuid, required: true}
              - {name: code, type: text, required: true, unique: true}
              - {name: name, type: text, required: true}
            """,
        "entities/spare_parts.yaml": """
            entity: spare_parts
            project: inspection_id.well_id.project_id
            key: [name]
            within: inspection_id
            deletes: {roles: [OFFICE, FIELD], states: [OPEN]}
            fields:
              - {name: id, type: uuid, required: true}
              - {name: inspection_id, type: uuid, required: true, references: inspections, deletesWithParent: true}
              - {name: name, type: text, required: true}
              - {name: cost, type: decimal, decimals: 2}
            """,
        "entities/wells.yaml": """
            entity: wells
            project: project_id
            key: [code]
            within: project_id
            deletes: {roles: [OFFICE, FIELD], states: [OPEN]}
            states:
              field: state
              initial: OPEN
              closed: [CLOSED]
              transitions: [{from: OPEN, to: CLOSED, roles: [OFFICE]}]
            fields:
              - {name: id, type: uuid, required: true}
              - {name: project_id, type: uuid, required: true, references: projects}
              - {name: code, type: text, required: true}
              - {name: most, type: integer}
              - {name: state, type: text, required: true, vocabulary: states}
            """,
        "exports/open.yaml": """
            export: open
            record: well
            formats: [csv]
            policy: mark
            anonymous: true
            sheets:
              - sheet: wells
                entity: wells
                columns: [id, {count: spare_parts, by: inspection_id.well_id, name: parts, label: entity.spare_parts}]
              - sheet: parts
                entity: spare_parts
                columns: [{field: inspection_id.well_id.id, name: well, label: entity.wells}, cost]
            """,
        "exports/wells.yaml": """
            export: wells
            record: well
            formats: [csv, xlsx]
            policy: mark
            sheets:
              - sheet: wells
                entity: wells
                columns: [code, {count: spare_parts, by: inspection_id.well_id, name: parts, label: entity.spare_parts}]
                order: [code]
              - sheet: parts
                entity: spare_parts
                columns: [{field: inspection_id.well_id.code, name: well, label: entity.wells}, {field: inspection_id.number, name: number}, name, cost]
                order: [inspection_id.well_id.code, inspection_id.number, name]
              - sheet: visited
                entity: inspections
                columns: [number, {count: spare_parts, by: inspection_id, name: parts, label: entity.spare_parts}]
                order: [well_id.code, number]
            """,
        "reports/borings/all.yaml": """
            title: {en: Borings}
            parts: {en: 'Parts: {count}'}
            none: {en: Nothing was used.}
            """,
        "reports/borings/report.yaml": """
            report: borings
            record: well
            formats: [pdf, xlsx]
            policy: mark
            queries:
              wells: {entity: wells, fields: [code, {count: spare_parts, by: inspection_id.well_id, name: parts, label: parts}], order: [code]}
              parts: {entity: spare_parts, fields: [{field: inspection_id.number, name: number}, name, cost], of: {inspection_id.well_id: id}, order: [inspection_id.number, name]}
            sections:
              - section: wells
                each: wells
                title: '{code}'
                blocks:
                  - {block: title, text: '{code}'}
                  - {block: table, title: parts, query: parts, columns: [number, name, cost], empty: none}
            """,
        "rules/wells.yaml": """
            rules:
              - code: WELL-MANY
                entity: wells
                severity: warning
                check: count
                of: spare_parts
                by: inspection_id.well_id
                max: most
              - code: WELL-DEAR
                entity: wells
                severity: warning
                check: query
                scope: record
                sql: |
                  SELECT w.id, sum(s.cost) AS total FROM wells AS w JOIN inspections AS i ON i.well_id = w.id
                  JOIN spare_parts AS s ON s.inspection_id = i.id GROUP BY w.id HAVING sum(s.cost) > 100
                arguments: [total]
              - code: PART-DEAR
                entity: spare_parts
                severity: error
                check: row
                require: cost <= 1000
            """,
        "texts/all.yaml": """
            pack.title: {en: Borings}
            role.OFFICE: {en: Office}
            role.FIELD: {en: Field}
            entity.projects: {en: Projects}
            entity.wells: {en: Wells}
            entity.wells.one: {en: Well}
            entity.inspections: {en: Inspections}
            entity.spare_parts: {en: Parts}
            field.code: {en: Code}
            field.name: {en: Name}
            field.project_id: {en: Project}
            field.well_id: {en: Well}
            field.inspection_id: {en: Inspection}
            field.number: {en: Number}
            field.most: {en: Most}
            field.cost: {en: Cost}
            field.state: {en: State}
            vocabulary.states.OPEN: {en: Open}
            vocabulary.states.CLOSED: {en: Closed}
            rule.WELL-MANY: {en: Many parts}
            rule.WELL-MANY.message: {en: '{key}: {count} parts, at most {maximum}.'}
            rule.WELL-MANY.remedy: {en: Look.}
            rule.WELL-DEAR: {en: Dear well}
            rule.WELL-DEAR.message: {en: '{key}: {total} in all.'}
            rule.WELL-DEAR.remedy: {en: Look.}
            rule.PART-DEAR: {en: Dear part}
            rule.PART-DEAR.message: {en: '{key} is dear.'}
            rule.PART-DEAR.remedy: {en: Look.}
            export.open: {en: For everybody}
            """,
        "vocabularies/states.yaml": """
            vocabulary: states
            values: [OPEN, CLOSED]
            """,
    ]
}
