import Model

/// Limits for reading a property list.
package struct PropertyListLimits: FormatLimits {
    /// Bytes of the file, and of its values: an object may be referred to many times, and 16 bytes
    /// are added for each value.
    package var bytes = 64 << 20

    package static let bounds: [FormatBound<PropertyListLimits>] = [.init("propertyListBytes", .bytes, \.bytes, highest: 1 << 30)]

    package init() {}
}

/// A property list, in which apps of Apple's systems keep values under keys: XML or binary, with the
/// tables that a JSON document with the same values has. Data that is JSON is read as such.
///
/// The reader is our own, because Foundation's follows each reference to an object anew: 3 kB of
/// lists that refer to one another ten times keep it busy for longer than anybody waits.
package enum PropertyListFormat: TableFormat {
    package static let kind = "plist"
    package static let bounds = ReadingBound.of(PropertyListLimits.self)

    package static func recognises(_ head: FileHead) -> Bool {
        isBinary(head.bytes) || (XMLFile.recognises(head) && head.text.map { rootElement($0)[...].elementsEqual("plist".utf8) } ?? false)
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        let values = try values(of: head.path, options.limits)
        return try JSONTables(TableDocument(path: head.path, list: values, limits: options.limits))
    }

    private static func values(of path: String, _ limits: TableLimits) throws -> PropertyListValues {
        let most = PropertyListLimits(limits).bytes
        let file = try FileBytes(path)
        guard file.count <= most else {
            throw TableFailure.tooLarge(Place(file: path), kind: kind, limit: "propertyListBytes \(most)", found: String(file.count))
        }
        let bytes = file.read(at: 0, file.count)
        let values = PropertyListValues(path: path, most: most, limits: limits.json)
        guard isBinary(bytes) else { return try XMLPropertyList.values(of: bytes, into: values, depth: limits.depth) }
        var list = try BinaryPropertyList(bytes, into: values)
        try list.readAll()
        return list.values
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

    /// The name of the first element, behind declarations and comments.
    private static func rootElement(_ text: [UInt8]) -> ArraySlice<UInt8> {
        var rest = text[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            guard let first = rest.first, first == UInt8(ascii: "?") || first == UInt8(ascii: "!") else {
                return rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
            }
            let end = rest.starts(with: "!--".utf8) ? "-->" : first == UInt8(ascii: "?") ? "?>" : ">"
            rest = rest[(rest.firstRange(of: Array(end.utf8))?.upperBound ?? rest.endIndex)...]
        }
        return []
    }
}
