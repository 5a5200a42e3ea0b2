import Model
import Spreadsheets

/// One column of a sheet, as it will be written.
struct ColumnPlan {
    struct Choices: Hashable {
        var source: Workbook.Choices?
        /// Column of the hidden sheet that contains the list, if it is too long for a validation.
        var list: Int?
        var isClosed: Bool
    }

    /// The column's header. No two headers of a sheet are equal, even when case is ignored.
    var header: String
    var kind: SheetColumn.Kind
    var style: CellStyle
    /// The width in characters of the default font, before any row is read.
    var width: Double
    /// The width that the header needs.
    var headerWidth: Double
    var choices: Choices?
    /// The files that a column of links names; nil for addresses.
    var files: LinkedFiles?
    /// The number of the label's characters that were replaced as invalid in a workbook.
    var replaced = 0
    /// A note on the heading: why the column may not be changed.
    var note: String?
    /// Whether the column is for the program alone.
    var isHidden = false

    /// The columns of a sheet's rows, and the one for actions if the sheet comes back corrected.
    static func plan(_ sheet: Sheet, words: XLSXWords, lists: inout ListCollector) -> (
        data: [ColumnPlan], action: ColumnPlan?
    ) {
        guard let corrections = sheet.corrections else {
            return (plan(sheet.columns, words: words, lists: &lists), nil)
        }
        let action = SheetColumn(
            name: "action", label: corrections.actionHeader, kind: .text, options: corrections.actions, isClosed: true)
        var columns = plan(sheet.columns + [action], words: words, lists: &lists)
        for (index, column) in sheet.columns.enumerated() {
            columns[index].note = corrections.locked[column.name]
            columns[index].isHidden = corrections.hidden.contains(column.name)
        }
        return (Array(columns.dropLast()), columns.last)
    }

    static func plan(_ columns: [SheetColumn], words: XLSXWords, lists: inout ListCollector) -> [ColumnPlan] {
        var taken: Set<String> = []
        var plans: [ColumnPlan] = []
        for column in columns {
            let header = unique(column, &taken)
            plans.append(
                ColumnPlan(
                    header: header, kind: column.kind, style: style(of: column, words.language),
                    width: width(of: column, header, words),
                    headerWidth: headerWidth(header),
                    choices: choices(of: column, words, &lists), files: column.files,
                    replaced: LibraryText(column.header, limit: .max).replaced))
        }
        return plans
    }

    /// Makes a header that differs from the others in more than case, as Excel requires.
    private static func unique(_ column: SheetColumn, _ taken: inout Set<String>) -> String {
        let base = LibraryText(column.header, limit: 200, isOneLine: true).string
        let wanted = base.isEmpty ? (column.name.isEmpty ? "_" : column.name) : base
        var header = wanted
        var number = 2
        while !taken.insert(header.lowercased()).inserted {
            header = "\(wanted) (\(number))"
            number += 1
        }
        return header
    }

    // MARK: Looks

    /// The width from which a text column wraps instead of growing.
    private static let widest = 60

    private static func style(of column: SheetColumn, _ language: Language) -> CellStyle {
        let date = language == .english ? "yyyy-mm-dd" : "dd/mm/yyyy"
        return switch column.kind {
        case .text where wraps(column): CellStyle(wraps: true)
        // A text of unknown length may be long.
        case .text where column.expectedWidth == nil && column.options.isEmpty:
            CellStyle(numberFormat: "@", wraps: true)
        // With the text format, `0045` remains a text when the cell is edited.
        case .text: CellStyle(numberFormat: "@")
        case .boolean: CellStyle()
        case .link: CellStyle(isLink: true)
        case .integer: CellStyle(numberFormat: "0")
        case .decimal(let decimals): CellStyle(numberFormat: decimals.map { decimalFormat($0, unit: column.unit) })
        case .date: CellStyle(numberFormat: date)
        case .time: CellStyle(numberFormat: "hh:mm:ss")
        case .dateTime: CellStyle(numberFormat: date + " hh:mm:ss")
        }
    }

    /// The number format. Only amounts of money have separators of thousands, which would be wrong
    /// in coordinates and codes.
    private static func decimalFormat(_ decimals: Int, unit: String?) -> String {
        let money: Set<String> = ["S/", "S/.", "PEN", "$", "US$", "USD", "€", "EUR"]
        let whole = unit.map { money.contains($0) } == true ? "#,##0" : "0"
        return decimals <= 0 ? whole : whole + "." + String(repeating: "0", count: min(decimals, 15))
    }

    /// Whether the column's expected width requires wrapped lines.
    private static func wraps(_ column: SheetColumn) -> Bool {
        column.expectedWidth.map { $0 > widest } ?? false
    }

    private static func width(of column: SheetColumn, _ header: String, _ words: XLSXWords) -> Double {
        let content = switch column.kind {
        case .text: textWidth(column)
        case .integer: 9
        case .decimal: 11
        case .boolean: max(words.yes.count, words.no.count) + 2
        case .date: 11
        case .time: 9
        case .dateTime: 19
        case .link: 40
        }
        return min(max(Double(content + 1), headerWidth(header), 8), Double(widest + 4))
    }

    /// The width for a header's longest word and the filter's arrow; the other words wrap.
    private static func headerWidth(_ header: String) -> Double {
        let longestWord: Int = header.split(separator: " ").map(\.count).max() ?? 0
        return Double(max(longestWord, min(header.count, 24)) + 4)
    }

    /// The width for the most characters in a column's first rows; nil if they are empty. A longer
    /// text in a later row wraps or extends into the next cell.
    func width(holding characters: Int?) -> Double {
        switch kind {
        case .text, .link: min(max(Double((characters ?? 0) + 2), headerWidth, 8), Double(Self.widest + 4))
        // A number that is too wide shows as ###.
        case .integer, .decimal: max(width, Double((characters ?? 0) + 2))
        case .boolean, .date, .time, .dateTime: characters == nil ? max(headerWidth, 11) : width
        }
    }

    private static func textWidth(_ column: SheetColumn) -> Int {
        let options = column.options.map(\.count).max() ?? 0
        guard let expected = column.expectedWidth else { return max(options, 22) }
        return max(options, min(expected, widest))
    }

    // MARK: Lists

    private static func choices(of column: SheetColumn, _ words: XLSXWords, _ lists: inout ListCollector) -> Choices? {
        if column.kind == .boolean { return Choices(source: .values([words.yes, words.no]), isClosed: true) }
        let options = column.options.map { LibraryText($0, limit: 255).string }.filter { !$0.isEmpty }
        guard !options.isEmpty else { return nil }
        if fitsValidation(options) { return Choices(source: .values(options), isClosed: column.isClosed) }
        return Choices(list: lists.place(of: options), isClosed: column.isClosed)
    }

    /// Whether a list fits into a cell validation, which stores the values in one string of at most
    /// 255 characters, separated by commas.
    private static func fitsValidation(_ options: [String]) -> Bool {
        options.count <= 100 && options.joined(separator: ",").utf8.count <= 255
            && options.allSatisfy { option in
                !option.contains { $0 == "," || $0 == "\"" || $0.isNewline } && option.first != " "
                    && option.last != " "
            }
    }
}
