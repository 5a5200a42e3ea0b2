import Testing

@testable import PDFArchive

@Suite struct ObjectSplitterTests {
    /// As cairo writes: each object begins with a write of its own.
    private static let pieces = [
        "%PDF-1.5\n%µ\n", "7 0 obj\n<< /Length 2 0 R\n", ">>\nstream\n", "12 0 obj in a text", "\nendstream\nendobj\n", "2 0 obj\n   18\nendobj\n",
    ]

    private static func offset(_ index: Int) -> Int { pieces[..<index].reduce(0) { $0 + $1.utf8.count } }

    private func split(_ tail: String) throws -> (objects: [Int: String], size: Int) {
        var splitter = ObjectSplitter()
        var objects: [Int: String] = [:]
        for piece in Self.pieces + [tail, "startxref\n"] {
            try splitter.take(Array(piece.utf8)) { objects[$0] = String(decoding: $1, as: UTF8.self) }
        }
        return (objects, try splitter.check())
    }

    private static func entry(_ offset: Int) -> String { String(repeating: "0", count: 10 - String(offset).utf8.count) + "\(offset) 00000 n \n" }

    private static func table(seven: Int) -> String {
        let free = "0000000000 65535 f \n"
        return "xref\n0 8\n" + free + entry(0) + entry(offset(5)) + entry(0) + entry(0) + entry(0) + entry(0) + entry(seven)
    }

    @Test func objectsComeWhole() throws {
        let (objects, size) = try split(Self.table(seven: Self.offset(1)))
        #expect(objects == [7: Self.pieces[1...4].joined(), 2: Self.pieces[5]])
        #expect(size == 8)
    }

    @Test func theLibrarysOwnReferencesProveIt() {
        #expect(throws: ArchiveFailure.displaced(object: 7)) { try split(Self.table(seven: 99)) }
        #expect(throws: ArchiveFailure.missing("cross-references")) { try split("xref\n") }
    }
}
