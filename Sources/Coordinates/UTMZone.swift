/// A zone of the UTM grid on WGS 84: 1 to 60, north or south of the equator.
package struct UTMZone: Sendable, Hashable {
    package let number: Int
    package let isSouth: Bool

    package init?(number: Int, isSouth: Bool) {
        guard (1...60).contains(number) else { return nil }
        self.number = number
        self.isSouth = isSouth
    }

    /// Reads the number and the hemisphere: `18S`, `18 s`, `32N`. Letters of latitude bands (`18L`)
    /// are refused, because `S` would then have two meanings.
    package init?(_ text: String) {
        let characters = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard (2...3).contains(characters.count), let hemisphere = characters.last else { return nil }
        var number = 0
        for digit in characters.dropLast() {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        switch hemisphere {
        case UInt8(ascii: "S"), UInt8(ascii: "s"): self.init(number: number, isSouth: true)
        case UInt8(ascii: "N"), UInt8(ascii: "n"): self.init(number: number, isSouth: false)
        default: return nil
        }
    }
}
