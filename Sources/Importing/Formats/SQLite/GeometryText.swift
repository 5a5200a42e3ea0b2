/// The geometry of a GeoPackage (OGC 12-128, 2.1.3: a header, then well-known binary) as well-known
/// text: `POINT (500000.5 9500000)`.
struct GeometryText {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var text = ""

    /// Names of the kinds of geometry, by their number in well-known binary.
    private static let names = [
        "", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
    ]
    private static let deepest = 8

    /// Nil for bytes that are not such a geometry, are truncated, or are a geometry of an
    /// unsupported kind (curves, surfaces).
    static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 8, bytes[0] == 0x47, bytes[1] == 0x50, bytes[3] >> 1 & 7 < 5 else { return nil }
        // An envelope of two to four pairs of numbers precedes the geometry.
        let envelope = [0, 32, 48, 48, 64][Int(bytes[3] >> 1 & 7)]
        var reader = GeometryText(bytes[...], 8 + envelope)
        guard reader.geometry(isNamed: true, depth: 0), reader.position == bytes.count else { return nil }
        return reader.text
    }

    private init(_ bytes: ArraySlice<UInt8>, _ position: Int) {
        self.bytes = bytes
        self.position = position
    }

    private mutating func number(isLittle: Bool, _ size: Int) -> UInt64? {
        let found = isLittle ? bytes.little(position, size) : bytes.big(position, size)
        position += size
        return found
    }

    private mutating func geometry(isNamed: Bool, depth: Int) -> Bool {
        guard depth < Self.deepest, let order = number(isLittle: true, 1), order < 2,
            let code = number(isLittle: order == 1, 4)
        else { return false }
        let isLittle = order == 1
        let (kind, extra) = (Int(code % 1000), Int(code / 1000))
        guard 1...7 ~= kind, extra < 4 else { return false }
        let width = 2 + [0, 1, 1, 2][extra]
        if isNamed { text += Self.names[kind] + ["", " Z", " M", " ZM"][extra] + " " }
        switch kind {
        case 1: return point(width, isLittle)
        case 2: return list(isLittle) { $0.coordinates(width, isLittle) }
        case 3: return list(isLittle) { polygon in polygon.list(isLittle) { $0.coordinates(width, isLittle) } }
        default: return list(isLittle) { $0.geometry(isNamed: kind == 7, depth: depth + 1) }
        }
    }

    private mutating func point(_ width: Int, _ isLittle: Bool) -> Bool {
        var numbers: [Double] = []
        for _ in 0..<width {
            guard let pattern = number(isLittle: isLittle, 8) else { return false }
            numbers.append(Double(bitPattern: pattern))
        }
        // An empty point has NaN coordinates.
        if numbers.contains(where: \.isNaN) {
            text += "EMPTY"
        } else {
            text += "(" + numbers.map(OldValueText.shortest).joined(separator: " ") + ")"
        }
        return true
    }

    private mutating func list(_ isLittle: Bool, _ part: (inout GeometryText) -> Bool) -> Bool {
        // Every part has at least four bytes, so a false count cannot exceed a quarter of the
        // bytes.
        guard let count = number(isLittle: isLittle, 4), Int(count) <= bytes.count / 4 else { return false }
        if count == 0 {
            text += "EMPTY"
            return true
        }
        text += "("
        for index in 0..<Int(count) {
            if index > 0 { text += ", " }
            guard part(&self) else { return false }
        }
        text += ")"
        return true
    }

    private mutating func coordinates(_ width: Int, _ isLittle: Bool) -> Bool {
        for index in 0..<width {
            guard let pattern = number(isLittle: isLittle, 8) else { return false }
            text += (index > 0 ? " " : "") + OldValueText.shortest(Double(bitPattern: pattern))
        }
        return true
    }
}
