package import Model

/// The style of a cell, as a value; the workbook makes a format of each only once.
package struct CellStyle: Hashable, Sendable {
    package enum Alignment: Hashable, Sendable {
        case top, middle, bottom
    }

    package enum Side: Hashable, Sendable {
        case left, center, right
    }

    /// Lines around a cell, or along some of its edges.
    package struct Border: Hashable, Sendable {
        package enum Line: Hashable, Sendable {
            case hair, thin, medium
        }

        package struct Edges: OptionSet, Hashable, Sendable {
            package let rawValue: UInt8
            package init(rawValue: UInt8) { self.rawValue = rawValue }

            package static let top = Edges(rawValue: 1)
            package static let bottom = Edges(rawValue: 2)
            package static let left = Edges(rawValue: 4)
            package static let right = Edges(rawValue: 8)
            package static let all: Edges = [.top, .bottom, .left, .right]
        }

        package var line: Line
        /// RGB.
        package var color: UInt32
        package var edges: Edges

        package init(_ line: Line, color: UInt32 = 0x000000, edges: Edges = .all) {
            self.line = line
            self.color = color
            self.edges = edges
        }
    }

    /// An Excel number format; nil: General.
    package var numberFormat: String?
    package var isBold = false
    package var isItalic = false
    package var isLink = false
    package var wraps = false
    package var alignment: Alignment = .top
    /// nil: numbers right-aligned, texts left-aligned.
    package var side: Side?
    /// Steps of indentation from the side.
    package var indent = 0
    package var size: Double?
    /// Name of the font; nil: the workbook's.
    package var font: String?
    /// RGB.
    package var color: UInt32?
    package var fill: UInt32?
    package var border: Border?

    package init(
        numberFormat: String? = nil, isBold: Bool = false, isItalic: Bool = false, isLink: Bool = false, wraps: Bool = false,
        alignment: Alignment = .top, side: Side? = nil, indent: Int = 0, size: Double? = nil, font: String? = nil, color: UInt32? = nil,
        fill: UInt32? = nil, border: Border? = nil
    ) {
        self.numberFormat = numberFormat
        self.isBold = isBold
        self.isItalic = isItalic
        self.isLink = isLink
        self.wraps = wraps
        self.alignment = alignment
        self.side = side
        self.indent = indent
        self.size = size
        self.font = font
        self.color = color
        self.fill = fill
        self.border = border
    }

    private static let grid = Border(.hair)

    package static let header = CellStyle(isBold: true, wraps: true, alignment: .middle)
    package static let title = CellStyle(isBold: true, alignment: .middle, size: 18)
    package static let subtitle = CellStyle(alignment: .middle, size: 12, color: 0x595959)
    package static let environmentBanner = CellStyle(isBold: true, alignment: .middle, size: 14, color: 0xFFFFFF, fill: 0xC00000)
    package static let draftBanner = CellStyle(isBold: true, alignment: .middle, size: 14, color: 0x7F6000, fill: 0xFFE699)
    package static let label = CellStyle(isBold: true)
    package static let value = CellStyle(wraps: true)
    package static let tableTitle = CellStyle(isBold: true, alignment: .middle, size: 13)
    package static let tableHeader = CellStyle(isBold: true, wraps: true, fill: 0xD9E1F2, border: grid)
    package static let tableCell = CellStyle(wraps: true, border: grid)

    /// A cell with findings: colour and weight show how serious they are.
    package static func faulty(_ severity: Severity) -> CellStyle {
        switch severity {
        case .error: CellStyle(isBold: true, wraps: true, color: 0x9C0006, fill: 0xFFC7CE, border: grid)
        case .warning: CellStyle(wraps: true, color: 0x7F6000, fill: 0xFFEB9C, border: grid)
        case .note: CellStyle(wraps: true, color: 0x1F3864, fill: 0xDDEBF7, border: grid)
        }
    }
}
