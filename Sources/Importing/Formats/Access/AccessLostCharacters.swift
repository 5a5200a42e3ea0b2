/// Decides whether `??` in a text printed by mdbtools stands for a character that was lost.
///
/// mdbtools prints two question marks for every character beyond U+FFFF (emoji). In the file these
/// are surrogate pairs in UTF-16: if such a pair lies between the same letters as the question
/// marks, the original text was different. If a file seems to have more pairs than can be stored,
/// by chance in pictures or on purpose, every text with `??` is suspect.
final class AccessLostCharacters {
    private let file: FileBytes
    private static let mostPairs = 1 << 18
    /// Number of letters compared on either side.
    private static let reach = 4
    /// Remaining comparisons for all texts of a table.
    private var budget = 1 << 30
    private lazy var pairs: [Int]? = findPairs()

    init(path: String) throws { file = try FileBytes(path) }

    /// - Parameter text: in UTF-8.
    func concerns(_ text: [UInt8]) throws -> Bool {
        guard text.count > 1, text.indices.dropLast().contains(where: { text[$0] == 0x3F && text[$0 + 1] == 0x3F }) else { return false }
        guard let pairs else { return true }
        guard !pairs.isEmpty else { return false }
        let units = Array(String(decoding: text, as: UTF8.self).utf16)
        for place in units.indices.dropLast() where units[place] == 0x3F && units[place + 1] == 0x3F {
            budget -= pairs.count
            guard budget > 0 else { return true }
            let before = units[max(0, place - Self.reach)..<place]
            let after = units[(place + 2)..<min(units.count, place + 2 + Self.reach)]
            for pair in pairs where isPlain(before, endingAt: pair) && isPlain(after, from: pair + 4) { return true }
        }
        return false
    }

    /// Whether the file contains the letters directly before a position; a question mark matches
    /// anything.
    private func isPlain(_ units: ArraySlice<UInt16>, endingAt end: Int) -> Bool { isPlain(units, from: end - 2 * units.count) }

    private func isPlain(_ units: ArraySlice<UInt16>, from start: Int) -> Bool {
        let bytes = file.read(at: start, 2 * units.count)
        guard bytes.count == 2 * units.count else { return false }
        return units.enumerated().allSatisfy { index, unit in
            unit == 0x3F || UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8 == unit
        }
    }

    /// Positions of apparent surrogate pairs; nil if there are too many.
    private func findPairs() -> [Int]? {
        var pairs: [Int] = []
        var offset = 0
        let step = 1 << 20
        while offset < file.count {
            let bytes = file.read(at: offset, step + 3)
            guard bytes.count > 3 else { break }
            for index in 0..<(bytes.count - 3) where bytes[index + 1] & 0xFC == 0xD8 && bytes[index + 3] & 0xFC == 0xDC {
                guard pairs.count < Self.mostPairs else { return nil }
                pairs.append(offset + index)
            }
            offset += step
        }
        return pairs
    }
}
