import Foundation
import Testing

@testable import Model
@testable import Packs

@Suite struct PackMistakeTests {
    static let breaks: [Break] = [
        // Mistakes in keys and types of values.
        Break(.unknownKey, "entities/pits.yaml", "minLength: 5", "minLenght: 5", at: "minLenght"),
        Break(.unknownKey, "pack.yaml", "timeZone: America/Lima", "timeZone: America/Lima\ntimezone: UTC", at: "timezone: UTC"),
        Break(.unknownKey, "rules/layers.yaml", "require: to_m", "sql: SELECT 1\n    require: to_m", at: "sql: SELECT 1"),
        Break(.missingKey, "entities/pits.yaml", "{name: dug_on, type: date}", "{name: dug_on}", at: "dug_on}"),
        Break(.missingKey, "pack.yaml", "version: 1.2.3\n", "", at: "format: 1"),
        Break(.missingKey, "rules/layers.yaml", "    by: pit_id\n", "", at: "code: PIT-LAYERS"),
        Break(.missingKey, "entities/works.yaml", "project: id\n", "", at: "entity: works"),
        Break(.missingKey, "entities/layers.yaml", "project: pit_id.work_id\n", "", at: "entity: layers"),
        Break(.missingKey, "exports/pits.yaml", "{number: pit_number}", "{parameters: layer_min, scope: type}", at: "parameters"),
        Break(.missingKey, "exports/pits.yaml", "    eachName: code\n", "", at: "sheet: layers"),
        Break(.duplicateKey, "pack.yaml", "environments:", "name: pots\nenvironments:", at: "name: pots"),
        Break(.duplicateKey, "entities/pits.yaml", "type: date}", "type: date, type: text}", at: "type: date, type"),
        Break(.duplicateKey, "entities/pits.yaml", "  initial: DRAFT", "  initial: DRAFT\n  'initial': DONE", at: "'initial'"),
        Break(.duplicateKey, "texts/es.yaml", "job.monthly:", "pack.title: otra\njob.monthly:", at: "pack.title: otra"),
        Break(.wrongType, "pack.yaml", "languages: [es, en]", "languages: es", at: "languages: es"),
        Break(
            .wrongType, "entities/pits.yaml", "required: true, references: works", "required: NO, references: works",
            at: "required: NO"),
        Break(.wrongType, "entities/pits.yaml", "max: 30", "max: thirty", at: "max: thirty"),
        Break(.wrongType, "entities/pits.yaml", "decimals: 2", "decimals: 2.5", at: "decimals: 2.5"),
        Break(.wrongType, "entities/pits.yaml", "initial: DRAFT", "initial:", at: "initial:"),
        Break(.wrongType, "jobs/monthly.yaml", "from: 2025-01-01", "from: 2025-02-29", at: "2025-02-29"),
        Break(.wrongType, "texts/en.yaml", "job.monthly: text of job.monthly", "job.monthly: [a]", at: "job.monthly"),
        Break(.badValue, "entities/pits.yaml", "type: boolean", "type: bolean", at: "bolean"),
        Break(.badValue, "entities/pits.yaml", "decimals: 2", "decimals: 99", at: "decimals: 99"),
        Break(.badValue, "pack.yaml", "America/Lima", "PST", at: "PST"),
        Break(.badValue, "jobs/monthly.yaml", "'{year}/", "'../{year}/", at: "../"),
        Break(.badName, "entities/pits.yaml", "name: is_wet", "name: isWet", at: "isWet"),
        Break(.badName, "pack.yaml", "version: 1.2.3", "version: 1.2", at: "version"),
        Break(.badName, "pack.yaml", "version: 1.2.3", "version: 01.2.3", at: "version"),
        Break(
            .exclusive, "exports/all.yaml", "bundle:\n  exports: [pits]\n  formats: [csv]\n  photos: {entity: pits, name: code}\n",
            "", at: "export: all"),
        Break(.exclusive, "exports/pits.yaml", "{number: pit_number}", "{nummer: pit_number}", at: "nummer"),
        // Mistakes in names.
        Break(.duplicateName, "entities/pits.yaml", "name: is_wet", "name: depth_m", at: "name: depth_m, type: boolean"),
        Break(.duplicateName, "entities/pits.yaml", "aliases: [workId]", "aliases: [code]", at: "aliases: [code]"),
        Break(.duplicateName, "entities/pits.yaml", "name: is_wet,", "name: is_wet, renamedFrom: depth_m,", at: "renamedFrom: depth_m"),
        Break(.duplicateName, "entities/pits.yaml", "name: is_wet,", "name: is_wet, renamedFrom: [wet, workId],", at: "renamedFrom"),
        Break(.duplicateName, "entities/pits.yaml", "name: is_wet,", "name: is_wet, renamedFrom: is_wet,", at: "renamedFrom"),
        Break(.reservedName, "entities/pits.yaml", "name: is_wet,", "name: is_wet, renamedFrom: [key_text],", at: "renamedFrom"),
        Break(.badName, "entities/pits.yaml", "name: is_wet,", "name: is_wet, renamedFrom: [isWet],", at: "isWet"),
        Break(.duplicateName, "entities/pits.yaml", "aliases: [Pit]", "aliases: [layers]", at: "aliases: [layers]"),
        Break(.duplicateName, "vocabularies/states.yaml", "aliases: [done]", "aliases: [DRAFT]", at: "values"),
        Break(.duplicateName, "rules/layers.yaml", "code: LAYER-GAP", "code: FIELD-RANGE", at: "FIELD-RANGE"),
        Break(.duplicateName, "pack.yaml", "environments: [DEV, PROD]", "environments: [DEV, DEV]", at: "environments"),
        Break(.unknownName, "entities/pits.yaml", "references: works", "references: work", at: "references: work"),
        // Mistakes in strips.
        Break(.unknownName, "pack.yaml", "entity: layers, from", "entity: works, from", at: "entity: works, from"),
        Break(.badPath, "pack.yaml", "to: to_m", "to: to_n", at: "to: to_n"),
        Break(.wrongField, "pack.yaml", "from: from_m", "from: soil", at: "from: soil"),
        Break(.wrongField, "pack.yaml", "label: soil", "label: number", at: "label: number"),
        Break(.wrongField, "pack.yaml", "total: depth_m", "total: code", at: "total: code"),
        Break(.missingKey, "pack.yaml", ", label: soil", "", at: "strip:"),
        Break(.unknownName, "entities/pits.yaml", "vocabulary: states", "vocabulary: state", at: "vocabulary: state"),
        Break(.unknownName, "entities/pits.yaml", "roles: [JEFE]", "roles: [JEFA]", at: "JEFA"),
        Break(.unknownName, "entities/pits.yaml", "to: DONE, roles", "to: DOEN, roles", at: "DOEN"),
        Break(.unknownName, "entities/pits.yaml", "initial: DRAFT", "initial: NEW", at: "initial"),
        // Nothing leads out of a frozen state.
        Break(.frozenExit, "entities/pits.yaml", "  initial: DRAFT", "  initial: DRAFT\n  frozen: [DONE]", at: "exported:"),
        Break(.unknownName, "entities/pits.yaml", "  initial: DRAFT", "  initial: DRAFT\n  frozen: [DUN]", at: "DUN"),
        // What each role may change.
        Break(.unknownName, "entities/pits.yaml", "key: [code]", "key: [code]\nedits: {CAMP: [dug_on]}", at: "CAMP:"),
        Break(.badPath, "entities/pits.yaml", "key: [code]", "key: [code]\nedits: {CAMPO: [dug_at]}", at: "dug_at"),
        Break(.badValue, "entities/pits.yaml", "key: [code]", "key: [code]\nedits: {CAMPO: some}", at: "some"),
        Break(.duplicateName, "entities/pits.yaml", "key: [code]", "key: [code]\nedits: {CAMPO: [dug_on, dug_on]}", at: "CAMPO:"),
        // A transition demands rules over one row of its own table, and belongs to a person.
        Break(.unknownName, "entities/pits.yaml", "roles: [JEFE]}", "roles: [JEFE], require: [LAYER-UPSIDE-DOWN]}", at: "LAYER-UPSIDE-DOWN"),
        Break(.unknownName, "entities/pits.yaml", "roles: [JEFE]}", "roles: [JEFE], require: PIT-LAYERS}", at: "PIT-LAYERS"),
        Break(.wrongField, "entities/pits.yaml", "roles: [JEFE]}", "roles: [JEFE], own: work_id}", at: "own: work_id"),
        Break(
            .unknownName, "entities/pits.yaml", "{name: dug_on, type: date}", "{name: dug_on, type: date, privacy: privat}",
            at: "privat}"),
        Break(.unknownName, "pack.yaml", "sees: [public]", "sees: [publik]", at: "publik"),
        Break(.unknownName, "pack.yaml", "entity: works", "entity: wroks", at: "wroks"),
        Break(.unknownName, "pack.yaml", "{entity: layers, by", "{entity: layer, by", at: "entity: layer,"),
        Break(.unknownName, "exports/pits.yaml", "record: pit", "record: pitt", at: "pitt"),
        Break(.unknownName, "exports/pits.yaml", "number: pit_number", "number: pit_numbers", at: "pit_numbers"),
        Break(.unknownName, "exports/all.yaml", "exports: [pits]", "exports: [all]", at: "exports: [all]"),
        Break(.unknownName, "jobs/monthly.yaml", "export: pits", "export: pit", at: "export: pit"),
        Break(.unknownName, "entities/pits.yaml", "type: date}", "type: date, setBy: DRAFT}", at: "DRAFT}"),
        Break(.unknownName, "jobs/monthly.yaml", "states: [DONE]", "states: [OVER]", at: "OVER"),
        Break(.badPath, "entities/pits.yaml", "key: [code]", "key: [kode]", at: "kode"),
        Break(.badPath, "entities/pits.yaml", "[[work_id, dug_on]]", "[[work_id, dug]]", at: "dug]]"),
        Break(.badPath, "entities/layers.yaml", "project: pit_id.work_id", "project: pit_id.work", at: "project"),
        Break(.badPath, "exports/pits.yaml", "field: work_id.code", "field: work_id.cod", at: "work_id.cod,"),
        Break(.badPath, "exports/pits.yaml", "order: [work_id.code, code]", "order: [work_id.code, cod]", at: "cod]"),
        Break(.badPath, "rules/layers.yaml", "field: to_m", "field: too_m", at: "too_m"),
        Break(.badPath, "rules/layers.yaml", "min: layer_min", "min: layer_mni", at: "layer_mni"),
        Break(.badPath, "exports/pits.yaml", "eachName: code", "eachName: kode", at: "kode"),
        Break(.notReference, "exports/pits.yaml", "order: [work_id.code, code]", "order: [code.work_id]", at: "code.work_id"),
        Break(
            .notReference, "exports/pits.yaml", "order: [work_id.code, code]", "order: [layer_ids.number]", at: "layer_ids.number"),
        Break(.reservedName, "entities/pits.yaml", "name: is_wet", "name: sync_state", at: "sync_state"),
        Break(.fileName, "pack.yaml", "name: pits", "name: pots", at: "name: pots"),
        Break(.fileName, "jobs/monthly.yaml", "job: monthly", "job: weekly", at: "weekly"),
        // Mistakes in values that do not fit together.
        Break(.newerFormat, "pack.yaml", "format: 1", "format: 2", at: "format"),
        Break(.badPattern, "entities/pits.yaml", "'C-\\d{3}'", "'C-(\\d{3}'", at: "C-("),
        Break(.badPattern, "vocabularies/codes.yaml", "'[A-Z]{2}/[A-Z]{2}'", "'[A-Z'", at: "also"),
        Break(.unfitKey, "entities/pits.yaml", "{name: dug_on, type: date}", "{name: dug_on, type: date, min: 1}", at: "min: 1}"),
        Break(
            .unfitKey, "entities/layers.yaml", "references: pits, deletesWithParent", "deletesWithParent", at: "deletesWithParent"),
        Break(.range, "entities/pits.yaml", "max: 30", "max: 0", at: "max: 0"),
        Break(.range, "entities/pits.yaml", "minLength: 5", "minLength: 6", at: "minLength"),
        Break(.range, "jobs/monthly.yaml", "to: 2025-12-31", "to: 2024-12-31", at: "to: 2024"),
        Break(.range, "rules/layers.yaml", "min: layer_min", "min: 21", at: "max: 20"),
        Break(
            .firstField, "entities/works.yaml", "{name: id, type: uuid, required: true}", "{name: id, type: text, required: true}",
            at: "name: id"),
        Break(.wrongField, "pack.yaml", "date: dug_on", "date: code", at: "date: code"),
        Break(.wrongField, "pack.yaml", "state: status", "state: code", at: "state: code"),
        Break(.wrongField, "pack.yaml", "{entity: layers, by: pit_id}", "{entity: layers, by: number}", at: "by: number"),
        Break(
            .wrongField, "pack.yaml", "{entity: layers, by: pit_id}", "{entity: layers, by: layer_min, list: true}",
            at: "by: layer_min"),
        Break(.wrongField, "entities/pits.yaml", "within: work_id", "within: code", at: "within"),
        Break(.wrongField, "entities/pits.yaml", "project: work_id", "project: id", at: "project: id"),
        Break(.wrongField, "entities/layers.yaml", "path: form", "path: soil", at: "path: soil"),
        Break(
            .wrongField, "entities/layers.yaml", "scope: type}", "scope: type, version: pit_id.work_id.title}",
            at: "version: pit_id.work_id.title"),
        Break(.badPath, "entities/layers.yaml", "scope: type}", "scope: type, version: pit_id.work_id.forms}", at: "version: pit_id.work_id.forms"),
        Break(.wrongField, "exports/pits.yaml", "[number, soil]", "[{parameters: soil, scope: type}]", at: "parameters"),
        Break(.wrongField, "exports/pits.yaml", "[number, soil]", "[{parameters: values_json, scope: type}]", at: "parameters"),
        Break(.wrongField, "rules/layers.yaml", "min: layer_min", "min: code", at: "min: code"),
        Break(.columnName, "exports/pits.yaml", "name: work_code, label", "label", at: "work_id.code, label"),
        Break(
            .partWay, "pack.yaml", "root: pits\n    state: status\n    date: dug_on\n    parts:\n      - {entity: layers, by: pit_id}",
            "root: works\n    parts:\n      - {entity: layers, by: pit_id.work_id}", at: "by: pit_id.work_id"),
        Break(.sheetEntity, "exports/pits.yaml", "entity: layers", "entity: works", at: "entity: works"),
        Break(.unfitFormat, "exports/pits.yaml", "formats: [xlsx, csv]", "formats: [xlsx, csv, zip]", at: "formats"),
        Break(.unfitFormat, "exports/all.yaml", "formats: [csv]", "formats: [xml]", at: "formats: [xml]"),
        Break(.unfitFormat, "jobs/monthly.yaml", "formats: [xlsx]", "formats: [xlsx, xml]", at: "xml"),
        Break(.noExportedState, "jobs/monthly.yaml", "formats: [xlsx]", "formats: [csv]", at: "markExported"),
        Break(
            .noExportedState, "entities/pits.yaml", "  exported: {from: DONE, to: SENT}\n", "",
            at: "*jobs/monthly.yaml markExported"),
        Break(.secretSeen, "pack.yaml", "sees: [public]", "sees: [public, secret]", at: "CAMPO"),
        Break(.sql, "rules/layers.yaml", "SELECT id, from_m", "DELETE", at: "sql"),
        Break(.sql, "rules/layers.yaml", "from_m > 0;", "from_m > 0; DROP TABLE x", at: "sql"),
        Break(.unknownName, "rules/layers.yaml", "SELECT id, from_m", "SELECT id, :yesterday AS from_m", at: "sql"),
        Break(
            .unknownName, "rules/layers.yaml", "entity: layers\n    severity: warning\n    check: query", "entity: works\n    severity: warning\n    check: query\n    scope: record",
            at: "scope"),
        // Mistakes in texts.
        Break(.missingText, "texts/es.yaml", "job.monthly: text of job.monthly\n", "", at: ""),
        Break(.unknownText, "texts/es.yaml", "job.monthly: ", "job.mothly: x\njob.monthly: ", at: "mothly"),
        Break(.unknownText, "exports/pits.yaml", ", label: label.work", "", at: "*texts/en.yaml label.work", count: 2),
        Break(.emptyText, "texts/es.yaml", "job.monthly: text of job.monthly", "job.monthly: ' '", at: "job.monthly"),
        Break(.placeholder, "texts/es.yaml", "{key} begins at {from_m}", "{key} begins at {from}", at: "{from}"),
        Break(.unlikePlaceholders, "texts/en.yaml", "{key} begins at {from_m}", "{key} begins", at: "\"{key} begins\""),
        Break(.placeholder, "jobs/monthly.yaml", "{export}", "{exprot}", at: "exprot"),
        // Mistakes in expressions.
        Break(.expressionEnd, "rules/layers.yaml", "to_m > from_m", "to_m >", at: "to_m >"),
        Break(.expressionUnexpected, "rules/layers.yaml", "to_m > from_m", "to_m > > from_m", at: "to_m > >"),
        Break(.expressionQuote, "rules/layers.yaml", "!= 'DRAFT'", "!= 'DRAFT", at: "DRAFT"),
        Break(.expressionFunction, "rules/layers.yaml", "to_m > from_m", "max(to_m) > 1", at: "max(to_m)"),
        Break(.expressionArguments, "rules/layers.yaml", "to_m > from_m", "round(to_m, 1, 2) > 1", at: "round"),
        Break(.expressionLimit, "rules/layers.yaml", "to_m > from_m", String(repeating: "(", count: 200), at: "(((("),
        Break(.expressionField, "rules/layers.yaml", "pit_id.status", "pit_id.statu", at: "statu"),
        Break(.expressionReference, "rules/layers.yaml", "pit_id.status", "number.status", at: "number.status"),
        Break(.expressionType, "rules/layers.yaml", "to_m > from_m", "to_m > soil", at: "to_m > soil"),
        Break(.expressionOperand, "rules/layers.yaml", "to_m > from_m", "to_m + soil > 1", at: "to_m + soil"),
        Break(.expressionNull, "pack.yaml", "when: code != ''", "when: code != null", at: "null"),
        Break(.expressionDay, "pack.yaml", "when: code != ''", "when: code != today()", at: "today()"),
        Break(
            .expressionCondition, "entities/pits.yaml", "requiredWhen: \"status = 'DONE'\"", "requiredWhen: depth_m", at: "depth_m"),
        Break(.expressionField, "jobs/monthly.yaml", "where: depth_m", "where: deep_m", at: "deep_m"),
        Break(.expressionField, "exports/pits.yaml", "finalWhen: code", "finalWhen: status", at: "status"),
    ]

