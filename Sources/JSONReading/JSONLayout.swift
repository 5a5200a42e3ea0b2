/// Determines from the first bytes of a file how its rows are arranged.
package enum JSONLayout {
    /// - Parameter isWhole: whether the bytes are the whole file.
    package static func detect(_ bytes: [UInt8], isWhole: Bool, limits: JSONLimits) -> JSONRows.Layout {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let start = text.drop(while: isSpace)
        switch start.first {
        case nil: return .lines
        case UInt8(ascii: "["): return .document
        case UInt8(ascii: "{"): break
        default: return .lines
        }
        let lineEnd = start.firstIndex(of: UInt8(ascii: "\n"))
        guard let lineEnd else {
            return isWhole ? layout(ofOnly: start, limits: limits) : .document
        }
        let first = start[..<lineEnd]
        if let last = first.last(where: { !isSpace($0) }), [UInt8]("[{,:".utf8).contains(last) { return .document }
        let rest = start[lineEnd...].drop(while: isSpace)
        switch rest.first {
        case nil: return isWhole ? layout(ofOnly: first, limits: limits) : .lines
        case UInt8(ascii: "{"): return .lines
        default: return (try? JSONValue.parse(first, limits: limits)) == nil ? .document : .lines
        }
    }

    /// A file of one line is an object with an array of rows, or one row. The former has no `id`,
    /// and one array, which contains only objects.
    private static func layout(ofOnly line: ArraySlice<UInt8>, limits: JSONLimits) -> JSONRows.Layout {
        guard let value = try? JSONValue.parse(line, limits: limits), value["id"] == nil, let members = value.members else { return .lines }
        let arrays = members.compactMap(\.value.items)
        return arrays.count == 1 && arrays[0].allSatisfy { $0.members != nil } ? .document : .lines
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
