import Digests

/// The objects of a file under way: their bytes go out as they come, and where each begins is kept
/// for the cross-references.
final class ArchiveObjects {
    private static let pieceSize = 1 << 16

    private let receive: ([UInt8]) throws -> Void
    private var output: [UInt8] = []
    private var sent = 0
    private var offsets: [Int?] = []
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
        while offsets.count <= number { offsets.append(nil) }
        offsets[number] = sent + output.count
    }

    func object(_ number: Int, _ text: String) throws {
        begin(number)
        try write("\(number) 0 obj\n\(text)\nendobj\n")
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
        while offsets.count < bound { offsets.append(nil) }
        let kept = Set(kept)
        free = (1..<bound).filter { offsets[$0] == nil && !kept.contains($0) }[...]
    }

    /// A number for another object.
    func allocate() -> Int {
        if let number = free.popFirst() { return number }
        offsets.append(nil)
        return offsets.count - 1
    }

    /// Writes the cross-references and the trailer.
    /// - Parameter seed: what tells this document from others; its identifier is made of it and of
    ///   the places of all objects, so that the same document has the same.
    func finish(root: Int, information: Int, seed: String) throws {
        let start = sent + output.count
        // Numbers without an object are a chain that begins and ends at 0.
        let unused = [0] + (1..<max(1, offsets.count)).filter { offsets[$0] == nil }
        var table = "xref\n0 \(offsets.count)\n"
        var next = unused.dropFirst().makeIterator()
        for number in offsets.indices {
            if number > 0, let offset = offsets[number] {
                table += Self.digits(offset, 10) + " 00000 n \n"
            } else {
                table += Self.digits(next.next() ?? 0, 10) + (number == 0 ? " 65535 f \n" : " 00000 f \n")
            }
        }
        let identifier = SHA256.digest(of: seed + table).hexadecimal.prefix(32)
        try write(table)
        try write(
            "trailer\n<</Size \(offsets.count)/Root \(root) 0 R/Info \(information) 0 R/ID[<\(identifier)><\(identifier)>]>>\nstartxref\n\(start)\n%%EOF\n")
        try flush()
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
