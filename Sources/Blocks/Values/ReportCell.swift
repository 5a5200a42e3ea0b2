/// One value, as people read it and as a workbook keeps it.
package struct ReportCell: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case empty
        case text(String)
        /// `decimals` as people see them; nil: as many as the number has.
        case number(Double, decimals: Int?)
        /// `yyyy-MM-dd`
        case date(String)
        /// An instant in UTC, as stored.
        case instant(String)
    }

    package enum Link: Sendable, Hashable {
        /// The anchor of a section.
        case anchor(String)
        case address(String)
    }

    package var value: Value
    /// In the run's language and the office's time zone; without the unit.
    package var text: String
    package var link: Link?
    package var tone: ReportTone?

    package init(_ value: Value, text: String, link: Link? = nil, tone: ReportTone? = nil) {
        self.value = value
        self.text = text
        self.link = link
        self.tone = tone
    }

    package static let empty = ReportCell(.empty, text: "")
    package static func text(_ text: String, tone: ReportTone? = nil) -> ReportCell {
        ReportCell(text.isEmpty ? .empty : .text(text), text: text, tone: tone)
    }

    package var isEmpty: Bool { value == .empty }
    package var isNumber: Bool {
        if case .number = value { true } else { false }
    }
    /// Whether a workbook may set it in several lines: numbers and days stay in one.
    package var mayWrap: Bool {
        switch value {
        case .empty, .text: true
        case .number, .date, .instant: false
        }
    }
}

/// How a row or cell is highlighted.
package enum ReportTone: String, Sendable, CaseIterable {
    case strong, muted, warning, danger, good
}
