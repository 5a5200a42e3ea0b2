import Foundation
import Testing

@testable import Model
@testable import Packs

/// Templates of reports: what they mean, and where a wrong word in them is reported.
@Suite struct ReportTemplateTests {
    /// The sample pack with a report that uses every kind of name.
    static let sample: SamplePack = {
        var pack = SamplePack()
        pack.files["pits/reports/sheet/report.yaml"] = """
            report: sheet
            record: pit
            formats: [pdf, xlsx]
            paper: {size: A3, landscape: true, margin: 10}
            code: {revision: dug}
            queries:
              pits:
                entity: pits
                fields: [code, depth_m, status, {field: code, name: dug}, {field: work_id.title, name: work}, {count: layers, by: pit_id, name: layer_count}]
                where: depth_m > 1
                order: [code]
              layers:
                entity: layers
                fields: [number, from_m, to_m, soil]
                of: {pit_id: id}
              soils:
                sql: |
                  SELECT soil, count(*) AS n, 'a' AS kind FROM layers WHERE pit_id IN (SELECT id FROM selected) AND ':no' != :project GROUP BY soil
                columns: {soil: {like: layers.soil, withinSentence: true}, n: integer, kind: {type: text, texts: kind}}
            sections:
              - section: pits
                each: pits
                title: '{code} · {work}'
                blocks:
                  - {block: title, text: heading, level: 2}
                  - block: fields
                    items: [code, {value: depth_m * 100, label: centimetres, type: decimal, decimals: 0, unit: cm}]
                  - {block: log, query: layers, from: from_m, to: to_m, symbol: soil, description: soil, total: depth_m, empty: nothing}
                  - {block: page, file: note.mustache, when: depth_m > 2}
                  - block: table
                    title: '{code}: {count}, {max(to_m)} m, {min(soil)}'
                    query: layers
                    columns: [number, {column: to_m, link: pits}]
                    totals: {to_m: max}
                    tones: [{when: from_m > to_m, tone: danger}]
              - section: whole
                title: title
                blocks:
                  - {block: chart, query: soils, kind: pie, category: soil, values: [n]}
                  - {block: chart, query: pits, kind: columns, category: code, values: [{column: depth_m, label: centimetres}], reversed: true}
                  - {block: calendar, query: pits, day: dug, value: depth_m, steps: [0.5, 1], marks: [{when: depth_m > 1, mark: '!', label: nothing}]}
                  - {block: picture, file: logo.png}
              - section: states
                each: pits
                forEach: status
                title: '{status}'
                blocks: [{block: pageBreak}]

            """
        pack.files["pits/reports/sheet/es.yaml"] = "title: 'Ficha'\nheading: 'Pozo {code}'\ncentimetres: 'Hondo'\nnothing: 'Nada'\nkind.a: 'A'\n"
        pack.files["pits/reports/sheet/en.yaml"] = "title: 'Sheet'\nheading: 'Pit {code}'\ncentimetres: 'Deep'\nnothing: 'Nothing'\nkind.a: 'A'\n"
        pack.files["pits/reports/sheet/note.mustache"] = "{{#depth_m}}{{code}}{{/depth_m}}{{! said }}{{^work}}-{{/work}}"
        pack.files["pits/reports/sheet/logo.png"] = "PNG"
        return pack
    }()

    @Test func aTemplateIsRead() throws {
        let report = try #require(try Self.sample.load().report("sheet"))
        #expect(report.formats == [.pdf, .xlsx])
        #expect(report.paper == ReportPaper(size: .a3, isLandscape: true, margin: 10))
        #expect(report.query("pits")?.columns.map(\.name) == ["id", "code", "depth_m", "status", "dug", "work", "layer_count"])
        #expect(report.query("pits")?.column("depth_m")?.unit == "m")
        #expect(report.query("soils")?.column("soil")?.vocabulary == "codes")
        #expect(report.query("soils")?.column("soil")?.isWithinSentence == true && report.query("pits")?.column("status")?.isWithinSentence == false)
        #expect(report.query("soils")?.column("kind")?.texts == "kind")
        #expect(report.query("project")?.column("title") != nil, "every field of the project's row is there")
        #expect(report.sections.map(\.each) == ["pits", nil, "pits"] && report.sections.map(\.forEach) == [nil, nil, "status"])
        #expect(report.sections[0].blocks.map(\.name) == ["title", "fields", "log", "page", "table"])
        #expect(report.sections[0].blocks[0].template.text("text") == "heading")
        #expect(report.pages["note.mustache"]?.hasPrefix("{{#depth_m}}") == true)
        #expect(report.policy == .mark)
        #expect(report.code?.revision == "dug")
    }