    /// A period that can choose nothing is told where it is used; a step may say that it chooses none.
    @Test func aPeriodNeedsADate() throws {
        let undated = SamplePack().replacing("    date: dug_on\n", with: "", in: "pits/pack.yaml")
        func mistakes(_ job: String, _ step: String = "") throws -> [PackMistake] {
            try undated.replacing("job: monthly\n", with: "job: monthly\nperiod: last-month\n" + job, in: "pits/jobs/monthly.yaml")
                .replacing("    from: 2025-01-01\n    to: 2025-12-31\n", with: step, in: "pits/jobs/monthly.yaml").mistakes()
        }
        let told = try #require(try mistakes("").first)
        #expect(told.code == .undated && told.file == "pits/jobs/monthly.yaml" && told.arguments == ["name": "pits", "record": "pit"])
        for language in Language.allCases {
            #expect(told.message(Texts.shipped, language).contains("date") && !told.line(Texts.shipped, language).contains("{"))
        }
        #expect(try mistakes("records: all\n").isEmpty && mistakes("", "    records: all\n").isEmpty)
        #expect(try mistakes("records: all\n", "    records: until\n").map(\.code) == [.undated])
    }

    @Test func sheetsMayHaveHyphens() throws {
        let sample = SamplePack().replacing("sheet: layers", with: "sheet: pit-layers", in: "pits/exports/pits.yaml")
        #expect(try sample.mistakes().map(\.code).filter { $0 != .missingText && $0 != .unknownText } == [])
    }

