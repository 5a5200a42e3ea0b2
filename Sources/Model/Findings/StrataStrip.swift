/// The strata of one record as numbers, for a small picture beside a finding. Depths are in the
/// pack's unit and increase downwards. A missing value is nil. Gaps, overlaps and upside-down
/// strata are not corrected.
package struct StrataStrip: Sendable, Hashable {
    /// Unlike a `Stratum`, a layer may lack a depth, and its depths are in the pack's unit.
    package struct Layer: Sendable, Hashable {
        package var id: String
        package var from: Double?
        package var to: Double?
        package var label: String

        package init(id: String, from: Double?, to: Double?, label: String) {
            self.id = id
            self.from = from
            self.to = to
            self.label = label
        }
    }

    /// The part of the picture that a finding is about.
    package enum Mark: Sendable, Hashable {
        case layer(Int)
        /// The upper or lower boundary of a layer.
        case top(Int)
        case bottom(Int)
        case total
        case water
        /// The record as a whole.
        case nothing
    }

    /// The record's readable name.
    package var title: String
    package var unit: String
    package var layers: [Layer]
    /// The total depth recorded for the record.
    package var total: Double?
    package var water: Double?
    package var mark: Mark

    package init(title: String, unit: String, layers: [Layer], total: Double?, water: Double?, mark: Mark) {
        self.title = title
        self.unit = unit
        self.layers = layers
        self.total = total
        self.water = water
        self.mark = mark
    }
}

/// Something at a depth or over an interval of depths, in metres below the surface: a sample, a
/// test.
package struct DepthMark: Sendable, Hashable {
    package var top: Double
    package var bottom: Double
    package var label: String

    package init(top: Double, bottom: Double, label: String) {
        self.top = top
        self.bottom = bottom
        self.label = label
    }
}

/// A layer of the ground with its recorded depths in metres below the surface. Gaps and overlaps
/// are not corrected.
package struct Stratum: Sendable, Hashable {
    package var top: Double
    package var bottom: Double
    /// As stored: `GP-GM`, `CL/ML`; empty when not recorded.
    package var symbol: String

    package init(top: Double, bottom: Double, symbol: String) {
        self.top = top
        self.bottom = bottom
        self.symbol = symbol
    }
}
