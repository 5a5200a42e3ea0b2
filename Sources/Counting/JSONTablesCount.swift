internal import Model

/// Counts the tables of a JSON document: lists outside of rows, under the path of their keys;
/// objects with plain members, which are one row; and the members of objects that the mapping names.
enum JSONTablesCount: FileCount {
    static let kind = "json-tables"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        var tables = PathTables(keyed: options.keyed)
        var scan = JSONTokens()
        var isFirst = true
        try file.forEachPiece { (piece) throws(CountFault) in
            let bytes = isFirst && piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece[...]
            isFirst = false
            for byte in bytes { try scan.take(byte) { (event) throws(CountFault) in try tables.take(event) } }
        }
        try scan.finish { (event) throws(CountFault) in try tables.take(event) }
        guard tables.hasValue else { throw .damaged("the document is empty") }
        return SourceCount(tables: try tables.counts(whole: file.stem), columnsByName: true)
    }
}
