import JSONReading
import Model

/// The features of a map in GeoJSON (RFC 7946). They are one table, `features`: a column for each
/// property under its key, `feature/id`, and the point in degrees in `geometry/longitude`,
/// `geometry/latitude` and `geometry/altitude`.
///
/// If a geometry is not one point, or not in degrees (older files may be in metres), the columns of
/// the point are error cells. So no mapping takes it for a place. All limits and refusals are those
/// of JSON documents.
package enum GeoJSONFormat: TableFormat {
    package static let kind = "geojson"

    package static func recognises(_ head: FileHead) -> Bool { recognises(head.bytes) }

    /// Whether the first bytes are of a document with features: its `type` says so or, since
    /// members have no order, that of the first one in its list.
    static func recognises(_ head: [UInt8]) -> Bool {
        let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        guard start.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return false }
        let mark = FeatureMark()
        var rest = start
        let events = try? JSONEvents(limits: .standard, taker: mark) { buffer in
            let count = min(buffer.count, rest.count)
            buffer.replaceSubrange(0..<count, with: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
        // The head may end within a value.
        try? events?.next()
        return mark.isFound
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try JSONTables(TableDocument(path: head.path, holdsFeatures: true, limits: options.limits))
    }

    /// Looks for the type of a document or of its first feature.
    private final class FeatureMark: JSONEventHandler {
        private(set) var isFound = false
        private var depth = 0
        private var keys: [String] = []

        var isFull: Bool { isFound }

        func take(_ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason) {
            switch event {
            case .startObject, .startArray:
                depth += 1
                keys.append("")
            case .endObject, .endArray:
                depth -= 1
                keys.removeLast()
            case .key: keys[keys.count - 1] = String(utf8: bytes)
            case .string where keys == ["type"]: isFound = isFound || String(utf8: bytes) == "FeatureCollection"
            case .string where keys == ["features", "", "type"]: isFound = isFound || String(utf8: bytes) == "Feature"
            default: break
            }
        }
    }
}

/// Passes the events of a map on as those of a document with one list of flat objects, `features`.
final class FeatureEvents: JSONEventHandler {
    /// The parts of a map in which an event may stand.
    private enum Part {
        case map, features, feature, properties, geometry
        /// The coordinates of a geometry.
        case numbers
        /// A value within a property, which is passed on as it stands.
        case value
        /// A member that is left out.
        case other
    }

    private let walk: JSONTableWalk
    private var parts: [Part] = []
    private var key: [UInt8] = []
    /// The numbers of the current geometry, as they are written.
    private var numbers: [[UInt8]] = []
    /// Whether the current geometry has coordinates that are not one point.
    private var isNoPoint = false
    /// Whether the member is read that named the grid or datum, before RFC 7946 took it away.
    private var isInSystem = false

    var isFull: Bool { walk.isFull }

    init(_ walk: JSONTableWalk) { self.walk = walk }

    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason) {
        switch event {
        case .key: try takeKey(bytes, at: offset)
        case .startObject, .startArray: try begin(event, at: offset)
        case .endObject, .endArray: try end(event, at: offset)
        case .null, .yes, .no, .number, .string: try takePlain(event, bytes, at: offset)
        }
    }

    private func takeKey(_ bytes: Span<UInt8>, at offset: Int) throws(JSONMistake.Reason) {
        key = bytes.indices.map { bytes[$0] }
        switch parts.last {
        case .properties?:
            let column = Self.column(of: key)
            try walk.take(.key, column.span, at: offset)
        case .value?: try walk.take(.key, bytes, at: offset)
        default: break
        }
    }

    private func begin(_ event: JSONEvent, at offset: Int) throws(JSONMistake.Reason) {
        let isList = event == .startArray, name = key
        key = []
        switch parts.last {
        case nil:
            guard !isList else { throw .malformed("a map is an object") }
            parts.append(.map)
            try walk.take(event, Span(), at: offset)
        case .map? where name.elementsEqual("features".utf8):
            guard isList else { throw .malformed("features are a list") }
            parts.append(.features)
            try walk.take(.key, name.span, at: offset)
            try walk.take(event, Span(), at: offset)
        case .features?:
            guard !isList else { throw .malformed("a feature is an object") }
            parts.append(.feature)
            try walk.take(event, Span(), at: offset)
        case .map? where name.elementsEqual("crs".utf8):
            isInSystem = true
            parts.append(.other)
        case .feature? where name.elementsEqual("properties".utf8):
            guard !isList else { throw .malformed("properties are an object") }
            parts.append(.properties)
        case .feature? where name.elementsEqual("geometry".utf8):
            (numbers, isNoPoint) = ([], isList)
            parts.append(.geometry)
        case .geometry? where name.elementsEqual("coordinates".utf8):
            if !isList { isNoPoint = true }
            parts.append(.numbers)
        case .geometry? where name.elementsEqual("geometries".utf8), .numbers?:
            isNoPoint = true
            parts.append(.other)
        case .properties?, .value?:
            parts.append(.value)
            try walk.take(event, Span(), at: offset)
        default: parts.append(.other)
        }
    }

    private func end(_ event: JSONEvent, at offset: Int) throws(JSONMistake.Reason) {
        switch parts.popLast() {
        case .map?, .features?, .feature?, .value?: try walk.take(event, Span(), at: offset)
        case .geometry?: try endGeometry(at: offset)
        case .other? where parts.last == .map: isInSystem = false
        default: break
        }
    }

    private func takePlain(
        _ event: JSONEvent, _ bytes: Span<UInt8>, at offset: Int
    ) throws(JSONMistake.Reason) {
        switch parts.last {
        case .properties?, .value?: try walk.take(event, bytes, at: offset)
        case .other? where isInSystem && event == .string && key.elementsEqual("name".utf8):
            let system = String(utf8: bytes)
            guard system.hasSuffix("CRS84") || system.hasSuffix("4326") else {
                throw .malformed("places are in \(system), and not in degrees of WGS 84")
            }
        case .feature? where key.elementsEqual("id".utf8):
            try walk.take(.key, Self.id.span, at: offset)
            try walk.take(event, bytes, at: offset)
        case .feature? where event != .null && key.elementsEqual("geometry".utf8):
            (numbers, isNoPoint) = ([], true)
            try endGeometry(at: offset)
        case .feature? where event != .null && key.elementsEqual("properties".utf8):
            throw .malformed("properties are an object")
        case .features?: throw .malformed("a feature is an object")
        case .map? where event != .null && key.elementsEqual("features".utf8):
            throw .malformed("features are a list")
        case .numbers? where event == .number && numbers.count < 3: numbers.append(bytes.indices.map { bytes[$0] })
        case .numbers? where event != .number: isNoPoint = true
        case nil: throw .malformed("a map is an object")
        default: break
        }
    }

    /// Passes on the columns of the point. A geometry without coordinates has no place, which is no
    /// mistake.
    private func endGeometry(at offset: Int) throws(JSONMistake.Reason) {
        guard isNoPoint || !numbers.isEmpty else { return }
        let isPoint = !isNoPoint && numbers.count > 1 && zip(numbers, [180.0, 90]).allSatisfy { digits, most in
            Double(String(decoding: digits, as: UTF8.self)).map { abs($0) <= most } ?? false
        }
        for (index, column) in Self.columns.enumerated() where index < 2 || numbers.indices.contains(index) {
            try walk.take(.key, column.span, at: offset)
            if isPoint {
                let digits = numbers[index]
                try walk.take(.number, digits.span, at: offset)
            } else {
                try walk.takeError(Self.noPoint.span, at: offset)
            }
        }
    }

    private static let id = Array("feature/id".utf8)
    private static let columns = ["longitude", "latitude", "altitude"].map { Array(("geometry/" + $0).utf8) }
    private static let noPoint = Array("no point in degrees".utf8)

    /// A property's key, in which a slash becomes `~1`: then no property has the name of another
    /// column.
    private static func column(of key: [UInt8]) -> [UInt8] {
        guard key.contains(UInt8(ascii: "/")) || key.contains(UInt8(ascii: "~")) else { return key }
        return Array(String(decoding: key, as: UTF8.self).replacing("~", with: "~0").replacing("/", with: "~1").utf8)
    }
}
