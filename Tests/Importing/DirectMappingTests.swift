import Foundation
import JSONReading
import Model
import Testing

@testable import Importing

/// The straight way of rows against the way that tells of every fault: whatever the cells say, both give the same.
@Suite struct DirectMappingTests {
    /// A table of cells with their kinds.
    private final class Cells: TableFile, ForeignRows {
        static let kind = "cells"
        private let rows: [[(ForeignBatch.Kind, String)]]
        private var next = 0
        var tables: [ForeignTable] { [ForeignTable(name: "cells") { [rows] in Cells(rows) }] }

        init(_ rows: [[(ForeignBatch.Kind, String)]]) { self.rows = rows }

        func fill(_ batch: inout ForeignBatch) {
            batch.removeAll()
            while next < rows.count, !batch.isFull {
                for (kind, text) in rows[next] { if kind == .empty { batch.appendEmpty() } else { batch.append(kind, text) } }
                next += 1
                batch.endRow(number: next)
            }
        }
    }

    /// A source without the straight way.
    private final class OneByOne: Source {
        let tables: [SourceTable]
        let photos: [SourcePhoto] = []
        let findings: [Finding]
        /// It holds what the tables read.
        private let source: MappedSource

        init(_ source: MappedSource) {
            self.source = source
            findings = source.findings
            tables = source.tables.map { table in
                var table = table
                table.forEachBatch = nil
                return table
            }
        }
    }

    /// Some keys lead to rows, one to several.
    private final class SomeKeys: RecordKeys {
        func match(_ entity: String, _ key: [(field: String, value: String)]) -> KeyMatch {
            switch key.last?.value {
            case "C-1": .one(id: PitPack.id)
            case "C-2": .several
            default: .none
            }
        }
    }

    private static let project = ImportMapping.Field("code", .column(["Obra", "Proyecto"]), [.trim, .upper])

    private static func mapping(id: Bool, filter: Bool = false) -> ImportMapping {
        ImportMapping(
            name: "cells", lookups: ["wet": ["mojado": "húmedo", "seco": "seco"]], blanks: ["n/a", "s/d", "ñ"],
            tables: [
                .init(
                    requires: ["Pozo"],
                    targets: [
                        .init(entity: "projects", key: ["code"], fields: [project], repeats: true),
                        .init(
                            entity: "calicatas", key: id ? [] : ["project_id", "code"],
                            fields: (id ? ["id"] : []).map { .init($0, .column(["Id"]), [.trim]) } + [
                                .init("project_id", .parent(entity: "projects", by: [project])),
                                .init("code", .column(["Pozo"]), [.trim, .upper]),
                                .init("depth_m", .column(["Prof", "Prof2"]), [.trim, .decimalComma]), .init("number", .column(["Num"])),
                                .init("dry", .column(["Seca"]), [.yesNo]), .init("day", .column(["Fecha"]), [.date(["dd/MM/yyyy"])]),
                                .init("seen_at", .column(["Vista"])), .init("moisture", .column(["Humedad"]), [.lookup("wet")]),
                                .init("extra", .join(["Color", "Olor"], separator: ", ")), .init("spot", .column(["Punto"])),
                                .init("phone", .constant("123")),
                            ], requires: filter ? ["Num"] : []),
                    ])
            ])
    }

