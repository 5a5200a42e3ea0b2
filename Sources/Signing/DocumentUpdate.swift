import Digests

/// The bytes that are appended to a PDF to change some of its objects, so that all signed bytes
/// stay in place (ISO 32000-1, 7.5.6).
struct DocumentUpdate {
    private let document: ParsedDocument
    /// The end of the original, and the start of its last cross-reference table.
    private let start: Int
    private let tableBefore: Int
    /// Whether the cross-reference tables are streams; the update must use the same kind.
    private let hasStreams: Bool
    private(set) var bytes: [UInt8]
    /// The objects of the update, with their offsets in the document.
    private var places: [(number: Int, generation: Int, offset: Int)] = []
    private var nextNumber: Int

    init(of original: [UInt8], _ document: ParsedDocument, path: String) throws(SigningFailure) {
        guard original.starts(with: Array("%PDF-".utf8)) else { throw .damaged(path: path, reason: "%PDF-") }
        guard let table = Self.lastTable(in: original) else { throw .damaged(path: path, reason: "startxref") }
        (self.document, start, tableBefore) = (document, original.count, table)
        hasStreams = !original[table...].starts(with: Array("xref".utf8))
        nextNumber = document.size
        // The largest object number that readers must support (ISO 32000-1, annex C).
        guard (1..<8_388_607).contains(nextNumber) else { throw .damaged(path: path, reason: "/Size") }
        bytes = original.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
    }

    /// The offset in the last `startxref`.
    private static func lastTable(in original: [UInt8]) -> Int? {
        let word = Array("startxref".utf8), tail = original.suffix(2048)
        guard let last = tail.indices.last(where: { tail[$0...].starts(with: word) }) else { return nil }
        let digits = tail[(last + word.count)...].drop { $0 <= 0x20 }.prefix { (0x30...0x39).contains($0) }
        guard let offset = Int(String(decoding: digits, as: UTF8.self)), offset < original.count else { return nil }
        return offset
    }

    /// A number for a new object.
    mutating func number() -> Int {
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// - Returns: the start of the object's text in `bytes`.
    @discardableResult mutating func add(_ number: Int, generation: Int = 0, _ text: [UInt8]) -> Int {
        places.append((number, generation, start + bytes.count))
        bytes += Array("\(number) \(generation) obj\n".utf8)
        defer { bytes += text + Array("\nendobj\n".utf8) }
        return bytes.count
    }

    /// Adds an object of the document with its changes.
    mutating func add(_ object: PDFObject) { add(object.number, generation: object.generation, object.content) }

    /// Ends the update with its cross-reference table.
    ///
    /// - Parameter seed: bytes that distinguish this state of the document from all others.
    mutating func finish(seed: [UInt8]) {
        let table = start + bytes.count
        let ownNumber = hasStreams ? number() : nil
        if let ownNumber { places.append((ownNumber, 0, table)) }
        places.sort { $0.number < $1.number }
        let trailer = document.trailer
        var entries = "/Size \(nextNumber) /Prev \(tableBefore)"
        for key in ["/Root", "/Info"] where !trailer[key].isNull {
            entries += " \(key) \(String(decoding: trailer[key].written, as: UTF8.self))"
        }
        let state = SHA256.digest(of: seed).bytes.prefix(16).hexadecimal
        let first = trailer["/ID"].items.first?.bytes?.hexadecimal
        entries += " /ID [<\(first ?? state)> <\(state)>]"
        if let ownNumber { addStream(ownNumber, entries) } else { addTable(entries) }
        bytes += Array("startxref\n\(table)\n%%EOF\n".utf8)
    }

    /// The objects in runs of consecutive numbers.
    private var runs: [ArraySlice<(number: Int, generation: Int, offset: Int)>] {
        var runs: [ArraySlice<(number: Int, generation: Int, offset: Int)>] = [], first = 0
        for index in places.indices
        where index + 1 == places.count || places[index + 1].number != places[index].number + 1 {
            runs.append(places[first...index])
            first = index + 1
        }
        return runs
    }

    private mutating func addTable(_ entries: String) {
        var text = "xref\n"
        func digits(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        for run in runs {
            text += "\(run.first?.number ?? 0) \(run.count)\n"
            for place in run { text += "\(digits(place.offset, 10)) \(digits(place.generation, 5)) n \n" }
        }
        bytes += Array((text + "trailer\n<< \(entries) >>\n").utf8)
    }

    private mutating func addStream(_ number: Int, _ entries: String) {
        var rows: [UInt8] = []
        for place in places {
            rows.append(1)
            for shift in stride(from: 32, through: 0, by: -8) {
                rows.append(UInt8(truncatingIfNeeded: place.offset >> shift))
            }
            rows += [UInt8(truncatingIfNeeded: place.generation >> 8), UInt8(truncatingIfNeeded: place.generation)]
        }
        let index = runs.map { "\($0.first?.number ?? 0) \($0.count)" }.joined(separator: " ")
        bytes += Array(
            "\(number) 0 obj\n<< /Type /XRef \(entries) /W [1 5 2] /Index [\(index)] /Length \(rows.count) >>\nstream\n"
                .utf8)
        bytes += rows + Array("\nendstream\nendobj\n".utf8)
    }
}
