import Model

/// A column of marks at their depths, as a template asks for it.
struct LogTrackKeys: Sendable {
    static let object = BlockObject(
        name: "reportLogTrack", about: "Marks at their depths beside a log, from a query of their own.",
        keys: [
            .query, .required("label", .text(.section), "Key of the column's title."),
            .required("from", .column(.query), "Column with the depth of a mark's top, in metres."),
            .optional("to", .column(.query), "Column with the depth of its bottom; where it is empty, the mark is a point."),
            .required("mark", .value(ReportValue.object(.query), .query), "What stands beside it: a sample's name, a result."),
        ])

    private let query: String
    private let label: ReportText
    private let from: String
    private let to: String?
    private let mark: ReportValue

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let label = template.reportText("label"), let from = template.text("from"),
            let mark = template["mark"].flatMap(ReportValue.init)
        else { return nil }
        (self.query, self.label, self.from, self.mark) = (query, label, from, mark)
        to = template.text("to")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> LogContent.Track {
        LogContent.Track(
            label: context.text(label, row) ?? "",
            marks: try context.rows(query, for: row).compactMap { row in
                guard let top = row.number(from) else { return nil }
                return .init(top: top, bottom: max(top, to.flatMap { row.number($0) } ?? top), label: try context.cell(mark, row).text)
            })
    }
}