    private static let headings = ["Proyecto", "Pozo", "Prof", "Num", "Seca", "Fecha", "Vista", "Humedad", "Color", "Olor", "Punto", "Id", "Prof2", "Obra", ""]
    private static let texts: [String: [String]] = [
        "Proyecto": ["pe-01", " PE-01", "ñandú", "straße", "", "N/A ", "\u{A0}", "e\u{301}", "ÿ"],
        "Pozo": ["c-1", "C-2", "c-3", " c-4 ", "c-5", "\u{85}c", "c\u{1F}6", "İ", "s/d", ""],
        "Prof": ["2,5", "1.002,5", "-,5", "-0", "0012,50", "1e3", "nan", "hondo", " 3,25 ", "1,2,3", "1.5", "1.234", "12,", "", "123456789012345,6", "٣"],
        "Num": ["1", "007", "-3", "99999999999999999999", "1.0", "2,0", "", " ", "+4", "-"],
        "Seca": ["si", "No", "x", "quizá", "", "1"],
        "Fecha": ["3/5/2024", "2024-02-29", "2023-02-29", "2024-05-04T10:00:00", "31/04/2024", "", "0001-01-01"],
        "Vista": ["2024-05-04T10:00:00Z", "2024-05-04 10:00:00.5-05:00", "2024-05-31T23:59:59Z", "ayer", "", "2024-05-04T10:00:00", "2024-02-30T10:00:00Z"],
        "Humedad": ["MOJADO", "seco", "otro", "", "n/a"],
        "Color": ["gris", "\"azul\"", "", "a\\b\n\u{1}\u{7F}"], "Olor": ["fétido", "", "s/d"],
        "Punto": ["[1,2]", "{\"x\":1,\"y\":2}", "1 2", ""],
        "Id": [PitPack.id, PitPack.id.uppercased(), "0198A000-0000-7000-8000-00000000000F", "no", "", " 0198a000-0000-7000-8000-000000000002 "],
        "Prof2": ["7", "", "8,5"], "Obra": ["", "", "", "obra-2"], "": ["", "", "x"],
    ]

    private static func table(_ count: Int, faults: Bool) -> [[(ForeignBatch.Kind, String)]] {
        // A generator of our own, so that every run tries the same.
        var state: UInt64 = 42
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let rows = (0..<count).map { number in
            headings.prefix(draw(20) == 0 ? 9 : headings.count).map { heading -> (ForeignBatch.Kind, String) in
                // Mostly sound values: rows of many columns would else all be faulty.
                let choices = texts[heading] ?? []
                let text = heading == "Id" && draw(3) > 0 ? String(format: "0198a000-0000-7000-8000-%012x", number) : choices[draw(faults && draw(4) == 0 ? choices.count : 2)]
                if text.isEmpty { return (.empty, "") }
                if faults, draw(60) == 0 { return (.error, "#REF!") }
                if faults, draw(30) == 0, Double(text) != nil { return (.number, text) }
                return (.text, text)
            }
        }
        return [headings.map { ($0.isEmpty ? .empty : .text, $0) }] + rows + [[(.empty, ""), (.text, "  ")]] + rows.prefix(3)
    }

    private func outcome(_ source: any Source) throws -> (target: RememberingTarget, counts: [Importer.TableCount]) {
        let target = RememberingTarget()
        return (target, try Importer(pack: PitPack.pack).run(source, into: target, findings: FindingList()) { _ in })
    }

