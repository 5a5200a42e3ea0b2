internal import Model

/// Counts a table's columns, and its rows that contain anything.
struct ColumnCounts {
    static var mostColumns: Int { CountBounds.current.columns }

    private(set) var columns: [TableCount.Column] = []
    private(set) var rows = 0
    private var isRowFilled = false
    private let empty: TableCount.Column
    private let most = Self.mostColumns

    init(numbers: Bool = false, textNumbers: Bool = false) {
        empty = TableCount.Column(numbers: numbers ? .init() : nil, textNumbers: textNumbers ? .init() : nil)
    }

    @inline(__always) private mutating func reach(_ column: Int) throws(CountFault) {
        if UInt(bitPattern: column) < UInt(bitPattern: columns.count) { return }
        guard column >= 0 else { throw .damaged("a value belongs to no column") }
        guard column < most else { throw .tooLarge("columns \(most)") }
        while columns.count <= column { columns.append(empty) }
    }

    /// Counts a filled cell.
    @inline(__always) mutating func fill(_ column: Int, times: Int = 1) throws(CountFault) {
        try reach(column)
        columns[column].filled += times
        isRowFilled = true
    }

    /// Counts a cell that contains a number.
    @inline(__always) mutating func fill(_ column: Int, number: Double, times: Int = 1) throws(CountFault) {
        try fill(column, times: times)
        columns[column].numbers?.add(number, times: times)
    }

    /// Adds a number that is part of a cell already counted.
    mutating func add(_ column: Int, number: Double) { columns[column].numbers?.add(number) }

    /// Counts a text, which may be a number.
    mutating func fill(_ column: Int, text: Span<UInt8>) throws(CountFault) {
        try fill(column)
        if let number = NumberText.plain(text) { columns[column].textNumbers?.add(number) }
    }

    mutating func fill(_ column: Int, textNumber: Double?) throws(CountFault) {
        try fill(column)
        if let textNumber { columns[column].textNumbers?.add(textNumber) }
    }

    mutating func fillDate(_ column: Int, times: Int = 1) throws(CountFault) {
        try fill(column, times: times)
        columns[column].dates += times
    }

    @inline(__always) mutating func endRow(times: Int = 1) {
        if isRowFilled { rows += times }
        isRowFilled = false
    }

    /// Names a column, whether or not it has a filled cell.
    mutating func name(_ column: Int, _ name: String) throws(CountFault) {
        try reach(column)
        columns[column].name = name
    }

    func table(_ name: String) -> TableCount { TableCount(name: name, rows: rows, columns: columns) }
}
