import CXLSXWriter
package import OutputFiles

extension Workbook {
    /// A chart over cells of a sheet: categories in one column, and each series in a column, with
    /// its name in the header row.
    package struct Chart {
        package enum Kind {
            case columns, bars, stacked, line, pie
        }

        package struct Series {
            /// Column of the data sheet, counted from zero.
            package var column: Int
            /// Colours in RGB; for a pie those of its slices.
            package var colors: [UInt32]

            package init(column: Int, colors: [UInt32]) {
                self.column = column
                self.colors = colors
            }
        }

        package var kind: Kind
        package var title: String?
        /// Title of the value axis.
        package var measure: String
        /// Whether the value axis points down, or to the left for bars.
        package var isReversed: Bool
        package var numberFormat: String
        package var font: String
        /// Name of the sheet with the data, from `SheetNames`.
        package var sheet: String
        /// Row with the series' names.
        package var header: Int
        /// The number of rows below the header, one or more.
        package var rows: Int
        /// Column of the categories.
        package var categories: Int
        package var series: [Series]

        package init(
            kind: Kind, title: String?, measure: String, isReversed: Bool = false, numberFormat: String, font: String,
            sheet: String, header: Int, rows: Int,
            categories: Int, series: [Series]
        ) {
            self.kind = kind
            self.title = title
            self.measure = measure
            self.isReversed = isReversed
            self.numberFormat = numberFormat
            self.font = font
            self.sheet = sheet
            self.header = header
            self.rows = rows
            self.categories = categories
            self.series = series
        }
    }

    package mutating func insert(_ chart: Chart, _ sheet: SheetID, at place: Placement, description: String)
        throws(OutputFailure)
    {
        let type =
            switch chart.kind {
            case .columns: LXW_CHART_COLUMN
            case .bars: LXW_CHART_BAR
            case .stacked: LXW_CHART_COLUMN_STACKED
            case .line: LXW_CHART_LINE
            case .pie: LXW_CHART_PIE
            }
        guard let made = unsafe workbook_add_chart(book, UInt8(type.rawValue)) else {
            throw .library(name: "libxlsxwriter", reason: "workbook_add_chart")
        }
        let pointer = unsafe sheets[sheet.index].pointer
        let name = { (text: String) in LibraryText(text, limit: 250, isOneLine: true).string }
        let strings = [
            chart.font, name(chart.title ?? ""), name(chart.measure), chart.numberFormat, chart.sheet,
            name(description), Self.labelFormat(of: chart),
        ]
        let result = unsafe withCStrings(strings) { strings in
            var font = unsafe lxw_chart_font()
            unsafe font.name = strings[0]
            unsafe font.size = 9
            unsafe Self.setTitle(of: chart, to: strings[1], font, of: made)
            if chart.kind != .pie {
                unsafe Self.setAxes(of: chart, measure: strings[2], format: strings[3], font, made)
            }
            unsafe Self.setLegend(of: chart, font, made)
            for (index, series) in chart.series.enumerated() {
                let result = unsafe Self.add(
                    series, index, of: chart, to: made, sheet: strings[4], format: strings[6], font)
                guard result == LXW_NO_ERROR else { return result }
            }
            var options = unsafe lxw_chart_options()
            unsafe options.x_offset = Int32(place.x.rounded())
            unsafe options.y_offset = Int32(place.y.rounded())
            // The library's default size of a chart is 480 by 288 pixels.
            unsafe options.x_scale = place.width / 480
            unsafe options.y_scale = place.height / 288
            unsafe options.object_position = UInt8(LXW_OBJECT_MOVE_DONT_SIZE.rawValue)
            unsafe options.description = strings[5]
            return unsafe worksheet_insert_chart_opt(pointer, UInt32(place.row), UInt16(place.column), made, &options)
        }
        try Self.check(result, "worksheet_insert_chart_opt")
        sent.putChart()
    }

