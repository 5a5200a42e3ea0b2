import Foundation
import Photos
import Testing

@testable import Blocks
@testable import Model

/// A template and rows become sections. Texts are filled in, values are written as people read
/// them, groups end with their totals, and the totals are right.
@Suite struct AssemblerTests {
    /// Gives rows of named queries from memory. It remembers which values were bound to each query.
    private final class Rows: ReportSource {
        let rows: [String: [[MemoryRows.Value]]]
        var asked: [(String, [String: MemoryRows.Value])] = []

        init(_ rows: [String: [[MemoryRows.Value]]]) { self.rows = rows }

        func rows(of query: ReportQuery, parameters: [String: MemoryRows.Value]) throws -> any RowSource {
            asked.append((query.name, parameters))
            return MemoryRows(columnCount: query.columns.count, rows: rows[query.name] ?? [])
        }
    }

    private static let columns: [QueryColumn] = [
        .init(name: "id", type: .uuid), .init(name: "code", type: .text, label: "code"), .init(name: "depth", type: .decimal, decimals: 2, unit: "m", label: "depth"),
        .init(name: "status", type: .text, label: "status", vocabulary: "states"), .init(name: "day", type: .date, label: "day"),
    ]

    private static let states = Vocabulary(name: "states", entries: [.init(value: "NEW", tint: .grey), .init(value: "OK", tint: .green), .init(value: "OLD")])

    private static let texts = Texts([
        .spanish: [
            "code": "Código", "depth": "Profundidad", "status": "Estado", "day": "Fecha", "report.r.heading": "Calicata {code} de {depth} m",
            "vocabulary.states.OK": "Aprobado", "word.yes": "Sí", "word.no": "No",
        ]
    ])

    private func sections(
        _ blocks: [ReportBlock], each: String? = nil, forEach: String? = nil, rows: [String: [[MemoryRows.Value]]], pages: [String: String] = [:], code: PackNode? = nil
    ) throws -> (sections: [SectionContent], source: Rows) {
        let sql = ReportQuery.Source.sql("SELECT 1")
        var definition = ReportDefinition(
            name: "r", record: "pit", formats: [.pdf],
            queries: ["pits", "project"].map { ReportQuery(name: $0, source: sql, columns: Self.columns) },
            sections: [ReportSection(name: "s", each: each, forEach: forEach, title: ReportText(forEach.map { "{\($0)}" } ?? "{code}"), begins: .page, blocks: blocks)], pages: pages)
        definition.code = code.map(ReportCode.init)
        let pack = Pack(
            name: "p", version: "1", fingerprint: "", directory: URL(fileURLWithPath: "/"), languages: [.spanish], environments: ["DEV"], timeZone: "America/Lima",
            privacyClasses: ["public"], roles: [], project: ProjectNaming(entity: "x", code: "code", name: "code"), entities: [], vocabularies: [Self.states], records: [],
            numberings: [], rules: [], exports: [], jobs: [], texts: Self.texts)
        let source = Rows(rows)
        let head = DocumentHead(
            title: "", project: "", brand: Brand(name: ""), environmentBanner: nil, draftBanner: nil, language: .spanish,
            timeZone: TimeZone(identifier: "America/Lima") ?? .gmt, asOf: Date(timeIntervalSince1970: 1_767_225_600), day: "", author: "",
            words: ReportWords { ["word.report.total": "Total", "word.report.subtotal": "Subtotal {group}"][$0] ?? $0 })
        let shelf = PhotoShelf(folder: PhotoFolder(beside: "/nowhere/x.db"), longestSide: 100, words: head.words) { _, _ in nil }
        let assembler = ReportAssembler(definition, pack: pack, head: head, source: source, photos: shelf, scope: nil)
        var made: [SectionContent] = []
        try assembler.forEachSectionAhead { made.append($0) }
        return (made, source)
    }

    private static let pits: [[MemoryRows.Value]] = [
        [.text("a"), .text("C-01"), .real(1.5), .text("OK"), .text("2025-03-04")], [.text("b"), .text("C-02"), .real(2.675), .text("NEW"), .null],
        [.text("c"), .text("C-03"), .null, .text("OK"), .text("2025-03-05")],
    ]

