/// The group of a soil in the Unified Soil Classification System (ASTM D2487-17, figures 1 to 3; in
/// Peru NTP 339.134). Peat is known by its look, and never comes out.
package enum UnifiedGroup {
    /// - Parameter plasticity: nil where the limits were not tested; enough for a clean coarse soil.
    /// - Returns: nil where the results do not decide: sieves of 4.75 and 0.075 mm are missing, or
    ///   the limits, or in a coarse soil with at most 12 % fines the sizes that 10, 30 and 60 %
    ///   pass.
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