    private static func setTitle(
        of chart: Chart, to title: UnsafeMutablePointer<CChar>?, _ font: lxw_chart_font,
        of made: UnsafeMutablePointer<lxw_chart>
    ) {
        guard chart.title?.isEmpty == false else { return unsafe chart_title_off(made) }
        var bold = unsafe font
        unsafe bold.bold = 1
        unsafe bold.size = 11
        unsafe chart_title_set_name(made, title)
        unsafe chart_title_set_name_font(made, &bold)
    }

    private static func setAxes(
        of chart: Chart, measure: UnsafeMutablePointer<CChar>?, format: UnsafeMutablePointer<CChar>?,
        _ font: lxw_chart_font, _ made: UnsafeMutablePointer<lxw_chart>
    ) {
        var font = unsafe font
        // The library names axes by their direction: bars have their values on x.
        let isLying = chart.kind == .bars
        let values = unsafe isLying ? made.pointee.x_axis : made.pointee.y_axis
        let categories = unsafe isLying ? made.pointee.y_axis : made.pointee.x_axis
        unsafe chart_axis_set_num_font(values, &font)
        unsafe chart_axis_set_num_font(categories, &font)
        unsafe chart_axis_set_num_format(values, format)
        var grid = lxw_chart_line()
        grid.color = 0xD9D9D9
        grid.width = 0.75
        unsafe chart_axis_major_gridlines_set_line(values, &grid)
        if !chart.measure.isEmpty {
            // libxlsxwriter makes titles bold unless that is switched off.
            unsafe font.bold = 0
            unsafe chart_axis_set_name(values, measure)
            unsafe chart_axis_set_name_font(values, &font)
        }
        if chart.isReversed {
            unsafe chart_axis_set_reverse(values)
            // Category names stay below, or on the left, although values point down.
            unsafe chart_axis_set_label_position(categories, UInt8(LXW_CHART_AXIS_LABEL_POSITION_HIGH.rawValue))
        }
        if isLying {
            // The first category is on top, as in the table, and the values are below the last.
            unsafe chart_axis_set_reverse(categories)
            unsafe chart_axis_set_crossing_max(categories)
        }
    }

    private static func setLegend(
        of chart: Chart, _ font: lxw_chart_font, _ made: UnsafeMutablePointer<lxw_chart>
    ) {
        guard chart.series.count > 1 || chart.kind == .pie else {
            return unsafe chart_legend_set_position(made, UInt8(LXW_CHART_LEGEND_NONE.rawValue))
        }
        var font = unsafe font
        let position = chart.kind == .pie ? LXW_CHART_LEGEND_RIGHT : LXW_CHART_LEGEND_BOTTOM
        unsafe chart_legend_set_position(made, UInt8(position.rawValue))
        unsafe chart_legend_set_font(made, &font)
    }

    private static func add(
        _ series: Chart.Series, _ index: Int, of chart: Chart, to made: UnsafeMutablePointer<lxw_chart>,
        sheet: UnsafeMutablePointer<CChar>?, format: UnsafeMutablePointer<CChar>?, _ font: lxw_chart_font
    ) -> lxw_error {
        guard let line = unsafe chart_add_series(made, nil, nil) else { return LXW_ERROR_MEMORY_MALLOC_FAILED }
        let first = UInt32(chart.header + 1)
        let last = UInt32(chart.header + max(chart.rows, 1))
        let column = UInt16(series.column)
        unsafe chart_series_set_categories(line, sheet, first, UInt16(chart.categories), last, UInt16(chart.categories))
        unsafe chart_series_set_values(line, sheet, first, column, last, column)
        unsafe chart_series_set_name_range(line, sheet, UInt32(chart.header), column)
        switch chart.kind {
        case .line: unsafe draw(series, index, asLine: line)
        case .pie: return unsafe draw(series, asSlices: line, font)
        case .columns, .bars, .stacked: unsafe draw(series, asBars: line, of: chart, format: format, font)
        }
        return LXW_NO_ERROR
    }

