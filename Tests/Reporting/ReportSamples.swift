import Foundation
import Model
import Testing
import Workbench

@testable import Blocks
@testable import Reporting

/// Documents for tests of the renderers. They look like those that a template gives.
enum ReportSamples {
    static func head(draft: Bool = true, language: Language = .spanish) -> DocumentHead {
        let logo = PNG.frame(120, 48, 9)
        let client = PNG.frame(60, 60, 30)
        return DocumentHead(
            title: "Informe de calicatas", project: "CHU-2025 · Carretera Chuquicara – Tauca, tramo II",
            brand: Brand(
                name: "InGe+ & García S.A.C.", contact: "Av. Los Pinos 123, Lima · inge.pe",
                logo: ReportPicture(bytes: logo.bytes, isPNG: true, width: logo.width, height: logo.height),
                clientLogo: ReportPicture(bytes: client.bytes, isPNG: true, width: client.width, height: client.height)),
            environmentBanner: draft ? "STAGING" : nil, draftBanner: draft ? "BORRADOR" : nil, language: language,
            timeZone: TimeZone(identifier: "America/Lima") ?? .gmt, asOf: Date(timeIntervalSince1970: 1_767_225_600),
            day: "31/12/2025", author: "Ana Quispe", words: ReportWords { words[$0] ?? $0 })
    }

    /// The words of the core pack, by their full keys.
    static let words: [String: String] = {
        let texts = (try? ShippedPack.named("ingeplus"))?.texts ?? Texts()
        let keys = texts.keys(in: .spanish).filter { $0.hasPrefix("word.report.") }
        return keys.reduce(into: [:]) { $0[$1] = texts.textIfAny($1, in: .spanish) }
    }()

    static func section(_ title: String, anchor: String? = nil, isOfRow: Bool = true, landscape: Bool = false, _ blocks: [any BlockContent]) -> SectionContent {
        SectionContent(
            name: "calicata", title: title, anchor: anchor ?? title, isOfRow: isOfRow, paper: ReportPaper(isLandscape: landscape), blocks: blocks)
    }

    // MARK: A pit

    static let descriptions = [
        "Grava pobremente gradada con limo y arena (GP-GM), color marrón claro, seca, de compacidad media; gravas subredondeadas de hasta 3\".",
        "Arcilla de baja plasticidad, marrón oscuro.",
        "Arena limosa de grano fino a medio, húmeda, de color gris, con presencia de raíces y bolonería aislada de hasta 12\" de tamaño máximo; "
            + "estructura homogénea, sin cementación, paredes inestables por debajo de 1,80 m.",
        "Roca alterada.",
    ]

    static func log(_ count: Int) -> LogContent {
        var depth = 0.0
        let layers = (0..<count).map { index in
            let thickness = [0.3, 0.85, 1.4, 0.45][index % 4]
            // The third layer begins below the end of the second.
            let from = index == 2 ? depth + 0.2 : depth
            depth = from + thickness
            return LogContent.Layer(
                stratum: Stratum(top: from, bottom: depth, symbol: ["GP-GM", "CL", "SM", ""][index % 4]), number: "E-\(index + 1)",
                description: descriptions[index % 4],
                cells: [
                    ReportCell(.number(12.5 + Double(index), decimals: 1), text: "12,5", tone: index == 1 ? .warning : nil), .text(index == 0 ? "Seco" : "Húmedo"),
                ])
        }
        var log = LogContent(
            layers: layers,
            columns: [
                LogContent.Column(label: "Humedad (%)", isNumeric: true, width: nil), LogContent.Column(label: "Estado", isNumeric: false, width: nil),
            ], total: count == 0 ? nil : depth, water: count > 1 ? 1.8 : nil, scales: [20, 25, 50], empty: "Sin estratos registrados.")
        let samples = layers.enumerated().filter { $0.offset % 2 == 0 }.map { index, layer in
            DepthMark(top: layer.stratum.top + 0.1, bottom: layer.stratum.top + 0.25, label: "M-\(index + 1)")
        }
        if !samples.isEmpty { log.tracks = [.init(label: "Muestra", marks: samples)] }
        log.elevation = 96.34
        return log
    }

