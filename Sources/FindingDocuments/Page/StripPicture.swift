import Canvas
import Drawing
import Foundation
import Model

/// A small picture of a record's strata, to scale: depths on the left, and a box for each stratum
/// with its material. A thick frame or line and an arrow mark the faulty place, so that it is
/// visible without colour. Gaps stay white with a question mark; where strata overlap, both hatches
/// show.
struct StripPicture {
    private let strip: StrataStrip
    private let deepest: Double

    private static let width = 140.0
    private static let left = 40.0
    private static let right = 112.0
    private static let top = 8.0

    /// Returns nil if there is no depth to draw.
    init?(_ strip: StrataStrip) {
        let depths = strip.layers.flatMap { [$0.from, $0.to] } + [strip.total, strip.water]
        // Depths beyond 1000 m are mistakes, and would make the other strata too small to see.
        let sound = depths.compactMap { $0 }.filter { $0.isFinite && $0 > 0 && $0 <= 1000 }
        guard let deepest = sound.max() else { return nil }
        self.strip = strip
        self.deepest = deepest
    }

    /// The height: enough for the strata's names, but within fixed limits.
    private var height: Double { min(280, max(100, Double(strip.layers.count) * 30)) }

    private func y(_ depth: Double) -> Double { Self.top + min(max(depth, 0), deepest) / deepest * height }

    func svg(label: String) -> String {
        let n = PageText.number
        var svg =
            """
            <svg role=\"img\" width=\"\(n(Self.width))\" height=\"\(n(height + 2 * Self.top))\" viewBox=\"0 0 \
            \(n(Self.width)) \(n(height + 2 * Self.top))\" aria-label=\"\(PageText.escaped(label))\">
            """
        for layer in strip.layers { svg += box(layer) }
        svg += gaps
        svg += "<path d=\"M\(n(Self.left)) \(n(Self.top))V\(n(y(deepest)))\" stroke=\"#1b1f24\"/>"
        svg += scale
        if let total = strip.total { svg += line(total, dash: "none", width: 2) }
        if let water = strip.water, water >= 0 {
            let level = y(water)
            svg +=
                """
                <path d=\"M\(n(Self.left - 4)) \(n(level))H\(n(Self.right))\" stroke=\"#0b4f9e\" stroke-width=\"1.5\" \
                stroke-dasharray=\"6 2\"/>
                """
            svg += "<path d=\"M\(n(Self.right - 12)) \(n(level - 7))h8l-4 6z\" fill=\"#0b4f9e\"/>"
        }
        return svg + mark + "</svg>"
    }

    private func box(_ layer: StrataStrip.Layer) -> String {
        guard let from = layer.from, let to = layer.to else { return "" }
        let n = PageText.number
        let (upper, lower) = (y(min(from, to)), y(max(from, to)))
        let middle = (upper + lower) / 2
        var box =
            """
            <rect x=\"\(n(Self.left))\" y=\"\(n(upper))\" width=\"\(n(Self.right - Self.left))\" \
            height=\"\(n(max(lower - upper, 1)))\" fill=\"url(#\(PagePatterns.soil(layer.label)))\" \
            fill-opacity=\".75\" stroke=\"#1b1f24\"/>
            """
        if lower - upper >= 12, !layer.label.isEmpty {
            let name = PageText.escaped(String(layer.label.prefix(8)))
            let half = Double(min(layer.label.count, 8)) * 4.2 + 4
            let centre = (Self.left + Self.right) / 2
            box +=
                """
                <rect x=\"\(n(centre - half))\" y=\"\(n(middle - 7))\" width=\"\(n(half * 2))\" height=\"14\" \
                fill=\"#fff\"/>
                """
            box += "<text x=\"\(n(centre))\" y=\"\(n(middle + 4))\" text-anchor=\"middle\">\(name)</text>"
        }
        return box
    }

    private var gaps: String {
        var reached = strip.layers.first?.from ?? 0
        var svg = ""
        let n = PageText.number
        for layer in strip.layers {
            guard let from = layer.from, let to = layer.to else { continue }
            let start = min(from, to)
            if y(start) - y(reached) >= 12 {
                svg +=
                    """
                    <text x=\"\(n((Self.left + Self.right) / 2))\" y=\"\(n((y(start) + y(reached)) / 2 + 4))\" \
                    text-anchor=\"middle\">?</text>
                    """
            }
            reached = max(reached, max(from, to))
        }
        return svg
    }

    private func line(_ depth: Double, dash: String, width: Double) -> String {
        let n = PageText.number
        return
            """
            <path d=\"M\(n(Self.left - 4)) \(n(y(depth)))H\(n(Self.right))\" stroke=\"#1b1f24\" \
            stroke-width=\"\(n(width))\" stroke-dasharray=\"\(dash)\"/>
            """
    }

