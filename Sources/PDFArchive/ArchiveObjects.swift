import Digests
import Zipping

/// The objects of a file under way: their bytes go out as they come, and where each is found is kept
/// for the cross-references. Fichero's own objects that are no streams are packed together in object
/// streams (ISO 32000-1, 7.5.7), since a document's structure has many small ones that are alike.
final class ArchiveObjects {
    private static let pieceSize = 1 << 16

    private enum Place {
        /// Offset of its first byte in the file.
        case at(Int)
        /// The number of its object stream, and its index there.
        case within(stream: Int, index: Int)
    }

    private let receive: ([UInt8]) throws -> Void
    private var output: [UInt8] = []
    private var sent = 0
    private var places: [Place?] = []
    /// The objects of the next object stream, and where each begins in their text.
    private var packed: [(number: Int, start: Int)] = []
    private var packedText: [UInt8] = []
    /// Of all texts that were packed.
    private var sum = SHA256()
    /// Numbers that have no object yet, from the lowest to the highest.
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

    /// Notes that an object begins here.
    func begin(_ number: Int) {
        put(number, .at(sent + output.count))
    }

    private func put(_ number: Int, _ place: Place) {
        while places.count <= number { places.append(nil) }
        places[number] = place
    }

    /// Call it after `release`: it needs numbers of its own.
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
        try stream(number, "/Type/ObjStm/N \(count)/First \(head.count)/Filter/FlateDecode", compressed(head + packedText))
        packedText.removeAll(keepingCapacity: true)
    }

    /// How hard pages and objects are compressed: 4 takes little more than half the time of 6, for a
    /// twentieth more bytes.
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

    /// Makes the numbers below a bound that have no object available.
    /// - Parameter kept: numbers whose objects are still to come.
    func release(below bound: Int, except kept: some Sequence<Int>) {
        while places.count < bound { places.append(nil) }
        let kept = Set(kept)
        free = (1..<bound).filter { places[$0] == nil && !kept.contains($0) }[...]
    }

    /// A number for another object.
    func allocate() -> Int {
        if let number = free.popFirst() { return number }
        places.append(nil)
        return places.count - 1
    }

    /// Writes the cross-references, which are a stream too (7.5.8).
    /// - Parameter seed: what tells this document from others; its identifier is made of it, of the
    ///   objects that were packed and of the places of all, so that the same document has the same.
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
            // No object has the number, and none ever may (7.5.4).
            case nil: Self.append(0, 0, 65_535, to: &table)
            }
        }
        sum.update(Array(seed.utf8) + table)
        let identifier = sum.digest().hexadecimal.prefix(32)
        try stream(
            number,
            "/Type/XRef/Size \(places.count)/W[1 5 2]/Root \(root) 0 R/Info \(information) 0 R/ID[<\(identifier)><\(identifier)>]/Filter/FlateDecode",
            compressed(table))
        try write("startxref\n\(start)\n%%EOF\n")
        try flush()
    }

    /// Appends an entry of a byte, five bytes and two.
    private static func append(_ kind: UInt8, _ place: Int, _ detail: Int, to table: inout [UInt8]) {
        table.append(kind)
        for shift in [32, 24, 16, 8, 0] { table.append(UInt8(truncatingIfNeeded: place >> shift)) }
        for shift in [8, 0] { table.append(UInt8(truncatingIfNeeded: detail >> shift)) }
    }
}
