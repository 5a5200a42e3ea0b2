/// The colour space of all pages, sRGB (IEC 61966-2-1), as an ICC profile of version 4: an archive
/// must say what its colours mean (ISO 19005-3, 6.2.3). It is made of the norm's numbers, so that no
/// file of others' has to come along.
enum ColourProfile {
    static let sRGB: [UInt8] = {
        let curve = parametricCurve
        let tags: [(name: String, content: [UInt8])] = [
            ("desc", text("sRGB")), ("cprt", text("No copyright")), ("wtpt", xyz(0.9642, 1, 0.8249)),
            // Bradford's adaption of D65 to D50, and the primaries adapted by it.
            ("chad", signature("sf32") + [1.0479298, 0.0229468, -0.0501922, 0.0296278, 0.9904344, -0.0170738, -0.0092430, 0.0150552, 0.7518743].flatMap(fixed)),
            ("rXYZ", xyz(0.4360657, 0.2224884, 0.0139160)), ("gXYZ", xyz(0.3851471, 0.7168732, 0.0970764)),
            ("bXYZ", xyz(0.1430664, 0.0606079, 0.7140961)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ]
        var table = number(tags.count), contents: [UInt8] = []
        var places: [[UInt8]: Int] = [:]
        let first = 128 + 4 + 12 * tags.count
        for (name, content) in tags {
            let place = places[content] ?? first + contents.count
            if places[content] == nil {
                places[content] = place
                contents += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
            }
            table += Array(name.utf8) + number(place) + number(content.count)
        }
        var header = number(first + contents.count) + [0, 0, 0, 0] + number(0x0420_0000)
        header += Array("mntrRGB XYZ ".utf8)
        // The day of the norm's amendment, so that the profile never changes.
        header += [2003, 1, 1, 0, 0, 0].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + fixed(0.9642) + fixed(1) + fixed(0.8249)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + contents
    }()

    /// Linear near black, a power of 2.4 above (function 3 of ICC.1:2004-10, 10.15).
    private static var parametricCurve: [UInt8] {
        signature("para") + [0, 3, 0, 0] + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    }

    private static func text(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return signature("mluc") + number(1) + number(12) + Array("enUS".utf8) + number(units.count) + number(28) + units
    }

    private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] { signature("XYZ ") + [x, y, z].flatMap(fixed) }

    private static func signature(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] }

    /// A number with 16 binary places.
    private static func fixed(_ value: Double) -> [UInt8] { number(Int(Int32((value * 65536).rounded()))) }

    private static func number(_ value: Int) -> [UInt8] {
        let bits = UInt32(truncatingIfNeeded: value)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    }
}
