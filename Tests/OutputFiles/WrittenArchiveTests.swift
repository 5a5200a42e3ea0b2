import Foundation
import Model
import Testing
import Workbench
import Zipping

@testable import Counting
@testable import OutputFiles

/// An archive is read again before it gets its name, by code that did not write it.
@Suite struct WrittenArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let contents: [(name: String, bytes: [UInt8], method: ZipEntry.Method)] = [
        ("a.csv", Array(repeating: Array("calicata;corte\r\n".utf8), count: 40).flatMap(\.self), .deflated),
        ("photos/P.JPG", (0..<60).map { UInt8(truncatingIfNeeded: $0 &* 31) }, .stored),
        ("photos/p.jpg", [0xFF, 0xD8], .stored),
        ("empty.csv", [], .deflated), ("nothing", [], .stored),
    ]

    private func archive() throws -> ZipWriter<OutputFile> {
        var zip = ZipWriter(try OutputFile(finalPath: folder.file("a.zip")))
        for entry in Self.contents { try zip.add(entry.name, entry.bytes.span, method: entry.method) }
        return zip
    }

    @Test("What was sent is found, names that differ only in case and entries of no bytes among it")
    func aWholeArchiveIsRead() throws {
        let written = try archive().close(rows: 1)
        let entries = try WrittenArchive(path: written.temporaryPath) { _ in true }.entries
        #expect(entries.map(\.name) == Self.contents.map(\.name))
        #expect(entries.map(\.size) == Self.contents.map(\.bytes.count))
    }

    @Test("A streamed entry is read like any other")
    func aStreamedEntryIsRead() throws {
        var stream = try ZipStream(ZipWriter(try OutputFile(finalPath: folder.file("s.zip"))), name: "s.csv", level: 1)
        let piece = Self.contents[0].bytes
        for _ in 0..<5_000 { try stream.write(piece.span) }
        let written = try stream.finish().close(rows: 0)
        let entry = try #require(try WrittenArchive(path: written.temporaryPath) { _ in true }.entries.first)
        #expect(entry.size == 5_000 * piece.count)
    }

    @Test("Each byte of a name, a content, a size, a checksum or a place counts, and so does a cut")
    func aChangedByteIsNoticed() throws {
        let written = try archive().close(rows: 1)
        let sound = [UInt8](try folder.data(of: URL(fileURLWithPath: written.temporaryPath).lastPathComponent))
        let sent = try WrittenArchive(path: written.temporaryPath) { _ in true }.entries
        func expectNoticed(_ bytes: [UInt8], _ what: String) throws {
            let found = try? WrittenArchive(path: try folder.write(bytes, to: "changed.zip")) { _ in true }.entries
            if found == sent { Issue.record("unnoticed: \(what)") }
        }
        for place in Self.placesThatCount(sound) {
            var bytes = sound
            bytes[place] ^= 0x55
            try expectNoticed(bytes, "byte \(place)")
        }
        for length in stride(from: 0, to: sound.count, by: 11) {
            try expectNoticed(Array(sound[..<length]), "cut at \(length)")
        }
    }

    /// All but versions, flags, times and attributes, by the layout of APPNOTE.TXT.
    private static func placesThatCount(_ bytes: [UInt8]) -> [Int] {
        func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
        var (places, place): ([Range<Int>], Int) = ([], 0)
        for entry in contents {
            let end = place + 30 + entry.name.utf8.count + number(place + 18)
            // The last bits of packed content may fill a byte.
            let counted = entry.method == .deflated ? end - 2 : end
            places += [place..<(place + 4), (place + 8)..<(place + 10), (place + 14)..<counted]
            place = end
        }
        for entry in contents {
            let end = place + 46 + entry.name.utf8.count
            places += [
                place..<(place + 4), (place + 10)..<(place + 12), (place + 16)..<(place + 32), (place + 42)..<end,
            ]
            place = end
        }
        return (places + [place..<(place + 4), (place + 10)..<(place + 20)]).flatMap(Array.init)
    }

    @Test("A file that is cut or holed after it was written never gets its name")
    func aFaultIsAFailureOfTheDisk() throws {
        let zip = try archive()
        let path = try #require(try folder.names.first)
        // The writer keeps its place, so that the hole stays.
        let descriptor = unsafe open(folder.file(path), O_WRONLY)
        defer { close(descriptor) }
        #expect(ftruncate(descriptor, 100) == 0)
        do {
            _ = try zip.close(rows: 1)
            Issue.record("a file with a hole is taken for whole")
        } catch let failure as OutputFailure {
            #expect(failure.code == "OUTPUT-IO")
        }
        #expect(try folder.names.isEmpty)
    }
}