    @Test func aSectionForEachRowSeesThatRow() throws {
        let result = try sections([ReportBlock("title", ["text": "heading"])], each: "pits", rows: ["pits": Self.pits, "project": [Self.pits[0]]])
        #expect(result.sections.map(\.title) == ["C-01", "C-02", "C-03"])
        #expect(result.sections.map(\.anchor) == ["s/a", "s/b", "s/c"])
        let texts = result.sections.map { ($0.blocks.first as? TitleContent)?.text }
        #expect(texts == ["Calicata C-01 de 1.50 m", "Calicata C-02 de 2.68 m", "Calicata C-03 de  m"])
    }

    @Test func identityTellsDraftsApart() throws {
        let block = ReportBlock("identity", ["draft": "status = 'NEW'", "items": ["code", ["column": "depth", "span": "2"]]])
        let result = try sections([block], each: "pits", rows: ["pits": Self.pits, "project": [Self.pits[0]]])
        #expect(result.sections.map { $0.identity?.isDraft } == [false, true, false])
        #expect(result.sections[0].identity?.items.map(\.cell.text) == ["C-01", "1.50 m"])
        #expect(result.sections[2].identity?.items.map(\.cell.text) == ["C-03", "—"])
    }

    /// One scale serves all pits; a single very deep one takes further pages instead.
    @Test func theScaleOfLogsFollowsAllPits() throws {
        let block = ReportBlock("log", ["query": "pits", "from": "depth", "to": "depth", "symbol": "code", "description": "code", "total": "depth", "empty": "heading"])
        let depths = [1.5, 2.4, 2.0, 30]
        let rows = depths.enumerated().map { [MemoryRows.Value.text("\($0)"), .text("C"), .real($1), .null, .null] }
        let result = try sections([block], each: "pits", rows: ["pits": rows, "project": [Self.pits[0]]])
        #expect(result.sections.map { ($0.blocks[0] as? LogContent)?.usualDepth } == [4.8, 4.8, 4.8, 4.8])
        let usual = try sections([block], each: "pits", rows: ["pits": Array(rows.prefix(3)), "project": [Self.pits[0]]])
        #expect((usual.sections[0].blocks[0] as? LogContent)?.usualDepth == 2.4)
    }

    @Test func marksComeFromAQueryOfTheirOwn() throws {
        let track: PackNode = ["query": "pits", "label": "heading", "from": "depth", "mark": ["column": "code"]]
        let block = ReportBlock("log", ["query": "pits", "from": "depth", "to": "depth", "symbol": "code", "description": "code", "empty": "heading", "tracks": [track]])
        let log = try #require(try sections([block], rows: ["pits": Self.pits, "project": []]).sections[0].blocks[0] as? LogContent)
        #expect(log.tracks.map { $0.marks.map(\.label) } == [["C-01", "C-02"]])
        #expect(log.unplaced == ["C-03 · C-03"], "a layer without depths is not lost")
    }

    @Test func aSectionForEachValueSeesItsFirstRow() throws {
        let rows = Self.pits + [[.text("d"), .text("C-04"), .real(1), .null, .null], [.text("e"), .text("C-05"), .real(1), .null, .null]]
        let table = ReportBlock("table", ["query": "pits", "columns": ["code"]])
        let result = try sections([table], each: "pits", forEach: "status", rows: ["pits": rows, "project": []])
        // Rows without a value have a section too.
        #expect(result.sections.map(\.title) == ["Aprobado", "NEW", "word.report.none"])
        #expect(result.sections.map(\.anchor) == ["s/OK", "s/NEW", "s"])
        #expect(result.source.asked.suffix(3).map { $0.1["status"] } == [.text("OK"), .text("NEW"), .null])
    }

