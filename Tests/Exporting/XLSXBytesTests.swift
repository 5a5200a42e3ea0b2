import Foundation
import Model
import Testing
@testable import Exporting

@Suite struct XLSXTextTests {
    private func written(_ bytes: [UInt8], from start: Int = 0, count: Int? = nil) -> (String, Int) {
        var buffer = ByteBuffer(capacity: 64)
        let replaced = unsafe bytes.withUnsafeBufferPointer { all -> Int in
            guard let base = all.baseAddress else { return 0 }
            return unsafe CellText.append(base + start, count: count ?? all.count - start, readable: all.count - start, to: &buffer)
        }
        return (buffer.string, replaced)
    }

    /// What the fast way must come to, character by character.
    private func expected(_ text: String) -> (String, Int) {
        var result = ""
        var replaced = 0
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "_x000D_"
            case "_" where String(String.UnicodeScalarView(scalars[index...].prefix(7))).wholeMatch(of: /_x[0-9A-Fa-f]{4}_/) != nil: result += "_x005F_"
            case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                result += "\u{FFFD}"
                replaced += 1
            default: result.unicodeScalars.append(scalar)
            }
        }
        return (result, replaced)
    }

    @Test func randomTextsAtEveryPlaceInABatch() throws {
        var generator = SplitMix(seed: 3)
        let alphabet: [Unicode.Scalar] = Array("abcdefghijk XYZ019_x&<>\"'\n\r\t\u{1}\u{7F}ñé→🪨\u{FFFE}\u{FFFF}\u{E000}".unicodeScalars) + Array("_x000D_".unicodeScalars)
        for _ in 0..<20_000 {
            let text = String(String.UnicodeScalarView((0..<Int.random(in: 0...30, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "a" }))
            let before = [UInt8](repeating: 0x26, count: Int.random(in: 0...9, using: &generator))
            let after = [UInt8](repeating: 0x3C, count: Int.random(in: 0...9, using: &generator))
            let (string, replaced) = written(before + Array(text.utf8) + after, from: before.count, count: text.utf8.count)
            let (wanted, wantedReplaced) = expected(text)
            try #require(string.debugDescription == wanted.debugDescription && replaced == wantedReplaced, "\(text.debugDescription)")
        }
    }

    @Test(arguments: [
        ([0xC0, 0x80], 2), ([0xED, 0xA0, 0x80], 3), ([0xF4, 0x90, 0x80, 0x80], 4), ([0xE2, 0x82], 1), ([0xFF], 1), ([0xF8, 0x88], 2), ([0x80], 1),
        ([0xC3, 0x28], 1), ([0xF0, 0x80, 0x80, 0x80], 4), ([0xE0, 0x80, 0x80], 3),
    ] as [([UInt8], Int)])
    func bytesThatAreNoTextAreReplaced(_ bytes: [UInt8], _ count: Int) {
        let (string, replaced) = written(Array("ok".utf8) + bytes + Array("ok".utf8))
        #expect(replaced == count && string.hasPrefix("ok\u{FFFD}") && string.hasSuffix("ok"))
    }

    @Test func prefixesNeverCutACharacter() {
        let text = Array("aé🪨b".utf8)
        unsafe text.withUnsafeBufferPointer { bytes in
            let cuts = (0...6).map { unsafe CellText.prefix(of: bytes, units: $0).bytes }
            #expect(cuts == [0, 1, 3, 3, 7, 8, 8])
        }
    }

    @Test func libraryTextsAreCleaned() {
        #expect(LibraryText("a\r\nb\rc\nd", limit: 99).string == "a\nb\nc\nd")
        #expect(LibraryText("a\r\nb\tc", limit: 99, isOneLine: true).string == "a b c")
        #expect(LibraryText("_x0041_ _x_", limit: 99).string == "_x005F_x0041_ _x_")
        #expect(LibraryText("ab\u{0}\u{FFFF}", limit: 99).replaced == 2)
        #expect(LibraryText(String(repeating: "🪨", count: 10), limit: 8).string == "🪨🪨🪨…")
    }

    @Test func columnLetters() {
        #expect([0, 25, 26, 51, 701, 702, 16_383].map(CellReference.letters) == ["A", "Z", "AA", "AZ", "ZZ", "AAA", "XFD"])
        #expect(CellReference.cell(row: 0, column: 27) == "AB1")
    }

    @Test func sheetNamesStayWithinTheLibrarysBuffers() {
        var names = SheetNames()
        let name = names.take("x" + String(repeating: "'漢", count: 15) + "x")
        #expect(name.utf16.count <= 31 && name.utf8.count + name.filter { $0 == "'" }.count <= 100 && name.last != "'")
        let many = (0..<200).map { _ in names.take("Igual") }
        #expect(Set(many.map { $0.lowercased() }).count == 200)
        #expect(names.take("Cortes", part: 1) == "Cortes" && names.take("Cortes", part: 2) == "Cortes (2)")
    }
}

