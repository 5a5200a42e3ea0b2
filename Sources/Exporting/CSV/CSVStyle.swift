import Foundation
import Model

/// The differences between the dialects of CSV.
struct CSVStyle {
    var separator: UInt8
    var decimalSeparator: UInt8
    /// Whether the file begins with U+FEFF, without which Excel takes UTF-8 for the machine's code
    /// page.
    var hasMark: Bool
    /// Labels with units instead of machine names in the first line.
    var hasLabels: Bool
    /// Words for booleans.
    var yes: String
    var no: String
    /// The zone of instants, written as `yyyy-MM-dd HH:mm:ss`; nil: UTC, as they are stored.
    var timeZone: TimeZone?

    init(_ dialect: CSVDialect, texts: Texts, timeZone: TimeZone) {
        let language: Language? =
            switch dialect {
            case .standard: nil
            case .excelSpanish: .spanish
            case .excelItalian: .italian
            }
        separator = UInt8(ascii: language == nil ? "," : ";")
        decimalSeparator = UInt8(ascii: language == nil ? "." : ",")
        hasMark = language != nil
        hasLabels = language != nil
        yes = language.map { texts.text("word.yes", in: $0) } ?? "true"
        no = language.map { texts.text("word.no", in: $0) } ?? "false"
        self.timeZone = language == nil ? nil : timeZone
    }
}
