import Testing
@testable import Schemas

@Suite struct DecimalNumberTests {
    @Test(arguments: [
        ("3", "3.0", 0), ("0.1", "0.10", 0), ("1e2", "100", 0), ("-1", "1", -1), ("2", "10", -1), ("0.3", "0.29999999999999999999", 1),
        ("-2", "-10", 1), ("0", "-0.0", 0), ("1e300", "9e299", 1), ("123456789012345678901234567890", "123456789012345678901234567891", -1),
    ])
    func decimalsCompareExactly(_ left: String, _ right: String, _ order: Int) throws {
        let (first, second) = (try #require(DecimalNumber(left)), try #require(DecimalNumber(right)))
        #expect((first < second) == (order < 0))
        #expect((first > second) == (order > 0))
        #expect((second < first) == (order > 0))
    }

    @Test(arguments: [
        ("0.3", "0.1", "0", true), ("0.35", "0.1", "0", false), ("2.5", "0.5", "1", true), ("2.7", "0.5", "1", false), ("-0.3", "0.1", "0", true),
        ("1e300", "0.1", "0", true), ("1e-300", "0.1", "0", false), ("7", "3", "1", true), ("7", "3", "0", false), ("-2", "3", "1", true),
        ("1.1", "0.25", "0.1", true), ("100", "1e1", "0", true), ("105", "1e1", "0", false), ("0", "0.7", "0", true),
    ])
    func stepsAreExact(_ value: String, _ step: String, _ origin: String, _ isMultiple: Bool) throws {
        let numbers = try [value, step, origin].map { try #require(DecimalNumber($0)) }
        #expect(numbers[0].isMultiple(of: numbers[1], from: numbers[2]) == isMultiple)
    }

    /// The results agree with whole numbers of 128 bits, for numbers that fit in 64 bits and for
    /// larger ones.
    @Test func agreesWithWholeNumbers() throws {
        var random = RandomJSON(seed: 7)
        var (multiples, equals) = (0, 0)
        func number(_ digits: Int, _ exponent: Int) -> (decimal: DecimalNumber?, units: Int128) {
            var text = ""
            for _ in 0..<(1 + random.below(digits)) { text += String(random.below(3) == 0 ? 0 : random.below(10)) }
            let isNegative = random.below(2) == 0
            guard let whole = Int128(text) else { return (nil, 0) }
            var units = isNegative ? -whole : whole
            for _ in 0..<(exponent + 4) { units *= 10 }
            return (DecimalNumber((isNegative ? "-" : "") + text + "e\(exponent)"), units)
        }
        for _ in 0..<20_000 {
            let digits = random.below(3) == 0 ? 26 : 3
            let (left, right) = (number(digits, random.below(9) - 4), number(digits, random.below(9) - 4))
            let (first, second) = (try #require(left.decimal), try #require(right.decimal))
            #expect(first.order(second).signum() == (left.units < right.units ? -1 : left.units == right.units ? 0 : 1))
            #expect((first == second) == (left.units == right.units))
            if first == second { equals += 1 }
            let step = number(3, random.below(5) - 2)
            let decimal = try #require(step.decimal)
            guard step.units != 0 else { continue }
            let isMultiple = (left.units - right.units) % step.units == 0
            // A step that is not above zero is left out here. It is refused where schemas are read.
            if decimal.isPositive { #expect(first.isMultiple(of: decimal, from: second) == isMultiple) }
            if isMultiple { multiples += 1 }
        }
        #expect(multiples > 100)
        #expect(equals > 100)
    }

    @Test func whatIsNoDecimal() {
        for text in ["", "-", ".", "1.2.3", "1e", "1e99999", "x", "1x"] { #expect(DecimalNumber(text) == nil, "\(text)") }
        #expect(DecimalNumber("3.0")?.isWhole == true)
        #expect(DecimalNumber("30e-1")?.isWhole == true)
        #expect(DecimalNumber("3.1")?.isWhole == false)
    }
}
