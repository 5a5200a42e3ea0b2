/// A conversion of an imported cell's text before it becomes a field's value. Conversions apply in
/// the order of the mapping.
package enum CellConversion: Sendable, Hashable {
    case trim, upper, lower
    /// `1.234,50` is 1234.50.
    case decimalComma
    /// `1,234.50` is 1234.50.
    case decimalPoint
    /// Formats of `dd`, `MM`, `yyyy` or `yy` and punctuation, tried in order. With a two-digit
    /// year, 70 to 99 are 1970 to 1999. `MMMM` is a month's name in Spanish, English or Italian:
    /// `12 de marzo de 2019`.
    case date([String])
    /// `Km 12+300`, `12300` as `12+300`.
    case chainage
    /// To metres.
    case feet, inches, centimetres, millimetres
    case yesNo
    /// Name of one of the mapping's lookups.
    case lookup(String)
    /// The n-th piece, from one, of a text split at a separator; from the end if n is negative.
    /// The result is empty if there is no such piece.
    case split(String, piece: Int)
    /// All pieces of a text that are not blank, as a list.
    case list(String)
    /// The first group of a PCRE2 pattern, or the whole match. A text without a match does not fit
    /// its field.
    case match(String)
    /// Replaces every occurrence of a text.
    case replace(String, with: String)
    /// Texts that mean a missing value: `-`, `s/d`, `n/a`.
    case blank([String])
    /// One end of a range in metres: `0.00-0.40`, `0,00 a 0,40 m`.
    case range(RangeEnd)
    /// Removes the separator of thousands: `.`, `,` or a space.
    case thousands(String)
    /// Removes one of these units behind a number.
    case unit([String])
    /// Converts a `CREATE TABLE` statement, which is never run, to the JSON Schema of its rows.
    case tableSchema
    /// Seconds since the first moment (UTC) of a year, as an instant, or as the date or time of day
    /// at the office.
    case since(Int, InstantPart)
    /// The value at a path in a JSON text: `_0/name`; list elements are numbered from 0. The result
    /// is empty if there is no such member.
    case member(String)
    /// Each element of a list of JSON, converted.
    case elements([CellConversion])
    /// The project with this code, given as an option of the import, and no other project. Mappings
    /// never contain this conversion.
    case ofProject(String)

    package enum RangeEnd: String, Sendable, CaseIterable { case from, to }

    package enum InstantPart: String, Sendable, CaseIterable { case instant, day, time }

    /// Names in the pack format of the conversions without arguments.
    package static let words: [(word: String, conversion: CellConversion)] = [
        ("trim", .trim), ("upper", .upper), ("lower", .lower), ("decimal-comma", .decimalComma),
        ("decimal-point", .decimalPoint),
        ("chainage", .chainage), ("feet", .feet), ("inches", .inches), ("centimetres", .centimetres),
        ("millimetres", .millimetres),
        ("yes-no", .yesNo), ("table-schema", .tableSchema),
    ]
}

extension CellConversion {
    init?(_ node: PackNode) {
        if let word = node.text {
            guard let known = Self.words.first(where: { $0.word == word }) else { return nil }
            self = known.conversion
        } else if let lookup = node.text("lookup") {
            self = .lookup(lookup)
        } else if node["date"] != nil {
            self = .date(node.textOrTexts("date"))
        } else if let separator = node.text("split") {
            self = .split(separator, piece: node.integer("piece") ?? 1)
        } else if let separator = node.text("list") {
            self = .list(separator)
        } else if let pattern = node.text("match") {
            self = .match(pattern)
        } else if let text = node.text("replace") {
            self = .replace(text, with: node.text("with") ?? "")
        } else if let end = node.word("range", RangeEnd.self) {
            self = .range(end)
        } else if let mark = node.text("thousands") {
            self = .thousands(mark)
        } else if node["unit"] != nil {
            self = .unit(node.textOrTexts("unit"))
        } else if let year = node.integer("since") {
            self = .since(year, node.word("as", InstantPart.self) ?? .instant)
        } else if let path = node.text("member") {
            self = .member(path)
        } else if node["elements"] != nil {
            self = .elements(node.items("elements").compactMap(CellConversion.init))
        } else if node["blank"] != nil {
            self = .blank(node.texts("blank"))
        } else {
            return nil
        }
    }
}

extension PackNode {
    /// The conversions under the key `convert`.
    var conversions: [CellConversion] { items("convert").compactMap(CellConversion.init) }
}
