import Foundation
import Workbench

/// The one source of chance of a simulation: the same seed gives the same course.
final class Chance {
    private var numbers: SeededNumbers

    init(_ seed: some BinaryInteger) { numbers = SeededNumbers(seed) }

    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }

    /// True one time in so many.
    func isOne(in times: Int) -> Bool { number(0..<times) == 0 }

    func pick<T>(_ list: [T]) -> T? { list.randomElement(using: &numbers) }

    /// One of several, each as often as its weight says.
    func pick<T>(_ weighted: [(T, Int)]) -> T {
        var rest = number(0..<weighted.reduce(0) { $0 + $1.1 })
        for (value, weight) in weighted {
            if rest < weight { return value }
            rest -= weight
        }
        preconditionFailure("the weights are positive")
    }

    func id() -> String {
        let digits = String(format: "%016lx%016lx", numbers.next(), numbers.next())
        func part(_ from: Int, _ count: Int) -> Substring { digits.dropFirst(from).prefix(count) }
        return "\(part(0, 8))-\(part(8, 4))-4\(part(13, 3))-8\(part(17, 3))-\(part(20, 12))"
    }
}
