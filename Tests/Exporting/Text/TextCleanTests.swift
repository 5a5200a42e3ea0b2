import Foundation
import Testing
import Workbench

@testable import Exporting

@Suite struct TextCleanTests {
    private func clean(_ bytes: [UInt8]) -> (text: [UInt8], replaced: Int) {
        let classes = ByteClasses(escaped: [UInt8(ascii: "\"")])
        var buffer = ByteBuffer()
        var replaced = 0
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe buffer.appendClean(bytes, classes, replaced: &replaced) { byte, buffer in
                buffer.append(byte)
                buffer.append(byte)
            }
        }
        return (buffer.array, replaced)
    }

    @Test(arguments: [
        ("plain", "plain", 0), ("", "", 0), ("añb→c🪨", "añb→c🪨", 0), ("a\u{0}b", "a\u{FFFD}b", 1), ("\u{1}\u{1F}\u{7F}", "\u{FFFD}\u{FFFD}\u{FFFD}", 3),
        ("a\tb\r\nc", "a\tb\r\nc", 0), ("\"", "\"\"", 0), ("\u{FFFE}x\u{FFFF}", "\u{FFFD}x\u{FFFD}", 2), ("\u{FFFD}", "\u{FFFD}", 0),
        ("\u{10FFFF}\u{D7FF}\u{E000}\u{80}", "\u{10FFFF}\u{D7FF}\u{E000}\u{80}", 0),
    ])
    func replacesWhatNoFileHolds(text: String, expected: String, count: Int) {
        let result = clean(Array(text.utf8))
        #expect(String(decoding: result.text, as: UTF8.self) == expected)
        #expect(result.replaced == count)
    }

    @Test func repairsBrokenUTF8JustAsSwiftDoes() {
        var generator = SeededNumbers(7)
        let pieces: [[UInt8]] = [
            [0x61], [0xC3, 0xB1], [0xC3], [0xE2, 0x86, 0x92], [0xE2, 0x86], [0xF0, 0x9F, 0xAA, 0xA8], [0xF0, 0x9F, 0xAA], [0xF0], [0x80],
            [0xBF], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF], [0xFE], [0x20, 0x41],
        ]
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...8, using: &generator)).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
            #expect(clean(bytes).text == Array(String(decoding: bytes, as: UTF8.self).utf8), "\(bytes)")
        }
    }

    @Test func readsInstantsAsTheReplicaStoresThem() {
        func local(_ text: String, _ zone: String) -> String? {
            guard let zone = TimeZone(identifier: zone) else { return nil }
            var time = OfficeTime(zone)
            var buffer = ByteBuffer()
            var text = text
            return text.withUTF8 { unsafe time.append($0, to: &buffer) } ? buffer.string : nil
        }
        #expect(local("2026-01-01T03:04:05Z", "America/Lima") == "2025-12-31 22:04:05")
        #expect(local("2026-03-29T00:59:59Z", "Europe/Rome") == "2026-03-29 01:59:59")
        #expect(local("2026-03-29T01:00:00.999999Z", "Europe/Rome") == "2026-03-29 03:00:00")
        #expect(local("2026-10-25T00:59:59Z", "Europe/Rome") == "2026-10-25 02:59:59")
        #expect(local("2026-10-25T01:00:00Z", "Europe/Rome") == "2026-10-25 02:00:00")
        #expect(local("1969-12-31T23:59:59Z", "GMT") == "1969-12-31 23:59:59")
        #expect(local("0001-01-01T00:00:00Z", "GMT") == "0001-01-01 00:00:00")
        for wrong in ["", "2026-01-01", "2026-01-01 03:04:05Z", "2026-01-01T03:04:05", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00,5Z", "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z",
            "２026-01-01T00:00:00Z"] {
            #expect(local(wrong, "GMT") == nil, "\(wrong)")
        }
    }

    @Test func keepsOneClockOverChanges() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Rome"))
        var time = OfficeTime(zone)
        let formatter = ISO8601DateFormatter()
        let words = DateFormatter()
        words.locale = Locale(identifier: "en_US_POSIX")
        words.timeZone = zone
        words.dateFormat = "yyyy-MM-dd HH:mm:ss"
        var generator = SeededNumbers(3)
        for _ in 0..<2000 {
            let date = Date(timeIntervalSince1970: TimeInterval(Int.random(in: 0..<2_500_000_000, using: &generator)))
            var text = formatter.string(from: date)
            var buffer = ByteBuffer()
            #expect(text.withUTF8 { unsafe time.append($0, to: &buffer) })
            #expect(buffer.string == words.string(from: date))
        }
    }

    @Test(arguments: [
        ("Luci e prese (è)", "luci-e-prese-e"), ("  Ñandú/Único ", "nandu-unico"), ("日本", "sheet"), ("", "sheet"), ("../../x", "x"),
        ("Impianto n. 1", "impianto-n-1"),
    ])
    func slugs(title: String, expected: String) {
        #expect(ASCIIName.slug(title) == expected)
    }
}
