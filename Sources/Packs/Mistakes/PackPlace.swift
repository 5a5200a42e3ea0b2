/// A spot in a pack's file; line and column are counted from 1, 0 where a file as a whole is meant.
package struct PackPlace: Sendable, Hashable, Comparable {
    /// Path below `Templates/`: `ingeplus/entities/calicatas.yaml`.
    package var file: String
    package var line: Int
    package var column: Int

    package init(file: String, line: Int = 0, column: Int = 0) {
        self.file = file
        self.line = line
        self.column = column
    }

    package static func < (left: PackPlace, right: PackPlace) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}
