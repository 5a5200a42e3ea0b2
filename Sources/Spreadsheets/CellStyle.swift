package import Model

/// How a cell looks: a value, made into a format of the workbook once.
package struct CellStyle: Hashable, Sendable {
    package enum Alignment: Hashable, Sendable {
        case top, middle
    }

    /// An Excel number format; nil: General.
    package var numberFormat: String?
    package var isBold = false
    package var isLink = false
    package var wraps = false
    package var alignment: Alignment = .top
    package var size: Double?
    /// RGB.
    package var color: UInt32?
    package var fill: UInt32?
    package var hasBorder = false

    package init(
        numberFormat: String? = nil, isBold: Bool = false, isLink: Bool = false, wraps: Bool = false, alignment: Alignment = .top,
        size: Double? = nil, color: UInt32? = nil, fill: UInt32? = nil, hasBorder: Bool = false
    ) {
        self.numberFormat = numberFormat
        self.isBold = isBold
        self.isLink = isLink
        self.wraps = wraps
        self.alignment = alignment
        self.size = size
        self.color = color
        self.fill = fill
        self.hasBorder = hasBorder
    }

    package static let header = CellStyle(isBold: true, wraps: true, alignment: .middle)
    package static let title = CellStyle(isBold: true, alignment: .middle, size: 18)
    package static let subtitle = CellStyle(alignment: .middle, size: 12, color: 0x595959)
    package static let environmentBanner = CellStyle(isBold: true, alignment: .middle, size: 14, color: 0xFFFFFF, fill: 0xC00000)
    package static let draftBanner = CellStyle(isBold: true, alignment: .middle, size: 14, color: 0x7F6000, fill: 0xFFE699)
    package static let label = CellStyle(isBold: true)
    package static let value = CellStyle(wraps: true)
    package static let tableTitle = CellStyle(isBold: true, alignment: .middle, size: 13)
    package static let tableHeader = CellStyle(isBold: true, wraps: true, fill: 0xD9E1F2, hasBorder: true)
    package static let tableCell = CellStyle(wraps: true, hasBorder: true)

    /// A cell with findings: colour and weight say how serious they are.
    package static func faulty(_ severity: Severity) -> CellStyle {
        switch severity {
        case .error: CellStyle(isBold: true, wraps: true, color: 0x9C0006, fill: 0xFFC7CE, hasBorder: true)
        case .warning: CellStyle(wraps: true, color: 0x7F6000, fill: 0xFFEB9C, hasBorder: true)
        case .note: CellStyle(wraps: true, color: 0x1F3864, fill: 0xDDEBF7, hasBorder: true)
        }
    }
}
