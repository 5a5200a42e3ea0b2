/// Takes a PDF apart while cairo writes it. Each object of cairo's begins with a write of its own,
/// so nothing has to be parsed; at the end the library's own cross-references prove it.
struct ObjectSplitter {
    private(set) var number: Int?
    private(set) var object: [UInt8] = []
    /// Where each object begins in what cairo wrote.
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

    /// Compares where objects were found with where cairo says that they are.
    /// - Returns: one more than the highest number.
    func check() throws(ArchiveFailure) -> Int {
        guard let tail else { throw .missing("cross-references") }
        let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count > 2, let size = lines[1].split(separator: " ").last.flatMap({ Int($0) }), lines.count >= size + 2 else {
            throw .missing("cross-references")
        }
        for number in 1..<size {
            let offset = Int(lines[number + 2].prefix(10))
            // Of a number that it gave to no object, cairo says anything.
            if let found = offsets[number], found != offset { throw .displaced(object: number) }
        }
        guard offsets.keys.allSatisfy({ $0 < size }) else { throw .displaced(object: size) }
        return size
    }

    /// The number of the object that a piece begins: `12 0 obj` on a line of its own.
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