    static func fields() -> FieldsContent {
        FieldsContent(
            columns: 2,
            items: [
                .init(label: "Calicata", cell: .text("C-001"), span: 1), .init(label: "Progresiva", cell: .text("12+300"), span: 1),
                .init(label: "Este", cell: ReportCell(.number(187_654.321, decimals: 2), text: "187 654,32 m"), span: 1),
                .init(label: "Norte", cell: ReportCell(.number(9_012_345.6, decimals: 2), text: "9 012 345,60 m"), span: 1),
                .init(label: "Fecha de excavación", cell: ReportCell(.date("2025-03-09"), text: "09/03/2025"), span: 1),
                .init(label: "Registrado", cell: ReportCell(.instant("2025-03-09T23:15:30Z"), text: "09/03/2025 18:15"), span: 1),
                .init(label: "Profundidad", cell: ReportCell(.number(3, decimals: 2), text: "3,00 m", tone: .good), span: 1),
                .init(label: "Nivel freático", cell: ReportCell(.empty, text: "—"), span: 1),
                .init(
                    label: "Ubicación",
                    cell: .text("Margen derecha de la vía, a 4 m del eje, junto al badén existente; acceso por trocha carrozable desde el caserío."), span: 2),
            ])
    }

    /// A picture of the size of a thumbnail.
    static func photo(_ seed: Int) -> ReportPicture {
        PNG.picture(width: seed % 2 == 0 ? 160 : 90, height: 120) { x, y in UInt8((x * 2 + y * 3 + seed * 37) & 255) }
    }

    static func photos(_ count: Int) -> PhotosContent {
        PhotosContent(
            title: "Registro fotográfico", columns: 2, millimetres: 55,
            photos: (0..<count).map { index in
                PhotosContent.Photo(
                    picture: index == 2 ? nil : photo(index), missing: index == 2 ? "La foto no se encuentra" : nil,
                    caption: "Foto \(index + 1): vista de la calicata C-001 hacia el norte, con las paredes limpias y la escala colocada.",
                    link: .address("fotos/C-001 #\(index + 1).jpg"))
            }, empty: "Sin fotos.")
    }

    static func pit(_ name: String, layers: Int, photos count: Int = 3) -> SectionContent {
        section(
            "Calicata \(name)", anchor: "pits/\(name)",
            [
                TitleContent("Registro de excavación \(name)", level: 1), fields(), log(layers),
                SymbolsContent([
                    SymbolContent(symbol: "GP-GM", name: "Grava pobremente gradada con limo"), SymbolContent(symbol: "CL", name: "Arcilla de baja plasticidad"),
                    SymbolContent(symbol: "SM", name: "Arena limosa"),
                ]), photos(count),
                TextContent("Nota: la excavación se hizo a mano.\nSe rellenó al terminar.", style: .note),
                SignaturesContent([
                    SignatureContent(label: "Responsable de campo", name: "Ana Quispe"), SignatureContent(label: "Supervisor", name: nil),
                ]),
            ])
    }

    // MARK: A table

