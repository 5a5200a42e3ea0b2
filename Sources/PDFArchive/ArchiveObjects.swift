import Digests
import Zipping

/// The objects of a file that is being written: bytes are passed on at once, and offsets are stored
/// for the cross-references. The objects that Fichero adds, except streams, are packed in object
/// streams (ISO 32000-1, 7.5.7), since a structure has many small, similar objects.
final class ArchiveObjects {
    private static let pieceSize = 1 << 16

    private enum Place {
        /// Offset of its first byte in the file.
        case at(Int)
        /// The number of its object stream, and its index in that stream.
        case within(stream: Int, index: Int)
    }

    private let receive: ([UInt8]) throws -> Void
    private var output: [UInt8] = []
    /// The number of bytes already passed on.
    private var sent = 0
    /// The position of each object, by its number; nil: the object is not written yet.
    private var places: [Place?] = []
    /// The objects of the next object stream, and where each begins in their text.
    private var packed: [(number: Int, start: Int)] = []
    private var packedText: [UInt8] = []
    /// The sum of all packed texts.
    private var sum = SHA256()
    /// Free object numbers, in ascending order.
    private var free: ArraySlice<Int> = []

    init(_ receive: @escaping ([UInt8]) throws -> Void) {
        self.receive = receive
        output.reserveCapacity(Self.pieceSize * 2)
    }

    func write(_ text: String) throws { try write(Array(text.utf8)[...]) }

    func write(_ bytes: ArraySlice<UInt8>) throws {
        output += bytes
        if output.count >= Self.pieceSize { try flush() }
    }

    func flush() throws {
        guard !output.isEmpty else { return }
        sent += output.count
        try receive(output)
        output.removeAll(keepingCapacity: true)
    }

    /// Records the offset at which an object begins.
    func begin(_ number: Int) {
        put(number, .at(sent + output.count))
    }

    private func put(_ number: Int, _ place: Place) {
        while places.count <= number { places.append(nil) }
        places[number] = place
    }

    /// Adds an object. Call this after `release`, because the object streams need free numbers.
    func object(_ number: Int, _ text: String) throws {
        packed.append((number, packedText.count))
        packedText += text.utf8
        packedText.append(10)
        if packedText.count >= Self.pieceSize { try pack() }
    }

    private func pack() throws {
        guard !packed.isEmpty else { return }
        let number = allocate()
        for (index, object) in packed.enumerated() { put(object.number, .within(stream: number, index: index)) }
        let head = Array((packed.map { "\($0.number) \($0.start)" }.joined(separator: " ") + "\n").utf8)
        let count = packed.count
        packed.removeAll(keepingCapacity: true)
        sum.update(packedText)
        try stream(
            number, "/Type/ObjStm/N \(count)/First \(head.count)/Filter/FlateDecode", compressed(head + packedText))
        packedText.removeAll(keepingCapacity: true)
    }

    /// Compression level of pages and objects: 4 needs little more than half the time of 6, and
    /// gives 5 % more bytes.
    private static let level: Int32 = 4

    func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
        do { return try ZlibStream.compress(bytes, level: Self.level) } catch {
            guard case .compression(let result) = error else { throw error }
            throw ArchiveFailure.compression(number: result)
        }
    }

    func stream(_ number: Int, _ entries: String, _ bytes: [UInt8]) throws {
        begin(number)
        try write("\(number) 0 obj\n<<\(entries)/Length \(bytes.count)>>\nstream\n")
        try write(bytes[...])
        try write("\nendstream\nendobj\n")
    }

    /// Makes the unused object numbers below a bound available.
    /// - Parameter kept: numbers that stay reserved, because their objects are written later.
    func release(below bound: Int, except kept: some Sequence<Int>) {
        while places.count < bound { places.append(nil) }
        let kept = Set(kept)
        free = (1..<bound).filter { places[$0] == nil && !kept.contains($0) }[...]
    }

    /// A number for a new object.
    func allocate() -> Int {
        if let number = free.popFirst() { return number }
        places.append(nil)
        return places.count - 1
    }

    /// Writes the cross-references, which are a stream too (7.5.8).
    /// - Parameter seed: a text that distinguishes this document. With the packed objects and all
    ///   offsets it gives the identifier, which is the same for equal documents.
    func finish(root: Int, information: Int, seed: String) throws {
        try pack()
        let number = allocate(), start = sent + output.count
        begin(number)
        var table: [UInt8] = []
        table.reserveCapacity(places.count * 8)
        for place in places {
            switch place {
            case .at(let offset): Self.append(1, offset, 0, to: &table)
            case .within(let stream, let index): Self.append(2, stream, index, to: &table)
            // No object has the number, and none may use it later (7.5.4).
            case nil: Self.append(0, 0, 65_535, to: &table)
            }
        }
        sum.update(Array(seed.utf8) + table)
        let identifier = sum.digest().hexadecimal.prefix(32)
        try stream(
            number,
            """
            /Type/XRef/Size \(places.count)/W[1 5 2]/Root \(root) 0 R/Info \(information) 0 \
            R/ID[<\(identifier)><\(identifier)>]/Filter/FlateDecode
            """,
            compressed(table))
        try write("startxref\n\(start)\n%%EOF\n")
        try flush()
    }

    /// Appends an entry: one byte, then five, then two.
    private static func append(_ kind: UInt8, _ place: Int, _ detail: Int, to table: inout [UInt8]) {
        table.append(kind)
        for shift in [32, 24, 16, 8, 0] { table.append(UInt8(truncatingIfNeeded: place >> shift)) }
        for shift in [8, 0] { table.append(UInt8(truncatingIfNeeded: detail >> shift)) }
    }
}

