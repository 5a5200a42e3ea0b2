import Foundation
import Model
import Workbench

@testable import Packs

extension Texts {
    /// The texts of the shipped core, in which mistakes are read.
    static let shipped = (try? PackLoader.core(from: TemplatesTests.folder))?.texts ?? Texts()
}

/// A small, complete pack with its core, in a temporary folder. Each test breaks one place of it.
struct SamplePack {
    var files: [String: String] = Self.valid

    /// The same pack with one passage of one file replaced. It stops the test if the passage is
    /// missing, because the test would check nothing.
    func replacing(_ old: String, with new: String, in file: String) -> SamplePack {
        var copy = self
        let text = copy.files[file] ?? ""
        precondition(text.contains(old), "\(file) has no \(old)")
        copy.files[file] = text.replacing(old, with: new, maxReplacements: 1)
        return copy
    }

    func adding(_ file: String, _ text: String) -> SamplePack {
        var copy = self
        copy.files[file] = text
        return copy
    }

    func removing(_ file: String) -> SamplePack {
        var copy = self
        precondition(copy.files.removeValue(forKey: file) != nil)
        return copy
    }

    /// Writes the files, runs the closure on the folder, and removes the folder.
    func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        for (path, text) in files { try folder.write(text, to: path) }
        return try body(folder.url)
    }

    func load(_ name: String = "pits") throws -> Pack {
        try inFolder { try PackLoader.load(name, from: $0) }
    }

    /// The mistakes of a pack that must not load. The list is empty if it loads.
    func mistakes(_ name: String = "pits") throws -> [PackMistake] {
        try inFolder { folder in
            do {
                _ = try PackLoader.load(name, from: folder)
                return []
            } catch let failure as PackFailure {
                return failure.mistakes
            }
        }
    }

    static let valid: [String: String] = {
        var files = [
            "core/entities/profiles.yaml": """
            entity: profiles
            key: [email]
            fields:
              - {name: id, type: uuid, required: true}
              - {name: email, type: text, required: true, unique: true, privacy: personal}
              - {name: role, type: text, vocabulary: roles}
              - {name: status, type: text, required: true, vocabulary: profile_status}
            """,
            "core/entities/project_members.yaml": """
            entity: project_members
            project: project_id
            fields:
              - {name: id, type: uuid, required: true}
              - {name: project_id, type: uuid, required: true, references: projects}
              - {name: profile_id, type: uuid, required: true, references: profiles}
            """,
            "core/vocabularies/profile_status.yaml": "vocabulary: profile_status\nvalues: [ACTIVO, INACTIVO]\n",
            "pits/pack.yaml": """
            # A small system.
            format: 1
            name: pits
            version: 1.2.3
            languages: [es, en]
            environments: [DEV, PROD]
            timeZone: America/Lima
            privacy: [public, personal, secret]
            project: {entity: works, code: code, name: title}
            roles:
              - {name: CAMPO, may: [read, validate], sees: [public]}
              - {name: JEFE, may: [read, validate, export, administer], sees: [public, personal]}
            records:
              - name: pit
                root: pits
                state: status
                date: dug_on
                parts:
                  - {entity: layers, by: pit_id}
                strip: {entity: layers, from: from_m, to: to_m, label: soil, total: depth_m}
            numberings:
              - name: pit_number
                entity: pits
                field: layer_min
                order: [code, id]
                when: code != ''

            """,
            "pits/vocabularies/roles.yaml": "vocabulary: roles\nvalues: [CAMPO, JEFE]\n",
            "pits/vocabularies/states.yaml": "vocabulary: states\nvalues: [DRAFT, {value: DONE, aliases: [done]}, SENT]\n",
            "pits/vocabularies/codes.yaml": "vocabulary: codes\nvalues: [0045, 12:30, NO]\nalso: '[A-Z]{2}/[A-Z]{2}'\n",
            "pits/entities/works.yaml": """
            entity: works
            project: id
            key: [code]
            fields:
              - {name: id, type: uuid, required: true}
              - {name: code, type: text, required: true, unique: true}
              - {name: title, type: text}
            """,
            "pits/entities/pits.yaml": """
            entity: pits
            aliases: [Pit]
            project: work_id
            key: [code]
            within: work_id
            states:
              field: status
              initial: DRAFT
              exported: {from: DONE, to: SENT}
              transitions:
                - {from: DRAFT, to: DONE, roles: [JEFE]}
            indexes: [[work_id, dug_on]]
            fields:
              - {name: id, type: uuid, required: true}
              - {name: work_id, aliases: [workId], type: uuid, required: true, references: works}
              - {name: code, type: text, required: true, unique: work_id, pattern: 'C-\\d{3}', minLength: 5, maxLength: 5}
              - {name: dug_on, type: date}
              - {name: status, type: text, required: true, vocabulary: states}
              - {name: depth_m, type: decimal, unit: m, min: 0.1, max: 30, decimals: 2, requiredWhen: "status = 'DONE'"}
              - {name: is_wet, type: boolean}
              - {name: layer_ids, type: list, references: layers}
              - {name: layer_min, type: integer}

            """,
            "pits/entities/layers.yaml": """
            entity: layers
            origin: assumed
            project: pit_id.work_id
            key: [number]
            within: pit_id
            fields:
              - {name: id, type: uuid, required: true}
              - {name: pit_id, type: uuid, required: true, references: pits, deletesWithParent: true}
              - {name: number, type: integer, required: true, unique: pit_id}
              - {name: from_m, type: decimal, required: true}
              - {name: to_m, type: decimal, required: true}
              - {name: soil, type: text, vocabulary: codes, origin: source}
              - {name: form, type: json}
              - {name: values_json, type: json, schema: {path: pit_id.work_id.title, scope: type}}

            """,
            "pits/rules/layers.yaml": """
            rules:
              - code: LAYER-UPSIDE-DOWN
                entity: layers
                severity: error
                check: row
                field: to_m
                when: pit_id.status != 'DRAFT'
                require: to_m > from_m
                arguments: [from_m, to_m]
              - code: LAYER-GAP
                entity: layers
                severity: warning
                check: query
                sql: |
                  SELECT id, from_m FROM layers
                  WHERE from_m > 0;
                arguments: [from_m]
              - code: PIT-LAYERS
                entity: pits
                severity: note
                check: count
                of: layers
                by: pit_id
                min: layer_min
                max: 20

            """,
            "pits/exports/pits.yaml": """
            export: pits
            record: pit
            delivers: true
            formats: [xlsx, csv]
            finalWhen: code is not null
            sheets:
              - sheet: pits
                entity: pits
                columns:
                  - code
                  - {field: work_id.code, name: work_code, label: label.work}
                  - {number: pit_number}
                  - {count: layers, by: pit_id, name: layer_count}
                order: [work_id.code, code]
              - sheet: layers
                entity: layers
                forEach: pit_id
                eachName: code
                columns: [number, soil]

            """,
            "pits/exports/all.yaml": """
            export: all
            record: pit
            formats: [zip]
            bundle:
              exports: [pits]
              formats: [csv]
              photos: {entity: pits, name: code}

            """,
            "pits/jobs/monthly.yaml": """
            job: monthly
            output: '{year}/{project}-{export}.{format}'
            steps:
              - export: pits
                formats: [xlsx]
                states: [DONE]
                from: 2025-01-01
                to: 2025-12-31
                where: depth_m >= 1.5
                markExported: true

            """,
        ]
        files["pits/entities/layers.yaml"] = files["pits/entities/layers.yaml"]?
            .replacing("pit_id.work_id.title, scope: type", with: "form, scope: type")
        for language in ["es", "en"] {
            files["core/texts/\(language).yaml"] = coreTexts
            files["pits/texts/\(language).yaml"] = packTexts
        }
        return files
    }()

    private static let coreTexts: String = {
        var keys: [String] = []
        for declaration in FindingCatalogue.declarations {
            for suffix in ["", ".message", ".remedy"] { keys.append("finding.\(declaration.code)\(suffix)") }
        }
        keys += ["entity.profiles", "entity.profiles.one", "entity.project_members", "entity.project_members.one"]
        keys += ["id", "email", "role", "status"].map { "field.profiles.\($0)" }
        keys += ["id", "project_id", "profile_id"].map { "field.project_members.\($0)" }
        keys += [
            "vocabulary.profile_status.ACTIVO", "vocabulary.profile_status.INACTIVO", "word.yes", "error.ANY.message",
            "error.ANY.remedy", "cover.x",
        ]
        keys += PackMistake.textKeys
        return keys.map { "\($0): text of \($0)\n" }.joined()
    }()

    private static let packTexts: String = {
        var keys = ["pack.title", "record.pit", "role.CAMPO", "role.JEFE", "privacy.public", "privacy.personal", "privacy.secret"]
        for entity in ["works", "pits", "layers"] { keys += ["entity.\(entity)", "entity.\(entity).one"] }
        keys += ["id", "code", "title"].map { "field.works.\($0)" }
        keys += ["id", "work_id", "code", "dug_on", "status", "depth_m", "is_wet", "layer_ids", "layer_min"].map {
            "field.pits.\($0)"
        }
        keys += ["id", "pit_id", "number", "from_m", "to_m", "soil", "form", "values_json"].map { "field.layers.\($0)" }
        keys += [
            "roles.CAMPO", "roles.JEFE", "states.DRAFT", "states.DONE", "states.SENT", "codes.0045", "codes.12:30", "codes.NO",
        ]
        .map { "vocabulary.\($0)" }
        for code in ["LAYER-UPSIDE-DOWN", "LAYER-GAP", "PIT-LAYERS"] { keys += ["rule.\(code)", "rule.\(code).remedy"] }
        keys += [
            "export.pits", "export.all", "sheet.pits.pits", "sheet.pits.layers", "label.work", "label.pit_number",
            "label.layer_count",
        ]
        keys += ["job.monthly"]
        return keys.map { "\($0): text of \($0)\n" }.joined()
            + """
            rule.LAYER-UPSIDE-DOWN.message: "{key}: from {from_m} to {to_m}"
            rule.LAYER-GAP.message: "{key} begins at {from_m}"
            rule.PIT-LAYERS.message: "{count} layers, not {minimum} to {maximum}"

            """
    }()
}
