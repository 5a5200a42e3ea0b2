import Canvas
import Drawing
import Foundation

/// The patterns that the pictures and bars of a page refer to by their names, once for a page.
///
/// Soils look as they do on drawings (`SoilSymbol`): each is one cell of its tile, as a picture of
/// its own, which browsers repeat.
enum PagePatterns {
    private static let soils = SoilSymbol.vocabulary + SoilSymbol.others

    static func svg() throws -> String {
        var svg = "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n"
        let typesetter = try Typesetter()
        for soil in soils + [""] {
            let cell = SoilSymbol(soil).cell
            let picture = Data(try Picture.svg(width: cell.width, height: cell.height, typesetter: typesetter) { cell.draw($0) })
            let size = "width=\"\(PageText.number(cell.width))\" height=\"\(PageText.number(cell.height))\""
            svg += "<pattern id=\"\(name(of: soil))\" \(size) patternUnits=\"userSpaceOnUse\">"
            svg += "<image \(size) href=\"data:image/svg+xml;base64,\(picture.base64EncodedString())\"/></pattern>\n"
        }
        return svg + """
            <pattern id="h-error" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#9b1c1c"/></pattern>
            <pattern id="h-warning" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#fff"/><path d="M-1 7L7 -1" stroke="#8a5a00" stroke-width="2.5"/></pattern>
            <pattern id="h-note" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#fff"/><circle cx="3" cy="3" r="1.3" fill="#3a5a78"/></pattern>
            </defs></svg>

            """
    }

    /// The pattern of a stratum's symbol; of a borderline pair, that of its first.
    static func soil(_ symbol: String) -> String {
        let first = symbol.split(separator: "/").first.map(String.init) ?? ""
        return name(of: SoilSymbol(first).code)
    }

    private static func name(of code: String) -> String { soils.firstIndex(of: code).map { "soil-\($0)" } ?? "soil-unknown" }
}