    /// A pack without texts is one line, and other mistakes are not lost among hundreds.
    @Test func missingTextsAreToldTogether() throws {
        let missing = ["a", "b", "c", "d", "e"].map {
            PackMistake(.missingText, at: PackPlace(file: "p/texts/es.yaml"), ["key": $0, "language": "es"])
        }
        let other = PackMistake(.missingKey, at: PackPlace(file: "p/x.yaml"), ["key": "name"])
        let lines = PackFailure(pack: "p", mistakes: [other] + missing).lines(Texts.shipped, .english)
        #expect(lines.count == 2 && lines[1].contains("“a, b, c, … + 2”"), "\(lines)")
        #expect(PackFailure(pack: "p", mistakes: Array(missing.prefix(3))).lines(Texts.shipped, .english).count == 3)
    }

    /// A wrong name that hundreds of places use is not hundreds of lines.
    @Test func manyOfOneKindAreCounted() throws {
        let many = (1...300).map { PackMistake(.unknownKey, at: PackPlace(file: "p/x.yaml", line: $0), ["key": "a"]) }
        let other = PackMistake(.missingKey, at: PackPlace(file: "p/y.yaml"), ["key": "name"])
        let lines = PackFailure(pack: "p", mistakes: many + [other]).lines(Texts.shipped, .english)
        #expect(lines.count == 7 && lines[6].contains("295 more like this [PACK-UNKNOWN-KEY]"), "\(lines)")
    }

