import Foundation
import Model

/// A small export with every kind of column and value, as the pipeline gives it to a writer.
enum SampleExport {
    static let texts = Texts([
        .spanish: ["word.yes": "sí", "word.no": "no"], .italian: ["word.yes": "sì", "word.no": "no"],
        .english: ["word.yes": "yes", "word.no": "no"],
    ])

    static func document(
        _ sheets: [Sheet], cover: Cover = cover, language: Language = .spanish, timeZone: String = "America/Lima"
    ) -> ExportDocument {
        ExportDocument(
            name: "calicatas", packName: "ingeplus", packVersion: "1.0.0", cover: cover, sheets: sheets,
            language: language,
            timeZone: TimeZone(identifier: timeZone) ?? .gmt, asOf: Date(timeIntervalSince1970: 1_769_860_800), texts: texts)
    }

    static func sheet(
        _ name: String, title: String? = nil, row: String = "row", _ columns: [SheetColumn], _ rows: [[MemoryRows.Value]]
    ) -> Sheet {
        Sheet(name: name, rowName: row, title: title ?? name, columns: columns, rowCount: rows.count) {
            MemoryRows(columnCount: columns.count, rows: rows)
        }
    }

    static func column(_ name: String, _ kind: SheetColumn.Kind = .text, unit: String? = nil) -> SheetColumn {
        SheetColumn(name: name, label: name.capitalized, unit: unit, kind: kind)
    }

    static let cover = Cover(
        title: "Calicatas – Túnel Pasco", subtitle: "Registros al 31/01/2026", environmentBanner: "DEV", draftBanner: "BORRADOR",
        lines: [
            .init(name: "actor", label: "Hecho por", value: "Ana Quispe <ana@example.pe>"),
            .init(name: "filter", label: "Filtro", value: "=depth_m >= 1.5"),
        ],
        tables: [
            .init(
                name: "left_out", title: "No incluido", headers: ["Motivo", "Cantidad", "Detalle", "Código"],
                rows: [["Sin sincronizar", "2", "\"pendiente\"; error", "sync-state"]])
        ], author: "Fichero")

    /// Columns of every kind, with rows whose values are difficult to write.
    static var everyKind: Sheet {
        sheet(
            "cortes", title: "Cortes", row: "corte",
            [
                column("code"), column("strata", .integer), column("depth_m", .decimal(decimals: 2), unit: "m"),
                column("is_wet", .boolean), column("end_date", .date), column("at_time", .time), column("created_at", .dateTime),
                column("storage_path", .link), column("description"),
            ],
            [
                [
                    .text("C-01"), .integer(3), .real(-12.5), .integer(1), .text("2025-12-31"), .text("07:30"),
                    .text("2026-01-01T03:04:05Z"), .text("photos/c 01.jpg"), .text("Arcilla, \"gris\"; húmeda\nfirme"),
                ],
                [.text("-C"), .null, .null, .integer(0), .null, .null, .null, .null, .text("")],
                [
                    .text(" espacio "), .integer(-7), .real(1e21), .null, .text("2025-02-30"), .text("25:00"), .text("ayer"), .text("x"),
                    .text("=HYPERLINK(\"http://example.com\")"),
                ],
                [
                    .text("a\u{0}b\u{7}"), .integer(Int64.max), .real(0.1), .integer(2), .text("0000-01-01"), .text("23:59:59"),
                    .text("2024-02-29T23:59:59.123456Z"), .text("<&>"), .text("１＝2 → 日本 🪨"),
                ],
            ])
    }
}
