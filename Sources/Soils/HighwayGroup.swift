/// The group and the group index of a soil for roads (AASHTO M 145, tables 1 and 2). A-8, peat, is
/// known by its look, and never comes out.
package struct HighwayGroup: Sendable, Hashable {
    /// `A-1-a` to `A-7-6`.
    package let group: String
    package let index: Int

    /// Takes the first group from the left whose limits hold, as the norm says. All values count as
    /// whole numbers.
    ///
    /// - Returns: nil where the results do not decide: sieves of 2, 0.425 and 0.075 mm are missing,
    ///   or the limits were not tested.
    package init?(_ grading: Grading, _ plasticity: Plasticity?) {
        guard let plasticity, let gravel = grading.passing(2), let sand = grading.passing(0.425), let silt = grading.passing(0.075) else { return nil }
        let (ten, forty, fines) = (gravel.rounded(), sand.rounded(), silt.rounded())
        var (liquid, plastic) = (0.0, 0.0)
        if case .limits(let limit, let index) = plasticity { (liquid, plastic) = (limit.rounded(), index.rounded()) }
        let isLiquid = liquid > 40, isPlastic = plastic > 10
        let partOfPlasticity = 0.01 * (fines - 15) * (plastic - 10)
        if ten <= 50, forty <= 30, fines <= 15, plastic <= 6 {
            self.init("A-1-a", 0)
        } else if forty <= 50, fines <= 25, plastic <= 6 {
            self.init("A-1-b", 0)
        } else if forty > 50, fines <= 10, plasticity == .none {
            self.init("A-3", 0)
        } else if fines <= 35 {
            self.init(isPlastic ? isLiquid ? "A-2-7" : "A-2-6" : isLiquid ? "A-2-5" : "A-2-4", isPlastic ? partOfPlasticity : 0)
        } else {
            let group = isPlastic ? isLiquid ? plastic <= liquid - 30 ? "A-7-5" : "A-7-6" : "A-6" : isLiquid ? "A-5" : "A-4"
            self.init(group, plasticity == .none ? 0 : (fines - 35) * (0.2 + 0.005 * (liquid - 40)) + partOfPlasticity)
        }
    }

    private init(_ group: String, _ index: Double) {
        self.group = group
        // No soil has an index above some sixty; a wrong limit must not stop whoever looks for it.
        self.index = Int(min(max(0, index.rounded()), 999))
    }
}
