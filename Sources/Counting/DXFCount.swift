internal import Model

/// Counts a drawing as pairs of group codes and values (DXF Reference): the entities by kind and
/// layer, in the section ENTITIES and in the blocks, and the sum of the X coordinates of their
/// vertices. Inserted blocks are not expanded.
enum DXFCount: FileCount {
    static let kind = "dxf"

    private static let longestLine = 1 << 16

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        var walk = Walk()
        var line: [UInt8] = []
        var code: Int?
        func end() throws(CountFault) {
            if line.last == 0x0D { line.removeLast() }
            let text = plain(line)
            line.removeAll(keepingCapacity: true)
            guard let group = code else {
                code = Int(text)
                // An empty line may follow the last pair.
                guard code != nil || text.isEmpty else { throw .damaged("a line is no group code") }
                return
            }
            code = nil
            if group != 999 { try walk.take(group, text) }
        }
        try file.forEachPiece { (piece) throws(CountFault) in
            for byte in piece where !walk.isDone {
                if byte == 0x0A {
                    try end()
                } else {
                    guard line.count < longestLine else { throw .tooLarge("bytes of a line \(longestLine)") }
                    line.append(byte)
                }
            }
        }
        if !walk.isDone, !line.isEmpty { try end() }
        guard walk.isDone else { throw .damaged("it has no end") }
        return SourceCount(tables: try walk.tables(), columnsByName: true)
    }

    /// A line's text without spaces and tabs at its ends.
    private static func plain(_ bytes: [UInt8]) -> String {
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(
            start.prefix(
                start.lastIndex { $0 != " " && $0 != "\t" }.map { start.distance(from: start.startIndex, to: $0) + 1 }
                    ?? 0))
    }

    private struct Entity {
        var kind: String
        var layer = "0"
        var flags = 0
        var isOnPaper = false
        var across: [Double] = []
    }

    private struct Walk {
        private(set) var isDone = false
        private var section = ""
        private var isNamed = true
        private var isInBlock = false
        /// The current entity, and the old-style polyline whose vertices are being read.
        private var entity: Entity?
        private var outline: Entity?
        private var counts: [String: (names: [String], places: [String: Int], counts: ColumnCounts)] = [:]

        mutating func take(_ code: Int, _ value: String) throws(CountFault) {
            if code == 0 { return try begin(value) }
            if !isNamed {
                section = code == 2 ? value : ""
                isNamed = true
                return
            }
            guard entity != nil else { return }
            switch code {
            case 8: entity?.layer = value
            case 67: entity?.isOnPaper = value == "1"
            case 70: entity?.flags = Int(value) ?? 0
            case 10:
                // The vertices of an old-style polyline follow it as separate entities. Only
                // LWPOLYLINE and SPLINE have several points; all other entities have one.
                let isLong = entity?.kind == "LWPOLYLINE" || entity?.kind == "SPLINE"
                guard entity?.kind != "POLYLINE", isLong || entity?.across.isEmpty == true, let x = Double(value),
                    x.isFinite
                else { return }
                entity?.across.append(x)
            default: break
            }
        }

        private mutating func begin(_ kind: String) throws(CountFault) {
            try end(before: kind)
            switch kind {
            case "EOF":
                try close()
                isDone = true
            case "SECTION":
                (section, isNamed, isInBlock) = ("", false, false)
            case "ENDSEC": (section, isInBlock) = ("", false)
            case "BLOCK" where section == "BLOCKS" && !isInBlock: isInBlock = true
            case "ENDBLK" where section == "BLOCKS": isInBlock = false
            default: if section == "ENTITIES" || isInBlock { entity = Entity(kind: kind) }
            }
        }

        /// Ends the current entity. A vertex becomes part of its polyline.
        private mutating func end(before kind: String) throws(CountFault) {
            if let whole = entity {
                entity = nil
                if outline != nil, whole.kind == "VERTEX" {
                    if whole.flags & 16 == 0, let x = whole.across.first { outline?.across.append(x) }
                } else {
                    try close()
                    if whole.kind == "POLYLINE" { outline = whole } else { try add(whole) }
                }
            }
            if kind != "VERTEX" { try close() }
        }

        private mutating func close() throws(CountFault) {
            guard let whole = outline else { return }
            outline = nil
            try add(whole)
        }

        private mutating func add(_ entity: Entity) throws(CountFault) {
            guard entity.kind != "SEQEND" else { return }
            if section == "ENTITIES", entity.isOnPaper || (entity.kind == "ATTRIB" && entity.flags & 1 != 0) { return }
            let name = entity.layer + " " + entity.kind
            var table = counts[section] ?? ([], [:], ColumnCounts(numbers: true))
            let place = table.places[name] ?? table.names.count
            if place == table.names.count {
                table.names.append(name)
                table.places[name] = place
            }
            try table.counts.fill(place)
            for x in entity.across { table.counts.add(place, number: x) }
            table.counts.endRow()
            counts[section] = table
        }

        func tables() throws(CountFault) -> [TableCount] {
            var tables: [TableCount] = []
            for section in ["ENTITIES", "BLOCKS"] {
                guard var found = counts[section] else { continue }
                for (place, name) in found.names.enumerated() { try found.counts.name(place, name) }
                tables.append(found.counts.table(section))
            }
            return tables
        }
    }
}
