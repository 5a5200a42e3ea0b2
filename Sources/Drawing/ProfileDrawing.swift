package import Model

/// Pits along a road in elevation, to scale both ways: columns of strata under a ground line, over
/// a grid of chainages and heights.
package struct ProfileDrawing {
    package struct Pit: Sendable, Hashable {
        package var code: String
        /// The chainage in metres along the road.
        package var chainage: Double
        /// The elevation of the surface in metres; nil when it was not measured.
        package var elevation: Double?
        package var depth: Double
        /// The depth of the water table, in metres below the surface; nil: none.
        package var water: Double?
        package var strata: [Stratum]

        package init(code: String, chainage: Double, elevation: Double?, depth: Double, water: Double? = nil, strata: [Stratum]) {
            self.code = code
            self.chainage = chainage
            self.elevation = elevation
            self.depth = depth
            self.water = water
            self.strata = strata
        }

        var bottom: Double { max(depth, strata.map(\.bottom).max() ?? 0, 0.05) }
    }

    /// The texts, in the reader's language.
    package struct Words: Sendable, Hashable {
        package var elevation = ""
        package var chainage = ""
        /// The words before the two scales and the exaggeration, as in
        /// `Escala H 1:5000 · V 1:100 · exageración ×50`.
        package var horizontal = "H"
        package var vertical = "V"
        package var exaggeration = ""
        /// The word before the scale of the columns, where it differs from the vertical one.
        package var columns = ""
        /// The note on pits without elevation, which hang from a common datum line.
        package var noElevation = ""
        package var nothing = ""

        package init() {}
    }

    package var pits: [Pit]
    package var words: Words
    package var style = DrawingStyle()
    /// The denominator of the scale. It is chosen when nil, and when a pit would be taller than a
    /// sheet.
    package var horizontalRatio: Double?
    package var verticalRatio: Double?
    /// Whether equal soils of neighbouring pits are joined, by dashed lines and pale fields.
    package var showsContacts = false
    package var columnWidth = 20.0

    package init(pits: [Pit], words: Words) {
        self.pits = pits
        self.words = words
    }

    /// One sheet of the profile.
    package struct Page {
        package let chainages: ClosedRange<Double>
        package let horizontalRatio: Double
        package let verticalRatio: Double
        /// The scale of the columns: the vertical one, unless the road climbs so much that pits
        /// would be too small to see at that scale.
        package let depthRatio: Double
        let profile: ProfileDrawing
        let pits: [Pit]
        /// The elevation of the plot's lower edge in metres: a multiple of the grid's step where
        /// there is room for it.
        let base: Double
        let hasCommonDatum: Bool

        /// The vertical scale divided by the horizontal one: at 10, slopes look ten times as steep.
        package var exaggeration: Double { horizontalRatio / verticalRatio }
        /// The soil symbols that occur, in the vocabulary's order, for a legend.
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

    /// The sheets from the first chainage to the last, none larger than `width` and `height` in
    /// points.
    package func pages(width: Double, height: Double) -> [Page] {
        let sorted = pits.filter { $0.chainage.isFinite && $0.bottom.isFinite && $0.elevation?.isFinite != false }.sorted { ($0.chainage, $0.code) < ($1.chainage, $1.code) }
        guard let first = sorted.first, let last = sorted.last else { return [] }
        let plot = (width: max(80, width - Self.leftMargin - 2 * columnWidth), height: max(60, height - Self.bottomMargin - Self.headroom - 5))
        let (vertical, depthRatio) = chooseVertical(sorted, plot)
        let factor = vertical / depthRatio
        let perPage = max(1, Int(plot.width / (columnWidth + 8)))
        let sheets = Double((sorted.count + perPage - 1) / perPage)
        let horizontal = horizontalRatio ?? RoundSteps.horizontalRatios.first { ratio in
            DrawingStyle.points(perMetreAt: ratio) * (last.chainage - first.chainage) <= plot.width * sheets
        } ?? RoundSteps.smallestHorizontal
        let metresAlong = plot.width / DrawingStyle.points(perMetreAt: horizontal)
        let metresUp = plot.height / DrawingStyle.points(perMetreAt: vertical)

        var groups: [[Pit]] = []
        for pit in sorted {
            if let group = groups.last, group.count < perPage, pit.chainage - group[0].chainage <= metresAlong + 1e-6,
                span(of: group + [pit], factor) <= metresUp + 1e-6
            {
                groups[groups.count - 1].append(pit)
            } else {
                groups.append([pit])
            }
        }
        return groups.map { group in
            let heights = group.map { ($0.elevation ?? datum(of: group), $0.bottom * factor) }
            let lowest = heights.map { $0.0 - $0.1 }.min() ?? 0
            let slack = max(0, metresUp - span(of: group, factor))
            let step = Page.heightStep(vertical)
            // The base is the next lower line of the grid: the height that is left over goes above,
            // to the codes.
            let floor = (lowest / step).rounded(.down) * step
            // A column must not touch the frame.
            let air = 5 / DrawingStyle.points(perMetreAt: vertical)
            let base = lowest - floor >= air && lowest - floor <= slack ? floor : lowest - air
            return Page(
                chainages: group[0].chainage...group[group.count - 1].chainage, horizontalRatio: horizontal, verticalRatio: vertical, depthRatio: depthRatio,
                profile: self, pits: group, base: base, hasCommonDatum: group.contains { $0.elevation == nil })
        }
    }

    /// The datum from which pits without elevation hang: the highest surface of their sheet, or 0
    /// when none was measured.
    func datum(of group: [Pit]) -> Double { group.compactMap(\.elevation).max() ?? 0 }

    private func span(of group: [Pit], _ factor: Double = 1) -> Double {
        let datum = datum(of: group)
        let tops = group.map { $0.elevation ?? datum }
        return (tops.max() ?? 0) - (zip(tops, group).map { $0 - $1.bottom * factor }.min() ?? 0)
    }

    /// Chooses the scales of the ground and of the columns.
    ///
    /// - The largest scale that shows all pits on one sheet.
    /// - Where a pit of median depth would be too small at that scale: the smallest scale at which
    ///   it is visible, on several sheets.
    /// - Where the road climbs so much that a sheet would then hold few pits: one scale for the
    ///   ground and another for the columns.
    private func chooseVertical(_ sorted: [Pit], _ plot: (width: Double, height: Double)) -> (ground: Double, depth: Double) {
        let deepest = sorted.map(\.bottom).max() ?? 1
        // A scale at which a pit is taller than the sheet cannot be used.
        if let verticalRatio, DrawingStyle.points(perMetreAt: verticalRatio) * deepest <= plot.height { return (verticalRatio, verticalRatio) }
        let first = { (extent: Double, room: Double) in
            RoundSteps.verticalRatios.first { DrawingStyle.points(perMetreAt: $0) * extent <= room } ?? RoundSteps.smallestVertical
        }
        let whole = first(span(of: sorted), plot.height)
        let depths = sorted.map(\.bottom).sorted()
        let usual = depths[depths.count / 2]
        if DrawingStyle.points(perMetreAt: whole) * usual >= Self.shallowest { return (whole, whole) }
        let visible = RoundSteps.verticalRatios.last { DrawingStyle.points(perMetreAt: $0) * usual >= Self.shallowest } ?? whole
        // The deepest pit must fit a sheet in any case.
        let columns = max(visible, first(depths.last ?? 1, plot.height * 0.6))
        let climb = (sorted.compactMap(\.elevation).max() ?? 0) - (sorted.compactMap(\.elevation).min() ?? 0)
        let sheets = climb * DrawingStyle.points(perMetreAt: columns) / plot.height
        if sheets <= Double(sorted.count) / 6 { return (columns, columns) }
        let left = plot.height - DrawingStyle.points(perMetreAt: columns) * (depths.last ?? 0)
        return (max(columns, first(climb, max(20, left))), columns)
    }
}
