import Foundation
import Model

/// Reads a property list in XML.
final class XMLPropertyList: MarkupHandler {
    /// Elements that contain a text or nothing.
    private static let leaves: Set<String> = ["key", "string", "integer", "real", "date", "data", "true", "false"]

    private enum Around {
        case list
        /// - hasKey: whether a key has been read, but not its value.
        case dictionary(hasKey: Bool)
    }

    private var values: PropertyListValues
    private var failure: TableFailure?
    private var open: [Around] = []
    /// The element whose text is being read.
    private var element: String?
    private var text: [UInt8] = []
    private var line = 1
    /// Whether the element `plist` has begun.
    private var isInside = false
    private var hasValue = false

    private init(_ values: PropertyListValues) { self.values = values }

    /// Appends the values of a whole document.
    ///
    /// - Parameter depth: the deepest nesting of elements.
    static func values(of bytes: [UInt8], into values: PropertyListValues, depth: Int) throws(TableFailure)
        -> PropertyListValues
    {
        let list = XMLPropertyList(values)
        guard let parser = MarkupParser(.xml, handler: list, maximumDepth: depth) else {
            throw values.damaged("no memory for its parser")
        }
        var rest = bytes[...]
        repeat {
            let piece = rest.prefix(1 << 15)
            rest = rest.dropFirst(piece.count)
            do throws(MarkupParser.Fault) {
                try parser.feed(Array(piece), isLast: piece.isEmpty)
            } catch {
                throw list.failure ?? error.failure(values.path, kind: PropertyListFormat.kind, depth: depth)
            }
            if let failure = list.failure { throw failure }
            if piece.isEmpty { break }
        } while true
        guard list.hasValue else { throw values.damaged("it has no value") }
        return list.values
    }

    // MARK: Elements

    func start(_ name: String, namespace: String, attributes: [(name: String, value: String)], line: Int) {
        self.line = line
        attempt { () throws(TableFailure) in
            guard isInside else {
                guard name == "plist" else { throw damaged("its outer element is <\(name)>") }
                return isInside = true
            }
            guard element == nil else { throw damaged("<\(name)> within a value") }
            try begin(isKey: name == "key")
            switch name {
            case "dict":
                open.append(.dictionary(hasKey: false))
                try values.append(.startObject)
            case "array":
                open.append(.list)
                try values.append(.startArray)
            case _ where Self.leaves.contains(name):
                element = name
                text.removeAll(keepingCapacity: true)
            default: throw damaged("no kind of value is called <\(name)>")
            }
        }
    }

    func end(_ name: String) {
        attempt { () throws(TableFailure) in
            if element != nil {
                element = nil
                return try take(name)
            }
            switch open.popLast() {
            case .list?: try values.append(.endArray)
            case .dictionary(hasKey: false)?: try values.append(.endObject)
            case .dictionary?: throw damaged("a key has no value")
            case nil: break
            }
        }
    }

    func text(_ bytes: [UInt8]) {
        attempt { () throws(TableFailure) in
            if element != nil { return text += bytes }
            guard bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
                throw damaged("a text outside of the values")
            }
        }
    }

    /// Begins a key or a value, if one is allowed at this place.
    private func begin(isKey: Bool) throws(TableFailure) {
        switch open.last {
        case nil where !hasValue && !isKey: hasValue = true
        case .list? where !isKey: break
        case .dictionary(let hasKey)? where hasKey != isKey: open[open.count - 1] = .dictionary(hasKey: isKey)
        case .dictionary?: throw damaged(isKey ? "a key has no value" : "a value has no key")
        default: throw damaged(isKey ? "a key outside of a dictionary" : "a second value")
        }
    }

    // MARK: Values

    private func take(_ name: String) throws(TableFailure) {
        switch name {
        case "key":
            // An archive of objects (`NSKeyedArchiver`) refers to them by this key.
            guard !text.elementsEqual("CF$UID".utf8) else { throw .keyedArchive(Place(file: values.path, line: line)) }
            try values.append(.key, text)
        case "string": try values.append(.string, text)
        case "true": try values.append(.yes)
        case "false": try values.append(.no)
        case "data":
            text.removeAll { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard let data = Data(base64Encoded: Data(text)) else { throw damaged("data is not Base64") }
            try values.append(.data, Array(data))
        default:
            try takeWord(name, String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    /// A number or a date that cannot be parsed becomes an error with its text.
    private func takeWord(_ name: String, _ word: String) throws(TableFailure) {
        switch name {
        case "integer":
            let digits = word.drop { "+-".contains($0) }
            let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
            let number =
                isHex ? Int128((word.hasPrefix("-") ? "-" : "") + digits.dropFirst(2), radix: 16) : Int128(word)
            try values.append(number == nil ? .error : .number, number.map { "\($0)" } ?? word)
        case "real" where word.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Double(word) != nil:
            try values.append(Double(word) ?? 0)
        case "date" where Timestamp.parse(word) != nil: try values.append(.string, word)
        default: try values.append(.error, word)
        }
    }

    private func attempt(_ body: () throws(TableFailure) -> Void) {
        guard failure == nil else { return }
        do throws(TableFailure) { try body() } catch { failure = error }
    }

    private func damaged(_ reason: String) -> TableFailure { values.damaged(reason, line: line) }
}

/// Limits for reading a property list.
package struct PropertyListLimits: FormatLimits {
    /// Bytes of the file, and of its values: many references may repeat an object. Each value
    /// counts 16 more bytes.
    package var bytes = 64 << 20

    package static let bounds: [FormatBound<PropertyListLimits>] = [
        .init("propertyListBytes", .bytes, \.bytes, highest: 1 << 30)
    ]

    package init() {}
}

/// A property list, XML or binary, in which apps of Apple's systems store values under keys. It has
/// the same tables as a JSON document with the same values. Data that is JSON is parsed as such.
///
/// Foundation's reader is not used, because it follows each reference to an object separately: 3 kB
/// of lists that refer to one another ten times would keep it busy for ever.
package enum PropertyListFormat: TableFormat {
    package static let kind = "plist"
    package static let bounds = ReadingBound.of(PropertyListLimits.self)

    package static func recognises(_ head: FileHead) -> Bool {
        isBinary(head.bytes)
            || (XMLFile.recognises(head) && head.text.map { rootElement($0)[...].elementsEqual("plist".utf8) } ?? false)
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        let values = try values(of: head.path, options.limits)
        return try JSONTables(TableDocument(path: head.path, list: values, limits: options.limits))
    }

    private static func values(of path: String, _ limits: TableLimits) throws -> PropertyListValues {
        let most = PropertyListLimits(limits).bytes
        let file = try FileBytes(path)
        guard file.count <= most else {
            throw TableFailure.tooLarge(
                Place(file: path), kind: kind, limit: "propertyListBytes \(most)", found: String(file.count))
        }
        let bytes = file.read(at: 0, file.count)
        let values = PropertyListValues(path: path, most: most, limits: limits.json)
        guard isBinary(bytes) else { return try XMLPropertyList.values(of: bytes, into: values, depth: limits.depth) }
        var list = try BinaryPropertyList(bytes, into: values)
        try list.readAll()
        return list.values
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

    /// The name of the first element after declarations and comments.
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
