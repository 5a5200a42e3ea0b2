/// A layer of the ground with its depths in metres below the surface, as they are recorded: gaps
/// and overlaps stay.
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
