import Blocks
import Model

/// The columns of a log on a sheet: depths, strip, descriptions, and the template's columns.
struct LogColumns {
    enum Kind: Hashable {
        case from, to, strip, number, description, symbol
        case track(Int)
        /// A column of the template, by its index in the log's columns.
        case further(Int)
    }

    let kinds: [Kind]

    init(_ log: LogContent) {
        var kinds: [Kind] = [.from, .to, .strip]
        if log.layers.contains(where: { !$0.number.isEmpty }) { kinds.append(.number) }
        kinds.append(.description)
        // If a column of the template already shows the symbols, no column of symbols is added.
        let isShown = log.columns.indices.contains { column in
            log.layers.allSatisfy { $0.cells[column].text == $0.stratum.symbol }
        }
        if log.layers.isEmpty || !isShown { kinds.append(.symbol) }
        kinds += log.tracks.indices.map { Kind.track($0) }
        kinds += log.columns.indices.map { Kind.further($0) }
        self.kinds = kinds
    }

    /// The heading of a template's column. If several have the same label, the titles above them
    /// distinguish them.
    private static func heading(_ index: Int, _ log: LogContent) -> String {
        let column = log.columns[index]
        guard let under = column.under, log.columns.filter({ $0.label == column.label }).count > 1 else {
            return column.label
        }
        return "\(under) \(column.label)"
    }

    /// The required widths of the columns, in points; `usable` is the width of the page.
    func widths(_ log: LogContent, usable: Double, fit: TextFit) -> [Double] {
        let size = ReportStyles.bodySize
        func natural(_ texts: [String], least: Double, most: Double) -> Double {
            let widest = texts.map { fit.width($0, size: size) }.max() ?? 0
            return min(max(widest + TextFit.padding + 11, least), most)
        }
        var widths = kinds.map { kind -> Double in
            switch kind {
            case .from, .to: 40
            case .strip: 54
            case .number: natural(log.layers.map(\.number), least: 30, most: 60)
            case .symbol: natural(log.layers.map(\.stratum.symbol), least: 44, most: 80)
            case .track: 96
            case .description: 0
            case .further(let index):
                max(
                    natural(
                        log.layers.map { $0.cells.indices.contains(index) ? $0.cells[index].text : "" }, least: 40,
                        most: 110),
                    min(fit.longestWord(Self.heading(index, log), size: size, isBold: true) + TextFit.padding + 6, 90))
            }
        }
        // The description fills the remaining width. Shares refer to the width that the fixed
        // columns leave.
        let fixed = zip(kinds, widths).reduce(0.0) { sum, pair in
            if case .further = pair.0 { sum } else { sum + pair.1 }
        }
        let left = max(usable - fixed, 200)
        for (index, kind) in kinds.enumerated() {
            if case .further(let column) = kind, let share = log.columns[column].width {
                widths[index] = max(share * left * 0.6, 30)
            }
        }
        if let index = kinds.firstIndex(of: .description) {
            widths[index] = max(usable - widths.reduce(0, +), min(usable * 0.34, 180))
        }
        return widths
    }

    func label(_ kind: Kind, _ log: LogContent, _ words: ReportWords) -> String {
        switch kind {
        case .from: words("sheet.from")
        case .to: words("sheet.to")
        case .strip: words("sheet.strip")
        case .number: words("sheet.number")
        case .description: words("sheet.description")
        case .symbol: words("sheet.symbol")
        case .track(let index): log.tracks[index].label
        case .further(let index): Self.heading(index, log)
        }
    }
}
