internal import Model

/// A workbook that Excel 2002 or 2003 saved as XML: each `Cell` whose `Data` has a character holds something; those of the type `Number` are numbers.
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
            if path.isEmpty { isWorkbook = element.name == "Workbook" && element.namespace.hasSuffix("office:spreadsheet") }
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
            if type == "DateTime", DayText.isDay(String(decoding: value, as: UTF8.self)) { return try counts.fillDate(column) }
            let digits = value.filter { $0 > 0x20 }
            guard type == "Number", let number = NumberText.decimal(digits.span) else { return try counts.fill(column) }
            try counts.fill(column, number: number)
        }

        func text(_ bytes: Span<UInt8>) {
            guard let data = path.lastIndex(of: "Data"), data > 0, path[data - 1] == "Cell", !path.contains("PhoneticText") else { return }
            isFilled = true
            guard value.count + bytes.count <= 512 else { return }
            for index in bytes.indices { value.append(bytes[index]) }
        }
    }
}
