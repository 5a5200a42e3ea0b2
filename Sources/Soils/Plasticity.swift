/// The plasticity of the part of a soil that passes the sieve of 0.425 mm (ASTM D4318).
package enum Plasticity: Sendable, Hashable {
    /// No thread can be rolled, so there are no limits.
    case none
    /// Liquid limit and plasticity index, in per cent of the dry mass.
    case limits(liquid: Double, index: Double)

    /// The kind of the fine part by the chart of ASTM D2487, figure 4.
    package func fines(isOrganic: Bool = false) -> String {
        guard case .limits(let liquid, let index) = self else { return "ML" }
        let isLow = liquid < 50
        if isOrganic { return isLow ? "OL" : "OH" }
        let isOnLineOrAbove = index >= 0.73 * (liquid - 20)
        guard isLow else { return isOnLineOrAbove ? "CH" : "MH" }
        if isOnLineOrAbove, index > 7 { return "CL" }
        return isOnLineOrAbove && index >= 4 ? "CL-ML" : "ML"
    }
}