    @Test(arguments: breaks) func isFoundWhereItStands(_ broken: Break) throws {
        let mistake = try broken.found(in: SamplePack())
        #expect((mistake.column > 0) == (mistake.line > 0))
    }

    @Test func everyMistakeOfTheListIsTried() {
        // Queries are compiled by a replica (PackTrialTests).
        let elsewhere: Set<PackMistake.Code> = [.missingFile, .unknownFile, .notUTF8, .tooBig, .yaml, .anchor, .cycle, .query, .undated]
        #expect(Set(Self.breaks.map(\.code)).union(elsewhere) == Set(PackMistake.Code.allCases))
    }

    /// The checks give a value for every placeholder of a message.
    @Test(arguments: breaks) func speaksThreeLanguagesWithoutGaps(_ broken: Break) throws {
        let mistakes = try SamplePack().replacing(broken.old, with: broken.new, in: broken.file).mistakes()
        for mistake in mistakes.filter({ $0.code == broken.code && $0.code != .placeholder }) {
            let spoken = Language.allCases.map { mistake.message(Texts.shipped, $0) }
            #expect(Set(spoken).count == 3)
            for text in spoken + Language.allCases.map({ mistake.remedy(Texts.shipped, $0) }) {
                let gaps = text.matches(
                    of:
                        /\{(key|name|kind|known|allowed|expected|found|hint|path|entity|part|expression|position|target|line|other)\}/
                )
                #expect(gaps.isEmpty, "\(text)")
            }
        }
    }

