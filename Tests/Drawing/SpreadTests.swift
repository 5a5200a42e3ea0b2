import Testing
import Workbench

@testable import Drawing

@Suite struct SpreadTests {
    @Test func whatFitsStaysWhereItIs() {
        #expect(Spread.starts(targets: [0, 10, 30], sizes: [5, 5, 5], from: 0, to: 50) == [0, 10, 30])
    }

    @Test func whatIsTooCloseGivesWayEvenly() {
        #expect(Spread.starts(targets: [10, 10], sizes: [4, 4], from: 0, to: 50) == [8, 12])
        #expect(Spread.starts(targets: [48, 49], sizes: [4, 4], from: 0, to: 50) == [42, 46])
        #expect(Spread.starts(targets: [0, 0], sizes: [30, 30], from: 0, to: 50) == nil)
        #expect(Spread.starts(targets: [], sizes: [], from: 0, to: 0) == [])
    }

    /// If any part is moved a little within its free space, the arrangement does not get better.
    @Test(arguments: 0..<50) func nothingIsNearer(seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let count = Int.random(in: 1...40, using: &numbers)
        let targets = (0..<count).map { _ in Double.random(in: 0...100, using: &numbers) }.sorted()
        let sizes = (0..<count).map { _ in Double.random(in: 0.1...2, using: &numbers) }
        let starts = try #require(Spread.starts(targets: targets, sizes: sizes, from: 0, to: 100))
        #expect(starts.count == count && starts[0] >= -1e-9 && starts[count - 1] + sizes[count - 1] <= 100 + 1e-6)
        for index in 1..<max(1, count) { #expect(starts[index] >= starts[index - 1] + sizes[index - 1] - 1e-6) }
        let cost = { (places: [Double]) in zip(places, targets).reduce(0.0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
        for index in 0..<count {
            for step in [-0.01, 0.01] {
                var other = starts
                other[index] += step
                let low = index == 0 ? 0 : other[index - 1] + sizes[index - 1]
                let high = index == count - 1 ? 100 - sizes[index] : other[index + 1] - sizes[index]
                if other[index] >= low, other[index] <= high { #expect(cost(other) >= cost(starts) - 1e-9) }
            }
        }
    }

    @Test func stepsAreRound() {
        #expect(RoundSteps.step(atLeast: 3) == 5 && RoundSteps.step(atLeast: 0.011) == 0.02 && RoundSteps.step(atLeast: 100) == 100)
        #expect(RoundSteps.step(atMost: 3) == 2 && RoundSteps.step(atMost: 999) == 500)
        #expect(RoundSteps.ticks(from: 0.1, to: 1.05, step: 0.5) == [0.5, 1])
    }

    @Test func numbersAndChainagesAreWrittenAsAsked() {
        var style = DrawingStyle()
        #expect(style.number(2.345, decimals: 2) == "2.35")
        #expect(style.number(-0.001, decimals: 2) == "0.00" && style.number(-1.5, decimals: 1) == "−1.5" && style.number(.nan, decimals: 1) == "–")
        #expect(style.chainage(12_300) == "12+300" && style.chainage(45.5) == "0+045.50" && style.chainage(7) == "0+007")
        style.decimalSeparator = ","
        #expect(style.number(12.5, decimals: 2) == "12,50" && style.chainage(45.05) == "0+045,05")
    }
}
