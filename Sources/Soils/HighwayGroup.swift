import Foundation

/// The group and the group index of a soil for roads (AASHTO M 145, tables 1 and 2). A-8, peat, is
/// recognised by its appearance, and is never returned.
package struct HighwayGroup: Sendable, Hashable {
    /// `A-1-a` to `A-7-6`.
    package let group: String
    package let index: Int

    /// Chooses the first group from the left whose limits are satisfied, as the norm requires. All
    /// values count as whole numbers.
    ///
    /// - Returns: nil if the results are not sufficient: sieves of 2, 0.425 and 0.075 mm are
    ///   missing, or the limits were not tested.
    package init?(_ grading: Grading, _ plasticity: Plasticity?) {
        guard let plasticity, let gravel = grading.passing(2), let sand = grading.passing(0.425),
            let silt = grading.passing(0.075)
        else { return nil }
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
            self.init(
                isPlastic ? isLiquid ? "A-2-7" : "A-2-6" : isLiquid ? "A-2-5" : "A-2-4",
                isPlastic ? partOfPlasticity : 0)
        } else {
            let group =
                isPlastic ? isLiquid ? plastic <= liquid - 30 ? "A-7-5" : "A-7-6" : "A-6" : isLiquid ? "A-5" : "A-4"
            self.init(group, plasticity == .none ? 0 : (fines - 35) * (0.2 + 0.005 * (liquid - 40)) + partOfPlasticity)
        }
    }

    private init(_ group: String, _ index: Double) {
        self.group = group
        // No soil has an index above about sixty; a wrong limit must not crash the program.
        self.index = Int(min(max(0, index.rounded()), 999))
    }
}

/// The plasticity of the part of a soil that passes the sieve of 0.425 mm (ASTM D4318).
package enum Plasticity: Sendable, Hashable {
    /// No thread can be rolled, so there are no limits.
    case none
    /// Liquid limit and plasticity index, in per cent of the dry mass.
    case limits(liquid: Double, index: Double)

    /// The kind of the fine part, from the chart of ASTM D2487, figure 4.
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

/// The group of a soil in the Unified Soil Classification System (ASTM D2487-17, figures 1 to 3; in
/// Peru NTP 339.134). Peat is recognised by its appearance, and is never returned.
package enum UnifiedGroup {
    /// - Parameter plasticity: nil if the limits were not tested, which suffices for a clean
    ///   coarse soil.
    /// - Returns: nil if the results are not sufficient: the limits or the sieves of 4.75 and
    ///   0.075 mm are missing. In a coarse soil with at most 12 % fines, the sizes that 10, 30 and
    ///   60 % pass are needed too.
    package static func of(_ grading: Grading, _ plasticity: Plasticity?, isOrganic: Bool = false) -> String? {
        guard let fines = grading.passing(0.075), let belowGravel = grading.passing(4.75) else { return nil }
        if fines >= 50 { return plasticity?.fines(isOrganic: isOrganic) }
        // A gravel has more than half of its coarse part on the sieve of 4.75 mm.
        let isGravel = 100 - belowGravel > (100 - fines) / 2
        let main = isGravel ? "G" : "S"
        let kind = plasticity?.fines()
        if fines > 12 {
            guard let kind else { return nil }
            return kind == "CL-ML" ? "\(main)C-\(main)M" : main + suffix(of: kind)
        }
        guard let (uniformity, curvature) = grading.coefficients else { return nil }
        let isWell = uniformity >= (isGravel ? 4 : 6) && (1...3).contains(curvature)
        let clean = main + (isWell ? "W" : "P")
        if fines < 5 { return clean }
        return kind.map { "\(clean)-\(main)\(suffix(of: $0))" }
    }

    private static func suffix(of fines: String) -> String { fines == "ML" || fines == "MH" ? "M" : "C" }
}

/// The grading of a soil: the per cent of its dry mass that passes each sieve (ASTM D6913).
package struct Grading: Sendable {
    /// Sizes in millimetres with per cents, from the largest to the smallest sieve.
    package let points: [(size: Double, passing: Double)]

    /// - Returns: nil for fewer than two sieves, for an invalid size or per cent, and if more
    ///   passes a smaller sieve than a larger one.
    package init?(_ sieves: [(size: Double, passing: Double)]) {
        let points = sieves.sorted { $0.size > $1.size }
        guard points.count > 1, points.allSatisfy({ $0.size > 0 && $0.size.isFinite && (0...100).contains($0.passing) })
        else { return nil }
        for (larger, smaller) in zip(points, points.dropFirst())
        where smaller.passing > larger.passing || smaller.size == larger.size { return nil }
        self.points = points
    }

    /// The per cent that passes a used sieve; nil for other sieves.
    package func passing(_ size: Double) -> Double? { points.first { $0.size == size }?.passing }

    /// The size in millimetres that a per cent of the mass passes, on the straight line between two
    /// sieves over the logarithm of the size (D6913, section 12); nil outside the sieves.
    package func size(at percent: Double) -> Double? {
        for (larger, smaller) in zip(points, points.dropFirst())
        where smaller.passing <= percent && percent <= larger.passing {
            guard larger.passing > smaller.passing else { continue }
            let share = (percent - smaller.passing) / (larger.passing - smaller.passing)
            return exp(log(smaller.size) + share * (log(larger.size) - log(smaller.size)))
        }
        return nil
    }

    /// The coefficients of uniformity (D60 / D10) and of curvature (D30² / (D10 · D60)); nil if
    /// the sieves do not cover one of the three sizes.
    package var coefficients: (uniformity: Double, curvature: Double)? {
        guard let ten = size(at: 10), let thirty = size(at: 30), let sixty = size(at: 60) else { return nil }
        return (sixty / ten, thirty * thirty / (ten * sixty))
    }
}
