/// A place in a pack's file. Line and column are counted from 1; they are 0 for the file as a
/// whole.
package struct PackPlace: Sendable, Hashable, Comparable {
    /// The path below `Templates/`: `ingeplus/entities/calicatas.yaml`.
    package var file: String
    package var line = 0
    package var column = 0

    package static func < (left: PackPlace, right: PackPlace) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}
