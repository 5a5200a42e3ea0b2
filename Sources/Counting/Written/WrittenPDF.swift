/// A PDF that this program wrote with a library, read to its end. The cross-references lead to
/// every object, every object and stream is complete, and each page has contents. Throws a
/// `CountFault` if the file does not have this structure.
///
/// Source: ISO 32000-1, 7.3.8 (streams), 7.5.4 to 7.5.8 (cross-references, objects in streams).
package struct WrittenPDF {
    package private(set) var pages = 0

    private let file: SourceFile
    /// Ranges of the objects in the file, by number.
    private var spans: [Int: Range<Int>] = [:]

    private static let streamEnd = Array("\nendstream\nendobj\n".utf8)
    private static let objectEnd = Array("endobj\n".utf8)

    package init(path: String) throws(CountFault) {
        file = try SourceFile(path)
        let start = try startOfReferences()
        let table = try references(at: start)
        var packed = 0
        try find(table, upTo: start, &packed)
        var texts: [[UInt8]] = []
        for (number, span) in spans.sorted(by: { $0.key < $1.key }) {
            if let text = try read(number, span) { texts.append(text) }
        }
        for text in texts { try count(text, &packed) }
        guard packed == 0 else { throw .damaged("objects are missing from the streams that hold them") }
    }

    // MARK: Cross-references

    private func startOfReferences() throws(CountFault) -> Int {
        let tail = try file.read(at: max(0, file.count - 64), 64)
        let lines = String(decoding: tail, as: UTF8.self).split(separator: "\n")
        guard tail.last == 10, lines.count >= 3, lines[lines.count - 1] == "%%EOF",
            lines[lines.count - 3] == "startxref",
            let start = Int(lines[lines.count - 2]), start > 0, start < file.count
        else { throw .damaged("the end of the file is missing") }
        return start
    }

    /// Reads the entries of the cross-references; their fields have one, five and two bytes.
    private func references(at start: Int) throws(CountFault) -> [UInt8] {
        let (head, data) = try head(at: start)
        guard head.contains("/Type/XRef"), head.contains("/W[1 5 2]"),
            let length = Self.number(after: "/Length", in: head),
            let size = Self.number(after: "/Size", in: head)
        else { throw .damaged("the cross-references are missing") }
        let table = try content(at: data, length)
        guard table.count == size * 8 else { throw .damaged("the cross-references are incomplete") }
        return table
    }

    /// - Parameter packed: counts the objects in object streams.
    private mutating func find(_ table: [UInt8], upTo end: Int, _ packed: inout Int) throws(CountFault) {
        var starts: [(place: Int, number: Int)] = []
        for number in 0..<(table.count / 8) {
            let entry = table[(number * 8)..<(number * 8 + 8)]
            let place = entry.dropFirst().prefix(5).reduce(0) { $0 << 8 | Int($1) }
            switch entry.first {
            case 1: starts.append((place, number))
            case 2: packed += 1
            default: break
            }
        }
        starts.sort { $0.place < $1.place }
        guard let first = starts.first, first.place < 64, starts.last?.place == end else {
            throw .damaged("the first or the last object is missing")
        }
        for (index, start) in starts.enumerated() where start.place != end {
            spans[start.number] = start.place..<starts[index + 1].place
        }
    }

    // MARK: Objects

    /// Reads an object to its end; returns the content of an object stream.
    private func read(_ number: Int, _ span: Range<Int>) throws(CountFault) -> [UInt8]? {
        let (head, data) = try head(at: span.lowerBound)
        guard head.hasPrefix("\(number) 0 obj\n") else { throw .damaged("object \(number) is not where it should be") }
        guard let data else {
            guard try file.read(at: span.upperBound - Self.objectEnd.count, Self.objectEnd.count) == Self.objectEnd
            else {
                throw .damaged("object \(number) is cut off")
            }
            return nil
        }
        let length = span.upperBound - Self.streamEnd.count - data
        guard length >= 0, try file.read(at: data + length, Self.streamEnd.count) == Self.streamEnd,
            try stated(head) == length
        else {
            throw .damaged("the stream of object \(number) is cut off")
        }
        guard head.contains("/FlateDecode") else { return nil }
        let isOfObjects = head.contains("/Type/ObjStm")
        do throws(CountFault) {
            return isOfObjects ? try content(at: data, length) : try skim(at: data, length)
        } catch .damaged(let reason) {
            throw .damaged("object \(number): \(reason)")
        }
    }

    /// The length that a stream states directly or by reference to another object.
    private func stated(_ head: String) throws(CountFault) -> Int? {
        guard let number = Self.number(after: "/Length", in: head) else { return nil }
        guard head.contains("/Length \(number) 0 R"), let span = spans[number] else { return number }
        let lines = String(decoding: try file.read(at: span.lowerBound, min(span.count, 64)), as: UTF8.self).split(
            separator: "\n")
        return lines.count > 1 ? Int(lines[1].filter(\.isNumber)) : nil
    }

    /// Counts the pages among objects; each page must refer to its contents.
    private mutating func count(_ text: [UInt8], _ packed: inout Int) throws(CountFault) {
        let text = String(decoding: text, as: UTF8.self)
        let words = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "\n" }
        packed -= words[0].split(separator: " ").count / 2
        for part in text.split(separator: "/Type /Page").dropFirst() where part.first?.isLetter != true {
            pages += 1
            guard let contents = Self.number(after: "/Contents", in: String(part)), spans[contents] != nil else {
                throw .damaged("page \(pages) has no contents")
            }
        }
    }

    // MARK: Bytes

    /// The text of an object up to its stream, and the stream's start. Without a stream, the whole
    /// text of a short object.
    private func head(at start: Int) throws(CountFault) -> (String, data: Int?) {
        let bytes = try file.read(at: start, 4096)
        for end in bytes.indices where bytes[end] == UInt8(ascii: "\n") && end >= 6 {
            let isStream = Self.stands("stream", before: end, in: bytes)
            guard isStream || Self.stands("endobj", before: end, in: bytes) else { continue }
            let text = String(decoding: bytes[..<(isStream ? end - 6 : end + 1)], as: UTF8.self)
            return (text, isStream ? start + end + 1 : nil)
        }
        return (String(decoding: bytes, as: UTF8.self), nil)
    }

    /// Whether a word of six letters is directly before a position. This runs for every object;
    /// slice comparisons would make up a seventh of the document's total time.
    @inline(__always) private static func stands(_ word: StaticString, before end: Int, in bytes: [UInt8]) -> Bool {
        for index in 0..<6 where unsafe word.utf8Start[index] != bytes[end - 6 + index] { return false }
        return true
    }

    private func content(at data: Int?, _ length: Int) throws(CountFault) -> [UInt8] {
        guard let data else { throw .damaged("a stream is missing") }
        var content: [UInt8] = []
        try inflate(at: data, length) { content += $0 }
        return content
    }

    private func skim(at data: Int, _ length: Int) throws(CountFault) -> [UInt8]? {
        try inflate(at: data, length) { _ in }
        return nil
    }

    private func inflate(at data: Int, _ length: Int, _ body: (ArraySlice<UInt8>) -> Void) throws(CountFault) {
        let inflation = try Inflation(file, zlib: data, packed: length)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let made = try inflation.read(into: &buffer, from: 0)
            guard made > 0 else { return }
            body(buffer[..<made])
        }
    }

    private static func number(after key: String, in text: String) -> Int? {
        guard let range = text.firstRange(of: key) else { return nil }
        return Int(text[range.upperBound...].drop { $0 == " " }.prefix { $0.isNumber })
    }
}
