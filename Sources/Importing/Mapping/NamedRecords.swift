import Foundation
internal import Model

/// Finds the record whose key is part of the names of files and folders: `2019/C-01/IMG_0012.jpg`,
/// `C-01_estrato2_1.jpg`, `Calicata 12/foto 3.JPG`. If a name fits several records, none is chosen.
///
/// Names are compared by pieces: runs of letters or of digits, without case, accents and leading
/// zeros. Between letters and the number after them, any mark or none is accepted: `C-1`, `c01`,
/// `C 001`. A range (`C-01 a 05`, `Calicatas 1-20`) or a separate letter (`C-12-A`) is doubtful: it
/// counts only if the same key also has a certain match. Camera names (`IMG_E0012`) match nothing.
/// A key that is only a number needs a word before the number (`Calicata 12`).
final class NamedRecords {
    private let places: [Int]
    private let words: Set<String>
    private var entity = ""
    private var field = ""
    /// The other parts of the key, which limit the records that are searched.
    private var scope: [ValuePlan.Part] = []
    /// The replica's keys, by the values of `scope`.
    private var known: [[String]: [Key]] = [:]

    private struct Piece {
        /// In lower case; a number without leading zeros.
        let text: String
        let written: Substring
        let isNumber: Bool
        /// Whether it follows the previous piece directly.
        let isJoined: Bool
        /// Whether a hyphen or a dash precedes it.
        let isBehindDash: Bool
    }

    /// Keys found in a name, and whether the name may also refer to other keys.
    private struct Match {
        var keys: [String] = []
        var isDoubtful = false
    }

    /// Words with which cameras and telephones begin the names of their files.
    private static let cameraWords: Set<String> = [
        "burst", "dcim", "dji", "dsc", "dscf", "dscn", "fb", "gopr", "img", "imgp", "mvi", "pano", "pxl", "screenshot",
        "vid", "wa", "whatsapp",
    ]
    /// Words that join two numbers to a range or a list.
    private static let joiningWords: Set<String> = ["a", "al", "and", "con", "e", "hasta", "to", "und", "y"]

    private struct Key {
        let text: String
        let pieces: [Piece]

        /// Whether the key is this number, alone or with letters before it.
        func ends(with number: Piece) -> Bool {
            pieces.count <= 2 && pieces.last?.text == number.text && (pieces.count == 1 || !pieces[0].isNumber)
        }

        var isNumber: Bool { pieces.count == 1 && pieces[0].isNumber }
    }

    init(in places: [Int], words: [String]) {
        self.places = places
        self.words = Set(words.map(ColumnName.folded))
    }

    /// Sets the entity and the field of the key, and the rest of the key for the search.
    func begin(_ entity: String, _ field: String, among scope: [ValuePlan.Part]) {
        (self.entity, self.field, self.scope) = (entity, field, scope)
    }

    /// The key of the record that a row names. Throws `MappingFault` if it names none or several.
    func key(
        namedIn row: ForeignRow, _ target: String, keys: any RecordKeys, value: (ValuePlan) throws -> String?
    ) throws -> String {
        let within = try scope.compactMap { part in try value(part.value).map { (field: part.name, value: $0) } }
        let known = try self.known[within.map(\.value)] ?? read(keys, within)
        // A folder's name and the name of a file in the folder are separate names.
        let names = places.compactMap { row.text($0) }.flatMap { $0.split(separator: "/") }
        let matches = names.map { match(known, in: Self.pieces(of: ColumnName.folded(String($0)))) }
        let found = Set(matches.flatMap(\.keys)).sorted()
        if found.count == 1, matches.contains(where: { !$0.keys.isEmpty && !$0.isDoubtful }) { return found[0] }
        let cell = places.first.flatMap(row.cellName)
        var arguments = ["name": names.joined(separator: " / "), "target": entity]
        if !found.isEmpty { arguments["known"] = found.joined(separator: ", ") }
        throw MappingFault(
            code: found.isEmpty ? "IMPORT-NAMES-NONE" : "IMPORT-NAMES-SEVERAL", cell: cell, field: target,
            arguments: arguments)
    }

    private func read(_ keys: any RecordKeys, _ scope: [(field: String, value: String)]) throws -> [Key] {
        let read = try keys.values(of: entity, field, with: scope)
            .map { Key(text: $0, pieces: Self.pieces(of: ColumnName.folded($0))) }.filter { !$0.pieces.isEmpty }
        known[scope.map(\.value)] = read
        return read
    }

    /// The keys in a name. If several keys begin at one piece, the longest is chosen; among keys of
    /// that length, the one written with the same zeros.
    private func match(_ known: [Key], in name: [Piece]) -> Match {
        var match = Match()
        guard let first = name.first, !Self.cameraWords.contains(first.text) else { return match }
        var index = 0
        while index < name.count {
            let fitting = known.filter { !$0.isNumber && Self.stands($0.pieces, at: index, in: name) }
            if fitting.isEmpty, let number = number(behindWordAt: index, in: name) {
                match.keys += known.filter { $0.ends(with: name[number]) }.map(\.text)
                index = number + 1
                match.isDoubtful = match.isDoubtful || Self.isDoubtful(index, in: name)
                continue
            }
            let most = fitting.map(\.pieces.count).max() ?? 0
            let longest = fitting.filter { $0.pieces.count == most }
            let exact = longest.filter { zip($0.pieces, name[index...]).allSatisfy { $0.written == $1.written } }
            match.keys += (exact.isEmpty ? longest : exact).map(\.text)
            index += max(most, 1)
            if most > 0 { match.isDoubtful = match.isDoubtful || Self.isDoubtful(index, in: name) }
        }
        return match
    }