@Suite struct XLSXDateTests {
    private enum Form {
        case date, time, instant
    }

    private var utc = OfficeClock(.gmt)

    private func serial(_ text: String, _ form: Form, _ clock: inout OfficeClock) -> Double? {
        let date = unsafe Array(text.utf8).withUnsafeBufferPointer { bytes in
            switch form {
            case .date: unsafe ExcelDate.date(bytes)
            case .time: unsafe ExcelDate.time(bytes)
            case .instant: unsafe ExcelDate.instant(bytes, &clock)
            }
        }
        return date.map { Double($0.days) + Double($0.fraction) / 1e10 }
    }

    private func serial(_ text: String, _ form: Form) -> Double? {
        var clock = utc
        return serial(text, form, &clock)
    }

    @Test(arguments: [
        ("1899-12-31", nil), ("1900-01-01", 1), ("1900-02-28", 59), ("1900-03-01", 61), ("1970-01-01", 25_569), ("2000-02-29", 36_585),
        ("2025-12-31", 46_022), ("9999-12-31", 2_958_465), ("2025-02-29", nil), ("1900-02-29", nil), ("2025-13-01", nil), ("2025-00-10", nil),
        ("2025-1-01", nil), ("2025/01/01", nil), ("2025-04-31", nil),
    ] as [(String, Double?)])
    func dates(_ text: String, _ expected: Double?) {
        #expect(serial(text, .date) == expected)
    }

    @Test(arguments: [("00:00", 0), ("12:00", 0.5), ("18:00:00", 0.75), ("24:00", nil), ("12:60", nil), ("1:00", nil), ("", nil)] as [(String, Double?)])
    func times(_ text: String, _ expected: Double?) {
        #expect(serial(text, .time) == expected)
    }

    /// Against Foundation, over daylight saving changes, in zones on either side of UTC.
    @Test(arguments: ["America/Lima", "Europe/Rome", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "UTC", "Pacific/Apia"])
    func instantsAreOfficeTime(_ zone: String) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        var clock = OfficeClock(timeZone)
        var generator = SplitMix(seed: 11)
        let format = ISO8601DateFormatter()
        for _ in 0..<2000 {
            let date = Date(timeIntervalSince1970: Double(Int.random(in: -1_900_000_000...4_000_000_000, using: &generator)))
            let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
            let serial = serial(format.string(from: date), .instant, &clock)
            let found = try #require(serial)
            #expect(abs(found - (local / 86_400 + 25_569)) < 1e-9, "\(date) in \(zone)")
        }
    }

    @Test func fractionsOfSecondsAndMidnight() throws {
        #expect(serial("2025-12-31T23:59:59.999999Z", .instant) == 46_023)
        #expect(serial("2025-01-01T12:00:00.5Z", .instant).map { abs($0 - 45_658.500005787) < 1e-9 } == true)
        for bad in ["2025-01-01", "2025-01-01 12:00:00Z", "2025-01-01T12:00:00", "2025-01-01T12:00:00+01:00", "2025-01-01T12:00:00.1234567Z"] {
            #expect(serial(bad, .instant) == nil)
        }
    }
}
