import Model

/// What a column's element may hold, as the schema declares it and the writer checks it.
enum XMLType: Hashable, Sendable {
    case text
    /// xs:integer
    case integer
    /// xs:double
    case number
    /// xs:boolean
    case boolean
    /// xs:date, `yyyy-MM-dd` without a zone
    case date
    /// xs:time, `HH:mm:ss` without a zone
    case time
    /// xs:dateTime in UTC, `yyyy-MM-ddTHH:mm:ss[.f…]Z`
    case instant
    /// One of the values of a closed vocabulary.
    case choice([String])

    init(_ column: SheetColumn) {
        switch column.kind {
        case .text, .link: self = column.isClosed && !column.options.isEmpty ? .choice(column.options) : .text
        case .integer: self = .integer
        case .decimal: self = .number
        case .boolean: self = .boolean
        case .date: self = .date
        case .time: self = .time
        case .dateTime: self = .instant
        }
    }
}
