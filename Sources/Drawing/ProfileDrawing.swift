package import Model

/// Pits along a road or a section, to scale. Above, the ground and the pits at their true
/// elevations, over a grid of chainages and heights; below, the column of each pit at a scale of
/// its own, with a band of what is known of it.
package struct ProfileDrawing {
    package struct Pit: Sendable, Hashable {
        package var code: String
        package var strata: [Stratum]
        /// The depth of the water table, in metres below the surface; nil: none.
        package var water: Double?
        package var depth: Double
        /// Metres along the road or the section.
        package var chainage: Double
        /// The elevation of the surface in metres; nil when it was not measured.
        package var elevation: Double?
        /// What the band says of it, for each of `bandTitles`.
        package var band: [String]
        /// Why the pit is not drawn: a dashed gap with its code stands in its place.
        package var absence: String?
        /// Why its elevation has no place at the scale: the gap stands in the upper panel alone.
        package var elevationFault: String?
        /// Why its depth has no place at the scale: the gap stands in the place of its column.
        package var depthFault: String?

        package init(
            code: String, chainage: Double, elevation: Double?, depth: Double, water: Double? = nil, strata: [Stratum], band: [String] = [], absence: String? = nil
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
        /// What stands in the place of its column.
        var gap: String? { absence ?? depthFault }

        /// The pit without what has no place at the scale.
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
        /// What the lines mean.
        package var ground = ""
        package var contact = ""
        package var water = ""
        package var absent = ""
        /// Before the codes of pits without elevation.
        package var noElevation = ""
        /// Before the number of the sheet on which the profile goes on.
        package var match = ""

        package init() {}
    }

    package var pits: [Pit]
    package var words: Words
    package var style = DrawingStyle()
    package var bandTitles: [String] = []
    /// Whether the ratios of the scales are stated; a drawing that was made smaller has others.
    var statesScales = true
    /// The denominators of the scales. They are chosen when nil, and when a pit would not fit a
    /// sheet. All sheets have the same.
    package var horizontalRatio: Double?
    package var verticalRatio: Double?
    /// Whether equal soils of neighbouring pits are joined, by dashed lines and pale fields.
    package var showsContacts = false
    /// Whether places are metres along a section, whose ends are A and A′, and not chainages.
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
        /// The last pit of the sheet before and the first of the next.
        let before: Pit?
        let after: Pit?
        /// Counted from 1.
        let number: Int

        /// The vertical scale divided by the horizontal one: at 10, slopes look ten times as steep.
        package var exaggeration: Double { horizontalRatio / verticalRatio }
        /// The soil symbols that occur, in the vocabulary's order, for a legend.
        package var symbols: [String] {
            let codes = Set(pits.flatMap { $0.strata.map { SoilSymbol($0.symbol).code } })
            let order = SoilSymbol.vocabulary + SoilSymbol.others
            return order.filter(codes.contains) + codes.subtracting(order).sorted()
        }
    }

    /// A place along the axis as people read it.
    func place(_ metres: Double) -> String { isSection ? style.number(metres, decimals: metres == metres.rounded() ? 0 : 1) : style.chainage(metres) }
}
