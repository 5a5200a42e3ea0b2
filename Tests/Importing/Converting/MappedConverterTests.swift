import Foundation
import JSONReading
import Testing
import Workbench

@testable import Importing
@testable import Model

/// The fast conversion of bytes must give the same values as the general conversions, which know
/// every form.
@Suite struct MappedConverterTests {
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

    /// Some keys belong to one row, and one key belongs to several rows.
    private final class SomeKeys: RecordKeys {
        func match(_ entity: String, _ key: [(field: String, value: String)]) -> KeyMatch {
            switch key.last?.value {
            case "C-1": .one(id: EveryFieldPack.id)
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
        "Id": [EveryFieldPack.id, EveryFieldPack.id.uppercased(), "0198A000-0000-7000-8000-00000000000F", "no", "", " 0198a000-0000-7000-8000-000000000002 "],
        "Prof2": ["7", "", "8,5"], "Obra": ["", "", "", "obra-2"], "": ["", "", "x"],
    ]

    private static func table(_ count: Int, faults: Bool) -> [[(ForeignBatch.Kind, String)]] {
        // This generator gives the same numbers in every run.
        var state: UInt64 = 42
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let rows = (0..<count).map { number in
            headings.prefix(draw(20) == 0 ? 9 : headings.count).map { heading -> (ForeignBatch.Kind, String) in
                // Most values are valid. Otherwise nearly every row would have a fault in one of
                // its many columns.
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

    /// A value, or the code of a fault.
    private enum Expected: Equatable {
        case value(MemoryRows.Value)
        case fault(String)
    }

    /// The value of a field by the general conversions alone: first the text that the plan gives,
    /// then the value of the field.
    private func expected(_ plan: ValuePlan, _ field: Field, _ row: ForeignRow, _ values: MappedValues) throws -> Expected {
        do {
            guard let text = try values.value(plan, field.name, row) else { return .value(.null) }
            var fitted = text
            if field.type == .date, text.utf8.count > 10 { fitted = Timestamp.day(of: text) ?? text }
            if field.type == .datetime, Timestamp.normalized(text) == nil { fitted = Timestamp.instant(local: text, in: values.officeZone) ?? text }
            return .value(try ValueConversion(pack: EveryFieldPack.pack).convert(.string(fitted), for: field))
        } catch let fault as MappingFault {
            return .fault(fault.code)
        } catch is ValueConversion.Misfit {
            return .fault("FIELD-TYPE")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func eachValueIsWhatTheGeneralConversionsGive(id: Bool, faults: Bool) throws {
        let cells = Self.table(2000, faults: faults)
        let mapping = Self.mapping(id: id)
        for keys in [NoRecordKeys(), SomeKeys()] as [any RecordKeys] {
            let source = try MappedSource(Cells(cells), path: "cells.csv", mapping: mapping, pack: EveryFieldPack.pack, keys: keys)
            var rows: [Int: ImportedRow] = [:]
            var rejects: [Int: [String]] = [:]
            let entity = try #require(EveryFieldPack.pack.entity("calicatas"))
            try source.tables[0].read(0) { stretch in
                let batch = try #require(stretch.batches.first { $0.entity == "calicatas" })
                for row in ImportedRow.rows(of: batch, entity) { rows[row.place.line ?? 0] = row }
                for reject in batch.rejects { rejects[reject.place.line ?? 0] = reject.findings.map(\.code) }
            }
            let heading = Heading(row: 1, names: Self.headings)
            let columns = try NamedColumns([], heading: heading, table: "cells")
            let target = mapping.tables[0].targets[1]
            let values = try MappedValues(
                target, scene: .init(heading: heading, columns: columns, other: source.other, number: nil, given: [:]), words: source.words, pack: EveryFieldPack.pack,
                keys: keys, table: "cells")
            var (sound, faulty) = (0, 0)
            try Cells(cells).tables[0].forEachRow(after: heading, blanks: source.words.blanks) { row in
                guard row.number > 1, rows[row.number] != nil || rejects[row.number] != nil else { return }
                let found = try values.plans.map { name, plan in
                    (name, try expected(plan, #require(entity.field(name)), row, values))
                }
                let codes = found.compactMap { if case .fault(let code) = $0.1 { code } else { nil } }
                if let made = rows[row.number] {
                    sound += 1
                    for (name, value) in found where value != .value(made.values[name] ?? .null) { Issue.record("\(row.number) \(name): \(value) is not \(String(describing: made.values[name]))") }
                } else {
                    faulty += 1
                    let told = rejects[row.number] ?? []
                    // If the key of a row is missing or belongs to several rows, the row has no
                    // further fault.
                    let isTold = codes.isEmpty ? ["IMPORT-NO-KEY", "IMPORT-AMBIGUOUS", "IMPORT-NO-ID"].contains(told.first) : told.sorted() == codes.sorted()
                    if !isTold { Issue.record("\(row.number): \(told) for \(codes)") }
                }
            }
            #expect(sound > 100 && (!faults || faulty > 100))
        }
    }

    @Test func stretchesEndWithWhatWasTakenBefore() throws {
        let source = try MappedSource(
            Cells(Self.table(700, faults: false)), path: "cells.csv", mapping: Self.mapping(id: false), pack: EveryFieldPack.pack, keys: NoRecordKeys())
        for taken in [1, 99, 300] {
            var seen = 0
            var ends: Set<Int> = []
            try source.tables[0].read(taken) { stretch in
                seen += stretch.read
                ends.insert(seen)
            }
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
        return StoredTime.isDate(bytes.span)
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
        for year in [0, 1, 1599, 1600, 2024, 9999] {
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