    @Test func aChartsSeriesHaveTitlesAndItsAxisMayPointDown() throws {
        func chart(_ keys: PackNode, kind: PackNode = "columns", rows: [[MemoryRows.Value]] = Self.pits) throws -> ChartContent? {
            let own: PackNode = ["query": "pits", "kind": kind, "category": "code"]
            return try sections([ReportBlock("chart", .keys(own.pairs + keys.pairs))], rows: ["pits": rows, "project": [Self.pits[0]]]).sections[0].blocks.first as? ChartContent
        }
        let plain = try #require(try chart(["values": ["depth"]]))
        #expect(plain.series.map(\.name) == ["Profundidad"] && plain.measure == "Profundidad (m)" && !plain.isReversed)
        let titled = try #require(try chart(["values": [["column": "depth", "label": "heading"], "depth"], "reversed": "true"]))
        #expect(titled.series.map(\.name) == ["Calicata C-01 de 1.50 m", "Profundidad"] && titled.isReversed)
        // The axis of several columns has what they share.
        #expect(titled.measure == "m")
        let split = try #require(try chart(["values": [["column": "depth", "label": "{code}!"]], "split": "status"]))
        #expect(split.series.map(\.name) == ["Aprobado · C-01!", "NEW · C-01!"])
        // Bars are as high as their names need, and a few are no beams. A chart without rows keeps its title.
        let many = (1...30).map { [MemoryRows.Value.text("\($0)"), .text("C-\($0)"), .real(1), .null, .null] }
        let heights = try [1, 30].map { try chart(["values": ["depth"], "height": "60"], kind: "bars", rows: Array(many.prefix($0)))?.millimetres }
        #expect(try #require(heights[0]) < 30 && #require(heights[1]) > 100, "\(heights)")
        let empty = try #require(try chart(["values": ["depth"], "title": "heading"], rows: []))
        #expect(empty.title == "Calicata C-01 de 1.50 m" && empty.categories.isEmpty)
    }

    @Test func queriesAreBoundToTheSectionsRow() throws {
        let table = ReportBlock("table", ["query": "pits", "columns": ["code"]])
        let result = try sections([table], each: "pits", rows: ["pits": Self.pits, "project": [Self.pits[0]]])
        let bound = result.source.asked.dropFirst(2).map { $0.1["id"] }
        #expect(bound == [.text("a"), .text("b"), .text("c")])
        #expect(result.source.asked.last?.1["today"] == .text("2025-12-31"))
        #expect(result.source.asked.last?.1["language"] == .text("es"))
    }