/// A file within the document (ISO 19005-3, 6.8): the data that its pages show.
package struct Attachment: Sendable {
    /// The file's name, unique in the document.
    package let name: String
    /// `application/json`.
    package let type: String
    /// A description of the file, shown by PDF viewers.
    package let about: String
    package let sha256: String
    private let count: Int
    private let compressed: [UInt8]

    package init(name: String, type: String, about: String, bytes: [UInt8]) throws {
        self.name = name
        self.type = type
        self.about = about
        count = bytes.count
        sha256 = SHA256.digest(of: bytes).hexadecimal
        compressed = try ZlibStream.compress(bytes, level: 6)
    }

    /// - Returns: the object number of the attachment's file specification.
    func write(to objects: ArchiveObjects, modified: String) throws -> Int {
        let stream = objects.allocate(), specification = objects.allocate()
        let subtype = type.replacing("/", with: "#2F")
        try objects.stream(
            stream,
            """
            /Type/EmbeddedFile/Subtype/\(subtype)/Params<</Size \
            \(count)/ModDate\(PDFText.date(modified))>>/Filter/FlateDecode
            """,
            compressed)
        try objects.object(
            specification,
            """
            <</Type/Filespec/F\(PDFText.bytes(name))/UF\(PDFText.string(name))/Desc\(PDFText.string(about))/\
            AFRelationship/Data/EF<</F \(stream) 0 R/UF \(stream) 0 R>>>>
            """
        )
        return specification
    }
}

/// Splits a PDF into objects while cairo writes it. Each object begins with a separate write, so
/// nothing is parsed; at the end cairo's cross-references confirm the offsets.
struct ObjectSplitter {
    private(set) var number: Int?
    private(set) var object: [UInt8] = []
    /// The offset of each object in cairo's output.
    private var offsets: [Int: Int] = [:]
    private var count = 0
    private var tail: [UInt8]?

    /// - Parameter complete: gets each object when the next one begins.
    mutating func take(_ piece: [UInt8], _ complete: (Int, [UInt8]) throws -> Void) throws {
        defer { count += piece.count }
        if tail != nil {
            tail?.append(contentsOf: piece)
        } else if let begun = Self.number(at: piece) {
            try finishObject(complete)
            offsets[begun] = count
            number = begun
            object.append(contentsOf: piece)
        } else if piece.first == UInt8(ascii: "x"), piece.starts(with: "xref\n".utf8) {
            try finishObject(complete)
            tail = piece
        } else if number != nil {
            object.append(contentsOf: piece)
        }
    }

    /// Ends the object that was begun last.
    mutating func finishObject(_ complete: (Int, [UInt8]) throws -> Void) throws {
        guard let number else { return }
        self.number = nil
        try complete(number, object)
        object.removeAll(keepingCapacity: true)
    }

    /// Compares the offsets of the objects with cairo's cross-references.
    /// - Returns: one more than the highest number.
    func check() throws(ArchiveFailure) -> Int {
        guard let tail else { throw .missing("cross-references") }
        let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count > 2, let size = lines[1].split(separator: " ").last.flatMap({ Int($0) }),
            lines.count >= size + 2
        else {
            throw .missing("cross-references")
        }
        for number in 1..<size {
            let offset = Int(lines[number + 2].prefix(10))
            // For an unused number, cairo may write any offset.
            if let found = offsets[number], found != offset { throw .displaced(object: number) }
        }
        guard offsets.keys.allSatisfy({ $0 < size }) else { throw .displaced(object: size) }
        return size
    }

    /// The number of the object that a piece begins: `12 0 obj` alone on a line.
    private static func number(at piece: [UInt8]) -> Int? {
        var number = 0, place = 0
        while place < piece.count, place < 9, (48...57).contains(piece[place]) {
            number = number * 10 + Int(piece[place] - 48)
            place += 1
        }
        guard place > 0, piece[place...].starts(with: " 0 obj\n".utf8) else { return nil }
        return number
    }
}
