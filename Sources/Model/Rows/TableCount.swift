/// The counts of a table, column by column. One set of counts is made from a reader's batches,
/// another from the file by code that shares nothing with the reader. The two are compared, so that
/// no cell is lost without a finding.
package struct TableCount: Sendable, Hashable, Codable {
    /// The numbers of a column: their count, their sum, and the sum of their absolute values, to
    /// which differences of sums are compared.
    package struct Numbers: Sendable, Hashable, Codable {
        package var count = 0
        package var sum = 0.0
        package var size = 0.0

        package init(count: Int = 0, sum: Double = 0, size: Double = 0) {
            (self.count, self.sum, self.size) = (count, sum, size)
        }

        @inline(__always) package mutating func add(_ value: Double, times: Int = 1) {
            count += times
            sum += value * Double(times)
            size += abs(value) * Double(times)
        }
    }

    package struct Column: Sendable, Hashable, Codable {
        /// The name, if the file contains names of columns.
        package var name: String?
        /// Cells with content: a text of at least one character (a space is one), or any other
        /// value, including an error.
        package var filled = 0
        /// Cells that contain a day or a time.
        package var dates = 0
        /// Cells that the file stores as numbers; nil if these were not counted.
        package var numbers: Numbers?
        /// Texts that are clearly a number: `-12`, `3.50`, `3,50`, with one decimal point or comma
        /// and no other mark; nil if these were not counted.
        package var textNumbers: Numbers?

        package init(
            name: String? = nil, filled: Int = 0, dates: Int = 0, numbers: Numbers? = nil, textNumbers: Numbers? = nil
        ) {
            self.name = name
            self.filled = filled
            self.dates = dates
            self.numbers = numbers
            self.textNumbers = textNumbers
        }

        /// The counts of both columns combined.
        package func with(_ other: Column) -> Column {
            func both(_ first: Numbers?, _ second: Numbers?) -> Numbers? {
                guard let first, let second else { return first ?? second }
                return Numbers(
                    count: first.count + second.count, sum: first.sum + second.sum, size: first.size + second.size)
            }
            return Column(
                name: name, filled: filled + other.filled, dates: dates + other.dates,
                numbers: both(numbers, other.numbers),
                textNumbers: both(textNumbers, other.textNumbers))
        }
    }

    package var name: String
    /// Rows with at least one filled cell; nil if rows were not counted.
    package var rows: Int?
    /// Where a row is a line: the lines that are not blank, with a row or without; else nil.
    package var lines: Int?
    /// By position, up to the last column with a filled cell or a name.
    package var columns: [Column]

    package init(name: String, rows: Int? = nil, columns: [Column] = []) {
        self.name = name
        self.rows = rows
        self.columns = columns
    }
}

/// Line numbers of a file, as a set with a bit for each line up to the last one.
package struct LineSet: Sendable, Hashable {
    private var words: [UInt64] = []

    package init() {}

    package var isEmpty: Bool { words.isEmpty }

    /// - Parameter line: from one.
    package mutating func insert(_ line: Int) {
        guard line > 0 else { return }
        while words.count <= line >> 6 { words.append(0) }
        words[line >> 6] |= 1 << UInt64(line & 63)
    }

    package func contains(_ line: Int) -> Bool {
        line > 0 && line >> 6 < words.count && words[line >> 6] >> UInt64(line & 63) & 1 == 1
    }
}

/// Rows in a JSON document: objects in nested lists. Describes them for code that counts them
/// without the reader.
package struct NestedRows: Sendable, Hashable {
    /// The members with the lists, starting at the document's root.
    package var path: [String]
    /// The table that the rows become.
    package var table: String
    /// Columns by the members with their values.
    package var columns: [String: String]
    /// The column that replaces one whose member does not exist.
    package var standIn: [String: String]
    /// Columns of the rows whose values are not members of their objects.
    package var others: Set<String>

    package init(
        path: [String], table: String, columns: [String: String], standIn: [String: String] = [:],
        others: Set<String> = []
    ) {
        self.path = path
        self.table = table
        self.columns = columns
        self.standIn = standIn
        self.others = others
    }
}