    /// What goes along with the pages is what the queries gave, as it is stored, each query once.
    @Test func aSectionsDataAreTheRowsThatItShows() throws {
        let table = ReportBlock("table", ["query": "pits", "columns": ["code"]])
        let rows: [String: [[MemoryRows.Value]]] = ["pits": [Self.pits[1], [.text("ñ/1"), .text("\"C\""), .real(3), .null, .null]], "project": []]
        let made = try sections([table, table], each: "pits", rows: rows).sections.compactMap(\.data)
        let first = #"{"id":"b","code":"C-02","depth":2.675,"status":"NEW","day":null}"#
        let second = #"{"id":"ñ/1","code":"\"C\"","depth":3,"status":null,"day":null}"#
        let head = #"{"format":"fichero-report-data","version":1,"system":"p","report":"r","section":"#
        #expect(
            made.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                head + #""s/b","row":\#(first),"queries":{"pits":[\#(first),\#(second)]}}"# + "\n",
                head + #""s/ñ/1","row":\#(second),"queries":{"pits":[\#(first),\#(second)]}}"# + "\n",
            ])
        #expect(made.map(\.name) == ["s-b.json", "s-%C3%B1-1.json"])
        // The template asks for no code.
        #expect(made.allSatisfy { $0.code == nil })
    }

    @Test func aCodeSaysSectionRevisionAndSum() throws {
        let table = ReportBlock("table", ["query": "pits", "columns": ["code"]])
        let rows = ["pits": [Self.pits[0], [.text("A1"), .text("C-09"), .null, .null, .null]], "project": []]
        let made = try sections([table], each: "pits", rows: rows, code: ["revision": "day"]).sections.compactMap(\.data)
        #expect(made[0].code == "FICHERO:S/A/REV/2025-03-04/SHA256/\(made[0].sha256.uppercased())")
        // A capital letter is told from a small one; a record without a revision has none.
        #expect(made[1].code == "fichero:s/A1/sha256/\(made[1].sha256)")
    }

    @Test func aPlansDrawingIsMovedToItsRooms() throws {
        // Two texts of this row stand for a drawing and for the point by which the drawing is
        // moved.
        let row: [MemoryRows.Value] = [.text("a"), .text("[[[31, 11], [34, 15]], [[31, 11], [31, 12]]]"), .real(1), .text("[31, 11]"), .null]
        func plan(origin: String?) throws -> PlanContent? {
            var keys: PackNode = ["query": "pits", "polygon": "code", "label": "{id}", "background": "code"]
            if let origin { keys = .keys(keys.pairs + [.init(key: "origin", value: .text(origin))]) }
            return try sections([ReportBlock("plan", keys)], rows: ["pits": [], "project": [row]]).sections.first?.blocks.first as? PlanContent
        }
        #expect(try plan(origin: "status")?.background == [[.init(x: 0, y: 0), .init(x: 3, y: 4)], [.init(x: 0, y: 0), .init(x: 0, y: 1)]])
        #expect(try plan(origin: nil)?.background.first == [.init(x: 31, y: 11), .init(x: 34, y: 15)])
        // The text of `day` is not a point. Without a point, the drawing stays where it is.
        #expect(try plan(origin: "day")?.background.first?.first == .init(x: 31, y: 11))
    }

    /// The section's own place stands out among the others.
    @Test func aSketchMarksTheSectionsOwnPlace() throws {
        let rows: [[MemoryRows.Value]] = [[.text("1"), .text("C-1"), .real(2), .null, .null], [.text("2"), .text("C-2"), .real(3), .null, .null], [.text("3"), .text("C-3"), .null, .null, .null]]
        var keys: PackNode = ["query": "pits", "easting": "depth", "northing": "depth", "label": "code", "own": "id", "joined": "true"]
        func sketch() throws -> SketchContent? {
            try sections([ReportBlock("sketch", keys)], rows: ["pits": rows, "project": [rows[1]]]).sections.first?.blocks.first as? SketchContent
        }
        let marked = try #require(try sketch())
        #expect(marked.places.map(\.isHighlighted) == [false, true] && marked.isJoined && marked.missing == 1)
        keys = ["query": "pits", "easting": "depth", "northing": "depth", "label": "code"]
        let plain = try #require(try sketch())
        #expect(plain.places.allSatisfy { !$0.isHighlighted } && !plain.isJoined)
    }

    @Test func aPlanHasTheStatesOfItsVocabularyAndSaysWhatItCannotDraw() throws {
        let ring = "[[0,0],[1,0],[1,1]]"
        let rows: [[MemoryRows.Value]] = [
            [.text("1"), .text(ring), .real(2), .text("OK"), .null], [.text("2"), .text("[[0,0]]"), .null, .text("NEW"), .null], [.text("3"), .text(ring), .null, .text("ODD"), .null],
            [.text("4"), .text(ring), .null, .null, .null],
        ]
        let keys: PackNode = [
            "query": "pits", "polygon": "code", "label": "{id}\n[{depth} m]", "state": "status", "points": "pits", "point": "code", "number": "id", "called": "n. {id}",
            "kind": "status", "icon": "status", "waiting": "depth = 2", "failed": "status = 'NEW'",
        ]
        let plan = try #require(try sections([ReportBlock("plan", keys)], rows: ["pits": rows, "project": [rows[0]]]).sections.first?.blocks.first as? PlanContent)
        #expect(plan.rooms.map(\.label) == ["1\n2.00 m", "3", "4"] && plan.missing == ["2"])
        #expect(plan.states.map(\.name) == ["NEW", "Aprobado", "OLD", "ODD"] && plan.states.map(\.tint) == [.grey, .green, nil, nil])
        #expect(plan.rooms.map(\.state) == [1, 3, nil])
        #expect(plan.points.map(\.progress) == [.waiting, .waiting, .waiting, .failed, .settled, .settled, .settled, .settled, .settled, .settled])
        #expect(plan.points.map(\.called).first == "n. 1" && plan.kinds.map(\.icon) == ["OK", "NEW", "ODD", nil])
    }

    @Test func aWordHasTheSameInkInEveryChart() throws {
        let chart: PackNode = ["query": "pits", "kind": "stacked", "category": "code", "values": ["depth"], "split": "status"]
        let made = try sections([ReportBlock("chart", chart)], rows: ["pits": Self.pits, "project": []]).sections.first?.blocks.first as? ChartContent
        let inks = try #require(made).series.map { "\($0.name) \($0.ink?.place ?? -1) \($0.ink?.tint?.rawValue ?? "-")" }
        #expect(inks.contains("Aprobado 1 green") && inks.contains("NEW 0 grey"), "\(inks)")
    }

    @Test func fieldsHaveLabelsUnitsAndDashes() throws {
        let items: PackNode = [
            "depth", "status", ["column": "status", "code": "true"], ["column": "day", "hideEmpty": "true"], ["text": "{code}!", "label": "code"],
            ["value": "depth * 2", "type": "decimal", "decimals": "1", "unit": "m", "label": "depth"],
        ]
        let result = try sections([ReportBlock("fields", ["items": items])], each: "pits", rows: ["pits": Self.pits, "project": []])
        let shown = result.sections.map { section in
            (section.blocks.first as? FieldsContent)?.items.map { "\($0.label)=\($0.cell.text)" } ?? []
        }
        #expect(shown[0] == ["Profundidad=1.50 m", "Estado=Aprobado", "Estado=OK", "Fecha=04/03/2025", "Código=C-01!", "Profundidad=3.0 m"])
        #expect(shown[1] == ["Profundidad=2.68 m", "Estado=NEW", "Estado=NEW", "Código=C-02!", "Profundidad=5.4 m"])
        #expect(shown[2].first == "Profundidad=—")
    }

    @Test func groupsOpenAndCloseWithTheirTotals() throws {
        let table = ReportBlock(
            "table",
            [
                "query": "pits", "columns": ["code", "depth"], "group": ["status"], "totals": ["depth": "sum"],
                "tones": [["when": "depth is null", "tone": "warning"]],
            ])
        let sorted = [Self.pits[0], Self.pits[2], Self.pits[1]]
        let result = try sections([table], rows: ["pits": sorted, "project": [Self.pits[0]]])
        let content = try #require(result.sections.first?.blocks.first as? TableContent)
        #expect(content.rows.map(\.kind) == [.group(level: 0), .data, .data, .subtotal(level: 0), .group(level: 0), .data, .subtotal(level: 0), .total])
        #expect(content.rows.map { $0.cells[1].text } == ["", "1.50", "", "1.50", "", "2.68", "2.68", "4.18"])
        #expect(content.rows[0].cells[0].text == "Estado: Aprobado")
        #expect(content.rows[2].tone == .warning && content.rows[1].tone == nil)
        #expect(content.columns.map(\.label) == ["Código", "Profundidad (m)"])
    }

    @Test func aPivotAddsUpBothWays() throws {
        let pivot = ReportBlock("pivot", ["query": "pits", "rows": "status", "columns": "day", "value": "depth"])
        let result = try sections([pivot], rows: ["pits": Self.pits, "project": [Self.pits[0]]])
        let content = try #require(result.sections.first?.blocks.first as? TableContent)
        #expect(content.rows.map { $0.cells.map(\.text) } == [
            ["Aprobado", "1.50", "", "", "1.50"], ["NEW", "", "2.68", "", "2.68"], ["Total", "1.50", "2.68", "", "4.18"],
        ])
    }

    /// The mean of rates is what was done of all by what was due: 0 % of one and 100 % of 9 are 90 %.
    /// A person who came twice is one person.
    @Test func aPivotWeighsMeansAndCountsWhatIsDifferent() throws {
        func cells(_ keys: PackNode, _ rows: [[MemoryRows.Value]]) throws -> [[String]] {
            let block = ReportBlock("pivot", .keys(keys.pairs + [.init(key: "query", value: "pits")]))
            let made = try sections([block], rows: ["pits": rows, "project": [Self.pits[0]]]).sections[0].blocks.first
            return try #require(made as? TableContent).rows.map { $0.cells.map(\.text) }
        }
        let rates: PackNode = ["rows": "status", "columns": "day", "value": "depth", "total": "mean", "weight": "code"]
        #expect(
            try cells(rates, [
                [.text("a"), .real(1), .real(0), .text("OK"), .text("2025-03-04")],
                [.text("b"), .real(9), .real(100), .text("OK"), .text("2025-03-05")],
                [.text("c"), .real(0), .null, .text("NEW"), .text("2025-03-05")],
            ]) == [
                ["Aprobado", "0.00", "100.00", "90.00"], ["NEW", "", "", ""], ["Total", "0.00", "100.00", "90.00"],
            ])
        let people: PackNode = ["rows": "status", "columns": "day", "value": "code", "total": "distinct"]
        #expect(
            try cells(people, [
                [.text("a"), .text("ana"), .null, .text("OK"), .text("2025-03-04")],
                [.text("b"), .text("ana"), .null, .text("OK"), .text("2025-03-05")],
                [.text("c"), .text("luis"), .null, .text("NEW"), .text("2025-03-05")],
            ]) == [["Aprobado", "1", "1", "1"], ["NEW", "", "1", "1"], ["Total", "1", "2", "2"]])
    }

    @Test func aCalendarGradesItsDays() throws {
        var keys: PackNode = ["title": "{count}", "query": "pits", "day": "day", "value": "depth", "steps": ["2", "1"]]
        let rows: [[MemoryRows.Value]] = [
            [.text("a"), .text("C-01"), .real(1.5), .text("OK"), .text("2025-03-04")], [.text("b"), .text("C-02"), .real(0), .text("OK"), .text("2025-03-05")],
            // 4 March at the office in Lima; of a second row of the day, the number is added.
            [.text("c"), .text("C-03"), .real(0.5), .text("NEW"), .text("2025-03-05T02:00:00Z")], [.text("d"), .text("C-04"), .null, .text("NEW"), .text("2025-03-31")],
            [.text("e"), .text("C-05"), .real(9), .text("OK"), .null], [.text("f"), .text("C-06"), .real(9), .text("OK"), .text("2025-02-30")],
        ]
        func calendar() throws -> CalendarContent {
            let made = try sections([ReportBlock("calendar", keys)], rows: ["pits": rows, "project": [Self.pits[0]]]).sections[0].blocks.first
            return try #require(made as? CalendarContent)
        }
        func days(_ calendar: CalendarContent) -> [String] {
            calendar.grids.flatMap { grid in grid.days.flatMap { $0 }.compactMap { day in day?.cell.map { "\(day?.number ?? 0) \($0.text) \($0.grade.map(String.init) ?? "-")" } } }
        }
        let plain = try calendar()
        #expect(plain.title == "6" && plain.measure == "Profundidad (m)" && plain.missing == 2)
        // A day without a number is not a day with zero.
        #expect(days(plain) == ["4 2.00 2", "5 0.00 0", "31  -"])
        #expect(plain.grades == ["< 1", "≥ 1", "≥ 2"] && plain.grids.count == 1)
        #expect(zip((0...2).map(plain.shade), [0.14, 0.57, 1]).allSatisfy { abs($0 - $1) < 1e-9 })
        keys = .keys(keys.pairs + [
            .init(key: "total", value: .text("count")), .init(key: "period", value: .text("year")),
            .init(key: "marks", value: [["when": "status = 'NEW'", "mark": "×", "label": "status"], ["when": "depth > 1", "mark": "●", "label": "day"], ["when": "depth > 9", "mark": "!", "label": "day"]]),
        ])
        let counted = try calendar()
        #expect(counted.grids.map { $0.heads.count } == [53])
        // In a year's order: Mondays first. The first sign of a day counts.
        #expect(days(counted) == ["31 × 1", "4 ● 2", "5 1 1"])
        // Nothing lies below the least step, and one sign never occurs.
        #expect(counted.grades == ["", "≥ 1", "≥ 2"])
        #expect(counted.marks.map { $0.sign + $0.label } == ["×Estado", "●Fecha"])
        #expect(counted.legend(ReportWords { $0 }).map(\.label) == ["word.report.none", "≥ 1", "≥ 2", "Estado", "Fecha"])
    }

    @Test(arguments: [
        ("{count} de {code}", "3 de C-01"), ("{count(depth)}: {sum(depth)} m", "2: 4.18 m"), ("{mean(depth)}", "2.09"),
        ("{min(depth)}–{max(depth)}", "1.50–2.68"), ("del {min(day)} al {max(day)}", "del 04/03/2025 al 05/03/2025"), ("{min(status)}", "NEW"),
    ])
    func aTitleMayNameTotals(_ title: String, _ text: String) throws {
        let table = ReportBlock("table", ["title": .text(title), "query": "pits", "columns": ["code"]])
        let result = try sections([table], rows: ["pits": Self.pits, "project": [Self.pits[0]]])
        #expect((result.sections[0].blocks.first as? TableContent)?.title == text)
    }

    @Test(arguments: [(3, "3 calicatas, hasta 2.68 m, en C-01"), (1, "Una calicata de 1.50 m"), (0, nil)])
    func aSummarySaysWhatItsRowsComeTo(_ count: Int, _ text: String?) throws {
        let summary = ReportBlock(
            "summary",
            [
                "title": "{count}", "query": "pits", "text": "{count} calicatas[, hasta {max(depth)} m], en {code}",
                "one": "Una calicata de {max(depth)} m",
            ])
        let result = try sections([summary], rows: ["pits": Array(Self.pits.prefix(count)), "project": [Self.pits[0]]])
        #expect(result.sections[0].blocks.first as? SummaryContent == text.map { SummaryContent(heading: String(count), text: $0) })
    }

    @Test func whatRowsLackIsCountedAndNamed() throws {
        let missing = ReportBlock("missing", ["query": "pits", "columns": ["depth", "code", "day"], "label": "code", "empty": "code"])
        func lines(_ rows: [[MemoryRows.Value]]) throws -> [String] {
            let blocks = try sections([missing], rows: ["pits": rows, "project": [Self.pits[0]]]).sections[0].blocks
            return (blocks.first as? FieldsContent)?.items.map { $0.label + "|" + $0.cell.text } ?? []
        }
        #expect(try lines(Self.pits) == ["Profundidad|1 / 3: C-03", "Fecha|1 / 3: C-02"])
        // No row lacks anything, and there may be no rows.
        #expect(try lines([Self.pits[0]]) == ["Código|"] && lines([]) == ["Código|"])
        let many = (10...35).map { [MemoryRows.Value.text("x"), $0 == 10 ? .null : .text("C-\($0)"), .null, .text("OK"), .text("2025-03-04")] }
        #expect(try lines(many) == ["Profundidad|26 / 26: word.report.none, C-11, C-12, C-13, C-14, C-15, C-16, C-17, C-18, C-19, C-20, C-21, + 14", "Código|1 / 26: word.report.none"])
    }

    @Test func aSummaryOfNothingMaySaySo() throws {
        let summary = ReportBlock("summary", ["query": "pits", "text": "{count}", "empty": "code"])
        let result = try sections([summary], rows: ["pits": [], "project": [Self.pits[0]]])
        #expect(result.sections[0].blocks.first as? SummaryContent == SummaryContent(heading: nil, text: "Código"))
    }

    @Test func whatHasNoTotalIsLeftOut() throws {
        let table = ReportBlock("table", ["title": "{count}[, {max(depth)} m]", "query": "pits", "columns": ["code"], "empty": "code"])
        let result = try sections([table], rows: ["pits": [], "project": [Self.pits[0]]])
        #expect((result.sections[0].blocks.first as? TableContent)?.title == "0")
    }

    @Test func withoutRowsATableSaysSoOrIsLeftOut() throws {
        let silent = ReportBlock("table", ["query": "pits", "columns": ["code"]])
        let speaking = ReportBlock("table", ["query": "pits", "columns": ["code"], "empty": "code"])
        let result = try sections([silent, speaking], rows: ["project": [Self.pits[0]]])
        #expect(result.sections[0].blocks.count == 1)
        let content = try #require(result.sections.first?.blocks.first as? TableContent)
        #expect(content.empty == "Código")
    }

    @Test func aMustacheFileSeesTheRow() throws {
        let template = "{{code}} <{{#day}}{{day}}{{/day}}{{^day}}sin fecha{{/day}}>"
        let result = try sections(
            [ReportBlock("page", ["file": "a.mustache"])], each: "pits", rows: ["pits": Self.pits, "project": []], pages: ["a.mustache": template])
        let texts = result.sections.map { ($0.blocks.first as? TextContent)?.text }
        #expect(texts == ["C-01 <04/03/2025>", "C-02 <sin fecha>", "C-03 <05/03/2025>"])
    }

    @Test(arguments: [
        (2.675, 2, "2.68"), (1.005, 2, "1.01"), (-0.5, 0, "-1"), (1e9, 1, "1000000000.0"), (0.1 + 0.2, 3, "0.300"), (12, 2, "12.00"),
    ])
    func numbersAreRoundedAsPeopleRound(_ value: Double, _ decimals: Int, _ text: String) {
        #expect(ValueText.fixed(value, decimals) == text)
    }

    @Test(arguments: [
        (#"["ROJO","verde claro"]"#, "signs", false, "Rojo, verde claro"), (#"["ROJO"]"#, "signs", true, "rojo"), (#"["a, b",2.50]"#, nil, false, "a, b; 2.50"),
        ("[]", "signs", false, ""), ("ROJO", "signs", false, "Rojo"), ("[broken", "signs", false, "[broken"),
    ] as [(String, String?, Bool, String)])
    func listsAreReadAsTheirWords(_ list: String, _ vocabulary: String?, _ isWithinSentence: Bool, _ text: String) {
        let values = ValueText(language: .spanish, timeZone: .gmt, texts: Texts([.spanish: ["vocabulary.signs.ROJO": "Rojo"]]))
        let column = QueryColumn(name: "signs", type: .list, vocabulary: vocabulary, isWithinSentence: isWithinSentence)
        #expect(values.cell(.text(list), column) == .text(text))
    }

    @Test func italiansReadCommas() {
        let values = ValueText(language: .italian, timeZone: .gmt, texts: Texts())
        #expect(values.number(-2.5, 2) == "−2,50")
        #expect(values.number(3, nil) == "3")
        #expect(Language.italian.day("2025-03-04") == "04/03/2025" && Language.english.day("2025-03-04T10:00:00Z") == "2025-03-04")
        #expect(Language.italian.day("4 March") == nil)
        #expect(values.instant("2025-03-04T23:30:00Z") == "04/03/2025 23:30")
    }

    @Test(arguments: [
        ("[[0,0],[1,0],[1,1]]", 3), ("{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]]}", 4), ("[1]", 0), ("nothing", 0), ("{}", 0),
    ])
    func ringsAreReadOrNot(_ text: String, _ count: Int) {
        #expect(PlanJSON.ring(text).count == count)
    }

    @Test func drawingsHaveLines() {
        let text = "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[[[0,0],[1,1]],[[2,2],[3,3]]]}},{\"geometry\":null}]}"
        #expect(PlanJSON.lines(text).map(\.count) == [2, 2])
        #expect(PlanJSON.lines("[[[0,0],[1,1]]]").count == 1)
    }
}