    @Test(arguments: [(false, false), (true, false), (false, true)], [false, true])
    func bothWaysGiveTheSame(_ kind: (id: Bool, filter: Bool), faults: Bool) throws {
        for keys in [NoRecordKeys(), SomeKeys()] as [any RecordKeys] {
            func source() throws -> MappedSource {
                try MappedSource(
                    Cells(Self.table(2000, faults: faults)), path: "cells.csv", mapping: Self.mapping(id: kind.id, filter: kind.filter),
                    pack: PitPack.pack, keys: keys)
            }
            let straight = try outcome(source())
            let single = try outcome(OneByOne(source()))
            #expect(straight.counts == single.counts)
            #expect(straight.target.filtered == single.target.filtered && straight.target.notes == single.target.notes)
            #expect(straight.target.stored.count == single.target.stored.count && !single.target.stored.isEmpty)
            for (row, other) in zip(straight.target.stored, single.target.stored) where row.values != other.values || row.place != other.place || row.raw != other.raw {
                Issue.record("\(row) is not \(other)")
                break
            }
            #expect(straight.target.rejected.map(\.raw) == single.target.rejected.map(\.raw))
            #expect(straight.target.rejected.map(\.findings) == single.target.rejected.map(\.findings))
            if faults { #expect(!single.target.rejected.isEmpty) }
        }
    }

    @Test func mostSoundRowsGoTheStraightWay() throws {
        let source = try MappedSource(
            Cells(Self.table(1000, faults: false)), path: "cells.csv", mapping: Self.mapping(id: false), pack: PitPack.pack, keys: NoRecordKeys())
        var (batched, single) = (0, 0)
        for table in source.tables {
            let bulk = try #require(table.forEachBatch)
            try bulk(0, { if !$0.isFiltered { single += 1 } }, { batched += $0.rows.rowCount })
        }
        #expect(batched > 900 && single < 20)
    }

    @Test func batchesEndWithWhatWasTakenBefore() throws {
        let source = try MappedSource(
            Cells(Self.table(700, faults: false)), path: "cells.csv", mapping: Self.mapping(id: false), pack: PitPack.pack, keys: NoRecordKeys())
        for taken in [1, 99, 300] {
            var seen = 0
            var ends: Set<Int> = []
            func note(_ count: Int) {
                seen += count
                ends.insert(seen)
            }
            let bulk = try #require(source.tables[1].forEachBatch)
            try bulk(taken, { _ in note(1) }, { note($0.count) })
            #expect(ends.contains(taken))
        }
    }

    private func decimal(_ text: String, point: Character = ".") -> Double? {
        let bytes = Array(text.utf8)
        return PlainForm.decimal(bytes.span, point: point.asciiValue ?? 0)
    }

    private func integer(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        return PlainForm.integer(bytes.span)
    }

    private func isDay(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return PlainForm.isDay(bytes.span)
    }

    private func isInstant(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return PlainForm.isInstant(bytes.span)
    }

    @Test(arguments: [
        "0", "-0", "12.5", "0.1", "123456789.123456", "999999999999999", "-7.25", "00012.50", "0.000000000000001", "3.", ".5", "1e3", "", "-", "1.2.3",
        "1234567890123456",
    ])
    func plainNumbersAreWhatTheGeneralWayGives(_ text: String) {
        if let plain = decimal(text) { #expect(plain.bitPattern == Double(text)?.bitPattern) }
        if let plain = integer(text) { #expect(plain == Int64(text)) }
    }

    @Test func plainDaysAreDays() {
        for year in [1599, 1600, 2024, 9999] {
            for month in 0...13 {
                for day in 0...32 {
                    let text = String(format: "%04d-%02d-%02d", year, month, day)
                    let instant = text + "T23:59:59Z"
                    if isDay(text) { #expect(Timestamp.isDate(text)) }
                    if isInstant(instant) { #expect(Timestamp.normalized(instant) == instant) }
                }
            }
        }
        #expect(isDay("2024-05-28") && isInstant("2024-05-28T00:00:00Z") && !isInstant("2024-05-28T24:00:00Z"))
        #expect(decimal("12,5", point: ",") == 12.5)
    }

    @Test func plainConversionsAreFoundations() throws {
        let words = ConversionWords(lookups: [:])
        for scalar in (0x20...0x24F).compactMap(UnicodeScalar.init) + ["\u{2003}", "\u{3000}", "\u{FEFF}", "\u{301}"] {
            for text in [" \(scalar)a ", "a\(scalar)", "\(scalar)", "a\(scalar)B \t"] {
                for conversions in [[CellConversion.trim], [.upper], [.lower], [.trim, .upper]] {
                    var buffer = Array("before".utf8) + Array(text.utf8)
                    guard PlainConversion.apply(conversions, to: &buffer, from: 6) else { continue }
                    var expected: String? = text
                    for conversion in conversions { expected = try expected.flatMap { try conversion.apply($0, words: words) } }
                    #expect(String(decoding: buffer[6...], as: UTF8.self) == expected && buffer.starts(with: "before".utf8), "\(scalar.value)")
                }
            }
        }
    }

    @Test func aMemoGivesOnlyWhatItWasGivenForTheSameText() {
        var memo = BytesMemo<Int>()
        func known(_ bytes: [UInt8]) -> Int? { memo.value(of: bytes.span) }
        for round in 0..<3 {
            for number in 0..<5000 {
                let text = Array("text \(number % 1700) \(round == 2 ? "x" : "")".utf8)
                let value = number % 1700 + (round == 2 ? 10_000 : 0)
                #expect(known(text) == nil || known(text) == value)
                memo.remember(value, of: text.span)
                #expect(known(text) == value)
            }
        }
        let long = [UInt8](repeating: 65, count: 1000)
        memo.remember(1, of: long.span)
        #expect(known(long) == nil)
    }
}
