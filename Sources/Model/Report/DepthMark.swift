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
