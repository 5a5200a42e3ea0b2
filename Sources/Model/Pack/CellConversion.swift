/// What is done with the text of a foreign cell before it becomes a field's value; done in the order in which it is written.
package enum CellConversion: Sendable, Hashable {
    case trim, upper, lower
    /// `1.234,50` is 1234.50.
    case decimalComma
    /// `1,234.50` is 1234.50.
    case decimalPoint
    /// Formats of `dd`, `MM`, `yyyy` or `yy` and punctuation, tried in order. Of two digits, 70 to 99 are of the last century. `MMMM` is a
    /// month's name in Spanish, English or Italian: `12 de marzo de 2019`.
    case date([String])
    /// `Km 12+300`, `12300` as `12+300`.
    case chainage
    /// To metres.
    case feet, inches, centimetres, millimetres
    case yesNo
    /// Name of one of the mapping's lookups.
    case lookup(String)
    /// The n-th piece, from one, of a text split at a separator; from the end where n is negative. No such piece: nothing.
    case split(String, piece: Int)
    /// The first group of a PCRE2 pattern, or all that it matches. No match: the value does not fit.
    case match(String)
    /// Every occurrence of a text becomes another.
    case replace(String, with: String)
    /// Texts that say that there is nothing: `-`, `s/d`, `n/a`.
    case blank([String])
    /// One end of a range in metres: `0.00-0.40`, `0,00 a 0,40 m`.
    case range(RangeEnd)
    /// Takes the mark between thousands away: `.`, `,` or a space.
    case thousands(String)
    /// Takes one of these units away from behind a number.
    case unit([String])
    /// No other project than the one with this code, which the import was told; said by no mapping.
    case ofProject(String)

    package enum RangeEnd: String, Sendable, CaseIterable { case from, to }

    /// Words of the pack format for those without arguments.
    package static let words: [(word: String, conversion: CellConversion)] = [
        ("trim", .trim), ("upper", .upper), ("lower", .lower), ("decimal-comma", .decimalComma), ("decimal-point", .decimalPoint),
        ("chainage", .chainage), ("feet", .feet), ("inches", .inches), ("centimetres", .centimetres), ("millimetres", .millimetres),
        ("yes-no", .yesNo),
    ]
}
