import Model

/// How a cell looks: a value, made into a format of the workbook once.
struct CellStyle: Hashable, Sendable {
    enum Alignment: Hashable, Sendable {
        case top, middle
    }

    /// An Excel number format; nil: General.
    var numberFormat: String?
    var isBold = false
    var isLink = false
    var wraps = false
    var alignment: Alignment = .top
    var size: Double?
    /// RGB.
    var color: UInt32?
    var fill: UInt32?
    var hasBorder = false

    static let header = CellStyle(isBold: true, wraps: true, alignment: .middle)
    static let title = CellStyle(isBold: true, alignment: .middle, size: 18)
    static let subtitle = CellStyle(alignment: .middle, size: 12, color: 0x595959)
    static let environmentBanner = CellStyle(isBold: true, alignment: .middle, size: 14, color: 0xFFFFFF, fill: 0xC00000)
    static let draftBanner = CellStyle(isBold: true, alignment: .middle, size: 14, color: 0x7F6000, fill: 0xFFE699)
    static let label = CellStyle(isBold: true)
    static let value = CellStyle(wraps: true)
    static let tableTitle = CellStyle(isBold: true, alignment: .middle, size: 13)
    static let tableHeader = CellStyle(isBold: true, wraps: true, fill: 0xD9E1F2, hasBorder: true)
    static let tableCell = CellStyle(wraps: true, hasBorder: true)

    /// A cell with findings: colour and weight say how serious they are.
    static func faulty(_ severity: Severity) -> CellStyle {
        switch severity {
        case .error: CellStyle(isBold: true, wraps: true, color: 0x9C0006, fill: 0xFFC7CE, hasBorder: true)
        case .warning: CellStyle(wraps: true, color: 0x7F6000, fill: 0xFFEB9C, hasBorder: true)
        case .note: CellStyle(wraps: true, color: 0x1F3864, fill: 0xDDEBF7, hasBorder: true)
        }
    }
}
