import Blocks
import Model
import Spreadsheets

/// The content of a cell: a text, or a number with its display format.
struct CellContent {
    enum Value {
        case blank
        case text(String)
        case number(Double)
    }

    var value: Value
    /// The format of the number; nil: General.
    var numberFormat: String?
    /// The text as a program will show it, used for its width.
    var shown: String

    static func text(_ text: String) -> CellContent {
        CellContent(value: text.isEmpty ? .blank : .text(text), shown: text)
    }

    init(value: Value, numberFormat: String? = nil, shown: String) {
        self.value = value
        self.numberFormat = numberFormat
        self.shown = shown
    }

    /// - Parameters:
    ///   - decimals: the column's decimals, if the column has a fixed number.
    ///   - mark: a sign before the value.
    init(_ cell: ReportCell, decimals: Int? = nil, mark: String? = nil, dates: inout CellDates) {
        let mark = mark ?? ReportStyles.mark(cell.tone)
        shown = (mark ?? "") + cell.text
        value = .blank
        switch cell.value {
        case .empty:
            if !cell.text.isEmpty { value = .text(cell.text) }
        case .text(let text): value = .text(text)
        case .number(let number, let own) where number.isFinite:
            value = .number(number)
            numberFormat = Self.format(number: cell.text, decimals: decimals ?? own)
        case .number: value = .text(cell.text)
        case .date(let text):
            if let serial = dates.serial(date: text) {
                value = .number(serial)
                numberFormat = dates.dateFormat
            } else {
                value = .text(cell.text)
            }
        case .instant(let text):
            if let serial = dates.serial(instant: text) {
                value = .number(serial)
                numberFormat = dates.instantFormat
            } else {
                value = .text(cell.text)
            }
        }
        guard let mark else { return }
        switch value {
        case .blank: break
        case .text: numberFormat = "\"\(mark)\"@"
        case .number: numberFormat = "\"\(mark)\"" + (numberFormat ?? "General")
        }
    }

    /// The format of a number with the text `text`: its decimals, the separators of thousands, and
    /// the unit after it.
    private static func format(number text: String, decimals: Int?) -> String? {
        let figures = text.prefix { $0.isASCII && $0.isNumber || "-−+.,' \u{A0}\u{202F}’".contains($0) }
        var unit = text[figures.endIndex...].filter { $0 != "\"" && !$0.isNewline }.prefix(24)
        if !unit.isEmpty, let last = figures.last, last == " " || last == "\u{A0}" || last == "\u{202F}" {
            unit = " " + unit
        }
        let isGrouped = decimals.map { decimals in
            let separators = figures.drop { "-−+ ".contains($0) }.reversed().drop { !$0.isNumber }.filter {
                !$0.isNumber
            }.count
            return separators > (decimals > 0 ? 1 : 0)
        }
        // In `1e300`, the exponent is not a unit.
        if let first = unit.first, first == "e" || first == "E", let next = unit.dropFirst().first,
            next.isNumber || next == "-" || next == "+"
        {
            unit = ""
        }
        guard let decimals else { return unit.isEmpty || figures.isEmpty ? nil : "General\"\(unit)\"" }
        let whole = isGrouped == true ? "#,##0" : "0"
        let format = decimals <= 0 ? whole : whole + "." + String(repeating: "0", count: min(decimals, 15))
        return unit.isEmpty || figures.isEmpty ? format : format + "\"\(unit)\""
    }
}

/// Converts days and instants to the serial numbers of cells, in office time.
struct CellDates {
    let dateFormat: String
    let instantFormat: String
    private var clock: OfficeClock

    init(_ head: DocumentHead) {
        dateFormat = head.language == .english ? "yyyy-mm-dd" : "dd/mm/yyyy"
        instantFormat = dateFormat + " hh:mm"
        clock = OfficeClock(head.timeZone)
    }

    /// Returns nil for a day that a workbook cannot represent.
    func serial(date text: String) -> Double? {
        var text = text
        return text.withUTF8 { unsafe ExcelDate.date($0) }.map(Self.number)
    }

    mutating func serial(instant text: String) -> Double? {
        var text = text
        return text.withUTF8 { unsafe ExcelDate.instant($0, &clock) }.map(Self.number)
    }

    private static func number(_ date: ExcelDate) -> Double { Double(date.days) + Double(date.fraction) / 1e10 }
}