    private static func draw(
        _ series: Chart.Series, _ index: Int, asLine line: UnsafeMutablePointer<lxw_chart_series>
    ) {
        let color = CellStyle.libraryColor(series.colors.first ?? 0)
        var stroke = lxw_chart_line()
        stroke.color = color
        stroke.width = 2
        // Dashes and markers distinguish the lines in black and white.
        let dashes = [
            LXW_CHART_LINE_DASH_SOLID, LXW_CHART_LINE_DASH_DASH, LXW_CHART_LINE_DASH_ROUND_DOT,
            LXW_CHART_LINE_DASH_LONG_DASH_DOT,
        ]
        stroke.dash_type = UInt8(dashes[index % dashes.count].rawValue)
        unsafe chart_series_set_line(line, &stroke)
        let marks = [
            LXW_CHART_MARKER_CIRCLE, LXW_CHART_MARKER_SQUARE, LXW_CHART_MARKER_TRIANGLE, LXW_CHART_MARKER_DIAMOND,
        ]
        unsafe chart_series_set_marker_type(line, UInt8(marks[index % marks.count].rawValue))
        unsafe chart_series_set_marker_size(line, 6)
        var fill = lxw_chart_fill()
        fill.color = color
        unsafe chart_series_set_marker_fill(line, &fill)
    }

    private static func draw(
        _ series: Chart.Series, asSlices pie: UnsafeMutablePointer<lxw_chart_series>, _ font: lxw_chart_font
    ) -> lxw_error {
        var font = unsafe font
        unsafe chart_series_set_labels_options(pie, 0, 0, 0)
        unsafe chart_series_set_labels_percentage(pie)
        // Outside the pie, so that the label of every slice can be read.
        unsafe chart_series_set_labels_position(pie, UInt8(LXW_CHART_LABEL_POSITION_OUTSIDE_END.rawValue))
        unsafe chart_series_set_labels_font(pie, &font)
        return unsafe setPoints(series.colors, pie)
    }

    private static func draw(
        _ series: Chart.Series, asBars bars: UnsafeMutablePointer<lxw_chart_series>, of chart: Chart,
        format: UnsafeMutablePointer<CChar>?, _ font: lxw_chart_font
    ) {
        var fill = lxw_chart_fill()
        fill.color = CellStyle.libraryColor(series.colors.first ?? 0)
        unsafe chart_series_set_fill(bars, &fill)
        // More labels would cover each other.
        guard chart.rows * chart.series.count <= 24 else { return }
        unsafe chart_series_set_labels(bars)
        unsafe chart_series_set_labels_num_format(bars, format)
        // Labels inside dark bars are white.
        var label = unsafe font
        if chart.kind == .stacked, isDark(series.colors.first ?? 0) { unsafe label.color = 0xFFFFFF }
        unsafe chart_series_set_labels_font(bars, &label)
    }

    private static func isDark(_ color: UInt32) -> Bool {
        Double(color >> 16 & 0xFF) * 0.299 + Double(color >> 8 & 0xFF) * 0.587 + Double(color & 0xFF) * 0.114 < 128
    }

    private static func setPoints(_ colors: [UInt32], _ line: UnsafeMutablePointer<lxw_chart_series>) -> lxw_error {
        var fills = colors.map { color in
            var fill = lxw_chart_fill()
            fill.color = CellStyle.libraryColor(color)
            return fill
        }
        var points = unsafe [lxw_chart_point](repeating: lxw_chart_point(), count: colors.count)
        return unsafe fills.withUnsafeMutableBufferPointer { fills in
            for index in fills.indices { unsafe points[index].fill = fills.baseAddress.map { unsafe $0 + index } }
            return unsafe points.withUnsafeMutableBufferPointer { points in
                var list = unsafe points.indices.map { index in unsafe points.baseAddress.map { unsafe $0 + index } }
                unsafe list.append(nil)
                return unsafe list.withUnsafeMutableBufferPointer {
                    unsafe chart_series_set_points(line, $0.baseAddress)
                }
            }
        }
    }

    /// The number format of labels. In a stacked bar, zeros get no label, because it would cover
    /// the neighbour's.
    private static func labelFormat(of chart: Chart) -> String {
        chart.kind == .stacked && !chart.numberFormat.contains(";")
            ? "\(chart.numberFormat);-\(chart.numberFormat);" : chart.numberFormat
    }
}
