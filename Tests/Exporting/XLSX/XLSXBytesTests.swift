import Foundation
import Model
import Testing
import Workbench
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

    /// The result that the fast code must give. This code is slow and handles one character at a
    /// time.
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
        var generator = SeededNumbers(3)
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
}
