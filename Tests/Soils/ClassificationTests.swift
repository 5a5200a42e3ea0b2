import Soils
import Testing
import Workbench

/// Soils whose groups the norms' own tables and figures decide, one for each branch.
@Suite struct ClassificationTests {
    /// Passing 75, 4.75, 2, 0.425 and 0.075 mm.
    private func grading(_ passing: [Double]) throws -> Grading {
        try #require(Grading(Array(zip([75, 4.75, 2, 0.425, 0.075], passing))))
    }

    @Test(arguments: [
        ("CL", 92.0, Plasticity.limits(liquid: 38, index: 18)), ("ML", 80, .limits(liquid: 30, index: 3)), ("ML", 80, .none), ("CL-ML", 70, .limits(liquid: 24, index: 6)),
        ("CH", 95, .limits(liquid: 62, index: 36)), ("MH", 90, .limits(liquid: 60, index: 20)), ("ML", 60, .limits(liquid: 45, index: 12)),
        // On the line A itself, and at the limit of 50.
        ("CL", 60, .limits(liquid: 40, index: 14.6)), ("MH", 60, .limits(liquid: 50, index: 21.8)), ("CH", 60, .limits(liquid: 50, index: 21.9)),
        ("CL-ML", 50, .limits(liquid: 25, index: 7)), ("CL-ML", 50, .limits(liquid: 22, index: 4)), ("ML", 50, .limits(liquid: 22, index: 3.9)),
    ])
    func `a fine soil stands where the plasticity chart has it`(_ group: String, _ fines: Double, _ plasticity: Plasticity) throws {
        #expect(try UnifiedGroup.of(grading([100, 100, 100, 98, fines]), plasticity) == group)
    }

    @Test func `an organic fine soil is OL or OH`() throws {
        let soil = try grading([100, 100, 99, 95, 70])
        #expect(UnifiedGroup.of(soil, .limits(liquid: 40, index: 8), isOrganic: true) == "OL")
        #expect(UnifiedGroup.of(soil, .limits(liquid: 70, index: 25), isOrganic: true) == "OH")
    }

    @Test(arguments: [
        ("GM", 50.0, 20.0, Plasticity.none), ("GC", 50, 20, .limits(liquid: 30, index: 14)), ("GC-GM", 50, 20, .limits(liquid: 23, index: 6)),
        ("SM", 90, 30, .limits(liquid: 60, index: 15)), ("SC", 90, 30, .limits(liquid: 30, index: 12)), ("SC-SM", 90, 30, .limits(liquid: 23, index: 5)),
        // Half of the coarse part on the sieve of 4.75 mm is still a sand.
        ("SM", 65, 30, .none), ("GM", 64.9, 30, .none),
    ])
    func `a coarse soil with more than 12 per cent of fines is named for them`(_ group: String, _ sand: Double, _ fines: Double, _ plasticity: Plasticity) throws {
        #expect(try UnifiedGroup.of(grading([100, sand, sand - 5, fines + 5, fines]), plasticity) == group)
    }

    @Test func `a clean coarse soil is well graded by its two coefficients`() throws {
        // D10 = 0.425, D30 = 2 and D60 near 6.6: Cu 15.5, Cc 1.4.
        let well = try #require(Grading([(75, 100), (19, 85), (9.5, 70), (4.75, 50), (2, 30), (0.425, 10), (0.075, 3)]))
        let found = try #require(well.coefficients)
        #expect(abs(found.uniformity - 15.81) < 0.01 && abs(found.curvature - 1.40) < 0.01)
        #expect(UnifiedGroup.of(well, nil) == "GW", "48.5 of 97 per cent coarse are no gravel; 50 are more than half")
        let poor = try #require(Grading([(4.75, 100), (0.425, 96), (0.25, 20), (0.15, 6), (0.075, 2)]))
        #expect(UnifiedGroup.of(poor, nil) == "SP")
        let dual = try #require(Grading([(4.75, 100), (0.425, 96), (0.25, 20), (0.15, 9), (0.075, 8)]))
        #expect(UnifiedGroup.of(dual, Plasticity.none) == "SP-SM")
        #expect(UnifiedGroup.of(dual, .limits(liquid: 28, index: 11)) == "SP-SC")
        #expect(UnifiedGroup.of(dual, .limits(liquid: 23, index: 5)) == "SP-SC", "figure 3 puts CL-ML with the clays here")
        #expect(UnifiedGroup.of(dual, nil) == nil, "without limits, the fines have no kind")
    }

