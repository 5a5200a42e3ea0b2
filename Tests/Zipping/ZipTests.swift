import Foundation
import Testing
import Workbench
@testable import Zipping

/// An archive in memory.
struct MemoryOutput: ZipOutput {
    var bytes: [UInt8] = []
    var position: Int64 { Int64(bytes.count) }
    mutating func write(_ bytes: Span<UInt8>) { for index in bytes.indices { self.bytes.append(bytes[index]) } }
    mutating func patch(_ bytes: Span<UInt8>, at offset: Int64) {
        for index in bytes.indices { self.bytes[Int(offset) + index] = bytes[index] }
    }
}

@Suite struct ZipWriterTests {
    private func sample() throws -> [UInt8] {
        var zip = ZipWriter(MemoryOutput())
        try zip.add("mimetype", Array("text/plain".utf8).span, method: .stored)
        try zip.add("año/ñandú.txt", Array("agua ".utf8).repeated(2000).span)
        try zip.add("photos/1.jpg", [UInt8](repeating: 0xA5, count: 300_000).span, method: .stored)
        var stream = try ZipStream(zip, name: "big.csv")
        for line in 0..<20_000 { try stream.write(Array("\(line);\(line * 7)\n".utf8).span) }
        return try stream.finish().finish().bytes
    }

