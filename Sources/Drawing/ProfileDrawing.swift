/// Pits along a road in elevation, to scale both ways: columns of strata under a ground line, over a grid of chainages and heights.
package struct ProfileDrawing {
    package struct Pit: Sendable, Hashable {
        package var code: String
        /// Metres along the road.
        package var chainage: Double
        /// Metres of the surface; nil when nobody measured it.
        package var elevation: Double?
        package var depth: Double
        /// Metres below the surface; nil for none.
        package var water: Double?
        package var strata: [StripDrawing.Stratum]

        package init(code: String, chainage: Double, elevation: Double?, depth: Double, water: Double? = nil, strata: [StripDrawing.Stratum]) {
            self.code = code
            self.chainage = chainage
            self.elevation = elevation
            self.depth = depth
            self.water = water
            self.strata = strata
        }

        var bottom: Double { max(depth, strata.map(\.bottom).max() ?? 0, 0.05) }
    }

    /// In the reader's language.
    package struct Words: Sendable, Hashable {
        package var elevation = ""
        package var chainage = ""
        /// Before the two scales: `Escala H 1:5000 · V 1:100 · exageración ×50` is made of these.
        package var horizontal = "H"
        package var vertical = "V"
        package var exaggeration = ""
        /// Said of pits without elevation, which hang from a line of their own.
        package var noElevation = ""
        package var nothing = ""

        package init() {}
    }

    package var pits: [Pit]
    package var words: Words
    package var style = DrawingStyle()
    /// One to so many; chosen when nil.
    package var horizontalRatio: Double?
    package var verticalRatio: Double?
    /// Dashed lines and pale fields between equal soils of neighbours.
    package var showsContacts = false
    package var columnWidth = 20.0

    package init(pits: [Pit], words: Words) {
        self.pits = pits
        self.words = words
    }

    /// A sheet's part of the profile.
    package struct Page {
        package let chainages: ClosedRange<Double>
        package let horizontalRatio: Double
        package let verticalRatio: Double
        let profile: ProfileDrawing
        let pits: [Pit]
        /// Metres at the lower edge of the plot, a multiple of the grid's step.
        let base: Double
        let hasCommonDatum: Bool

        /// Heights drawn over heights along: 10 means that slopes look ten times as steep.
        package var exaggeration: Double { horizontalRatio / verticalRatio }
        /// The symbols that occur, in the vocabulary's order: for a legend.
        package var symbols: [String] {
            let codes = Set(pits.flatMap { $0.strata.map { SoilSymbol($0.symbol).code } })
            let order = SoilSymbol.vocabulary + SoilSymbol.others
            return order.filter(codes.contains) + codes.subtracting(order).sorted()
        }
    }

    // MARK: Layout

    static let leftMargin = 46.0
    static let bottomMargin = 58.0
    static let headroom = 62.0
    static let shallowest = 34.0

    /// Sheets from the first chainage to the last, each at most so large in points.
    package func pages(width: Double, height: Double) -> [Page] {
        let sorted = pits.filter { $0.chainage.isFinite }.sorted { ($0.chainage, $0.code) < ($1.chainage, $1.code) }
        guard let first = sorted.first, let last = sorted.last else { return [] }
        let plot = (width: max(80, width - Self.leftMargin - 2 * columnWidth), height: max(60, height - Self.bottomMargin - Self.headroom))
        let vertical = verticalRatio ?? chooseVertical(sorted, plot.height)
        let perPage = max(1, Int(plot.width / (columnWidth + 8)))
        let horizontal = horizontalRatio ?? RoundSteps.horizontalRatios.first { ratio in
            DrawingStyle.points(perMetreAt: ratio) * (last.chainage - first.chainage) <= plot.width
        } ?? RoundSteps.horizontalRatios.last!
        let metresAlong = plot.width / DrawingStyle.points(perMetreAt: horizontal)
        let metresUp = plot.height / DrawingStyle.points(perMetreAt: vertical)

        var groups: [[Pit]] = []
        for pit in sorted {
            if let group = groups.last, group.count < perPage, pit.chainage - group[0].chainage <= metresAlong + 1e-6,
                span(of: group + [pit]) <= metresUp + 1e-6
            {
                groups[groups.count - 1].append(pit)
            } else {
                groups.append([pit])
            }
        }
        return groups.map { group in
            let heights = group.map { ($0.elevation ?? datum(of: group), $0.bottom) }
            let lowest = heights.map { $0.0 - $0.1 }.min() ?? 0
            let slack = max(0, metresUp - span(of: group))
            let step = Page.heightStep(vertical)
            // As low as a round line allows, so that what is left over is above, where the codes stand.
            let base = (lowest / step).rounded(.down) * step
            return Page(
                chainages: group[0].chainage...group[group.count - 1].chainage, horizontalRatio: horizontal, verticalRatio: vertical,
                profile: self, pits: group, base: lowest - base <= slack ? base : lowest, hasCommonDatum: group.contains { $0.elevation == nil })
        }
    }

    /// Where pits without elevation hang: the highest surface of their sheet, or 0 when none was measured.
    func datum(of group: [Pit]) -> Double { group.compactMap(\.elevation).max() ?? 0 }

    private func span(of group: [Pit]) -> Double {
        let datum = datum(of: group)
        let tops = group.map { $0.elevation ?? datum }
        return (tops.max() ?? 0) - (zip(tops, group).map { $0 - $1.bottom }.min() ?? 0)
    }

    /// The largest scale that shows all on one sheet, unless the shallowest pit would be too small to be seen; then the smallest in which it can.
    private func chooseVertical(_ sorted: [Pit], _ height: Double) -> Double {
        let whole = RoundSteps.verticalRatios.first { DrawingStyle.points(perMetreAt: $0) * span(of: sorted) <= height } ?? RoundSteps.verticalRatios.last!
        let depths = sorted.map(\.bottom).sorted()
        let usual = depths[depths.count / 2]
        if DrawingStyle.points(perMetreAt: whole) * usual >= Self.shallowest { return whole }
        let visible = RoundSteps.verticalRatios.last { DrawingStyle.points(perMetreAt: $0) * usual >= Self.shallowest } ?? whole
        // A pit alone has to fit in any case.
        let deepest = RoundSteps.verticalRatios.first { DrawingStyle.points(perMetreAt: $0) * (depths.last ?? 1) <= height } ?? whole
        return max(visible, deepest)
    }
}
