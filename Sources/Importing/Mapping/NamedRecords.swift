internal import Model

/// Finds the record that files and folders are called after: `2019/C-01/IMG_0012.jpg`, `C-01_estrato2_1.jpg`,
/// `Calicata 12/foto 3.JPG`. A name is one record's or nobody's: what fits several is not guessed.
///
/// Names are compared piece by piece, a piece being a run of letters or of digits, without case, accents and zeros
/// before a number. Between letters and the number behind them any mark may stand, or none: `C-1`, `c01`, `C 001`.
final class NamedRecords {
    private let places: [Int]
    private let words: Set<String>
    private var entity = ""
    private var field = ""
    /// The rest of the key: where the record is looked for.
    private var scope: [ValuePlan.Part] = []
    private var known: [[String]: [Key]] = [:]

    private struct Piece {
        /// In small letters; a number without zeros before it.
        let text: String
        let written: Substring
        let isNumber: Bool
        /// Whether nothing stands between it and the piece before.
        let isJoined: Bool
    }

    private struct Key {
        let text: String
        let pieces: [Piece]

        /// Whether it is only letters and this number.
        func ends(with number: Piece) -> Bool {
            pieces.count == 2 && !pieces[0].isNumber && pieces[1].text == number.text
        }
    }

    init(in places: [Int], words: [String]) {
        self.places = places
        self.words = Set(words.map(ColumnName.folded))
    }

    /// Says whose key it is, and where it is looked for.
    func begin(_ entity: String, _ field: String, among scope: [ValuePlan.Part]) {
        (self.entity, self.field, self.scope) = (entity, field, scope)
    }

    /// The key of the record that a row names. Throws `MappingFault` where it names none, or several.
    func key(
        namedIn row: ForeignRow, _ target: String, keys: any RecordKeys, value: (ValuePlan) throws -> String?
    ) throws -> String {
        let within = try scope.compactMap { part in try value(part.value).map { (field: part.name, value: $0) } }
        let known = try self.known[within.map(\.value)] ?? read(keys, within)
        // A folder's name and that of a file in it are not one name.
        let names = places.compactMap { row.text($0) }.flatMap { $0.split(separator: "/") }
        let folded = names.map { ColumnName.folded(String($0)) }
        let found = Set(folded.flatMap { self.keys(known, namedIn: Self.pieces(of: $0)) }).sorted()
        if found.count == 1 { return found[0] }
        let cell = places.first.flatMap(row.cellName)
        var arguments = ["name": names.joined(separator: " / "), "target": entity]
        if !found.isEmpty { arguments["known"] = found.joined(separator: ", ") }
        let code = found.isEmpty ? "IMPORT-NAMES-NONE" : "IMPORT-NAMES-SEVERAL"
        throw MappingFault(code: code, cell: cell, field: target, arguments: arguments)
    }

    private func read(_ keys: any RecordKeys, _ scope: [(field: String, value: String)]) throws -> [Key] {
        let read = try keys.values(of: entity, field, with: scope)
            .map { Key(text: $0, pieces: Self.pieces(of: ColumnName.folded($0))) }.filter { !$0.pieces.isEmpty }
        known[scope.map(\.value)] = read
        return read
    }

    /// The keys that stand in a name. Where several begin at one piece, the longest counts, and of those the one that
    /// is written with the same zeros.
    private func keys(_ known: [Key], namedIn name: [Piece]) -> [String] {
        var found: [String] = []
        var index = 0
        while index < name.count {
            let fitting = known.filter { Self.stands($0.pieces, at: index, in: name) }
            if fitting.isEmpty, let number = number(behindWordAt: index, in: name) {
                found += known.filter { $0.ends(with: name[number]) }.map(\.text)
                index = number + 1
                continue
            }
            let most = fitting.map(\.pieces.count).max() ?? 0
            let longest = fitting.filter { $0.pieces.count == most }
            let exact = longest.filter { zip($0.pieces, name[index...]).allSatisfy { $0.written == $1.written } }
            found += (exact.isEmpty ? longest : exact).map(\.text)
            index += max(most, 1)
        }
        return found
    }

    /// The place of the number in `Calicata 12`, `Calicata N° 12`.
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
        while let first = rest.first {
            let isNumber = isDigit(first)
            guard isNumber || first.isLetter else {
                rest = rest.dropFirst()
                continue
            }
            let isJoined = rest.startIndex > folded.startIndex
                && pieces.last.map { $0.written.endIndex == rest.startIndex } == true
            let written = rest.prefix { isNumber ? Self.isDigit($0) : $0.isLetter }
            let digits = written.drop { $0 == "0" }
            let text = isNumber ? (digits.isEmpty ? "0" : String(digits)) : String(written)
            pieces.append(Piece(text: text, written: written, isNumber: isNumber, isJoined: isJoined))
            rest = rest[written.endIndex...]
        }
        return pieces
    }

    private static func isDigit(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber }
}
