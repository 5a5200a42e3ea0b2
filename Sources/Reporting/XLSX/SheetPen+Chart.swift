import Blocks
import Model
import Spreadsheets

extension ChartContent: SheetDrawn {
    func draw(with pen: inout SheetPen) throws { try pen.draw(self) }
}

extension SheetPen {
    mutating func draw(_ chart: ChartContent) throws {
        guard !chart.categories.isEmpty, !chart.series.isEmpty else {
            if let title = chart.title { try draw(title: title, level: 3) }
            return try draw(text: draft.head.words("sheet.nothing"), .note)
        }
        let height = plan.points(onPaper: chart.millimetres)
        let rows = try addRows(height: height + 6)
        let data = draft.takeData(of: chart)
        let colors = styles.chartColors
        let kind: Workbook.Chart.Kind =
            switch chart.kind {
            case .columns: .columns
            case .bars: .bars
            case .stacked: .stacked
            case .line: .line
            case .pie: .pie
            }
        let series = chart.series.indices.map { index in
            Workbook.Chart.Series(
                column: index + 1,
                colors: kind == .pie ? chart.categories.indices.map { colors[$0 % colors.count] } : [colors[index % colors.count]])
        }
        let format = chart.decimals.map { $0 <= 0 ? "0" : "0." + String(repeating: "0", count: min($0, 15)) } ?? "General"
        try draft.book.insert(
            Workbook.Chart(
                kind: kind, title: chart.title, measure: chart.measure, isReversed: chart.isReversed, numberFormat: format, font: styles.font, sheet: data.sheet,
                header: data.header, rows: chart.categories.count, categories: 0, series: kind == .pie ? Array(series.prefix(1)) : series),
            sheet, at: Workbook.Placement(row: rows.lowerBound, column: 0, y: 4, width: grid.width / 0.75 - 2, height: height / 0.75),
            description: chart.title ?? chart.measure)
    }
}
