/// Counts the features of a map in GeoJSON: properties by name, the feature's id, and the place. A
/// place is a list of at least two plain numbers in degrees. What else stands for a place is filled
/// and is no number.
enum GeoJSONCount: FileCount {
    static let kind = "geojson"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        var features = Features()
        var scan = JSONTokens()
        var isFirst = true
        try file.forEachPiece { (piece) throws(CountFault) in
            let bytes = isFirst && piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece[...]
            isFirst = false
            for byte in bytes { try scan.take(byte) { (event) throws(CountFault) in try features.take(event) } }
        }
        try scan.finish { (event) throws(CountFault) in try features.take(event) }
        guard features.hasValue else { throw .damaged("the document is empty") }
        return SourceCount(tables: features.isThere ? [try features.table.count()] : [], columnsByName: true)
    }

    private struct Features {
        var table = JSONTable("features")
        private(set) var isThere = false
        private(set) var hasValue = false
        /// The last name at each open object, and nothing at each open list.
        private var path: [[UInt8]] = []
        private var coordinates: [[UInt8]] = []
        private var isNested = false

        mutating func take(_ event: JSONTokens.Event) throws(CountFault) {
            hasValue = true
            switch event {
            case .name(let name):
                path[path.count - 1] = JSONTable.meant(name)
                if isIn(["features", "", "properties"], and: 1) { table.member(Self.column(name)) }
            case .open:
                try value(event)
                if isIn(["features"], and: 0) { isThere = true }
                path.append([])
            case .close:
                path.removeLast()
                if isIn(["features", "", "geometry"], and: 0) { try endPlace() }
                if isIn(["features", ""], and: 0) { table.endRow() }
            default: try value(event)
            }
        }

        private mutating func value(_ event: JSONTokens.Event) throws(CountFault) {
            if isIn(["features", "", "properties"], and: 1) {
                try table.value(event)
            } else if isIn(["features", "", "id"], and: 0), isPlain(event) {
                table.member(Array("feature/id".utf8))
                try table.value(event)
            } else if isIn(["features", "", "geometry"], and: 0) {
                (coordinates, isNested) = ([], !isObject(event))
                if isPlain(event), !isNull(event) { try endPlace() }
            } else if isIn(["features", "", "geometry", "coordinates"], and: 1) {
                if case .number(let digits) = event { coordinates.append(digits) } else { isNested = true }
            } else if isIn(["features", "", "geometry", "geometries"], and: 0), !isPlain(event) {
                isNested = true
            } else if isIn(["features", "", "geometry", "coordinates"], and: 0), isObject(event) {
                isNested = true
            }
        }

        private mutating func endPlace() throws(CountFault) {
            guard isNested || !coordinates.isEmpty else { return }
            let numbers = coordinates.prefix(2).map { NumberText.decimal($0.span) }
            let isPoint = !isNested && numbers.count == 2 && abs(numbers[0] ?? 999) <= 180
                && abs(numbers[1] ?? 999) <= 90
            for (index, name) in ["longitude", "latitude", "altitude"].enumerated()
            where index < 2 || coordinates.count > index {
                table.member(Array(("geometry/" + name).utf8))
                try table.value(isPoint ? .number(coordinates[index]) : .text(isEmpty: false))
            }
        }

        /// Whether the current value stands under these names, and this many names or lists deeper.
        private func isIn(_ names: [String], and more: Int) -> Bool {
            path.count == names.count + more && zip(path, names).allSatisfy { $0.elementsEqual($1.utf8) }
        }

        private func isPlain(_ event: JSONTokens.Event) -> Bool { if case .open = event { false } else { true } }
        private func isNull(_ event: JSONTokens.Event) -> Bool { if case .null = event { true } else { false } }
        private func isObject(_ event: JSONTokens.Event) -> Bool {
            if case .open(let isObject) = event { isObject } else { false }
        }

        /// A property's name, still as it is written, in which a slash is `~1`.
        private static func column(_ name: [UInt8]) -> [UInt8] {
            let meant = JSONTable.meant(name)
            guard meant.contains(0x2F) || meant.contains(0x7E) else { return name }
            return meant.flatMap { byte -> [UInt8] in
                switch byte {
                case 0x7E: Array("~0".utf8)
                case 0x2F: Array("~1".utf8)
                case 0x5C, 0x22: [0x5C, byte]
                default: [byte]
                }
            }
        }
    }
}