    @Test func `what does not decide gives nothing`() throws {
        #expect(Grading([(4.75, 50), (2, 60)]) == nil, "more passes the smaller sieve")
        #expect(Grading([(4.75, 50)]) == nil)
        #expect(Grading([(4.75, 101), (2, 60)]) == nil)
        #expect(Grading([(4.75, 60), (4.75, 50)]) == nil)
        #expect(Grading([(.infinity, 60), (4.75, 50)]) == nil)
        let short = try #require(Grading([(4.75, 60), (0.425, 30)]))
        #expect(UnifiedGroup.of(short, Plasticity.none) == nil)
        #expect(HighwayGroup(short, Plasticity.none) == nil)
        let fines = try #require(Grading([(4.75, 60), (0.425, 30), (0.075, 11)]))
        #expect(UnifiedGroup.of(fines, Plasticity.none) == nil, "the sieves do not reach the size that 10 per cent pass")
        #expect(try HighwayGroup(grading([100, 90, 80, 60, 50]), nil) == nil)
    }

    /// Groups of table 1 and 2 of M 145, with the four examples of group indices in its text.
    @Test(arguments: [
        ("A-6", 10, [100.0, 100, 98, 90, 55], Plasticity.limits(liquid: 40, index: 25)), ("A-7-5", 46, [100, 100, 98, 95, 80], .limits(liquid: 90, index: 50)),
        ("A-4", 0, [100, 100, 98, 90, 60], .limits(liquid: 25, index: 1)), ("A-2-7", 3, [100, 90, 80, 60, 30], .limits(liquid: 50, index: 30)),
        ("A-1-a", 0, [100, 55, 45, 25, 12], .limits(liquid: 20, index: 5)), ("A-1-b", 0, [100, 80, 70, 45, 20], .none),
        ("A-3", 0, [100, 100, 99, 80, 6], .none), ("A-2-4", 0, [100, 90, 80, 60, 30], .limits(liquid: 30, index: 8)),
        ("A-2-5", 0, [100, 90, 80, 60, 30], .limits(liquid: 44, index: 9)), ("A-2-6", 1, [100, 90, 80, 60, 30], .limits(liquid: 38, index: 16)),
        ("A-5", 9, [100, 100, 98, 90, 80], .limits(liquid: 44, index: 8)), ("A-7-6", 53, [100, 100, 98, 95, 80], .limits(liquid: 90, index: 61)),
        ("A-4", 0, [100, 100, 98, 90, 60], .none),
        // Whole numbers: 35.4 per cent of fines are 35, 35.5 are 36, and an index of 10.5 is 11.
        ("A-2-4", 0, [100, 100, 98, 90, 35.4], .limits(liquid: 30, index: 8)), ("A-4", 0, [100, 100, 98, 90, 35.5], .limits(liquid: 30, index: 8)),
        ("A-6", 6, [100, 100, 98, 90, 70], .limits(liquid: 30, index: 10.5)),
    ])
    func `a soil for roads has the first group whose limits hold`(_ group: String, _ index: Int, _ passing: [Double], _ plasticity: Plasticity) throws {
        let found = try #require(try HighwayGroup(grading(passing), plasticity))
        #expect(found.group == group)
        #expect(found.index == index)
    }

    /// A limit that was mistyped must not stop whoever looks for it.
    @Test func absurdLimitsHaveAnIndexAndNoCrash() throws {
        let found = try #require(try HighwayGroup(grading([100, 100, 98, 90, 70]), .limits(liquid: 1e26, index: 1e20)))
        #expect(found.index == 999)
    }

    /// Random soils: what is found is in the norm's list, and its letters agree with the shares.
    @Test func `every soil that decides has a group of the norm`() throws {
        var numbers = SeededNumbers(2487)
        let groups: Set = [
            "GW", "GP", "GM", "GC", "GC-GM", "GW-GM", "GW-GC", "GP-GM", "GP-GC", "SW", "SP", "SM", "SC", "SC-SM", "SW-SM", "SW-SC", "SP-SM", "SP-SC", "CL", "ML", "CL-ML",
            "CH", "MH", "OL", "OH",
        ]
        for _ in 0..<5000 {
            let shares = (0..<7).map { _ in Double.random(in: 0...100, using: &numbers) }.sorted(by: >)
            let grading = try #require(Grading(Array(zip([75, 19, 4.75, 2, 0.425, 0.15, 0.075], shares))))
            let liquid = Double.random(in: 15...110, using: &numbers)
            let plasticity: Plasticity? = Bool.random(using: &numbers) ? .limits(liquid: liquid, index: Double.random(in: 0...liquid, using: &numbers)) : Bool.random(using: &numbers) ? Plasticity.none : nil
            let group = UnifiedGroup.of(grading, plasticity)
            if let group {
                #expect(groups.contains(group))
                #expect((shares[6] < 50) == (group.first == "G" || group.first == "S"))
            }
            if plasticity != nil { #expect(HighwayGroup(grading, plasticity) != nil) }
        }
    }
}
