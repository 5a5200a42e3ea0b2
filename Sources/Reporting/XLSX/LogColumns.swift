import Blocks
import Model

/// The columns of a log on a sheet: depths, strip, descriptions, and the template's columns.
struct LogColumns {
    enum Kind: Hashable {
        case from, to, strip, number, description, symbol
        case track(Int)
        /// A column of the template, by its index in the log's columns.
        case further(Int)

        var isOfEveryLog: Bool {
            switch self {
            case .from, .to, .strip, .number, .description, .symbol: true
            case .track, .further: false
            }
        }
    }

    /// The columns beside the strip, and those that find no room there: these stand in tables below the log, so that
    /// the sheet is printed in its own size.
    let kinds: [Kind]
    let below: [Kind]
    /// The widths of both, in points.
    let widths: [Double]
    let widthsBelow: [Double]

    /// - Parameter usable: the width of the page in points.
    init(_ log: LogContent, usable: Double, fit: TextFit) {
        let all = Self.kinds(of: log)
        let needs = Self.widths(of: all, log, fit)
        var room = usable - Self.leastDescription(usable)
        var taken: Set<Kind> = []
        for (kind, width) in zip(all, needs) where kind.isOfEveryLog {
            taken.insert(kind)
            room -= width
        }
        // Classes and figures are nearer to the description than marks, and stay in their order.
        let further = zip(all, needs).filter { if case .further = $0.0 { true } else { false } }
        let tracks = zip(all, needs).filter { if case .track = $0.0 { true } else { false } }
        for group in [further, tracks] {
            for (kind, width) in group {
                guard width <= room else { break }
                taken.insert(kind)
                room -= width
            }
        }
        kinds = all.filter(taken.contains)
        below = (further + tracks).map(\.0).filter { !taken.contains($0) }
        widths = Self.filling(usable, kinds, Self.widths(of: kinds, log, fit), log)
        widthsBelow = Self.widths(of: below, log, fit)
    }

    private static func kinds(of log: LogContent) -> [Kind] {
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
        return kinds
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

    /// The widths that columns need, in points; none for the description.
    private static func widths(of kinds: [Kind], _ log: LogContent, _ fit: TextFit) -> [Double] {
        let size = ReportStyles.bodySize
        func natural(_ texts: [String], least: Double, most: Double) -> Double {
            let widest = texts.map { fit.width($0, size: size) }.max() ?? 0
            return min(max(widest + TextFit.padding + 11, least), most)
        }
        return kinds.map { kind -> Double in
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
                    min(fit.longestWord(heading(index, log), size: size, isBold: true) + TextFit.padding + 6, 90))
            }
        }
    }

    /// The least width of a description that is still readable.
    private static func leastDescription(_ usable: Double) -> Double { min(usable * 0.34, 180) }

    /// The widths on a page. The description fills the remaining width; shares refer to the width that the fixed
    /// columns leave.
    private static func filling(_ usable: Double, _ kinds: [Kind], _ needs: [Double], _ log: LogContent) -> [Double] {
        var widths = needs
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
            widths[index] = max(usable - widths.reduce(0, +), leastDescription(usable))
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
