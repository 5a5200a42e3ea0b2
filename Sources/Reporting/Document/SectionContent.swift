package import Model

/// A section with everything in it: pages that begin anew, or a sheet.
package struct SectionContent: Sendable {
    /// Machine name of the template's section.
    package var name: String
    /// The entry in the outline and the sheet's name.
    package var title: String
    /// Where links lead: `pits/ID`, or the section's name; unique in the document.
    package var anchor: String
    /// Whether the section stands for a row of a query: its pages are counted by themselves (sheet n of m).
    package var isOfRow: Bool
    package var paper: ReportPaper
    package var blocks: [BlockContent]

    package init(name: String, title: String, anchor: String, isOfRow: Bool, paper: ReportPaper, blocks: [BlockContent]) {
        self.name = name
        self.title = title
        self.anchor = anchor
        self.isOfRow = isOfRow
        self.paper = paper
        self.blocks = blocks
    }
}

/// A block with its texts and values, as every renderer takes it.
package enum BlockContent: Sendable {
    case title(String, level: Int)
    case text(String, style: ReportBlock.TextStyle)
    case fields(FieldsContent)
    case table(TableContent)
    case chart(ChartContent)
    case photos(PhotosContent)
    case picture(PictureContent)
    case log(LogContent)
    case strip(StripContent)
    case profile(ProfileContent)
    case sketch(SketchContent)
    case plan(PlanContent)
    case symbols([SymbolContent])
    case signatures([SignatureContent])
    case pageBreak
    case space(millimetres: Double)
}

/// One value, as people read it and as a workbook keeps it.
package struct ReportCell: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case empty
        case text(String)
        /// `decimals` as people see it; nil: as many as the number has.
        case number(Double, decimals: Int?)
        /// `yyyy-MM-dd`
        case date(String)
        /// An instant in UTC as stored.
        case instant(String)
    }

    package enum Link: Sendable, Hashable {
        /// A section's anchor.
        case anchor(String)
        case address(String)
    }

    package var value: Value
    /// In the run's language and the office's time zone; without the unit.
    package var text: String
    package var link: Link?
    package var tone: ReportBlock.Tone?

    package init(_ value: Value, text: String, link: Link? = nil, tone: ReportBlock.Tone? = nil) {
        self.value = value
        self.text = text
        self.link = link
        self.tone = tone
    }

    package static let empty = ReportCell(.empty, text: "")
    package static func text(_ text: String, tone: ReportBlock.Tone? = nil) -> ReportCell {
        ReportCell(text.isEmpty ? .empty : .text(text), text: text, tone: tone)
    }

    package var isEmpty: Bool { value == .empty }
    package var isNumber: Bool {
        if case .number = value { true } else { false }
    }
}

/// Labels with values, `columns` pairs side by side.
package struct FieldsContent: Sendable {
    package struct Item: Sendable {
        package var label: String
        /// With its unit.
        package var cell: ReportCell
        package var span: Int

        package init(label: String, cell: ReportCell, span: Int) {
            self.label = label
            self.cell = cell
            self.span = span
        }
    }

    package var columns: Int
    package var items: [Item]

    package init(columns: Int, items: [Item]) {
        self.columns = columns
        self.items = items
    }
}

package struct TableContent: Sendable {
    package struct Column: Sendable {
        /// Label and unit.
        package var label: String
        package var isNumeric: Bool
        /// Share of the width; nil: by what it holds.
        package var width: Double?
        /// Decimals that all numbers of the column are shown with; nil: as many as each has.
        package var decimals: Int?

        package init(label: String, isNumeric: Bool, width: Double?, decimals: Int?) {
            self.label = label
            self.isNumeric = isNumeric
            self.width = width
            self.decimals = decimals
        }
    }

    package struct Row: Sendable {
        package enum Kind: Sendable, Hashable {
            case data
            /// Opens a group; its text is in the first cell. Groups within groups have higher levels, from 0.
            case group(level: Int)
            case subtotal(level: Int)
            case total
        }

        package var kind: Kind
        package var cells: [ReportCell]
        package var tone: ReportBlock.Tone?

        package init(_ kind: Kind, _ cells: [ReportCell], tone: ReportBlock.Tone? = nil) {
            self.kind = kind
            self.cells = cells
            self.tone = tone
        }
    }

    package var title: String?
    package var columns: [Column]
    package var rows: [Row]
    /// Said instead of an empty table.
    package var empty: String?

    package init(title: String?, columns: [Column], rows: [Row], empty: String?) {
        self.title = title
        self.columns = columns
        self.rows = rows
        self.empty = empty
    }
}

package struct ChartContent: Sendable {
    package var title: String?
    package var kind: ReportBlock.Chart.Kind
    package var categories: [String]
    package var series: [(name: String, values: [Double?])]
    package var decimals: Int?
    /// Label and unit of what is measured.
    package var measure: String
    package var millimetres: Double

    package init(
        title: String?, kind: ReportBlock.Chart.Kind, categories: [String], series: [(name: String, values: [Double?])], decimals: Int?,
        measure: String, millimetres: Double
    ) {
        self.title = title
        self.kind = kind
        self.categories = categories
        self.series = series
        self.decimals = decimals
        self.measure = measure
        self.millimetres = millimetres
    }
}

package struct PictureContent: Sendable {
    package var picture: ReportPicture
    package var millimetres: Double

    package init(picture: ReportPicture, millimetres: Double) {
        self.picture = picture
        self.millimetres = millimetres
    }
}

package struct PhotosContent: Sendable {
    package struct Photo: Sendable {
        /// A small picture; nil when there is none to be had, and `missing` says why.
        package var picture: ReportPicture?
        package var missing: String?
        package var caption: String
        /// The original.
        package var link: ReportCell.Link?

        package init(picture: ReportPicture?, missing: String?, caption: String, link: ReportCell.Link?) {
            self.picture = picture
            self.missing = missing
            self.caption = caption
            self.link = link
        }
    }

    package var title: String?
    package var columns: Int
    /// Height of a picture.
    package var millimetres: Double
    package var photos: [Photo]
    package var empty: String?

    package init(title: String?, columns: Int, millimetres: Double, photos: [Photo], empty: String?) {
        self.title = title
        self.columns = columns
        self.millimetres = millimetres
        self.photos = photos
        self.empty = empty
    }
}

package struct SymbolContent: Sendable, Hashable {
    package var symbol: String
    package var name: String

    package init(symbol: String, name: String) {
        self.symbol = symbol
        self.name = name
    }
}

package struct SignatureContent: Sendable, Hashable {
    package var label: String
    package var name: String?

    package init(label: String, name: String?) {
        self.label = label
        self.name = name
    }
}
