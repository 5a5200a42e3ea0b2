package import Model

/// Pits along a road or a section, to scale. Above, the ground and the pits at their true
/// elevations, over a grid of chainages and heights. Below, the column of each pit at a separate
/// scale, with a band of its data.
package struct ProfileDrawing {
    package struct Pit: Sendable, Hashable {
        package var code: String
        package var strata: [Stratum]
        /// The depth of the water table, in metres below the surface; nil: none.
        package var water: Double?
        package var depth: Double
        /// Metres along the road or the section.
        package var chainage: Double
        /// The elevation of the surface in metres; nil if it was not measured.
        package var elevation: Double?
        /// The pit's texts in the band, one for each of `bandTitles`.
        package var band: [String]
        /// The reason why the pit is not drawn: a dashed gap with its code is drawn instead.
        package var absence: String?
        /// The reason why the pit's elevation is off the scale: the gap is only in the upper panel.
        package var elevationFault: String?
        /// The reason why the pit's depth is off the scale: the gap replaces the pit's column.
        package var depthFault: String?

        package init(
            code: String, chainage: Double, elevation: Double?, depth: Double, water: Double? = nil, strata: [Stratum],
            band: [String] = [], absence: String? = nil
        ) {
            self.code = code
            self.chainage = chainage
            self.elevation = elevation
            self.depth = depth
            self.water = water
            self.strata = strata
            self.band = band
            self.absence = absence
        }

        var bottom: Double { max(depth, strata.map(\.bottom).max() ?? 0, 0.05) }
        /// The reason shown in place of the pit's column.
        var gap: String? { absence ?? depthFault }

        /// The pit without the values that are off the scale.
        var drawn: Pit {
            var pit = self
            if elevationFault != nil { pit.elevation = nil }
            if depthFault != nil { (pit.depth, pit.water, pit.strata) = (0, nil, []) }
            return pit
        }
    }

    /// The texts, in the reader's language.
    package struct Words: Sendable, Hashable {
        package var elevation = ""
        package var depth = ""
        /// The title of the axis along the road.
        package var chainage = ""
        /// The words before the scales and the exaggeration, as in
        /// `Escala H 1:5000 · V 1:100 · exageración ×50 · columnas 1:50`.
        package var horizontal = "H"
        package var vertical = "V"
        package var exaggeration = ""
        package var columns = ""
        /// The meanings of the lines.
        package var ground = ""
        package var contact = ""
        package var water = ""
        package var absent = ""
        /// The words before the codes of pits without elevation.
        package var noElevation = ""
        /// The words before the number of the sheet on which the profile continues.
        package var match = ""

        package init() {}
    }

    package var pits: [Pit]
    package var words: Words
    package var style = DrawingStyle()
    package var bandTitles: [String] = []
    /// Whether the ratios of the scales are printed. They are wrong for a drawing that is scaled
    /// down.
    var statesScales = true
    /// The denominators of the scales. The program chooses them if they are nil, or if a pit would
    /// not fit on a sheet. All sheets have the same scales.
    package var horizontalRatio: Double?
    package var verticalRatio: Double?
    /// Whether equal soils of neighbouring pits are connected, by dashed lines and pale fields.
    package var showsContacts = false
    /// Whether positions are metres along a section with the ends A and A′, instead of chainages.
    package var isSection = false

    package init(pits: [Pit], words: Words) {
        self.pits = pits
        self.words = words
    }

    /// One sheet of the profile.
    package struct Page {
        package let chainages: ClosedRange<Double>
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
        /// The last pit of the previous sheet and the first pit of the next.
        let before: Pit?
        let after: Pit?
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
        isSection ? style.number(metres, decimals: metres == metres.rounded() ? 0 : 1) : style.chainage(metres)
    }
}

/// Values that would flatten all others at a common scale, such as an elevation with a misplaced
/// decimal point.
package enum OffScale {
    /// Finds the indexes of values that are off the scale. A gap more than `times` as wide as the
    /// range of the larger part separates the smaller part, which is off the scale. Two parts of
    /// equal size are both kept.
    /// - Parameters:
    ///   - leastSpan: the minimum range assumed for the larger part, since five equal pits prove
    ///     little.
    ///   - onlyAbove: whether only values above the larger part can be off the scale.
    ///   - isPossible: whether a value may nevertheless be true, given the values of the larger
    ///     part.
    package static func places(
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
    package var elevationsOffScale: Set<Int> {
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
    package var depthsOffScale: Set<Int> {
        OffScale.places(in: pits.map { $0.absence == nil ? $0.bottom : nil }, times: 10, leastSpan: 5, onlyAbove: true)
    }
}