    /// The labels of the boundaries' depths, as many as there is room for; always that of the
    /// marked depth.
    private var scale: String {
        let n = PageText.number
        var depths: [Double] = [0] + [strip.total].compactMap { $0 }
        depths = [markedDepth].compactMap { $0 } + depths + strip.layers.flatMap { [$0.from, $0.to].compactMap { $0 } }
        var taken: [Double] = []
        var svg = ""
        for depth in depths where depth.isFinite && depth >= 0 && depth <= deepest {
            let place = y(depth)
            guard !taken.contains(where: { abs($0 - place) < 12 }) else { continue }
            taken.append(place)
            svg += "<path d=\"M\(n(Self.left - 4)) \(n(place))H\(n(Self.left))\" stroke=\"#1b1f24\"/>"
            svg +=
                """
                <text class=\"soft\" x=\"\(n(Self.left - 6))\" y=\"\(n(place + 4))\" \
                text-anchor=\"end\">\(Self.depth(depth))</text>
                """
        }
        return svg
    }

    /// A depth with two decimals, as in logs.
    private static func depth(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }

    private var markedDepth: Double? {
        switch strip.mark {
        case .top(let index): layer(index)?.from
        case .bottom(let index): layer(index)?.to
        case .layer(let index): layer(index)?.from
        case .total: strip.total
        case .water: strip.water
        case .nothing: nil
        }
    }

    private func layer(_ index: Int) -> StrataStrip.Layer? {
        strip.layers.indices.contains(index) ? strip.layers[index] : nil
    }

    private var mark: String {
        let n = PageText.number
        if case .layer(let index) = strip.mark, let layer = layer(index), let from = layer.from, let to = layer.to {
            let (upper, lower) = (y(min(from, to)), y(max(from, to)))
            return
                """
                <rect x=\"\(n(Self.left))\" y=\"\(n(upper))\" width=\"\(n(Self.right - Self.left))\" \
                height=\"\(n(max(lower - upper, 2)))\" fill=\"none\" stroke=\"#9b1c1c\" stroke-width=\"3.5\"/>
                """
                + arrow(at: (upper + lower) / 2)
        }
        guard let depth = markedDepth else { return "" }
        let place = y(depth)
        return "<path d=\"M\(n(Self.left)) \(n(place))H\(n(Self.right))\" stroke=\"#9b1c1c\" stroke-width=\"4\"/>"
            + arrow(at: place)
    }

    private func arrow(at place: Double) -> String {
        let n = PageText.number
        return
            """
            <path d=\"M\(n(Self.right + 4)) \(n(place))l9 -5.5v11zM\(n(Self.right + 13)) \(n(place))h12\" \
            fill=\"#9b1c1c\" stroke=\"#9b1c1c\" stroke-width=\"2\"/>
            """
    }
}

/// The SVG patterns that a page's pictures and bars refer to by id, written once for a page.
///
/// Soils look as they do on drawings (`SoilSymbol`): each pattern is a small picture that browsers
/// repeat.
enum PagePatterns {
    private static let soils = SoilSymbol.vocabulary + SoilSymbol.others

    static func svg() throws -> String {
        var svg = "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n"
        let typesetter = try Typesetter()
        for soil in soils + [""] {
            let cell = SoilSymbol(soil).cell
            let picture = Data(
                try Picture.svg(width: cell.width, height: cell.height, typesetter: typesetter) { cell.draw($0) })
            let size = "width=\"\(PageText.number(cell.width))\" height=\"\(PageText.number(cell.height))\""
            svg += "<pattern id=\"\(name(of: soil))\" \(size) patternUnits=\"userSpaceOnUse\">"
            svg += "<image \(size) href=\"data:image/svg+xml;base64,\(picture.base64EncodedString())\"/></pattern>\n"
        }
        return svg + """
            <pattern id="h-error" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" \
            fill="#9b1c1c"/></pattern>
            <pattern id="h-warning" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" \
            fill="#fff"/><path d="M-1 7L7 -1" stroke="#8a5a00" stroke-width="2.5"/></pattern>
            <pattern id="h-note" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" \
            fill="#fff"/><circle cx="3" cy="3" r="1.3" fill="#3a5a78"/></pattern>
            </defs></svg>

            """
    }

    /// The pattern's id for a stratum's symbol; for a pair (`CL/ML`), that of its first.
    static func soil(_ symbol: String) -> String {
        let first = symbol.split(separator: "/").first.map(String.init) ?? ""
        return name(of: SoilSymbol(first).code)
    }

    private static func name(of code: String) -> String {
        soils.firstIndex(of: code).map { "soil-\($0)" } ?? "soil-unknown"
    }
}
