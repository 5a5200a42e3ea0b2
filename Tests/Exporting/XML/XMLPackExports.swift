import Foundation
import Model
import Workbench

@testable import Exporting

/// Documents for the exports of the real packs. Their rows have valid and invalid values in every
/// kind of column.
enum PackExports {
    static func packs() throws -> [Pack] {
        try ShippedPack.all()
    }

    static func document(_ export: ExportDefinition, of pack: Pack, seed: UInt64, rows: Int = 40) -> ExportDocument {
        var generator = SeededNumbers(seed)
        var sheets: [Sheet] = []
        for sheet in export.sheets {
            for copy in 0..<(sheet.forEach == nil ? 1 : 3) {
                let columns = columns(of: sheet, in: pack, isAnonymous: export.isAnonymous)
                let values = (0..<rows).map { _ in columns.map { value(for: $0, &generator) } }
                sheets.append(
                    Sheet(name: sheet.name, rowName: pack.rowName(of: sheet), title: "Título <\(copy)>", columns: columns, rowCount: rows) {
                        MemoryRows(columnCount: columns.count, rows: values)
                    })
            }
        }
        for name in ["left-out", "findings"] {
            sheets.append(
                SampleExport.sheet(
                    name, title: "De la corrida", row: "record", [SampleExport.column("key"), SampleExport.column("reason")],
                    [[.text("C-01"), .text("sync-state")]]))
        }
        return ExportDocument(
            name: export.name, packName: pack.name, packVersion: pack.version, cover: SampleExport.cover, sheets: sheets,
            language: .spanish, timeZone: .gmt, asOf: Date(timeIntervalSince1970: 1_769_860_800), texts: pack.texts)
    }

    private static func columns(of sheet: ExportSheet, in pack: Pack, isAnonymous: Bool) -> [SheetColumn] {
        pack.columns(of: sheet, in: .spanish, isAnonymous: isAnonymous).flatMap { column in
            column.map { [$0] } ?? [
                SheetColumn(name: "Potencia máx. <W>", label: "Potencia", unit: "W", kind: .decimal(decimals: 1), isParameter: true),
                SheetColumn(name: "día", label: "Día", kind: .date, isParameter: true),
            ]
        }
    }

    private static func value(for column: SheetColumn, _ generator: inout SeededNumbers) -> MemoryRows.Value {
        let oddities: [MemoryRows.Value] = [
            .null, .text(""), .text(" "), .text("<&>\"'"), .text("2025-02-29"), .text("24:00:00"), .text("a\u{0}\r\n\tb"), .integer(2),
            .integer(.min), .real(-0.5), .real(.infinity), .real(-.infinity), .real(1e300), .real(.leastNonzeroMagnitude), .real(1e14),
            .text("2025-01-01T00:00:00"), .text("0000-01-01"), .text("]]>"), .text("\u{FFFE}"), .text("🪨"), .text(" GW"), .text("12.5"),
        ]
        if Int.random(in: 0..<3, using: &generator) == 0 { return oddities.randomElement(using: &generator) ?? .null }
        if let option = column.options.randomElement(using: &generator) { return .text(option) }
        switch column.kind {
        case .text, .link: return .text("Arcilla de \(Int.random(in: 0..<99, using: &generator)) cm")
        case .integer: return .integer(.random(in: -5...5000, using: &generator))
        case .decimal: return .real(Double(Int.random(in: -100...9999, using: &generator)) / 100)
        case .boolean: return .integer(.random(in: 0...1, using: &generator))
        case .date: return .text("2025-\(Int.random(in: 10...12, using: &generator))-28")
        case .time: return .text(Bool.random(using: &generator) ? "07:30" : "23:59:59")
        case .dateTime: return .text(Bool.random(using: &generator) ? "2025-12-31T23:59:59Z" : "2024-02-29T00:00:00.000001Z")
        }
    }
}