    @Test func columnsPointIntoExpressions() throws {
        let mistakes = try SamplePack().replacing("to_m > from_m", with: "to_m > form_m", in: "pits/rules/layers.yaml").mistakes()
        #expect(mistakes.map(\.column) == [21])
        #expect(mistakes.first?.arguments["nearest"] == "from_m")
    }

    @Test func requiredReferencesMustNotRunInACircle() throws {
        let cyclic = SamplePack()
            .replacing(
                "{name: title, type: text}",
                with: "{name: title, type: text}\n  - {name: pit_id, type: uuid, required: true, references: pits}",
                in: "pits/entities/works.yaml"
            )
            .replacing("job.monthly:", with: "field.works.pit_id: a\njob.monthly:", in: "pits/texts/es.yaml")
            .replacing("job.monthly:", with: "field.works.pit_id: a\njob.monthly:", in: "pits/texts/en.yaml")
        let mistakes = try cyclic.mistakes()
        #expect(mistakes.map(\.code) == [.cycle])
        #expect(mistakes.first?.arguments["path"]?.split(separator: " → ").count == 3)
        // References that are not required may form a ring.
        #expect(
            try cyclic.replacing("required: true, references: pits", with: "references: pits", in: "pits/entities/works.yaml")
                .mistakes().isEmpty)
    }
}
