import Model
import Spreadsheets

/// Pictures, photos, legends and charts.
extension SheetPen {
    /// Between a picture and the edge of its cell, in points.
    private static let margin = 3.0

    /// Everything in points, from the upper left corner of a cell.
    func insert(
        _ picture: ReportPicture, row: Int, column: Int, x: Double, y: Double, width: Double, height: Double, _ description: String,
        link: LinkAddress? = nil, growsWithCells: Bool = false
    ) throws {
        let kept = try draft.pictures.keep(picture.bytes, isPNG: picture.isPNG, width: picture.width, height: picture.height)
        try draft.book.insert(
            kept, sheet,
            at: Workbook.Placement(
                row: row, column: column, x: x / 0.75, y: y / 0.75, width: width / 0.75, height: height / 0.75, growsWithCells: growsWithCells),
            description: description, link: link)
    }

    mutating func draw(_ content: PictureContent) throws {
        let picture = content.picture
        let scale = min(plan.points(onPaper: content.millimetres) / Double(picture.height), grid.width / Double(picture.width))
        let (width, height) = (Double(picture.width) * scale, Double(picture.height) * scale)
        let rows = try addRows(height: height + 6)
        try insert(picture, row: rows.lowerBound, column: 0, x: 0, y: 3, width: width, height: height, section.title)
    }

    /// A drawing as wide as `width` and as high as it is on paper; without a height as high as what is left of the page.
    mutating func drawPicture(
        millimetres: Double?, width: Double, _ description: String, _ draw: (_ width: Double, _ height: Double) throws -> ReportPicture
    ) throws {
        let page = pageHeight
        let height = min(millimetres.map { plan.points(onPaper: $0) } ?? (left > page / 3 ? left - 24 : page - 24), page - 24)
        let picture = try draw(width, height)
        let rows = try addRows(height: height + 6)
        try insert(picture, row: rows.lowerBound, column: 0, x: 0, y: 3, width: width, height: height, description)
    }

    // MARK: Photos

    mutating func draw(_ content: PhotosContent) throws {
        if let title = content.title {
            if !content.photos.isEmpty { keepTogether(plan.points(onPaper: content.millimetres) + 50) }
            try draw(title: title, level: 3)
        }
        guard !content.photos.isEmpty else {
            if let empty = content.empty { try draw(text: empty, .note) }
            return
        }
        let columns = max(min(content.columns, grid.count), 1)
        let spans = grid.spans([Double](repeating: 1, count: columns))
        let height = min(plan.points(onPaper: content.millimetres), Self.highest - 2 * Self.margin - 1)
        var rest = content.photos[...]
        while !rest.isEmpty {
            let line = Array(rest.prefix(columns))
            rest = rest.dropFirst(columns)
            // A row of pictures that are all broader than high wastes no paper.
            let highest = zip(line, spans).map { photo, span in
                photo.picture.map { Self.size(of: $0, width: grid.points(of: span) - 2 * Self.margin, height: height).height } ?? 30
            }.max() ?? height
            let captionHeight = zip(line, spans).map { self.height($0.caption, span: $1, styles.caption) }.max() ?? 12
            keepTogether(highest + 2 * Self.margin + captionHeight + 2)
            let pictures = try addRows(height: highest + 2 * Self.margin)
            let captions = try addRows(height: captionHeight)
            for (photo, span) in zip(line, spans) { try draw(photo, span, pictures, captions, highest) }
        }
        try addRows(height: 6)
    }

    private func draw(
        _ photo: PhotosContent.Photo, _ span: Range<Int>, _ rows: Range<Int>, _ captions: Range<Int>, _ highest: Double
    ) throws {
        if let picture = photo.picture {
            try put(.text(""), rows: rows, span: span, styles.frame)
            let room = grid.points(of: span) - 2 * Self.margin
            let size = Self.size(of: picture, width: room, height: highest)
            var link: LinkAddress?
            if case .address(let address) = photo.link { link = LinkAddress(address) }
            try insert(
                picture, row: rows.lowerBound, column: span.lowerBound, x: Self.margin + (room - size.width) / 2,
                y: Self.margin + (highest - size.height) / 2, width: size.width, height: size.height, photo.caption, link: link)
        } else {
            try put(.text(photo.missing ?? ""), rows: rows, span: span, styles.missing, link: photo.link)
        }
        // LibreOffice does not wrap a text that is a link: where the picture leads, its caption stays whole.
        try put(.text(photo.caption), rows: captions, span: span, styles.caption, link: photo.picture != nil && isAnchor(photo.link) ? photo.link : nil)
    }

    private func isAnchor(_ link: ReportCell.Link?) -> Bool {
        if case .anchor = link { true } else { false }
    }

    private static func size(of picture: ReportPicture, width: Double, height: Double) -> (width: Double, height: Double) {
        let scale = min(width / Double(picture.width), height / Double(picture.height))
        return (Double(picture.width) * scale, Double(picture.height) * scale)
    }

    // MARK: Symbols

    mutating func draw(_ symbols: [SymbolContent]) throws {
        let columns = max(min(3, grid.count / 2), 1)
        let hasRoom = grid.count >= 2
        let spans = hasRoom ? grid.spans((0..<columns).flatMap { _ in [0.16, 0.84] }) : [0..<1]
        var rest = symbols[...]
        while !rest.isEmpty {
            let line = rest.prefix(columns)
            rest = rest.dropFirst(columns)
            let texts = line.map { "\($0.symbol)  \($0.name)" }
            let places = line.indices.indices.map { hasRoom ? spans[($0 - line.startIndex) * 2 + 1] : spans[0] }
            let height = zip(texts, places).map { self.height($0, span: $1, styles.text(.small)) }.max() ?? 0
            let rows = try addRows(height: max(height, 19))
            for (index, symbol) in line.enumerated() {
                var style = styles.text(.small)
                style.alignment = .middle
                try put(.text(texts[index]), rows: rows, span: places[index], style)
                guard hasRoom else { continue }
                let sample = spans[index * 2]
                let width = min(grid.points(of: sample) - 4, 48)
                let picture = try draft.drawings.symbol(symbol.symbol, width: width, height: 14)
                // On the right, beside its name.
                try insert(
                    picture, row: rows.lowerBound, column: sample.lowerBound, x: grid.points(of: sample) - width - 2, y: 2.25, width: width, height: 14,
                    symbol.name)
            }
        }
        try addRows(height: 6)
    }

    // MARK: Charts

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
                kind: kind, title: chart.title, measure: chart.measure, numberFormat: format, font: styles.font, sheet: data.sheet,
                header: data.header, rows: chart.categories.count, categories: 0, series: kind == .pie ? Array(series.prefix(1)) : series),
            sheet, at: Workbook.Placement(row: rows.lowerBound, column: 0, y: 4, width: grid.width / 0.75 - 2, height: height / 0.75),
            description: chart.title ?? chart.measure)
    }
}