    static func table(rows count: Int, grouped: Bool = false) -> TableContent {
        var rows: [TableContent.Row] = []
        for index in 0..<count {
            if grouped, index % 5 == 0 { rows.append(.init(.group(level: 0), [.text("Tramo \(index / 5 + 1)")])) }
            rows.append(
                .init(
                    .data,
                    [
                        ReportCell(.text("C-00\(index + 1)"), text: "C-00\(index + 1)", link: .anchor("pits/C-00\(index + 1)")),
                        ReportCell(.date("2025-03-0\(index % 9 + 1)"), text: "0\(index % 9 + 1)/03/2025"),
                        ReportCell(.number(1.5 + Double(index) / 4, decimals: nil), text: "1,50", tone: index == 3 ? .danger : nil),
                        ReportCell(.number(Double(index * 3), decimals: 0), text: "\(index * 3)"),
                        .text(index % 3 == 0 ? descriptions[2] : "=1+1", tone: index == 1 ? .warning : nil),
                    ], tone: index == 2 ? .good : index == 4 ? .muted : nil))
            if grouped, index % 5 == 4 {
                rows.append(.init(.subtotal(level: 0), [.text("Subtotal"), .empty, ReportCell(.number(9.5, decimals: 2), text: "9,50"), .empty, .empty]))
            }
        }
        rows.append(.init(.total, [.text("Total"), .empty, ReportCell(.number(42.25, decimals: 2), text: "42,25"), .empty, .empty]))
        return TableContent(
            title: nil,
            columns: [
                .init(label: "Calicata", isNumeric: false, width: nil, decimals: nil), .init(label: "Fecha", isNumeric: false, width: nil, decimals: nil),
                .init(label: "Profundidad (m)", isNumeric: true, width: nil, decimals: 2), .init(label: "Capas", isNumeric: true, width: nil, decimals: 0),
                .init(label: "Observaciones", isNumeric: false, width: nil, decimals: nil),
            ], rows: rows, empty: "Sin calicatas.")
    }

    static func chart(_ kind: ChartContent.Kind) -> ChartContent {
        ChartContent(
            title: "Profundidad por calicata", kind: kind, categories: ["C-001", "C-002", "C-003", "C-004"],
            series: [.init(name: "Profundidad", values: [3, 2.5, nil, 1.25]), .init(name: "Relleno", values: [0.5, 0.75, 1, 0.25])], decimals: 2, measure: "m",
            millimetres: 65)
    }

    /// A calendar of so many days from 1 January 2025: every seventh has a sign and no number, every
    /// fifth nothing.
    static func calendar(days: Int, by period: CalendarContent.Period = .month) -> CalendarContent {
        let first = GregorianDay.sinceEpoch(2025, 1, 1)
        let cells = (0..<days).filter { $0 % 5 != 4 }.map { day in
            let value = day % 7 == 6 ? ReportCell.empty : ReportCell(.number(Double(day % 100), decimals: 0), text: String(day % 100))
            let mark = day % 7 == 6 ? "–" : day % 7 == 0 ? "●" : nil
            return (first + day, CalendarContent.Cell(value: value, grade: day % 7 == 6 ? nil : day % 4, mark: mark))
        }
        let grids = CalendarGrids(Dictionary(uniqueKeysWithValues: cells), by: period, head().words).grids
        return CalendarContent(
            title: "Visitas", measure: "Visitas (%)", grids: grids, grades: ["< 1", "≥ 1", "≥ 2", "≥ 3"], marks: [("–", "Omitido"), ("●", "Hecho")], missing: 2)
    }

    /// A document with everything that a section can have.
    static func everything() -> [SectionContent] {
        [
            section("Índice", anchor: "index", isOfRow: false, [TitleContent("Calicatas", level: 1), table(rows: 12)]),
            section(
                "Resumen", anchor: "summary", isOfRow: false,
                [
                    TitleContent("Resumen", level: 1), TextContent(descriptions[2], style: .normal), table(rows: 10, grouped: true),
                    chart(.columns), chart(.stacked), PageBreakContent(), chart(.bars), chart(.line), chart(.pie),
                    calendar(days: 100), calendar(days: 400, by: .year),
                ]),
            pit("C-001", layers: 4), pit("C-002", layers: 0, photos: 0),
            section(
                "Plano", isOfRow: false, landscape: true,
                [
                    TitleContent("Perfil", level: 1),
                    ProfileContent(
                        pits: [.init(label: "C-001", chainage: 0, depth: 2, strata: [], band: [])], unplaced: [], joinsContacts: false, millimetres: 70),
                    StripContent(strata: [], total: 3, water: nil, millimetres: 40), SpaceContent(millimetres: 5),
                    SketchContent(places: [], missing: 0, millimetres: 60),
                ]),
        ]
    }
}
