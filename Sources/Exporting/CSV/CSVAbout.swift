import Model

/// The export's cover as lines of CSV: name, label and value of each, then each table below its
/// title. Every line has the same number of fields, as RFC 4180 requires.
enum CSVAbout {
    static func lines(_ document: ExportDocument) -> [[String]] {
        let cover = document.cover
        var lines = [["name", "label", "value"], ["title", "", cover.title], ["subtitle", "", cover.subtitle]]
        if let banner = cover.environmentBanner { lines.append(["environment_banner", "", banner]) }
        if let banner = cover.draftBanner { lines.append(["draft_banner", "", banner]) }
        lines += cover.lines.map { [$0.name, $0.label, $0.value] }
        for table in cover.tables {
            lines += [[], [table.name, table.title], table.headers]
            lines += table.rows
        }
        let width = lines.map(\.count).max() ?? 0
        return lines.map { $0 + Array(repeating: "", count: width - $0.count) }
    }
}