    /// Whether the text after a key may belong to it: the end of a range, or a separate letter.
    private static func isDoubtful(_ next: Int, in name: [Piece]) -> Bool {
        guard next < name.count else { return false }
        let (piece, after) = (name[next], next + 1 < name.count ? name[next + 1] : nil)
        if piece.isNumber { return piece.isBehindDash }
        return piece.text.count == 1 || (joiningWords.contains(piece.text) && after?.isNumber == true)
    }

    /// The position of the number in `Calicata 12`, `Calicata N° 12`.
    private func number(behindWordAt index: Int, in name: [Piece]) -> Int? {
        guard words.contains(name[index].text) else { return nil }
        var next = index + 1
        if next < name.count, ["n", "nº", "no", "nro", "num"].contains(name[next].text) { next += 1 }
        guard next < name.count, name[next].isNumber, Self.ends(next, in: name) else { return nil }
        return next
    }

    private static func ends(_ index: Int, in name: [Piece]) -> Bool {
        index + 1 == name.count || !name[index + 1].isJoined
    }

    private static func stands(_ key: [Piece], at index: Int, in name: [Piece]) -> Bool {
        let end = index + key.count
        guard end <= name.count, index == 0 || !name[index].isJoined, ends(end - 1, in: name) else { return false }
        return key.indices.allSatisfy { place in
            let (own, other) = (key[place], name[index + place])
            guard own.text == other.text, place > 0 else { return own.text == other.text }
            return own.isJoined == other.isJoined || (own.isNumber && !key[place - 1].isNumber)
        }
    }

    private static func pieces(of folded: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = folded[...]
        var isBehindDash = false
        while let first = rest.first {
            let isNumber = isDigit(first)
            guard isNumber || first.isLetter else {
                isBehindDash = isBehindDash || first == "-" || first == "–"
                rest = rest.dropFirst()
                continue
            }
            let isJoined = rest.startIndex > folded.startIndex
                && pieces.last.map { $0.written.endIndex == rest.startIndex } == true
            let written = rest.prefix { isNumber ? Self.isDigit($0) : $0.isLetter }
            let digits = written.drop { $0 == "0" }
            let text = isNumber ? (digits.isEmpty ? "0" : String(digits)) : String(written)
            pieces.append(
                Piece(
                    text: text, written: written, isNumber: isNumber, isJoined: isJoined, isBehindDash: isBehindDash))
            isBehindDash = false
            rest = rest[written.endIndex...]
        }
        return pieces
    }

    private static func isDigit(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber }
}

/// Normalises headings, names of sheets and words of lookups for comparison: without case, accents,
/// spaces and punctuation.
package enum ColumnName {
    package static func normal(_ text: String) -> String { normalForm(folded: folded(text)) }

    /// The normalised form of a folded text.
    static func normalForm(folded text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                switch scalar {
                case "0"..."9", "A"..."Z", "a"..."z": bytes.append(UInt8(scalar.value))
                default: continue
                }
            } else if CharacterSet.alphanumerics.contains(scalar), !ordinals.contains(scalar) {
                bytes += UTF8.encode(scalar) ?? .init()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text in lower case without accents. Foundation takes microseconds for this. So each letter
    /// of European languages is folded only once, and only texts with other letters are folded as a
    /// whole.
    package static func folded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard scalar.value < 0x250 else { return foundationFolded(text) }
            bytes += foldedLetters[Int(scalar.value)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let foldedLetters: [[UInt8]] = (0..<0x250).map { value in
        Unicode.Scalar(value).map { Array(foundationFolded(String($0)).utf8) } ?? []
    }

    private static func foundationFolded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en_US_POSIX"))
    }

    /// The ordinal sign of `Nº`, which is as common as `N°`, counts as a letter in Unicode.
    private static let ordinals: Set<Unicode.Scalar> = ["\u{AA}", "\u{BA}"]

    /// Whether a name matches a pattern, in which `*` matches any text.
    static func matches(_ name: String, _ pattern: String) -> Bool {
        let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false).map { normal(String($0)) }
        let name = normal(name)
        guard pieces.count > 1 else { return name == pieces[0] }
        guard name.hasPrefix(pieces[0]), name.hasSuffix(pieces[pieces.count - 1]) else { return false }
        var rest = name.dropFirst(pieces[0].count)
        for piece in pieces.dropFirst() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    /// Letters of a column counted from 0: `A`, `Z`, `AA`.
    package static func letters(_ column: Int) -> String { RawCells.columnName(column) }
}