    @Test func anotherLookIsAnotherPack() throws {
        var other = Self.sample
        other.files["pits/reports/sheet/note.mustache"] = "{{code}}"
        #expect(try Self.sample.load().fingerprint != other.load().fingerprint)
    }

    static let breaks: [Break] = [
        Break(.unknownKey, "reports/sheet/report.yaml", "each: pits", "foreach: pits", at: "foreach"),
        Break(.unfitKey, "reports/sheet/report.yaml", "value: depth_m, steps", "value: depth_m, weight: depth_m, steps", at: "depth_m, steps"),
        Break(.unknownName, "reports/sheet/report.yaml", "each: pits", "each: pitts", at: "each: pitts"),
        Break(.unknownName, "reports/sheet/report.yaml", "{revision: dug}", "{revision: digged}", at: "revision: digged"),
        Break(.unknownKey, "reports/sheet/report.yaml", "{revision: dug}", "{version: dug}", at: "version"),
        Break(.unknownName, "reports/sheet/report.yaml", "record: pit", "record: pot", at: "record: pot"),
        Break(.unknownName, "reports/sheet/report.yaml", "items: [code,", "items: [cod,", at: "items: [cod,"),
        Break(.unknownName, "reports/sheet/report.yaml", "'{code} · {work}'", "'{code} · {wrk}'", at: "{wrk}"),
        Break(.unknownName, "reports/sheet/report.yaml", "text: heading", "text: headng", at: "headng"),
        Break(.unknownName, "reports/sheet/report.yaml", "total: depth_m", "total: deep_m", at: "total: deep_m"),
        Break(.unknownName, "reports/sheet/report.yaml", "symbol: soil", "symbol: sol", at: "symbol: sol"),
        Break(.unknownName, "reports/sheet/report.yaml", "{max(to_m)}", "{max(too_m)}", at: "max(too_m)"),
        Break(.unknownName, "reports/sheet/report.yaml", "{max(to_m)}", "{most(to_m)}", at: "most(to_m)"),
        Break(.unknownName, "reports/sheet/report.yaml", "items: [code,", "items: [{text: '{count}', label: title},", at: "items: [{text"),
        Break(.wrongField, "reports/sheet/report.yaml", "{min(soil)}", "{mean(soil)}", at: "mean(soil)"),
        Break(.unknownName, "reports/sheet/report.yaml", "link: pits", "link: whole", at: "link: whole"),
        Break(.unknownName, "reports/sheet/report.yaml", "totals: {to_m", "totals: {too_m", at: "too_m"),
        Break(.unknownName, "reports/sheet/report.yaml", "values: [n]", "values: [m]", at: "values: [m]"),
        Break(.unknownName, "reports/sheet/report.yaml", "{column: depth_m, label", "{column: deep_m, label", at: "{column: deep_m"),
        Break(.unknownName, "reports/sheet/report.yaml", "depth_m, label: centimetres}]", "depth_m, label: metres}]", at: "label: metres"),
        Break(.wrongType, "reports/sheet/report.yaml", "steps: [0.5, 1]", "steps: [half, 1]", at: "half"),
        Break(.unknownName, "reports/sheet/report.yaml", "day: dug", "day: dag", at: "day: dag"),
        Break(.expressionField, "reports/sheet/report.yaml", "when: depth_m > 1,", "when: deep_m > 1,", at: "deep_m"),
        Break(.unknownName, "reports/sheet/report.yaml", "forEach: status", "forEach: state", at: "forEach: state"),
        Break(.missingKey, "reports/sheet/report.yaml", "    each: pits\n    forEach: status", "    forEach: status", at: "section: states"),
        Break(.unknownName, "reports/sheet/report.yaml", "like: layers.soil", "like: layers.sol", at: "layers.sol"),
        Break(.unknownName, "reports/sheet/report.yaml", "texts: kind", "texts: knd", at: "texts: knd"),
        Break(.unknownName, "reports/sheet/report.yaml", "of: {pit_id: id}", "of: {pit_id: idd}", at: "block: log", count: 2),
        Break(.unknownName, "reports/sheet/note.mustache", "{{code}}", "{{cod}}", at: "*reports/sheet/report.yaml file: note.mustache"),
        Break(.unknownName, "reports/sheet/es.yaml", "Pozo {code}", "Pozo {cod}", at: "*reports/sheet/report.yaml text: heading"),
        Break(.badPath, "reports/sheet/report.yaml", "of: {pit_id", "of: {pt_id", at: "pt_id"),
        Break(.expressionField, "reports/sheet/report.yaml", "when: depth_m > 2", "when: deep_m > 2", at: "deep_m"),
        Break(.expressionField, "reports/sheet/report.yaml", "when: from_m > to_m", "when: form_m > to_m", at: "form_m"),
        Break(.expressionOperand, "reports/sheet/report.yaml", "depth_m * 100", "code * 100", at: "code * 100"),
        Break(.sql, "reports/sheet/report.yaml", "SELECT soil, count(*)", "DELETE FROM layers; SELECT soil, count(*)", at: "sql: |"),
        Break(.unfitFormat, "reports/sheet/report.yaml", "formats: [pdf, xlsx]", "formats: [pdf, zip]", at: "zip"),
        Break(.missingFile, "reports/sheet/report.yaml", "file: logo.png", "file: lgo.png", at: "lgo.png"),
        Break(.missingText, "reports/sheet/en.yaml", "title: 'Sheet'\n", "", at: ""),
        Break(.fileName, "reports/sheet/report.yaml", "report: sheet", "report: sheets", at: "report: sheets"),
        Break(.duplicateName, "reports/sheet/report.yaml", "report: sheet", "report: pits", at: "report: pits"),
        Break(.missingKey, "reports/sheet/report.yaml", "label: centimetres, ", "", at: "value: depth_m * 100"),
        Break(.exclusive, "reports/sheet/report.yaml", "columns: [number, {column: to_m,", "columns: [number, {column: to_m, text: nothing,", at: "text: nothing"),
    ]

