package import Blocks
package import Canvas
import Model

/// Pits along a road or a section, to scale. Above, the ground and the pits at their true
/// elevations, over a grid of chainages and heights. Below, the column of each pit at a separate
/// scale, with a band of its data.
package struct ProfileDrawing {
    package typealias Pit = ProfileContent.Pit

    /// The program chooses the scales if the content has none, or if a pit would not fit on a
    /// sheet. All sheets have the same scales.
    package var content: ProfileContent
    let setting: DrawingSetting
    /// Whether the ratios of the scales are printed. They are wrong for a drawing that is scaled
    /// down.
    var statesScales = true

    var pits: [Pit] { content.pits }
    var style: DrawingStyle { setting.style }
    var words: ReportWords { setting.words }

    /// One sheet of the profile.
    package struct Page {
        package let horizontalRatio: Double
        package let verticalRatio: Double
        /// The scale of the columns below the ground.
        package let depthRatio: Double
        let profile: ProfileDrawing
        let layout: ProfileLayout
        /// The drawn pits and the absent ones, in order.
        let pits: [Pit]
        /// The elevation of the upper panel's lower edge in metres.
        let base: Double
        let axis: ProfileAxis
        let sheet: ProfileAxis.Sheet
        /// Counted from 1.
        let number: Int

        /// The vertical scale divided by the horizontal one: at 10, slopes look ten times as steep.
        package var exaggeration: Double { horizontalRatio / verticalRatio }
        /// The soil symbols used, in the vocabulary's order, for a legend.
        package var symbols: [String] {
            let codes = Set(pits.flatMap { $0.strata.map { SoilSymbol($0.symbol).code } })
            let order = SoilSymbol.vocabulary + SoilSymbol.others
            return order.filter(codes.contains) + codes.subtracting(order).sorted()
        }
    }

    /// A position along the axis, formatted for display.
    func place(_ metres: Double) -> String {
        content.isSection ? style.number(metres, decimals: metres == metres.rounded() ? 0 : 1) : style.chainage(metres)
    }
}

extension ProfileContent.Pit {
    var bottom: Double { max(depth, strata.map(\.bottom).max() ?? 0, 0.05) }
    /// The reason shown in place of the pit's column.
    var gap: String? { absence ?? depthFault }

    /// The pit without the values that are off the scale.
    var drawn: Self {
        var pit = self
        if elevationFault != nil { pit.elevation = nil }
        if depthFault != nil { (pit.depth, pit.water, pit.strata) = (0, nil, []) }
        return pit
    }
}

extension ProfileContent: DrawnContent {
    package static var usualSize: (width: Double, height: Double) { (390, 250) }

    package func draw(on canvas: Canvas, in box: Box, _ setting: DrawingSetting) {
        drawing(setting).drawWhole(on: canvas, in: box)
    }

    package func figure(_ setting: DrawingSetting) -> String {
        setting.figure("profile", pits.map { pit in
            ([pit.label] + setting.strata(pit.strata) + setting.water(pit.water)).joined(separator: ", ")
        })
    }

    /// The drawing, for pages. The band begins with the numbers of each pit.
    package func drawing(_ setting: DrawingSetting) -> ProfileDrawing {
        let (words, style) = (setting.words, setting.style)
        var drawing = ProfileDrawing(content: self, setting: setting)
        drawing.content.bandTitles = (isSection ? [words("distance"), words("off_section")] : [words("chainage")])
            + [words("elevation_short"), words("depth"), words("water_depth")] + bandTitles
        for (place, pit) in pits.enumerated() {
            let along = isSection
                ? [setting.number(pit.chainage), setting.number(pit.off)] : [style.chainage(pit.chainage)]
            drawing.content.pits[place].band = along
                + [pit.elevation, pit.depth, pit.water].map(setting.number) + pit.band
        }
        for place in drawing.elevationsOffScale {
            drawing.content.pits[place].elevationFault = words(
                "elevation_off_scale", ["elevation": setting.number(pits[place].elevation)])
        }
        for place in drawing.depthsOffScale {
            let deepest = max(pits[place].depth, pits[place].strata.map(\.bottom).max() ?? 0)
            drawing.content.pits[place].depthFault = words("depth_off_scale", ["depth": setting.number(deepest)])
        }
        return drawing
    }
}

/// Values that would flatten all others at a common scale, such as an elevation with a misplaced
/// decimal point.
enum OffScale {
    /// Finds the indexes of values that are off the scale. A gap more than `times` as wide as the
    /// range of the larger part separates the smaller part, which is off the scale. Two parts of
    /// equal size are both kept.
    /// - Parameters:
    ///   - leastSpan: the minimum range assumed for the larger part, since five equal pits prove
    ///     little.
    ///   - onlyAbove: whether only values above the larger part can be off the scale.
    ///   - isPossible: whether a value may nevertheless be true, given the values of the larger
    ///     part.
    static func places(
        in values: [Double?], times: Double, leastSpan: Double, onlyAbove: Bool = false,
        isPossible: (_ place: Int, _ larger: [Int]) -> Bool = { _, _ in false }
    ) -> Set<Int> {
        func value(_ place: Int) -> Double { values[place] ?? 0 }
        var rest = values.indices.filter { values[$0]?.isFinite == true }.sorted { (value($0), $0) < (value($1), $1) }
        var found: Set<Int> = []
        func lesserPart() -> [Int]? {
            for cut in rest.indices.dropFirst() where cut * 2 != rest.count {
                let (below, above) = (Array(rest[..<cut]), Array(rest[cut...]))
                let (lesser, larger) = below.count < above.count ? (below, above) : (above, below)
                if onlyAbove, below.count < above.count { continue }
                let span = max(value(larger[larger.count - 1]) - value(larger[0]), leastSpan)
                guard value(above[0]) - value(below[below.count - 1]) > times * span else { continue }
                let wrong = lesser.filter { !isPossible($0, larger) }
                if !wrong.isEmpty { return wrong }
            }
            return nil
        }
        while let lesser = lesserPart() {
            found.formUnion(lesser)
            rest.removeAll { found.contains($0) }
        }
        return found
    }
}

extension ProfileDrawing {
    /// The indexes of pits whose elevation is off the scale. A pit may be on a true hill if the
    /// ground from the nearest other pit is not steeper than 1 in 5.
    var elevationsOffScale: Set<Int> {
        OffScale.places(in: pits.map { $0.absence == nil ? $0.elevation : nil }, times: 3, leastSpan: 25) {
            place, larger in
            let pit = pits[place]
            func distance(_ other: Int) -> Double { abs(pits[other].chainage - pit.chainage) }
            guard let nearest = larger.min(by: { distance($0) < distance($1) }) else { return false }
            return abs((pits[nearest].elevation ?? 0) - (pit.elevation ?? 0)) <= 0.2 * distance(nearest)
        }
    }

    /// The indexes of pits that are too deep for the scale of the others. A boring of 30 m among
    /// pits is not too deep.
    var depthsOffScale: Set<Int> {
        OffScale.places(in: pits.map { $0.absence == nil ? $0.bottom : nil }, times: 10, leastSpan: 5, onlyAbove: true)
    }
}
