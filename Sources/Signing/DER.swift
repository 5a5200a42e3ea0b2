/// Values of ASN.1 in their distinguished encoding (X.690): the few kinds of which a signature is
/// made.
enum DER {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = [], rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, Array(parts.joined())) }

    /// A set, in the order that the encoding asks for.
    static func set(_ parts: [[UInt8]]) -> [UInt8] { value(0x31, sorted(parts)) }

    /// A set whose own tag is replaced by the number of a field.
    static func set(_ parts: [[UInt8]], inField number: UInt8) -> [UInt8] { value(0xA0 | number, sorted(parts)) }

    static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { value(0xA0 | number, content) }

    static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

    static func integer(_ small: UInt8) -> [UInt8] { [0x02, 1, small] }

    static let null: [UInt8] = [0x05, 0]

    /// An object identifier: `1.2.840.113549.1.7.2`.
    static func identifier(_ dotted: String) -> [UInt8] {
        let numbers = dotted.split(separator: ".").compactMap { Int($0) }
        var bytes: [UInt8] = [UInt8(40 * numbers[0] + numbers[1])]
        for number in numbers.dropFirst(2) {
            var digits = [UInt8(number & 0x7F)], rest = number >> 7
            while rest > 0 {
                digits.insert(0x80 | UInt8(rest & 0x7F), at: 0)
                rest >>= 7
            }
            bytes += digits
        }
        return value(0x06, bytes)
    }

    private static func sorted(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.sorted { $0.lexicographicallyPrecedes($1) }.joined()) }
}