    @Test func anotherProgramReadsEveryEntry() throws {
        let scratch = try TemporaryFolder()
        let path = try scratch.write(try sample(), to: "a.zip")
        let said = try OtherProgram.python(
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            print(z.testzip(), [(i.filename, i.file_size, i.compress_type, i.date_time[:3]) for i in z.infolist()])
            print(z.read('big.csv').decode() == ''.join(f'{i};{i*7}\\n' for i in range(20000)), z.read('photos/1.jpg') == b'\\xa5' * 300000)
            """, path)
        #expect(
            said == """
                None [('mimetype', 10, 0, (1980, 1, 1)), ('año/ñandú.txt', 10000, 8, (1980, 1, 1)), \
                ('photos/1.jpg', 300000, 0, (1980, 1, 1)), ('big.csv', 233015, 8, (1980, 1, 1))]
                True True
                """)
    }

    @Test func sameEntriesGiveSameBytes() throws {
        #expect(try sample() == sample())
    }

    @Test func entriesAreCopiedAsTheyAreCompressed() throws {
        let scratch = try TemporaryFolder()
        let reader = try ZipReader(path: try scratch.write(try sample(), to: "a.zip"))
        var zip = ZipWriter(MemoryOutput())
        for entry in reader.entries { try zip.copy(entry, from: reader) }
        let copied = try ZipReader(path: try scratch.write(try zip.finish().bytes, to: "b.zip"))
        #expect(copied.entries == reader.entries)
        #expect(try copied.read("big.csv", atMost: 1 << 20) == reader.read("big.csv", atMost: 1 << 20))
    }

    @Test func namesThatLeaveTheArchiveAreRefused() throws {
        for name in ["", "/etc/passwd", "../x", "a/../b", "a//b", "a\\b", "C:x", "a\u{0}b", "./a", String(repeating: "x", count: 1025)] {
            var zip = ZipWriter(MemoryOutput())
            #expect(throws: ZipFailure.nameRefused(name)) { try zip.add(name, [1].span) }
        }
        var zip = ZipWriter(MemoryOutput())
        try zip.add("a", [1].span)
        #expect(throws: ZipFailure.duplicateName("a")) { try zip.add("a", [2].span) }
    }

    @Test func headersBecomeLargeOnlyWhenNeeded() {
        let small = ZipHeader.local(name: "a", method: .deflated, crc: 1, compressedSize: 2, size: 3, keepsRoom: true)
        let large = ZipHeader.local(name: "a", method: .deflated, crc: 1, compressedSize: 2, size: 1 << 33, keepsRoom: true)
        #expect(small.count == large.count)
        #expect(Array(small[31..<33]) == [0x20, 0xA2])
        #expect(Array(large[31..<35]) == [0x01, 0x00, 0x10, 0x00])
        #expect(Array(large[22..<26]) == [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(small[4] == 20 && large[4] == 45)
        let entry = ZipEntry(name: "a", method: .stored, crc: 0, compressedSize: 1, size: 1)
        #expect(ZipHeader.central(entry, offset: 5 << 32).count == ZipHeader.central(entry, offset: 5).count + 12)
        #expect(ZipHeader.end(count: 70_000, offset: 9, size: 9).count == 22 + 20 + 56)
    }

    /// An archive with more entries than 16 bits can count. Another program reads it.
    @Test func manyEntriesAreReadByAnotherProgram() throws {
        let scratch = try TemporaryFolder()
        var zip = ZipWriter(MemoryOutput())
        for number in 0..<66_000 { try zip.add("f\(number)", [UInt8(number & 255)].span, method: .stored) }
        let path = try scratch.write(try zip.finish().bytes, to: "many.zip")
        #expect(try OtherProgram.python("import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(len(z.namelist()), z.read('f65999'))", path) == "66000 b'\\xcf'")
        #expect(try ZipReader(path: path).entries.count == 66_000)
    }
}

@Suite struct ZipReaderTests {
    private func archive(_ scratch: TemporaryFolder, _ script: String) throws -> String {
        let path = scratch.path + "/h.zip"
        let said = try OtherProgram.python("import sys, zipfile, struct\npath = sys.argv[1]\n" + script, path)
        #expect(said == "")
        return path
    }

    private func failure(_ path: String, limit: Int = 100) throws -> ZipFailure? {
        do {
            let reader = try ZipReader(path: path, maximumEntries: limit)
            for entry in reader.entries { _ = try reader.read(entry.name, atMost: 1000) }
            return nil
        } catch let failure as ZipFailure {
            return failure
        }
    }

    @Test func readsWhatAnotherProgramWrote() throws {
        let scratch = try TemporaryFolder()
        let path = try archive(scratch, "z = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED)\nz.writestr('d/a.txt', 'hola ' * 100)\nz.close()")
        let reader = try ZipReader(path: path)
        #expect(reader.entries.map(\.name) == ["d/a.txt"])
        #expect(try reader.read("d/a.txt", atMost: 500) == Array("hola ".utf8).repeated(100))
    }

    @Test func missingAndForeignFiles() throws {
        let scratch = try TemporaryFolder()
        #expect(try failure("/nowhere.zip") == .cannotOpen(path: "/nowhere.zip"))
        let text = try scratch.write(Array("no archive at all".utf8), to: "t.zip")
        #expect(try failure(text) == .notAnArchive(path: text))
    }

    @Test(arguments: ["../../etc/passwd", "/abs", "a\\\\b", "C:evil"])
    func hostileNames(_ name: String) throws {
        let scratch = try TemporaryFolder()
        let path = try archive(scratch, "z = zipfile.ZipFile(path, 'w')\nz.writestr('\(name)', 'x')\nz.close()")
        #expect(try failure(path) == .nameRefused(name.replacingOccurrences(of: "\\\\", with: "\\")))
    }

    @Test func repeatedNames() throws {
        let scratch = try TemporaryFolder()
        let path = try archive(
            scratch, "import warnings; warnings.simplefilter('ignore')\nz = zipfile.ZipFile(path, 'w')\nz.writestr('a', 'x'); z.writestr('a', 'y')\nz.close()")
        #expect(try failure(path) == .duplicateName("a"))
    }

    @Test func bombsAndCrowdsAreBounded() throws {
        let scratch = try TemporaryFolder()
        let bomb = try archive(scratch, "z = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED)\nz.writestr('a', b'0' * 5000000)\nz.close()")
        #expect(try failure(bomb) == .tooLarge("a", size: 5_000_000, limit: 1000))
        let crowd = try archive(scratch, "z = zipfile.ZipFile(path, 'w')\nfor i in range(200): z.writestr(str(i), 'x')\nz.close()")
        #expect(try failure(crowd) == .tooManyEntries(count: 200, limit: 100))
    }

    @Test func flippedBytesAreDamage() throws {
        let scratch = try TemporaryFolder()
        let path = try archive(
            scratch, "z = zipfile.ZipFile(path, 'w')\nz.writestr('a', 'x' * 100)\nz.close()\nb = bytearray(open(path, 'rb').read()); b[60] ^= 1; open(path, 'wb').write(b)")
        #expect(try failure(path) == .damaged(path: path, entry: "a"))
    }

    @Test func encryptedAndUnknownMethods() throws {
        let scratch = try TemporaryFolder()
        let locked = try archive(
            scratch,
            "z = zipfile.ZipFile(path, 'w')\nz.writestr('a', 'x')\nz.close()\nb = bytearray(open(path, 'rb').read()); i = b.rfind(b'PK\\x01\\x02'); b[i + 8] |= 1; open(path, 'wb').write(b)")
        #expect(try failure(locked) == .encrypted("a"))
        let odd = try archive(scratch, "z = zipfile.ZipFile(path, 'w', zipfile.ZIP_BZIP2)\nz.writestr('a', 'x')\nz.close()")
        #expect(try failure(odd) == .methodUnknown("a", method: 12))
    }

    /// Archives that are cut off at any place, or with any changed byte in the directory, give an
    /// error or the right content. They never crash.
    @Test func cutAndChangedArchivesNeverCrash() throws {
        let scratch = try TemporaryFolder()
        var zip = ZipWriter(MemoryOutput())
        try zip.add("a.txt", Array("agua".utf8).repeated(50).span)
        try zip.add("b.txt", Array("tierra".utf8).span, method: .stored)
        let whole = try zip.finish().bytes
        for length in stride(from: 0, to: whole.count, by: 3) {
            #expect(try failure(try scratch.write(Array(whole[..<length]), to: "cut.zip")) != nil, "\(length) of \(whole.count)")
        }
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0x41
            _ = try failure(try scratch.write(changed, to: "changed.zip"))
        }
    }
}

@Suite struct DeflaterTests {
    @Test func anotherProgramInflates() throws {
        let scratch = try TemporaryFolder()
        var packed: [UInt8] = []
        var deflater = try Deflater(level: 1)
        let text = Array("la misma arcilla de siempre, ".utf8).repeated(50_000)
        let keep: (Span<UInt8>) -> Void = { for index in $0.indices { packed.append($0[index]) } }
        try deflater.write(text.span, keep)
        try deflater.finish(keep)
        #expect(deflater.consumed == UInt64(text.count) && deflater.produced == UInt64(packed.count))
        let path = try scratch.write(packed, to: "raw")
        let said = try OtherProgram.python("import sys, zlib; d = zlib.decompress(open(sys.argv[1], 'rb').read(), -15); print(len(d), zlib.crc32(d))", path)
        #expect(said == "\(text.count) \(deflater.crc)")
    }

    @Test func nothingIsAStreamToo() throws {
        var packed: [UInt8] = []
        var deflater = try Deflater(level: 6)
        try deflater.finish { for index in $0.indices { packed.append($0[index]) } }
        #expect(packed == [3, 0] && deflater.crc == 0)
    }
}

extension [UInt8] {
    func repeated(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in self } }
}
