internal import Model

/// Counts a workbook that Excel 2002 or 2003 saved as XML. A `Cell` is filled if its `Data` has a
/// character; those of type `Number` are numbers.
enum SpreadsheetML2003Count: FileCount {
    static let kind = "xml2003"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let sheets = Sheets()
        try MarkupStream.read(file, sheets)
        guard sheets.isWorkbook else { throw .damaged("it is no workbook") }
        return SourceCount(tables: sheets.tables, datesAreNumbers: true)
    }

    private final class Sheets: MarkupReceiver {
        private(set) var isWorkbook = false
        private(set) var tables: [TableCount] = []
        private(set) var fault: CountFault?
        private var name = ""
        private let mostColumns = ColumnCounts.mostColumns
        private var counts = ColumnCounts(numbers: true)
        private var path: [String] = []
        private var column = 0
        private var across = 0
        private var type = ""
        private var value: [UInt8] = []
        private var isFilled = false

        func open(_ element: MarkupElement) {
            if path.isEmpty {
                isWorkbook = element.name == "Workbook" && element.namespace.hasSuffix("office:spreadsheet")
            }
            let parent = path.last
            path.append(element.name)
            switch element.name {
            case "Worksheet" where parent == "Workbook":
                name = element["Name"] ?? ""
                counts = ColumnCounts(numbers: true)
            case "Row" where parent == "Table": column = 0
            case "Cell" where parent == "Row":
                if let index = element["Index"].flatMap({ Int($0) }), 1...mostColumns ~= index { column = index - 1 }
                across = min(max(element["MergeAcross"].flatMap { Int($0) } ?? 0, 0), mostColumns)
                isFilled = false
                value = []
                type = ""
            case "Data" where parent == "Cell": type = element["Type"] ?? "String"
            default: break
            }
        }

        func close(_ name: String) {
            path.removeLast()
            do throws(CountFault) {
                switch name {
                case "Cell" where path.last == "Row":
                    if isFilled { try endCell() }
                    column += 1 + across
                case "Row" where path.last == "Table": counts.endRow()
                case "Worksheet" where path.last == "Workbook": tables.append(counts.table(self.name))
                default: break
                }
            } catch { fault = error }
        }

        private func endCell() throws(CountFault) {
            if type == "DateTime", DayText.isDay(String(decoding: value, as: UTF8.self)) {
                return try counts.fillDate(column)
            }
            let digits = value.filter { $0 > 0x20 }
            guard type == "Number", let number = NumberText.decimal(digits.span) else { return try counts.fill(column) }
            try counts.fill(column, number: number)
        }

        func text(_ bytes: Span<UInt8>) {
            guard let data = path.lastIndex(of: "Data"), data > 0, path[data - 1] == "Cell",
                !path.contains("PhoneticText")
            else { return }
            isFilled = true
            guard value.count + bytes.count <= 512 else { return }
            for index in bytes.indices { value.append(bytes[index]) }
        }
    }
}

/// Counts a table's filled cells by column, and its rows that are not blank.
struct ColumnCounts {
    static var mostColumns: Int { CountBounds.current.columns }

    private(set) var columns: [TableCount.Column] = []
    private(set) var rows = 0
    private var isRowFilled = false
    private let empty: TableCount.Column
    /// The highest number of columns.
    private let most = Self.mostColumns

    init(numbers: Bool = false, textNumbers: Bool = false) {
        empty = TableCount.Column(numbers: numbers ? .init() : nil, textNumbers: textNumbers ? .init() : nil)
    }

    @inline(__always) private mutating func reach(_ column: Int) throws(CountFault) {
        if UInt(bitPattern: column) < UInt(bitPattern: columns.count) { return }
        guard column >= 0 else { throw .damaged("a value belongs to no column") }
        guard column < most else { throw .tooLarge("columns \(most)") }
        while columns.count <= column { columns.append(empty) }
    }

    /// Counts a filled cell.
    @inline(__always) mutating func fill(_ column: Int, times: Int = 1) throws(CountFault) {
        try reach(column)
        columns[column].filled += times
        isRowFilled = true
    }

    /// Counts a cell that contains a number.
    @inline(__always) mutating func fill(_ column: Int, number: Double, times: Int = 1) throws(CountFault) {
        try fill(column, times: times)
        columns[column].numbers?.add(number, times: times)
    }

    /// Adds a number that is part of a cell counted before.
    mutating func add(_ column: Int, number: Double) { columns[column].numbers?.add(number) }

    /// Counts a text, which may be a number.
    mutating func fill(_ column: Int, text: Span<UInt8>) throws(CountFault) {
        try fill(column)
        if let number = NumberText.plain(text) { columns[column].textNumbers?.add(number) }
    }

    mutating func fill(_ column: Int, textNumber: Double?) throws(CountFault) {
        try fill(column)
        if let textNumber { columns[column].textNumbers?.add(textNumber) }
    }

    mutating func fillDate(_ column: Int, times: Int = 1) throws(CountFault) {
        try fill(column, times: times)
        columns[column].dates += times
    }

    @inline(__always) mutating func endRow(times: Int = 1) {
        if isRowFilled { rows += times }
        isRowFilled = false
    }

    /// Names a column, even if it has no filled cell.
    mutating func name(_ column: Int, _ name: String) throws(CountFault) {
        try reach(column)
        columns[column].name = name
    }

    func table(_ name: String) -> TableCount { TableCount(name: name, rows: rows, columns: columns) }
}