    @Test(arguments: breaks) func aMistakeIsFoundWhereItStands(_ broken: Break) throws {
        let mistake = try broken.found(in: Self.sample)
        for language in Language.allCases {
            #expect(
                !mistake.line(Texts.shipped, language).contains("{name}")
                    && !mistake.line(Texts.shipped, language).contains("{kind}"))
        }
    }

    /// The sample pack has two languages; a text of the pack needs no third.
    @Test func aTextOfThePackIsNeededInThePacksLanguagesOnly() throws {
        let label = Self.sample.replacing("label: centimetres, ", with: "label: entity.pits, ", in: "pits/reports/sheet/report.yaml")
        #expect(try label.mistakes().map(\.code) == [])
        let wrong = Self.sample.replacing("label: centimetres, ", with: "label: entity.pitts, ", in: "pits/reports/sheet/report.yaml")
        let mistake = try #require(try wrong.mistakes().first)
        #expect(mistake.code == .unknownName && mistake.arguments["nearest"] == "entity.pits", "texts of the pack are known too")
    }

    @Test func aFolderWithoutATemplateIsReported() throws {
        var pack = Self.sample
        pack.files["pits/reports/other/es.yaml"] = "title: 'x'\n"
        #expect(try pack.mistakes().map(\.code) == [.missingFile])
    }

    @Test func aFileThatNobodyReadsIsReported() throws {
        #expect(try Self.sample.adding("pits/reports/sheet/notes.txt", "x").mistakes().map(\.code) == [.unknownFile])
    }

    @Test(arguments: [
        ("SELECT :a, ':b', \":c\" -- :d\n, :e_1, :a", ["a", "e_1"]), ("SELECT 1", []), ("SELECT a::b", ["b"]), ("SELECT /* :x */ :y /* :z", ["y"]),
    ])
    func parametersAreFound(_ sql: String, _ names: [String]) {
        #expect(ReportParameters.names(in: sql) == names)
    }

    @Test(arguments: [
        ("{{a}} {{{b}}} {{& c}}", ["a", "b", "c"]), ("{{#a}}{{.}}{{/a}}", ["a"]), ("{{! a }}{{^ b }}x{{/ b }}", ["b"]), ("{{a", []),
        ("text", []),
    ])
    func tagsAreFound(_ template: String, _ names: [String]) {
        #expect(MustacheTags.names(in: template) == names)
    }
}
