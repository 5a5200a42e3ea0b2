/// A version of numbers and points as a text that sorts as versions do: number by number, so that
/// 100.10 is more than 100.9 and as much as 100.10.0.
package enum VersionKey {
    /// The greatest count of numbers, and of digits of a number: what has more is a slip of the pen,
    /// and must not be greater than every version.
    private static let (mostNumbers, mostDigits) = (16, 10)

    /// Nil for a text that is no version: anything but digits with points between them.
    package static func of(_ text: String) -> String? { of(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } }

    /// Each number has its count of digits before it, in two digits: `100.2` is `03100.012`. Zeros
    /// at the end are left out.
    package static func of(_ text: [UInt8]) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= mostNumbers else { return nil }
        var numbers: [[UInt8]] = []
        for part in parts {
            guard !part.isEmpty, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            let digits = Array(part.drop { $0 == 0x30 })
            guard digits.count <= mostDigits else { return nil }
            numbers.append(digits)
        }
        while numbers.count > 1, numbers.last?.isEmpty == true { numbers.removeLast() }
        return Array(numbers.map { [UInt8(0x30 + $0.count / 10), UInt8(0x30 + $0.count % 10)] + $0 }.joined(separator: [UInt8(ascii: ".")]))
    }
}
