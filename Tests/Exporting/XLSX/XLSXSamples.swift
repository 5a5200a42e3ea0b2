import Foundation
import Model
import OutputFiles
import Spreadsheets
import Testing
import Workbench
@testable import Exporting

enum XLSXSamples {
    static let asOf = Date(timeIntervalSince1970: 1_767_225_600)

    static func document(_ sheets: [Sheet], cover: Cover? = nil, language: Language = .spanish, zone: String = "America/Lima") -> ExportDocument {
        ExportDocument(
            name: "cortes", packName: "ingeplus", packVersion: "1.0.0",
            cover: cover ?? Cover(title: "Cortes", subtitle: "TPA-2025", lines: [], tables: [], author: "Ana"), sheets: sheets,
            language: language, timeZone: TimeZone(identifier: zone) ?? .gmt, asOf: asOf, texts: Texts())
    }

    static func sheet(_ title: String, _ columns: [SheetColumn], _ rows: [[MemoryRows.Value]], count: Int? = nil) -> Sheet {
        Sheet(name: "s", rowName: "r", title: title, columns: columns, rowCount: count ?? rows.count) {
            MemoryRows(columnCount: columns.count, rows: rows)
        }
    }

    static func column(_ label: String, _ kind: SheetColumn.Kind = .text) -> SheetColumn {
        SheetColumn(name: label.lowercased(), label: label, kind: kind)
    }

    /// A sheet of one text column.
    static func texts(_ title: String, _ texts: [String]) -> Sheet {
        sheet(title, [column("Texto")], texts.map { [.text($0)] })
    }

    static func write(
        _ document: ExportDocument, in folder: TemporaryFolder, limits: XLSXLimits = .excel, findings: FindingList = FindingList(),
        stem: String = "libro"
    ) throws -> ReadBook {
        let files = try XLSXWriter(limits: limits).write(document, stem: folder.path + "/" + stem, findings: findings) { _ in }
        let file = try #require(files.first)
        #expect(try files.count == 1 && file.finalPath.hasSuffix("/\(stem).xlsx") && file.sha256 == OtherProgram.sha256(file.temporaryPath))
        try FileManager.default.moveItem(atPath: file.temporaryPath, toPath: file.finalPath)
        #expect(try folder.names.allSatisfy { !TemporaryName.matches($0) })
        return ReadBook(path: file.finalPath)
    }

    /// A document with every kind of column and cell, a complete cover, and lists of each kind.
    static func everything() -> ExportDocument {
        let names = (1...80).map { "Unidad geotécnica \($0)" }
        let columns = [
            SheetColumn(name: "code", label: "Código", kind: .text, expectedWidth: 12),
            SheetColumn(name: "n", label: "Capas", kind: .integer),
            SheetColumn(name: "depth", label: "Profundidad", unit: "m", kind: .decimal(decimals: 2)),
            SheetColumn(name: "raw", label: "Humedad", unit: "%", kind: .decimal(decimals: nil)),
            SheetColumn(name: "cost", label: "Costo", unit: "S/", kind: .decimal(decimals: 2)),
            SheetColumn(name: "wet", label: "Napa freática", kind: .boolean),
            SheetColumn(name: "day", label: "Fecha", kind: .date),
            SheetColumn(name: "time", label: "Hora", kind: .time),
            SheetColumn(name: "at", label: "Registrado", kind: .dateTime),
            SheetColumn(name: "photo", label: "Foto", kind: .link),
            SheetColumn(name: "sucs", label: "SUCS", kind: .text, options: ["GW", "GP", "SM"], isClosed: true),
            SheetColumn(name: "unit", label: "Unidad", kind: .text, options: names, isClosed: false),
            SheetColumn(name: "note", label: "Descripción", kind: .text, expectedWidth: 500),
        ]
        let rows: [[MemoryRows.Value]] = [
            [
                .text("0045"), .integer(3), .real(1.5), .real(12.345), .real(1234.5), .integer(1), .text("2025-03-09"), .text("07:30"),
                .text("2025-03-09T23:15:30Z"), .text("fotos/ñandú 1.jpg"), .text("SM"), .text("Unidad geotécnica 7"),
                .text("Arena & grava <3\"\n  húmeda"),
            ],
            [
                .text("=1+1"), .integer(-7), .real(-0.1), .real(1e-9), .null, .integer(0), .text("1900-02-28"), .text("23:59:59"),
                .text("2025-12-31T23:59:59.999999Z"), .text("https://example.org/?a=1&b=2"), .text("XX"), .null, .text("  bordes  "),
            ],
            [
                .integer(12), .text("no es número"), .integer(2), .real(.infinity), .integer(9_007_199_254_740_993), .integer(5),
                .text("31/12/2025"), .text("25:00"), .text("ayer"), .text("javascript:alert(1)"), .text(""), .null, .text("fin"),
            ],
        ]
        let cover = Cover(
            title: "Calicatas y cortes", subtitle: "Proyecto TPA-2025", environmentBanner: "DEV", draftBanner: "BORRADOR",
            lines: [
                .init(name: "system", label: "Sistema", value: "InGe+"), .init(name: "actor", label: "Actor", value: "Ana <ana@example.org>"),
                .init(name: "odd", label: "Raro", value: "_x0041_ y \u{1}"),
            ],
            tables: [
                .init(name: "left", title: "Excluidos", headers: ["Motivo", "Detalle", "Cantidad"], rows: [["Sin sincronizar", "3 & más", "3"]])
            ], author: "Ana Quispe")
        return document([sheet("Cortes", columns, rows), sheet("Vacía", [column("A"), column("a", .integer)], [])], cover: cover)
    }
}
