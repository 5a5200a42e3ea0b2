import Foundation

/// Parses dates with the month in words, in Spanish, English and Italian.
enum MonthName {
    private static let names: [[String]] = [
        ["enero", "january", "gennaio", "ene", "jan", "gen"], ["febrero", "february", "febbraio", "feb"], ["marzo", "march", "mar"],
        ["abril", "april", "aprile", "abr", "apr"], ["mayo", "may", "maggio", "mag"], ["junio", "june", "giugno", "jun", "giu"],
        ["julio", "july", "luglio", "jul", "lug"], ["agosto", "august", "ago", "aug"],
        ["septiembre", "setiembre", "september", "settembre", "sep", "set", "sept"], ["octubre", "october", "ottobre", "oct", "ott"],
        ["noviembre", "november", "novembre", "nov"], ["diciembre", "december", "dicembre", "dic", "dec"],
    ]

    /// Words that do not matter for the day, such as days of the week.
    private static let fillers: Set<String> = [
        "de", "del", "di", "of", "the", "el", "il", "lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo", "monday", "tuesday",
        "wednesday", "thursday", "friday", "saturday", "sunday", "lunedi", "martedi", "mercoledi", "giovedi", "venerdi", "domenica", "sabato",
    ]

    static func number(of word: String) -> Int? { names.firstIndex { $0.contains(word) }.map { $0 + 1 } }

    /// The words and numbers of a date in words: `Martes, 1º de marzo del 2019` has three.
    static func pieces(of text: String) -> [String] {
        ColumnName.folded(text).split { !$0.isLetter && !$0.isNumber }.map(day).filter { !fillers.contains($0) }
    }

    /// The number alone from `1º` or `1st`.
    private static func day(_ piece: Substring) -> String {
        let digits = piece.prefix { $0.isASCII && $0.isNumber }
        let rest = piece.dropFirst(digits.count)
        return !digits.isEmpty && ["º", "ª", "o", "er", "ero", "st", "nd", "rd", "th"].contains(rest) ? String(digits) : String(piece)
    }
}
