import Blocks
import Spreadsheets

/// A summary is merged rows with the ground of labels: the heading, then the text in as many rows
/// as it needs.
extension SummaryContent: SheetDrawn {
    func draw(with pen: inout SheetPen) throws {
        var look = pen.styles.label
        look.color = nil
        look.size = ReportStyles.textSize
        if let heading {
            pen.keepTogether(60)
            try pen.drawRow(heading, look, least: 18)
        }
        look.isBold = false
        try pen.draw(text: text, look: look)
        try pen.addRows(height: 6)
    }

    var mayFollowTable: Bool { true }
}
